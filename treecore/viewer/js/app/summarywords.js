// The words of a run's summary: pure functions of what its messages say.

import { number } from "./theme.js";

/** @import { Meta } from "../types.d.ts" */

/** Numbers in a row of the curves, see message.py. */
export const WIDTH = 8;

/** @type {(value: number, share?: boolean) => string} a figure, or a share of 1 */
export const textOf = (value, share) => (share ? `${number(100 * value)} %` : number(value));

/**
 * Numbers of about so many rows, evenly from the first to the last.
 * @param {number} n @param {number} most
 */
export function checkpoints(n, most) {
  if (n <= most) return Array.from({ length: n }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (n - 1)) / (most - 1)));
}

/**
 * How a run stands, in one sentence; "" where nothing is known.
 * @param {Partial<Meta>} meta @param {Float32Array | null} curves
 */
export function sentence(meta, curves) {
  if (meta.heading) {
    const [name, text, figure, detail] = meta.heading;
    return `${name}: ${text}${figure ? `, ${figure} ${detail ?? ""}` : ""}`.trim() + ".";
  }
  const last = curves?.subarray(curves.length - WIDTH);
  if (!last || last.length < WIDTH) return "";
  const [epoch, , , , own, held, active] = last;
  const unit = meta.unit ?? "epoch";
  const of = meta.n_epochs ? ` of ${meta.n_epochs}` : "";
  const numbers = meta.task === "regression";
  /** @type {Array<[number, string]>} */
  const shares = [[own, "training"], [held, "held-out"]];
  const said = shares.filter(([share]) => !Number.isNaN(share))
    .map(([share, which]) => `${textOf(share, true)} of the ${which} ${numbers ? "variance" : "points"}`)
    .join(" and ");
  const good = said && `, ${numbers ? "explains" : "right for"} ${said}`;
  return `${unit[0].toUpperCase()}${unit.slice(1)} ${number(epoch)}${of}${good}, ${active} active leaves.`;
}
