// What charts have in common: the axis of values, and lines.

import { typeset } from "../app/ink.js";
import { tickText, ticks } from "../app/theme.js";

/** @typedef {(value: number) => number} ToPixels */

/**
 * Round values, each with a line across the chart; the lowest line is the axis of the other direction.
 * @param {Context2D} ctx @param {Theme} theme @param {Plot} p @param {[number, number]} range
 * @param {ToPixels} y @param {boolean} [whole] @param {number} [pitch] pixels between two, about
 */
export function valueAxis(ctx, theme, p, [low, high], y, whole, pitch = 25) {
  typeset(ctx, theme, 14, "right");
  const values = ticks(low, high, Math.max(2, p.h / pitch), whole);
  tickText(values).forEach((text, i) => {
    ctx.fillStyle = values[i] === low ? theme.line : theme.grid;
    ctx.fillRect(p.x, Math.round(y(values[i])), p.w, 1);
    ctx.fillStyle = theme.muted;
    ctx.fillText(text, p.x - 7, y(values[i]));
  });
}

/**
 * A line through n places, broken where one is not known.
 * @param {Context2D} ctx @param {number} n @param {ToPixels} x @param {ToPixels} y of the i-th
 * @param {{ink: string, wide: number, dash?: number[]}} look
 */
export function drawLine(ctx, n, x, y, { ink, wide, dash = [] }) {
  ctx.beginPath();
  let open = false;
  for (let i = 0; i < n; i++) {
    const at = y(i);
    if (!Number.isNaN(at)) ctx[open ? "lineTo" : "moveTo"](x(i), at);
    open = !Number.isNaN(at);
  }
  Object.assign(ctx, { strokeStyle: ink, lineWidth: wide, lineJoin: "round" });
  ctx.setLineDash(dash);
  ctx.stroke();
  ctx.setLineDash([]);
}
