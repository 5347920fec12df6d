// What linear leaves say within their regions, as convex pieces of one shade.
//
// A number or the log-odds of a class is a·x + b·y + c there, no less than a least and no more than
// a greatest. So where it is beyond a value is a polygon, cut by one line. Pieces are drawn in their
// order, each over the ones before it: beside each other they would leave seams.

import { area, centre, cut } from "./geometry.js";
import { fillOf } from "../app/theme.js";
import { shadeOf, softRamp, STEPS } from "./lenses.js";

/** @typedef {{a: number, b: number, c: number, low: number, high: number}} Model */

const PER_MODEL = 5;
const SHADES = 32; // of a class's colour, from no probability to all; see `fillOf`
const SPECK = 1e-9; // share of its region that a piece must have to be drawn

/** The models of a leaf, one for every output. @param {Frame} frame @param {number} leaf @returns {Model[]} */
export function modelsOf(frame, leaf) {
  const { slopes, children } = frame;
  if (!slopes) return [];
  const outputs = slopes.length / (PER_MODEL * ((children.length >> 1) + 1));
  return Array.from({ length: outputs }, (_, q) => {
    const at = PER_MODEL * (leaf * outputs + q);
    const [a, b, c, low, high] = slopes.subarray(at, at + PER_MODEL);
    return { a, b, c, low, high };
  });
}

/** The part of a polygon where a model is above a value. @param {number[]} polygon @param {Model} m @param {number} value */
const above = (polygon, m, value) => cut(polygon, m.a, m.b, value - m.c);

/**
 * The pieces of a region by shades: first all of it, then what is above every next shade's least.
 * @param {number[]} polygon @param {Model} model @param {number} least shade @param {number} end
 * @param {(shade: number) => number} leastOf the least value of a shade
 */
function layersOf(polygon, model, least, end, leastOf) {
  const layers = [{ polygon, shade: least }];
  for (let shade = least + 1; shade < end && leastOf(shade) <= model.high; shade++) {
    const { right } = above(layers[layers.length - 1].polygon, model, leastOf(shade));
    if (!right) break;
    layers.push({ polygon: right, shade });
  }
  return layers;
}

/**
 * The pieces of a region by a number.
 * @param {number[]} polygon @param {Model} model @param {{low: number, high: number}} scale
 */
export function numberPieces(polygon, model, scale) {
  return layersOf(polygon, model, shadeOf(scale, model.low), STEPS,
    (shade) => scale.low + (shade / STEPS) * (scale.high - scale.low));
}

/**
 * Cells of a region in which no model meets an end of its range: in each all are planes.
 * @param {number[]} polygon @param {Model[]} models
 * @returns {Array<{polygon: number[], models: Model[]}>}
 */
function cellsOf(polygon, models) {
  let cells = [polygon];
  for (const model of models) {
    for (const end of [model.low, model.high]) {
      cells = cells.flatMap((cell) => {
        const { left, right } = above(cell, model, end);
        return [left, right].filter((part) => part !== null);
      });
    }
  }
  const speck = SPECK * area(polygon);
  return cells.filter((cell) => area(cell) > speck).map((cell) => {
    const [x, y] = centre(cell);
    return {
      polygon: cell,
      models: models.map((m) => {
        const value = m.a * x + m.b * y + m.c;
        return value >= m.low && value <= m.high ? m : { ...m, a: 0, b: 0, c: Math.min(Math.max(value, m.low), m.high) };
      }),
    };
  });
}

/** Log-odds of one class against another. @param {Model} one @param {Model} other @returns {Model} */
const against = (one, other) =>
  ({ a: one.a - other.a, b: one.b - other.b, c: one.c - other.c, low: -Infinity, high: Infinity });

/** The probability of a class at a point. @param {Model[]} models @param {number} label @param {number[]} at */
function probability(models, label, [x, y]) {
  const scores = models.map((m) => m.a * x + m.b * y + m.c);
  return 1 / scores.reduce((sum, score) => sum + Math.exp(score - scores[label]), 0);
}

/**
 * The pieces of a region by the likeliest class. Of two classes those of one shade are bands; of
 * more a piece has the probability of its centre.
 * @param {number[]} polygon @param {Model[]} models
 * @returns {Array<{polygon: number[], label: number, share: number}>}
 */
export function classPieces(polygon, models) {
  return cellsOf(polygon, models).flatMap(({ polygon: cell, models: planes }) =>
    planes.flatMap((model, label) => {
      /** @type {number[] | null} */
      let piece = cell;
      planes.forEach((other, k) => {
        if (piece && k !== label) piece = above(piece, against(model, other), 0).right;
      });
      if (!piece) return [];
      if (planes.length !== 2) return [{ polygon: piece, label, share: probability(planes, label, centre(piece)) }];
      // The class has a probability of a half and more.
      return layersOf(piece, against(model, planes[1 - label]), SHADES / 2, SHADES,
        (shade) => Math.log(shade / (SHADES - shade)))
        .map(({ polygon: band, shade }) => ({ polygon: band, label, share: shade / SHADES }));
    }));
}

/**
 * What a region of a linear leaf is filled with; null where it has one colour.
 * @param {Lens} lens @param {Frame} frame @param {number} leaf @param {number[]} polygon
 * @param {Scene} view
 */
export function slopePieces(lens, frame, leaf, polygon, view) {
  const models = modelsOf(frame, leaf);
  const { theme, meta } = view;
  const scale = lens.scale(meta);
  if (!models.length) return null;
  if (lens.key === "value" && scale) {
    const ramp = softRamp(theme, scale);
    return numberPieces(polygon, models[0], scale).map((piece) => ({ ...piece, fill: ramp[piece.shade] }));
  }
  if (lens.key !== "class" && lens.key !== "confidence") return null;
  return classPieces(polygon, models).map((piece) => ({
    ...piece,
    fill: lens.key === "class" || !scale
      ? fillOf(theme, piece.label, Math.min(255, Math.floor(256 * piece.share)), models.length)
      : softRamp(theme, scale)[shadeOf(scale, 100 * piece.share)],
  }));
}
