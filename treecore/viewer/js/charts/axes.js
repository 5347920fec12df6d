// How far the axes of the curves reach. They follow the run in few, round steps and glide there.

/**
 * What a value axis is of: `most` of a share, `whole` for a count.
 * @typedef {{series: Array<{col: number}>, scale: number, most?: number, whole?: boolean}} Axis
 */

const EASE = 0.09; // seconds an axis takes for most of its way

/** Where the time axis should end. @param {number} all epochs planned, 0 unknown @param {number} now */
export function timeEnd(all, now) {
  if (all && (all <= 12 || now > all * 0.45)) return Math.max(all, now);
  // Early on the axis ends sooner and then grows by doubling, or the first minutes of a long run
  // would be a dot in the corner.
  let end = all || 1;
  while (all && now < end * 0.42 && end > 12) end /= 2;
  while (!all && now > end * 0.9) end *= 2;
  return end;
}

/**
 * Where a value axis should begin and end.
 * @param {Axis} spec of the chart
 * @param {(row: number, col: number) => number} value
 * @param {number} n rows
 * @param {number} [earlier] the end so far, kept while it still fits well
 * @returns {[number, number]}
 */
export function valueRange(spec, value, n, earlier) {
  let low = Infinity;
  let high = -Infinity;
  // A wild start must not flatten the rest: after a while the first eighth no longer counts.
  const from = spec.most || spec.whole || n < 24 ? 0 : n >> 3;
  for (let i = from; i < n; i++) {
    for (const { col } of spec.series) {
      const v = value(i, col) * spec.scale;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  if (high < low) return spec.most ? [0, 100] : [0, spec.whole ? 4 : 1];
  if (spec.most) return [Math.max(0, Math.min(80, Math.floor((low - 2) / 20) * 20)), 100];
  return [0, roundUp(high * 1.06, earlier, spec.whole)];
}

/** A number that glides to its goal. */
export class Glide {
  constructor(value = 0) {
    this.value = value;
    this.set = false;
  }

  /**
   * @param {number} goal @param {number} seconds @param {boolean} atOnce
   * @returns {boolean} whether it is still on its way
   */
  to(goal, seconds, atOnce) {
    const near = Math.abs(goal - this.value) < (Math.abs(goal) || 1) * 0.004;
    if (!this.set || near || atOnce) this.value = goal;
    else this.value += (goal - this.value) * (1 - Math.exp(-seconds / EASE));
    this.set = true;
    return this.value !== goal;
  }
}

/**
 * Push labels apart: each keeps its order and as much of its place as it can.
 * @param {Array<{at: number}>} labels
 * @param {number} distance @param {number} top @param {number} bottom
 */
export function spread(labels, distance, top, bottom) {
  labels.sort((a, b) => a.at - b.at);
  labels.forEach((label, i) => {
    label.at = Math.max(label.at, i ? labels[i - 1].at + distance : top);
  });
  for (let i = labels.length - 1; i >= 0; i--) {
    const limit = i + 1 < labels.length ? labels[i + 1].at - distance : bottom;
    labels[i].at = Math.min(labels[i].at, limit);
  }
}

/**
 * A round number at or above `high`; the earlier one while it still fits well.
 * @param {number} high @param {number} [earlier] @param {boolean} [whole]
 */
export function roundUp(high, earlier, whole) {
  if (earlier && high <= earlier && high > earlier * 0.55) return earlier;
  if (!(high > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(high));
  const top = ([1, 1.5, 2, 3, 4, 5, 6, 8].find((k) => k * power >= high) ?? 10) * power;
  return whole ? Math.max(4, Math.ceil(top)) : top;
}
