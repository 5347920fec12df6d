// The words of a run's summary: pure functions of what its messages say.

import { number } from "./theme.js";
import { _, N_, ngettext } from "./words.js";

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
  const unit = _(meta.unit ?? "epoch");
  const at = { unit: unit[0].toUpperCase() + unit.slice(1), at: number(epoch), n: meta.n_epochs };
  const clock = meta.n_epochs ? _("{unit} {at} of {n}", at) : _("{unit} {at}", at);
  const shown = [own, held].map((share) => textOf(share, true));
  const key = (Number.isNaN(own) ? 0 : 1) + (Number.isNaN(held) ? 0 : 2);
  const good = GOOD[meta.task === "regression" ? "numbers" : "classes"][key];
  const leaves = ngettext("{n} active leaves", "{n} active leaves", active);
  return [clock, ...(good ? [_(good, { own: shown[0], held: shown[1] })] : []), leaves].join(", ") + ".";
}

/** How good a tree is, by what is known of it: nothing, its training share, its held-out one, both. */
const GOOD = {
  classes: [
    "", N_("training accuracy {own}"), N_("test accuracy {held}"),
    N_("training accuracy {own} and test accuracy {held}"),
  ],
  numbers: [
    "", N_("explains {own} of the training variance"), N_("explains {held} of the test variance"),
    N_("explains {own} of the training variance and {held} of the test variance"),
  ],
};
