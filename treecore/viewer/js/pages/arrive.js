// Brings what begins to move into view, where it lies below the screen: on a telephone; and when it
// has come to its end, there, what came of it, which lies above. And takes the
// keyboard's focus where a button has given way to what came of it, since the focus went with it.

/** @type {WeakMap<Node, number>} */
const counts = new WeakMap();

const HEADER = "72px"; // of the page, which lies over what is at the top
const LINGER = 1500; // milliseconds in which the end of a run can be looked at

/**
 * What Streamlit calls; `plays` counts how often something was started. With a `label` the place
 * takes the focus, and is called that; where it is an `end`, it is come back to after a while.
 * @param {Mount} mount
 */
export default function arrive({ parentElement, data }) {
  const { plays = 0, label = "", end = false } =
    /** @type {{plays?: number, label?: string, end?: boolean}} */ (data ?? {});
  const before = counts.get(parentElement) ?? plays;
  counts.set(parentElement, plays);
  if (plays <= before) return;
  const { host } = parentElement;
  /** @type {HTMLElement} */ (host).style.scrollMarginTop = HEADER;
  if (end) setTimeout(comeBack, LINGER, host, placeOf(host));
  else if (label) focus(/** @type {HTMLElement} */ (host), label);
  else show(host);
}

/** The tab key goes on from here, where it can be seen. @param {HTMLElement} host @param {string} label */
function focus(host, label) {
  host.tabIndex = -1;
  host.style.outline = "none";
  host.setAttribute("role", "group");
  host.ariaLabel = label;
  host.focus({ preventScroll: true });
  if (placeOf(host) < 0) bring(host);
}

/** @param {Element} host */
const placeOf = (host) => Math.round(host.getBoundingClientRect().top);

/**
 * Scroll up to an element, where words stand above what they are about and nobody has scrolled
 * since.
 * @param {Element} host @param {number} place where it was
 */
export function comeBack(host, place) {
  const stacked = matchMedia("(max-width: 640px)").matches;
  if (stacked && placeOf(host) === place && place < 0) bring(host);
}

/** Scroll to an element that lies in the lower half of the window, or below. @param {Element} host */
export function show(host) {
  if (host.getBoundingClientRect().top >= innerHeight / 2) bring(host);
}

/** @param {Element} host */
function bring(host) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  host.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
}
