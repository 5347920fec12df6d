// What is on the canvas to draw on.

import { focusedBeside } from "../app/dom.js";
import { outlined } from "../app/ink.js";
import { fit, ticks } from "../app/theme.js";
import { SPREAD } from "./drawpoints.js";

/** @import { DrawView } from "./draw.js" */
/** @import { Hand } from "./drawhands.js" */

/**
 * The canvas as it is now: grid, points, the pointer's reach, the keyboard's place.
 * @param {DrawView} view
 */
export function paintDrawing(view) {
  const { drawing, theme, size } = view;
  view.stamps.renew();
  const ctx = fit(view.canvas, size, size);
  ctx.fillStyle = theme.back;
  ctx.fillRect(0, 0, size, size);
  for (const tick of ticks(-view.half, view.half, 5)) {
    ctx.fillStyle = Math.abs(tick) < 1e-9 ? theme.line : theme.grid;
    const [x, y] = view.placed([tick, tick]);
    ctx.fillRect(Math.round(x), 0, 1, size);
    ctx.fillRect(0, Math.round(y), size, 1);
  }
  const r = Math.max(2.2, Math.min(size > 400 ? 5 : 4, size / Math.sqrt(drawing.points.length + 1) / 6));
  for (const point of drawing.points) {
    view.stamps.point(ctx, point[2], false, false, r, ...view.placed(point), null);
  }
  paintHand(view, ctx, r);
}

/**
 * Where the pointer is, and the keyboard.
 * @param {Hand} view @param {Context2D} ctx @param {number} r of a point
 */
export function paintHand(view, ctx, r) {
  if (view.hover) paintPointer(view, ctx, view.hover, r);
  if (view.cursor && focusedBeside(view.canvas) === view.canvas) {
    paintCursor(view, ctx, view.placed(view.cursor));
  }
}

/**
 * How far the tool in hand reaches.
 * @param {Hand} view @param {Context2D} ctx @param {XY} hover @param {number} r of a point
 */
function paintPointer(view, ctx, hover, r) {
  const { theme } = view;
  const scale = view.size / (2 * view.half);
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = view.tool === "erase" ? theme.text : theme.of(view.label);
  const on = view.drawing.nearest(...hover, view.aim);
  const reach = view.tool === "spray" ? Math.max(3, 2 * SPREAD * scale)
    : view.tool === "erase" ? view.aim * scale : on >= 0 ? 0 : r + 2;
  const held = on >= 0 && view.tool === "point";
  const [x, y] = view.placed(held ? view.drawing.points[on] : hover);
  if (held) ctx.strokeStyle = theme.text;
  ctx.beginPath();
  ctx.arc(x, y, reach || r + 3.5, 0, 2 * Math.PI);
  ctx.stroke();
  view.canvas.style.cursor = held ? "grab" : "";
}

/**
 * A cross about the place that keys have gone to.
 * @param {Hand} view @param {Context2D} ctx @param {XY} at
 */
function paintCursor(view, ctx, [x, y]) {
  ctx.beginPath();
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    ctx.moveTo(x + 4 * dx, y + 4 * dy);
    ctx.lineTo(x + 11 * dx, y + 11 * dy);
  }
  outlined(ctx, view.theme, 1.5, view.theme.text, { edge: 2.5 });
}
