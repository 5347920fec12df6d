// The few helpers that make elements. Text only ever enters through textContent: names of classes
// and features are the user's.

/**
 * Create an element with a class and text.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

/**
 * Set text only when it changed, so that nothing is laid out again for nothing.
 * @param {Node} element @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** What has the focus in the shadow root of an element. @param {Element} element */
export const focusedBeside = (element) =>
  /** @type {ShadowRoot} */ (element.getRootNode()).activeElement;

// Fetched before anything is mounted, so that nothing is ever seen unstyled.
const sheet = await loadStyle();

async function loadStyle() {
  const answer = await fetch(new URL("../live.css", import.meta.url));
  const loaded = new CSSStyleSheet();
  loaded.replaceSync(await answer.text());
  return loaded;
}

/** Give a shadow root our style. @param {ShadowRoot} parent */
export function addStyle(parent) {
  parent.adoptedStyleSheets = [sheet];
}
