// Colours, markers and numbers as text: how things look everywhere.

import palette from "../palette.json" with { type: "json" };
import { outlined } from "./ink.js";
import { kept } from "./memo.js";
import { shortened } from "./names.js";
import { written } from "./words.js";
import { sharpness } from "./zoom.js";

// The palette's ten class colours are blue, orange, green and so on, after Okabe and Ito and then
// moved apart: any two differ by at least 17 in CIELAB for normal, red-blind, green-blind and
// blue-blind eyes alike. A shape per class carries what colour cannot. `plus` and `minus`, for
// "pushes to the right" and "pushes to the left", are not class colours.

/** @type {CanvasRenderingContext2D | undefined} knows all ways of CSS to write a colour */
let probe;

/** Any CSS colour as [r, g, b]; alpha is laid over `under`. @param {string} colour */
export function rgb(colour, under = [255, 255, 255]) {
  let text = colour;
  if (!/^#[\da-f]{6}$/.test(text)) {
    probe ??= penOf(document.createElement("canvas"), { willReadFrequently: true });
    probe.fillStyle = "#808080";
    probe.fillStyle = colour || "#808080";
    text = probe.fillStyle;
  }
  if (text[0] === "#") return [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
  const [r, g, b, a] = (text.match(/[\d.]+/g) ?? []).map(Number);
  return [r, g, b].map((c, i) => Math.round(c * a + under[i] * (1 - a)));
}

/** @param {number[]} c */
export const css = (c) => `rgb(${c.map(Math.round).join(" ")})`;

/** `share` of colour a, the rest of b. @param {number[]} a @param {number[]} b @param {number} share */
export function mix(a, b, share) {
  return a.map((c, i) => c * share + b[i] * (1 - share));
}

/** @param {number[]} c */
function luminance(c) {
  const [r, g, b] = c.map((v) => (v / 255 <= 0.03928 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG contrast of two colours. @param {number[]} a @param {number[]} b */
export function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** @typedef {ReturnType<typeof readTheme>} Theme */

/**
 * Streamlit's theme as the drawings need it.
 * @param {Element} root an element that inherits Streamlit's `--st-…` properties
 */
export function readTheme(root) {
  const style = getComputedStyle(root);
  const get = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const raw = ["--st-background-color", "--st-text-color", "--st-primary-color", "--st-font"].map(
    get);
  const back = rgb(raw[0] || palette.page.light.back);
  const dark = luminance(back) < 0.35;
  const shade = dark ? "dark" : "light";
  const page = palette.page[shade];
  const text = rgb(raw[1] || page.text, back);
  let muted = 0.66;
  while (muted < 1 && contrast(mix(text, back, muted), back) < 4.8) muted += 0.04;
  let primary = rgb(raw[2] || page.accent, back);
  for (let i = 0; i < 12 && contrast(primary, back) < 3.2; i++) primary = mix(primary, text, 0.85);
  const classes = palette.classes[shade].map((c) => rgb(c));
  const [plus, minus] = [page.plus, page.minus].map((c) => rgb(c));
  return {
    key: raw.join("|"),
    dark,
    font: raw[3] || "system-ui, sans-serif",
    backRgb: back,
    textRgb: text,
    plusRgb: plus,
    minusRgb: minus,
    classesRgb: classes,
    back: css(back),
    text: css(text),
    muted: css(mix(text, back, muted)),
    line: css(mix(text, back, dark ? 0.34 : 0.3)),
    grid: css(mix(text, back, dark ? 0.14 : 0.1)),
    primary: css(primary),
    plus: css(plus),
    minus: css(minus),
    /** Colours of methods, by the numbers that the registry has. */
    methods: palette.methods[shade],
    /** Colour of a class; the palette repeats beyond ten. -1: of no class, for legends. */
    of: (/** @type {number} */ c) =>
      css(c < 0 ? mix(text, back, muted) : classes[c % classes.length]),
    /** @type {Map<number, string>} */
    fills: new Map(),
    /** @type {Map<string, string[]>} */
    ramps: new Map(),
  };
}

/** `readTheme`, and on `root` what `live.css` takes from it. @param {HTMLElement} root */
export function applyTheme(root) {
  const theme = readTheme(root);
  root.dataset.dark = theme.dark ? "1" : "0";
  root.style.setProperty("--plus", theme.plus);
  root.style.setProperty("--minus", theme.minus);
  return theme;
}

/** The colour of a run, by the number of its method's. @param {Theme} theme @param {number} i */
export const lineColour = (theme, i) => theme.methods[i % theme.methods.length];

/**
 * The colour of a region: stronger where the leaf is more certain.
 * @param {Theme} theme @param {number} label @param {number} share of 255
 * @param {number} nClasses
 */
export function fillOf(theme, label, share, nClasses) {
  const step = share >> 3; // 32 shades are enough and make a cache
  return kept(theme.fills, label * 32 + step, () => {
    const p = (step * 8 + 4) / 255;
    const sure = Math.max(0, Math.min(1, (p - 1 / nClasses) / (1 - 1 / nClasses || 1)));
    const strength = (theme.dark ? 0.12 : 0.1) + 0.3 * sure;
    return css(mix(theme.classesRgb[label % theme.classesRgb.length], theme.backRgb, strength));
  });
}

// Angles of the corners; a circle has none. The first is `turn` half turns from the right.
const MARKERS = palette.markers.map(({ corners, turn, size }) => ({
  size,
  angles: Array.from({ length: corners }, (_, i) => Math.PI * (turn + (2 * i) / corners)),
}));

/** A path for this pen to draw. @param {Context2D} pen @returns {Path} */
export const newPath = (pen) => pen.newPath?.() ?? new Path2D();

/**
 * The outline of the marker of class `label`, of radius r about (x, y).
 * @param {Context2D} pen @param {number} label @param {number} x @param {number} y @param {number} r
 */
export function marker(pen, label, x, y, r) {
  const { angles, size } = MARKERS[Math.max(0, label) % MARKERS.length];
  const path = newPath(pen);
  if (!angles.length) path.arc(x, y, r, 0, 2 * Math.PI);
  else {
    for (const a of angles) path.lineTo(x + size * r * Math.cos(a), y + size * r * Math.sin(a));
    path.closePath();
  }
  return path;
}

/**
 * Draw one point: filled = used for training, hollow = held out, ring and cross = misclassified.
 * @param {Context2D} ctx @param {Theme} theme
 * @param {number} label @param {boolean} held @param {boolean} wrong
 * @param {number} x @param {number} y @param {number} r
 * @param {string | null} [colour] of a scale, in place of that of its class
 */
export function drawPoint(ctx, theme, label, held, wrong, x, y, r, colour = null) {
  if (wrong) {
    // Thin and near: where many are wrong their neighbours are to be seen as well.
    const reach = r + 2;
    const arm = reach * 0.98 * Math.SQRT1_2 + 1.2;
    const mark = newPath(ctx);
    mark.moveTo(x - arm, y - arm);
    mark.lineTo(x + arm, y + arm);
    mark.moveTo(x + arm, y - arm);
    mark.lineTo(x - arm, y + arm);
    mark.moveTo(x + reach, y);
    mark.arc(x, y, reach, 0, 2 * Math.PI);
    outlined(ctx, theme, 0.8, theme.text, { edge: 1, path: mark });
  }
  const shape = marker(ctx, label, x, y, r);
  ctx.lineJoin = "round";
  // The pale end of a scale is as pale as the page: there an outline in the colour of text.
  ctx.lineWidth = held ? 3.6 : 2;
  ctx.strokeStyle = colour ? theme.muted : theme.back;
  ctx.stroke(shape);
  ctx.fillStyle = held ? theme.back : colour ?? theme.of(label);
  ctx.fill(shape);
  if (held) {
    ctx.lineWidth = 1.9;
    ctx.strokeStyle = colour ?? theme.of(label);
    ctx.stroke(shape);
  }
}

/**
 * What draws on a canvas; there always is one, unless the canvas is drawn on in another way.
 * @param {HTMLCanvasElement} canvas @param {CanvasRenderingContext2DSettings} [settings]
 */
export const penOf = (canvas, settings) =>
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", settings));

/**
 * Give a canvas its size in CSS pixels, and clear it; returns a context in which one unit is one such pixel.
 * @param {HTMLCanvasElement} canvas @param {number} width @param {number} height
 */
export function fit(canvas, width, height) {
  const ratio = sharpness();
  const w = Math.max(1, Math.round(width * ratio));
  const h = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const ctx = penOf(canvas);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  return ctx;
}

/**
 * A name that is no wider.
 * @param {Context2D} ctx @param {string} name @param {number} width @param {readonly string[]} [names] of its table
 */
export const shorten = (ctx, name, width, names) =>
  shortened(name, (text) => ctx.measureText(text).width <= width, names);

const MINUS = "\u2212";

/**
 * A number with about `digits` significant digits and a true minus sign.
 * @param {number | undefined} value
 */
export function number(value, digits = 3) {
  if (value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  let text;
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) text = value.toExponential(1);
  else {
    const whole = size >= 1 ? Math.floor(Math.log10(size)) + 1 : 1;
    text = value.toFixed(Math.max(0, digits - whole));
  }
  return written(text.replace(/^-(?=[0.]*$)/, "").replaceAll("-", MINUS)); // nothing is not minus nothing
}

/**
 * About `count` round numbers between low and high.
 * @param {number} low @param {number} high @param {number} count @param {boolean} [whole]
 */
export function ticks(low, high, count, whole = false) {
  const raw = (high - low) / Math.max(1, count);
  if (!(raw > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  let step = [1, 2, 5].map((k) => k * power).find((k) => k >= raw * 0.999) ?? 10 * power;
  if (whole) step = Math.max(1, Math.round(step));
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(i * step);
  return found;
}

/** Tick labels of one axis: as many digits as its step needs. @param {number[]} values */
export function tickText(values) {
  const step = values.length > 1 ? values[1] - values[0] : Math.abs(values[0]) || 1;
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)));
  return values.map((v) => written((Math.abs(v) < step * 1e-6 ? 0 : v).toFixed(digits).replace("-", MINUS)));
}
