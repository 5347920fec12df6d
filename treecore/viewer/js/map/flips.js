// Points on the move: those whose leaf is another one than a pass ago, in round brackets, and in
// Stable SGD those that the gradient still keeps in another leaf than the one they are in, in
// square ones. Shapes tell the two apart, so that nobody needs a colour for it.

import { isShown } from "../app/frame.js";
import { outlined } from "../app/ink.js";
import { newPath } from "../app/theme.js";

/** @import { Paint, Stamps } from "./stamps.js" */
/** @typedef {(path: Path, x: number, y: number, r: number) => void} Brackets about a marker */

/** The number of a leaf that learning does not know, as treecore/viewer/messages/plotted_points.py sends it for held-out points. */
export const NOWHERE = 65535;

const FAR = 2.8; // pixels between a marker and its brackets
const OPEN = 0.95; // half the angle of a round bracket

/**
 * Has the point another leaf than a pass ago?
 * @param {Pick<Scene, "frame" | "earlier">} view @param {number} i
 */
export function hasMoved(view, i) {
  const { frame, earlier } = view;
  return !!earlier?.at && !!frame?.at && frame.at[i] !== earlier.at[i];
}

/**
 * The leaf that the gradient uses for a point where it is not the one it is in; else -1.
 * @param {Frame | null} frame @param {number} i
 */
export function frozenLeaf(frame, i) {
  const leaf = frame?.used?.[i] ?? NOWHERE;
  return leaf === NOWHERE || !frame?.at || leaf === frame.at[i] ? -1 : leaf;
}

/**
 * How many of the shown points have moved, and how many the gradient keeps elsewhere.
 * @param {Pick<Scene, "frame" | "earlier" | "points" | "lens">} view
 */
export function countFlips(view) {
  const { frame, points, lens } = view;
  const found = { moved: 0, frozen: 0 };
  for (let i = 0; frame?.at && i < frame.at.length; i++) {
    if (!isShown(points, i, lens.side)) continue;
    if (hasMoved(view, i)) found.moved += 1;
    if (frozenLeaf(frame, i) >= 0) found.frozen += 1;
  }
  return found;
}

/** Round brackets about a marker of radius r. @type {Brackets} */
export function roundBrackets(path, x, y, r) {
  for (const side of [0, Math.PI]) {
    path.moveTo(x + (r + FAR) * Math.cos(side - OPEN), y + (r + FAR) * Math.sin(side - OPEN));
    path.arc(x, y, r + FAR, side - OPEN, side + OPEN);
  }
}

/** Square brackets, a little further out: a point may have both. @type {Brackets} */
export function squareBrackets(path, x, y, r) {
  const far = r + FAR + 2.2;
  const tall = r + 2.6;
  for (const side of [-1, 1]) {
    path.moveTo(x + side * (far - 3.4), y - tall);
    path.lineTo(x + side * far, y - tall);
    path.lineTo(x + side * far, y + tall);
    path.lineTo(x + side * (far - 3.4), y + tall);
  }
}

/**
 * Brackets are seen on any ground: dark on a light edge, or the other way round.
 * @param {Context2D} ctx @param {Theme} theme @param {Path} path
 */
export function strokeBrackets(ctx, theme, path) {
  Object.assign(ctx, { lineJoin: "miter", lineCap: "butt" });
  // Early in a run most points wear brackets: they must not hide the rest.
  outlined(ctx, theme, 1.4, theme.text, { edge: 1.8, share: 0.7, path });
}

/**
 * Draw the brackets of all shown points; hundreds of paths a picture would be too slow.
 * @param {Context2D} ctx @param {Scene} view @param {Stamps} stamps @param {Scales} s
 * @param {number} r
 */
export function drawFlips(ctx, view, stamps, s, r) {
  const { frame, points, lens, theme } = view;
  /** @type {(shape: Brackets) => Paint} */
  const painted = (shape) => (pen, x, y) => {
    const path = newPath(pen);
    shape(path, x, y, r);
    strokeBrackets(pen, theme, path);
  };
  const [round, square] = [painted(roundBrackets), painted(squareBrackets)];
  for (let i = 0; frame?.at && i < frame.at.length; i++) {
    if (!isShown(points, i, lens.side)) continue;
    const [x, y] = [s.x(points.xy[2 * i]), s.y(points.xy[2 * i + 1])];
    if (hasMoved(view, i)) stamps.about(ctx, "round", r, x, y, round);
    if (frozenLeaf(frame, i) >= 0) stamps.about(ctx, "square", r, x, y, square);
  }
}
