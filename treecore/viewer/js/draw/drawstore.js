// Where drawn points come from and go to: the server's message, and the tab's own storage.

import { Drawing, round } from "./drawpoints.js";

/** Half the side of the canvas, in units of the points. */
export const HALF = 1.25;

const KEPT = "treecore.drawing"; // its place in the tab's own storage

/** The points of a message of the server. @param {Message<any>} message @returns {Drawn[]} */
export function pointsIn(message) {
  /** @type {ArrayLike<number>} */
  const xy = message.array("xy") ?? [];
  /** @type {ArrayLike<number>} */
  const label = message.array("label") ?? [];
  // Without what single precision has added.
  return Array.from(label, (c, i) => [round(xy[2 * i]), round(xy[2 * i + 1]), c]);
}

/** Half the side of a canvas that holds all these points. @param {Drawn[]} points */
export function halfOf(points) {
  const far = points.reduce((most, [x, y]) => Math.max(most, Math.abs(x), Math.abs(y)), 0);
  return Math.max(HALF, Math.ceil(20 * far) / 20);
}

/** The drawing outlives a reload of the page, in this tab. @param {Drawn[]} points */
export function keep(points) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(points));
  } catch {
    // No storage, or none left: then it lives as long as the page.
  }
}

/** What was kept, or nothing. */
export function restored() {
  const drawing = new Drawing(Infinity);
  try {
    const points = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
    const fine = (/** @type {unknown} */ p) =>
      Array.isArray(p) && p.length === 3 && p.every(Number.isFinite);
    if (Array.isArray(points) && points.every(fine)) drawing.points = points;
  } catch {
    // Whatever lies there is not ours.
  }
  return drawing;
}
