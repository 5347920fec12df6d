// Brings what begins to move into view, where it lies below the screen: on a telephone.

/** @import { Mount } from "../types.d.ts" */

/** @type {WeakMap<Node, number>} */
const counts = new WeakMap();

/** What Streamlit calls; `plays` counts how often something was started. @param {Mount} mount */
export default function arrive({ parentElement, data }) {
  const { plays = 0 } = /** @type {{plays?: number}} */ (data ?? {});
  const before = counts.get(parentElement) ?? plays;
  counts.set(parentElement, plays);
  if (plays > before) show(parentElement.host);
}

/** Scroll to an element that lies in the lower half of the window, or below. @param {Element} host */
export function show(host) {
  if (host.getBoundingClientRect().top < innerHeight / 2) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  host.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
}
