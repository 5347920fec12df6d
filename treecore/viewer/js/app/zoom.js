// A page may be drawn larger than it is laid out, for a projector: the window and the pointer count
// in its pixels, drawings in their own.

/** How much larger an element is drawn than it is laid out: on a projector. @param {Element} element */
export const zoomOf = (element) => element.currentCSSZoom ?? 1;

/** Pixels of the screen for one of a drawing, at most 3. */
export const sharpness = () => {
  const page = globalThis.document?.documentElement;
  return Math.min(3, (window.devicePixelRatio || 1) * (page ? zoomOf(page) : 1));
};

/**
 * Where an event lies within an element, in pixels of the element.
 * @param {Element} element @param {MouseEvent} event @returns {[number, number]}
 */
export function within(element, { clientX, clientY }) {
  const { left, top } = element.getBoundingClientRect();
  const zoom = zoomOf(element);
  return [(clientX - left) / zoom, (clientY - top) / zoom];
}

/**
 * Where a place within an element lies in the window.
 * @param {Element} element @param {number} x @param {number} y
 */
export function inWindow(element, x, y) {
  const { left, top } = element.getBoundingClientRect();
  const zoom = zoomOf(element);
  return { x: left + zoom * x, y: top + zoom * y };
}
