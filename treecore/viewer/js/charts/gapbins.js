// Which bar of the histogram of gaps a point belongs to, and what a bar says.

import { gapScale, isWrong } from "../map/lenses.js";
import { unitOf } from "../app/stories.js";
import { number } from "../app/theme.js";
import { _, counted } from "../app/words.js";

/** @import { Frame } from "../app/frame.js" */
/** @import { Mark } from "../map/marks.js" */
/** @import { Story, StoryRow } from "../app/tooltip.js" */
/** @import { Meta, Points, Scene } from "../types.d.ts" */
/** @typedef {Pick<Frame, "loss" | "bound">} Losses of points */

/** Bars of gaps; the last one is open. Bar 0, before them, is that of the points without a gap. */
export const GAP_BINS = 25;

const ROUNDING = 1e-5; // of two float32 numbers of a few nats

/** How far the bound of a point is above its loss. @type {(frame: Losses, i: number) => number} */
const gapOf = ({ bound, loss }, i) => (bound && loss ? bound[i] - loss[i] : NaN);

/**
 * The bar of a point, 0 where its bound is its loss.
 * @param {Losses} frame @param {number} i @param {Meta} meta
 */
export function gapBin(frame, i, meta) {
  const gap = gapOf(frame, i);
  if (!(gap > ROUNDING)) return 0;
  return Math.min(GAP_BINS, 1 + Math.floor((gap / gapScale(meta).high) * (GAP_BINS - 1)));
}

/**
 * Training points by bar, how many there are, and the sum of their gaps.
 * @param {Losses} frame @param {Pick<Points, "held">} points @param {Meta} meta
 */
export function gapBins(frame, points, meta) {
  const found = { counts: new Uint32Array(GAP_BINS + 1), n: 0, sum: 0 };
  for (let i = 0; i < (frame.bound?.length ?? 0); i++) {
    if (points.held?.[i]) continue;
    found.counts[gapBin(frame, i, meta)] += 1;
    found.n += 1;
    found.sum += gapOf(frame, i);
  }
  return found;
}

/**
 * Is a training point in the bar of a mark?
 * @param {Scene} view @param {Pick<Mark, "gap">} mark @param {number} i
 */
export function isInBar(view, mark, i) {
  return mark.gap >= 0 && !!view.frame?.bound && !view.points.held?.[i]
    && gapBin(view.frame, i, view.meta) === mark.gap;
}

/** @param {Scene} view @param {number} bin @returns {Story | null} */
export function gapStory(view, bin) {
  const { frame, points, meta } = view;
  if (!frame?.bound) return null;
  const found = gapBins(frame, points, meta);
  const step = gapScale(meta).high / (GAP_BINS - 1);
  const [low, high] = [(bin - 1) * step, bin * step].map((v) => number(v));
  /** @type {StoryRow[]} */
  const rows = [{ label: _("Training examples"), value: _("{n} of {all}", { n: found.counts[bin], all: found.n }) }];
  if (meta.task !== "regression") {
    let wrong = 0;
    points.label.forEach((_, i) => (wrong += isInBar(view, { gap: bin }, i) && isWrong(view, i) ? 1 : 0));
    rows.push({ label: _("misclassified"), value: counted(wrong) });
  }
  if (!bin) {
    const text = _("Outside the margins of all splits on their path: their bound is their loss.");
    return { title: _("No gap"), text, rows };
  }
  const title = bin === GAP_BINS
    ? _("Gap of {low}{unit} or more", { low, unit: unitOf(meta) })
    : _("Gap of {low} to {high}{unit}", { low, high, unit: unitOf(meta) });
  return { title, text: _("Bound minus loss. The map rings these examples."), rows };
}
