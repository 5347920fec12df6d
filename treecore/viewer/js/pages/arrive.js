// Brings what begins to move into view, where it lies below the screen: on a telephone. And takes the
// keyboard's focus where a button has given way to what came of it, since the focus went with it.

/** @import { Mount } from "../types.d.ts" */

/** @type {WeakMap<Node, number>} */
const counts = new WeakMap();

/**
 * What Streamlit calls; `plays` counts how often something was started. With a `label` the place
 * takes the focus, and is called that.
 * @param {Mount} mount
 */
export default function arrive({ parentElement, data }) {
  const { plays = 0, label = "" } = /** @type {{plays?: number, label?: string}} */ (data ?? {});
  const before = counts.get(parentElement) ?? plays;
  counts.set(parentElement, plays);
  if (plays <= before) return;
  const { host } = parentElement;
  if (label) focus(/** @type {HTMLElement} */ (host), label);
  else show(host);
}

/** The tab key goes on from here. @param {HTMLElement} host @param {string} label */
function focus(host, label) {
  host.tabIndex = -1;
  host.style.outline = "none";
  host.setAttribute("role", "group");
  host.ariaLabel = label;
  host.focus({ preventScroll: true });
}

/** Scroll to an element that lies in the lower half of the window, or below. @param {Element} host */
export function show(host) {
  if (host.getBoundingClientRect().top < innerHeight / 2) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  host.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
}
