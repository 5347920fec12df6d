// Which bar of the histogram of gaps a point belongs to, and what a bar says.

import { findLens, isWrong, REGION_LENSES } from "./lenses.js";
import { unitOf } from "./stories.js";
import { number } from "./theme.js";

/** Bars of gaps; the last one is open. Bar 0, before them, is that of the points without a gap. */
export const GAP_BINS = 25;

const ROUNDING = 1e-5; // of two float32 numbers of a few nats

const endOf = (meta) => findLens(REGION_LENSES, "gap", meta).scale(meta).high;

/** The bar of a point, 0 where its bound is its loss. */
export function gapBin(frame, i, meta) {
  const gap = frame.bound[i] - frame.loss[i];
  if (!(gap > ROUNDING)) return 0;
  return Math.min(GAP_BINS, 1 + Math.floor((gap / endOf(meta)) * (GAP_BINS - 1)));
}

/** Training points by bar, how many there are, and the sum of their gaps. */
export function gapBins(frame, points, meta) {
  const found = { counts: new Uint32Array(GAP_BINS + 1), n: 0, sum: 0 };
  for (let i = 0; points && i < frame.bound.length; i++) {
    if (points.held?.[i]) continue;
    found.counts[gapBin(frame, i, meta)] += 1;
    found.n += 1;
    found.sum += frame.bound[i] - frame.loss[i];
  }
  return found;
}

/** Is a training point in the bar of a mark? */
export function isInBar(view, mark, i) {
  return mark.gap >= 0 && !!view.frame?.bound && !view.points.held?.[i]
    && gapBin(view.frame, i, view.meta) === mark.gap;
}

/** @returns {?import("./tooltip.js").Story} */
export function gapStory(view, bin) {
  const { frame, points, meta } = view;
  if (!frame?.bound || !points) return null;
  const found = gapBins(frame, points, meta);
  const step = endOf(meta) / (GAP_BINS - 1);
  const [low, high] = [(bin - 1) * step, bin * step].map((v) => number(v));
  const rows = [{ label: "Training examples", value: `${found.counts[bin]} of ${found.n}` }];
  if (meta.task !== "regression") {
    let wrong = 0;
    points.label.forEach((_, i) => (wrong += isInBar(view, { gap: bin }, i) && isWrong(view, i) ? 1 : 0));
    rows.push({ label: "misclassified", value: String(wrong) });
  }
  if (!bin) {
    const text = "Beyond the margins of all splits on their way: their bound is their loss.";
    return { title: "No gap", text, rows };
  }
  const title = bin === GAP_BINS ? `Gap of ${low}${unitOf(meta)} or more` : `Gap of ${low} to ${high}${unitOf(meta)}`;
  return { title, text: "Bound less loss. The map rings these examples.", rows };
}
