// What is on the canvas to draw on.

import { focusedBeside } from "../app/dom.js";
import { outlined } from "../app/ink.js";
import { fit, ticks } from "../app/theme.js";

/** @import { DrawView } from "./draw.js" */
/** @import { Board } from "./drawhands.js" */
/** @import { Context2D, XY } from "../types.d.ts" */

/**
 * The canvas as it is now: grid, points, the pointer's reach, the keyboard's place.
 * @param {DrawView} view
 */
export function paintDrawing(view) {
  const { drawing, theme, size } = view;
  const ctx = fit(view.canvas, size, size);
  const place = placed(view);
  ctx.fillStyle = theme.back;
  ctx.fillRect(0, 0, size, size);
  for (const tick of ticks(-view.half, view.half, 5)) {
    ctx.fillStyle = Math.abs(tick) < 1e-9 ? theme.line : theme.grid;
    const [x, y] = place([tick, tick]);
    ctx.fillRect(Math.round(x), 0, 1, size);
    ctx.fillRect(0, Math.round(y), size, 1);
  }
  const r = Math.max(2.2, Math.min(size > 400 ? 5 : 4, size / Math.sqrt(drawing.points.length + 1) / 6));
  for (const point of drawing.points) {
    view.stamps.point(ctx, point[2], false, false, r, ...place(point), null);
  }
  paintHand(view, ctx, place, r);
}

/**
 * Pixels of a point.
 * @param {Board} view @returns {(point: ArrayLike<number>) => XY}
 */
export function placed({ half, size }) {
  const at = (/** @type {number} */ v) => ((v + half) / (2 * half)) * size;
  return ({ 0: x, 1: y }) => [at(x), size - at(y)];
}

/**
 * Where the pointer is, and the keyboard.
 * @param {Board} view @param {Context2D} ctx
 * @param {(point: ArrayLike<number>) => XY} place @param {number} r of a point
 */
export function paintHand(view, ctx, place, r) {
  if (view.hover) paintPointer(view, ctx, view.hover, place(view.hover), r);
  if (view.cursor && focusedBeside(view.canvas) === view.canvas) {
    paintCursor(view, ctx, place(view.cursor));
  }
}

/**
 * How far the tool in hand reaches.
 * @param {Board} view @param {Context2D} ctx
 * @param {XY} hover @param {XY} at the same in pixels @param {number} r of a point
 */
function paintPointer(view, ctx, hover, [x, y], r) {
  const { theme } = view;
  const scale = view.size / (2 * view.half);
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = view.tool === "erase" ? theme.text : theme.of(view.label);
  const on = view.drawing.nearest(...hover, view.aim);
  const reach = view.tool === "spray" ? Math.max(3, 2 * view.spread * scale)
    : view.tool === "erase" ? view.aim * scale : on >= 0 ? 0 : r + 2;
  if (on >= 0 && view.tool === "point") {
    const [px, py] = view.drawing.points[on];
    [x, y] = [(px + view.half) * scale, (view.half - py) * scale];
    ctx.strokeStyle = theme.text;
  }
  ctx.beginPath();
  ctx.arc(x, y, reach || r + 3.5, 0, 2 * Math.PI);
  ctx.stroke();
  view.canvas.style.cursor = on >= 0 && view.tool === "point" ? "grab" : "";
}

/**
 * A cross about the place that keys have gone to.
 * @param {Board} view @param {Context2D} ctx @param {XY} at
 */
function paintCursor(view, ctx, [x, y]) {
  ctx.beginPath();
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    ctx.moveTo(x + 4 * dx, y + 4 * dy);
    ctx.lineTo(x + 11 * dx, y + 11 * dy);
  }
  outlined(ctx, view.theme, 1.5, view.theme.text, { edge: 2.5 });
}
