// The place about each point that is nearer to it than to any other, as convex polygons.
//
// Where a plane keeps little of its points, a slice of the tree would contradict most of them. There
// every place is told as the point nearest to it is.

import { boxPolygon, cut } from "./geometry.js";

/** @typedef {import("./geometry.js").Polygon} Polygon */

/**
 * Is every place of this frame told as its nearest point is?
 * @param {Pick<Scene, "meta">} view @param {Frame} frame
 */
export const isByNearest = ({ meta }, frame) => !!meta.near && frame.sliced < 0 && !!frame.at;

/**
 * The cells of some points within a box; null of a point that lies on an earlier one.
 * @param {ArrayLike<number>} xy of all points, flat @param {number[]} shown which of them
 * @param {Box} box @param {XY} scale pixels of a unit across and up: near is what looks near
 * @returns {Polygon[]} in the order of `shown`
 */
export function cellsOf(xy, shown, box, [across, up]) {
  const x = shown.map((i) => xy[2 * i] * across);
  const y = shown.map((i) => xy[2 * i + 1] * up);
  const order = shown.map((_, k) => k).sort((a, b) => x[a] - x[b] || a - b);
  /** @type {Polygon[]} */
  const cells = new Array(shown.length).fill(null);
  order.forEach((k, rank) => {
    /** @type {Polygon} */
    let cell = boxPolygon(box);
    let reach = Infinity; // to its farthest corner: who is twice as far takes nothing of it
    /** @param {number} other @returns {boolean} whether those beyond it are too far as well */
    const takes = (other) => {
      const [dx, dy] = [x[other] - x[k], y[other] - y[k]];
      if (Math.abs(dx) > 2 * reach || !cell) return true;
      const far = Math.hypot(dx, dy);
      if (far > 2 * reach) return false;
      if (far > 0) {
        const middle = (dx * (x[other] + x[k]) + dy * (y[other] + y[k])) / 2;
        cell = cut(cell, dx * across, dy * up, middle).left;
        reach = farthest(cell, x[k], y[k]);
      } else if (other < k) cell = null;
      return false;
    };
    for (let step = 1, done = [false, false]; !(done[0] && done[1]); step++) {
      done = done.map((end, side) => {
        const other = order[side ? rank + step : rank - step];
        return end || other === undefined || takes(other);
      });
    }
    cells[k] = cell;
  });
  return cells;

  /** @param {Polygon} cell @param {number} px @param {number} py */
  function farthest(cell, px, py) {
    let most = 0;
    for (let c = 0; cell && c < cell.length; c += 2) {
      most = Math.max(most, Math.hypot(cell[c] * across - px, cell[c + 1] * up - py));
    }
    return most;
  }
}
