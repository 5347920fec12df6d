// What the colours of the map can mean: the lenses for regions and for points, and their scales.
//
// A scale keeps its ends for the whole run, so that a colour means the same at every moment of it:
// a replay that stretched its scale would show a standstill.

import { guessOf, leafFigures } from "../app/frame.js";
import { kept } from "../app/memo.js";
import { css, fillOf, mix, number, rgb } from "../app/theme.js";
import palette from "../palette.json" with { type: "json" };
import { _, N_ } from "../app/words.js";

/**
 * A scale: its ramp and its ends, and whether values beyond the upper and the lower one take their
 * colours; a value that means something, in words.
 * @typedef {{ramp: keyof typeof RAMPS, low: number, high: number, unit: string, open?: boolean,
 *   below?: boolean, mark?: number, markText?: string}} Scale
 */

/**
 * What a colour can mean. Some need a method with a bound, some classes, and some numbers.
 * @template {Frame | null} [F=Frame]
 * @typedef {object} Lens
 * @property {string} key @property {string} name @property {string} [term] of the glossary
 * @property {(meta: Meta) => Scale | null} scale null where colours are not numbers
 * @property {(frame: F, i: number, view: Scene) => number} value of a leaf, or of a point
 * @property {boolean} [bounded] @property {boolean} [classes] @property {boolean} [numbers]
 */

export const STEPS = 24; // shades of a ramp: enough to the eye, few enough for a cache

// Lightness falls (on dark pages rises) evenly along each ramp, so that they are read without
// seeing hues: oranges where more is worse, blues where more is surer, and from blue to yellow
// (cividis) for numbers that are neither good nor bad.
const RAMPS = palette.ramps;

/** @type {Map<string, string[]>} */
const ramps = new Map();

/**
 * The colours of a ramp as CSS, from its least to its most.
 * @param {Theme} theme @param {keyof typeof RAMPS} name
 */
export function rampOf(theme, name) {
  return kept(ramps, `${name}|${theme.dark}`, () => {
    const stops = RAMPS[name][theme.dark ? "dark" : "light"].map((hex) => rgb(hex));
    return Array.from({ length: STEPS }, (_, i) => {
      const at = (i / (STEPS - 1)) * (stops.length - 1);
      const low = Math.min(stops.length - 2, Math.floor(at));
      return css(mix(stops[low + 1], stops[low], at - low));
    });
  });
}

/**
 * Shade of a value on a scale: 0 to STEPS - 1; values beyond its ends take the end's.
 * @param {Pick<Scale, "low" | "high">} scale @param {number} value
 */
export function shadeOf(scale, value) {
  const share = (value - scale.low) / (scale.high - scale.low || 1);
  return Math.max(0, Math.min(STEPS - 1, Math.floor(share * STEPS)));
}

/** @param {Meta} meta */
const isNumbers = (meta) => meta.task === "regression";
/** @param {Meta} meta */
const nClasses = (meta) => Math.max(2, meta.classes?.length ?? 2);

/**
 * Losses end at twice that of knowing nothing: ln k nats, or one squared deviation.
 * @param {Meta} meta
 * @returns {Scale}
 */
function lossScale(meta) {
  const nothing = isNumbers(meta) ? 1 : Math.log(nClasses(meta));
  return {
    ramp: "worse", low: 0, high: 2 * nothing, mark: nothing, open: true,
    unit: isNumbers(meta) ? _("squared deviations") : _("nats"),
    markText: isNumbers(meta) ? _("predicting the mean") : _("guessing"),
  };
}

/** @type {(meta: Meta) => Scale} */
const regionScale = (meta) => {
  const scale = valueScale(meta);
  return meta.mean && meta.alone ? { ...scale, unit: _("{unit}, mean of each linear leaf", { unit: scale.unit }) } : scale;
};

/** @type {(meta: Meta) => Scale} */
const valueScale = (meta) => ({
  ramp: "number", low: meta.range?.[0] ?? 0, high: meta.range?.[1] ?? 1, open: true, below: true,
  unit: meta.target ?? "",
});

/** The scale of gaps ends where that of losses does. @param {Meta} meta @returns {Scale} */
export const gapScale = (meta) => ({ ...lossScale(meta), mark: undefined });

/** Lenses for regions, by what a leaf's colour says. @type {Lens[]} */
export const REGION_LENSES = [
  { key: "class", name: N_("Class"), term: "map", scale: () => null, value: () => NaN },
  {
    key: "value", name: N_("Value"), term: "value", scale: regionScale, numbers: true,
    value: (frame, leaf) => frame.value?.[leaf] ?? NaN,
  },
  {
    key: "confidence", name: N_("Confidence"), term: "confidence", classes: true,
    scale: (meta) => ({ ramp: "surer", low: 100 / nClasses(meta), high: 100, unit: _("% probability") }),
    value: (frame, leaf) => frame.share[leaf] / 2.55,
  },
  { key: "leaf", name: N_("Leaf number"), term: "leafid", scale: () => null, value: () => NaN },
  {
    key: "loss", name: N_("Loss"), term: "leafloss", scale: lossScale,
    value: (frame, leaf, view) => leafFigures(frame, view.points, view.lens.side).loss[leaf],
  },
  {
    key: "gap", name: N_("Bound gap"), term: "gap", bounded: true,
    scale: gapScale,
    value: (frame, leaf, view) => leafFigures(frame, view.points, view.lens.side).gap[leaf],
  },
];

