// The style of all views, fetched before anything is mounted, so that nothing is ever seen unstyled.
// Where scripts travel without a server, treecore/viewer/pages/bundle.py puts the text itself here.

export const style = await (await fetch(new URL("../live.css", import.meta.url))).text();
