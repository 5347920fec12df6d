// The browser's history: an address that a page completes by itself is no step of the visitor's.
// Whoever comes to `/train` is soon at `/train?v=1&data=…`; without this, going back would lead to
// `/train`, which at once is completed again. It is there before Streamlit's own scripts, which
// complete the address of a page as soon as they have drawn it: see `ui/server/routes.py`.

/**
 * Whether a page goes to the link of what it shows from an address that was none: `v` is in all
 * links that pages make, see `ui/links/visit.py`.
 * @param {string} here @param {string | URL | null} url
 */
export function completes(here, url) {
  const from = new URL(here), to = new URL(url ?? here, here);
  const ours = to.searchParams.has("v") && !from.searchParams.has("v");
  return ours && from.pathname === to.pathname;
}

/**
 * Whether two addresses of a page differ in nothing but the points that were drawn on it: who has
 * drawn sixty of them would have to go back sixty times. See `ui/widgets/data/points.py`.
 * @param {string} here @param {string | URL | null} url
 */
export function redraws(here, url) {
  const bare = (/** @type {string | URL} */ address) => {
    const parts = new URL(address, here);
    const had = parts.searchParams.has("drawing");
    parts.searchParams.delete("drawing");
    return { had, address: parts.href };
  };
  if (url === null) return false;
  const from = bare(here), to = bare(url);
  return (from.had || to.had) && from.address === to.address;
}

if (typeof window !== "undefined") {
  const push = window.history.pushState;
  window.history.pushState = function (state, title, url) {
    const same = completes(location.href, url ?? null) || redraws(location.href, url ?? null);
    if (same) this.replaceState(state, title, url);
    else push.call(this, state, title, url);
  };
}