/** Lenses for points, which are there before the first tree. @type {Array<Lens<Frame | null>>} */
export const POINT_LENSES = [
  { key: "class", name: N_("Class"), scale: () => null, value: () => NaN },
  {
    key: "target", name: N_("Target"), term: "value", scale: valueScale, numbers: true,
    value: (frame, i, view) => view.points.target?.[i] ?? NaN,
  },
  {
    key: "loss", name: N_("Loss"), term: "loss", scale: lossScale,
    value: (frame, i) => frame?.loss?.[i] ?? NaN,
  },
  {
    key: "bound", name: N_("Bound"), term: "bound", scale: lossScale, bounded: true,
    value: (frame, i) => frame?.bound?.[i] ?? NaN,
  },
];

/** Sides of the data. @type {Array<{key: string, name: string}>} */
export const SIDES = [
  { key: "both", name: N_("All points") }, { key: "train", name: N_("Training") }, { key: "test", name: N_("Validation " +
    "share") },
];

/**
 * The lenses that make sense for this run.
 * @template {Lens<any>} L
 * @param {L[]} lenses @param {Meta} meta
 */
export function lensesFor(lenses, meta) {
  const numbers = isNumbers(meta);
  return lenses.filter((lens) => {
    if (lens.key === "class" || lens.classes) return !numbers;
    return !lens.numbers || numbers;
  });
}

/**
 * The lens of that key, or the first there is.
 * @template {Lens<any>} L
 * @param {L[]} lenses @param {string} key @param {Meta} meta
 */
export function findLens(lenses, key, meta) {
  const able = lensesFor(lenses, meta);
  return able.find((lens) => lens.key === key) ?? able[0];
}

/**
 * Has the present method a bound? Told by the trees it has made; before the first, who knows.
 * @param {Pick<View, "player">} view
 */
export const hasBound = (view) => !view.player.newest || !!view.player.newest.bound;

/**
 * Colour of a region; null where nothing is known that could colour it.
 * @param {Lens} lens @param {Frame} frame @param {number} leaf @param {Scene} view
 */
export function regionFill(lens, frame, leaf, view) {
  const { theme, meta } = view;
  if (lens.key === "class") return fillOf(theme, frame.leaf[leaf], frame.share[leaf], nClasses(meta));
  if (lens.key === "leaf") return leafTint(theme, leaf);
  const scale = lens.scale(meta);
  const value = lens.value(frame, leaf, view);
  return !scale || Number.isNaN(value) ? null : softRamp(theme, scale)[shadeOf(scale, value)];
}

/** Regions are paler than points, which must be seen on them. @param {Theme} theme @param {Scale} scale */
export function softRamp(theme, scale) {
  return kept(theme.ramps, scale.ramp, () => {
    const share = scale.ramp === "number" ? 0.62 : 0.8;
    return rampOf(theme, scale.ramp).map((colour) =>
      css(mix((colour.match(/\d+/g) ?? []).map(Number), theme.backRgb, share)));
  });
}

/**
 * A tint that tells a leaf from its neighbours: hues a golden turn apart, two lightnesses.
 * @param {Theme} theme @param {number} leaf
 */
function leafTint(theme, leaf) {
  const hue = (leaf * 137.508) % 360;
  const light = (theme.dark ? 24 : 80) + (theme.dark ? 10 : -10) * (leaf % 2);
  return `hsl(${hue.toFixed(1)} ${theme.dark ? 34 : 52}% ${light}%)`;
}

/**
 * Shade of a point, -1 for the colour of its class.
 * @param {Lens<Frame | null>} lens @param {Frame | null} frame @param {number} i
 * @param {Scene} view
 */
export function pointShade(lens, frame, i, view) {
  const scale = lens.scale(view.meta);
  if (!scale) return -1;
  const value = lens.value(frame, i, view);
  return Number.isNaN(value) ? -1 : shadeOf(scale, value);
}

/**
 * Has learning not begun in a view where half of all points would be marked as wrong, and nothing
 * were told by that: before the first split, or of random splits beside others?
 * @param {Pick<Scene, "frame" | "meta">} view
 */
const hasNotBegun = ({ frame, meta }) => frame?.epoch === 0 && meta.state !== "finished"
  && (!!meta.heading || !frame.children.length);

/**
 * Is point i taken for another class, by a tree that has learnt something?
 * @param {Pick<Scene, "frame" | "meta" | "points">} view @param {number} i
 */
export function isWrong(view, i) {
  if (hasNotBegun(view)) return false;
  const guess = guessOf(view.frame, i, view.meta);
  return guess !== undefined && guess !== view.points.label[i];
}

/** Ticks of a scale's legend: its ends, and the value that means something. @param {Scale} scale */
export function legendTicks(scale) {
  const found = [{ at: scale.low, text: (scale.below ? "≤ " : "") + number(scale.low, 2) }];
  if (scale.mark !== undefined) found.push({ at: scale.mark, text: number(scale.mark, 2) });
  found.push({ at: scale.high, text: (scale.open ? "≥ " : "") + number(scale.high, 2) });
  return found;
}
