// How far the bound of each training example is above its loss: a histogram. Most examples lie
// beyond all margins and have no gap at all; they are counted in a bar of their own, which may be
// cut off so that the others are seen. Its scale keeps its ends for the whole run, as colours do.

import { roundUp } from "./axes.js";
import { give, make, setText } from "../app/dom.js";
import { haloed, typeset } from "../app/ink.js";
import { valueAxis } from "./plot.js";
import { gapBin, gapBins, GAP_BINS, gapStory } from "./gapbins.js";
import { gapScale } from "../map/lenses.js";
import { markOf } from "../map/marks.js";
import { attachPointer, pinOrLetGo } from "../map/pointing.js";
import { unitOf } from "../app/stories.js";
import { fit, number, tickText, ticks } from "../app/theme.js";
import { _, counted } from "../app/words.js";
import { inWindow, within } from "../app/zoom.js";

/** @import { Plot, View } from "../types.d.ts" */
/** @typedef {ReturnType<typeof gapBins>} Found */
/** @typedef {Plot & {step: number, from: number}} Bars from: where a gap of zero is on the axis */

const EDGES = { left: 42, top: 8, bottom: 34 };
const WIDE = 360; // with that many pixels there is room for words beside the bars
const NONE_WIDE = 1.6; // the bar of no gap, in widths of the others
const NONE_ROOM = 2.4; // and the room that it has

/** @type {Record<string, number>} bars that a key goes on */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -GAP_BINS, End: GAP_BINS };

/**
 * @param {HTMLElement} host
 * @param {View} view
 */
export function createGaps(host, view) {
  const canvas = make("canvas", "tc-canvas", "", { tabIndex: 0, role: "application", "aria-roledescription": _("histogram") });
  host.append(canvas);
  let width = 0;
  let height = 0;
  let most = 0; // end of the axis of counts
  let walker = -1;

  /** @returns {Bars} */
  function plot() {
    const w = Math.max(40, width - EDGES.left - (width < WIDE ? 12 : 98));
    const h = Math.max(16, height - EDGES.top - EDGES.bottom);
    const step = w / (GAP_BINS + NONE_ROOM);
    return { x: EDGES.left, y: EDGES.top, w, h, step, from: EDGES.left + NONE_ROOM * step };
  }

  /**
   * Left end and width of a bar: 0 is that of the examples without a gap.
   * @type {(p: Bars, bin: number) => [number, number]}
   */
  const barOf = (p, bin) => (bin
    ? [p.from + (bin - 1) * p.step + 0.5, p.step - 1]
    : [p.x + 3, NONE_WIDE * p.step]);

  function draw() {
    const { theme, frame, meta, marks } = view;
    if (!width) return;
    const ctx = fit(canvas, width, height);
    ctx.clearRect(0, 0, width, height);
    if (!frame?.bound) return;
    const found = gapBins(frame, view.points, meta);
    const p = plot();
    const others = Math.max(...found.counts.subarray(1));
    most = roundUp(Math.max(others, 3) * 1.1, most || undefined, true);
    const y = (/** @type {number} */ count) => p.y + p.h - Math.min(1, count / most) * p.h;
    grid(ctx, p, y);
    const marked = marks.all().map((mark) => (mark.gap >= 0 ? mark.gap
      : mark.point >= 0 && !view.points.held?.[mark.point] ? gapBin(frame, mark.point, meta) : -1))
      .filter((bin) => bin >= 0);
    found.counts.forEach((count, bin) => {
      if (!count) return;
      const [x, wide] = barOf(p, bin);
      ctx.fillStyle = marked.includes(bin) ? theme.text : theme.primary;
      ctx.globalAlpha = marked.includes(bin) || !marked.length ? 1 : 0.45;
      // However many there are, one example is seen.
      const top = Math.min(y(count), p.y + p.h - 1.5);
      ctx.fillRect(x, top, wide, p.y + p.h - top);
      ctx.globalAlpha = 1;
      if (count > most) cutOff(ctx, x, wide, p);
    });
    words(ctx, p, found);
    describe(found);
  }

  /** @param {CanvasRenderingContext2D} ctx @param {Bars} p @param {(count: number) => number} y */
  function grid(ctx, p, y) {
    const { theme, meta } = view;
    const { high } = gapScale(meta);
    valueAxis(ctx, theme, p, [0, most], y, true);
    typeset(ctx, theme, 14, "center", "top");
    const below = p.y + p.h + 6;
    const [none, wide] = barOf(p, 0);
    ctx.fillStyle = theme.muted;
    ctx.fillText("0", none + wide / 2, below);
    const [open, room] = barOf(p, GAP_BINS); // all that are greater still
    const more = _("more"), end = open + room / 2 - ctx.measureText(more).width / 2 - 5;
    const xs = ticks(0, high, Math.max(2, (p.w - NONE_ROOM * p.step) / 60));
    tickText(xs).forEach((text, i) => {
      const x = p.from + (xs[i] / high) * (GAP_BINS - 1) * p.step;
      ctx.fillRect(Math.round(x), p.y + p.h + 1, 1, 4);
      if (xs[i] && x + ctx.measureText(text).width / 2 < end) ctx.fillText(text, x, below);
    });
    ctx.fillText(more, open + room / 2, below);
    typeset(ctx, theme, 14, "left", "top");
    ctx.fillStyle = theme.text;
    if (width >= WIDE) ctx.fillText(unitOf(meta).trim(), p.x + p.w + 18, below - 1);
  }

  /**
   * A gap in a bar that is higher than the chart.
   * @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} wide @param {Bars} p
   */
  function cutOff(ctx, x, wide, p) {
    ctx.fillStyle = view.theme.back;
    ctx.fill(new Path2D(`M${x - 1} ${p.y + 13}L${x + wide + 1} ${p.y + 7}v3L${x - 1} ${p.y + 16}Z`));
  }

  /**
   * How many have no gap, beside their bar; the mean over all at the right.
   * @param {CanvasRenderingContext2D} ctx @param {Bars} p @param {Found} found
   */
  function words(ctx, p, found) {
    const { theme } = view;
    const [x, wide] = barOf(p, 0);
    /** @type {(text: string, at: number, top: number, colour: string, bold?: number) => number} */
    const put = (text, at, top, colour, weight = 400) => {
      typeset(ctx, theme, 14, "left", "middle", weight);
      haloed(ctx, theme, text, at, top, colour);
      return ctx.measureText(text).width;
    };
    const own = put(counted(found.counts[0]), x + wide + 6, p.y + 6, theme.text, 600);
    put(_("of {n} without a gap", { n: found.n }), x + wide + 11 + own, p.y + 6, theme.muted);
    if (!found.n) return;
    const mean = number(found.sum / found.n);
    const [at, line] = width < WIDE ? [x + wide + 6, p.y + 22] : [p.x + p.w + 10, p.y + p.h / 2];
    const text = put(mean, at, line, theme.primary, 600);
    put(_("mean"), at + text + 5, line, theme.primary);
  }

  /** @param {Found} found */
  function describe(found) {
    const { meta, parts } = view;
    const mean = `${number(found.sum / found.n)}${unitOf(meta)}`;
    const label = _("Histogram of bound minus loss over the training examples: {none} of {n} " +
      "have no gap; the mean is {mean}. Arrow keys move from bar to bar; Enter marks a bar.", { none: found.counts[0], n: found.n, mean });
    give(canvas, { "aria-label": label });
    setText(parts.gapUnit, unitOf(meta).trim());
    setText(parts.gapRows, (meta.rows ?? 0) > found.n
      ? _("{n} of {all} training examples", { n: found.n, all: meta.rows }) : _("training examples"));
  }

  // Pointer and keyboard -----------------------------------------------------------------------

  /** The mark of a bar and its story, told at its head; null of none, -1. @param {number} bin */
  function tipOf(bin) {
    if (bin < 0 || !view.frame?.bound) return null;
    const p = plot();
    const [x, wide] = barOf(p, bin);
    const at = { ...inWindow(canvas, x + wide / 2, p.y), r: 2 };
    return { mark: markOf("gap", bin), story: () => gapStory(view, bin), at };
  }

  /** Stand on a bar with the keyboard; -1: on none. @param {number} bin */
  function stand(bin) {
    const tip = tipOf(bin);
    view.setHover("gapkeys", tip?.mark ?? null, tip ?? undefined);
  }

  /** @param {MouseEvent} event */
  function under(event) {
    const p = plot();
    const [x, y] = within(canvas, event);
    if (y < p.y - 4 || y > p.y + p.h + 20 || x < p.x || x > p.x + p.w) return -1;
    return x < p.from ? 0 : Math.min(GAP_BINS, 1 + Math.floor((x - p.from) / p.step));
  }

  attachPointer(canvas, view, "gaps", (event) => tipOf(under(event)));
  canvas.addEventListener("blur", () => stand(-1));
  canvas.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (event.key === "Escape") {
      walker = -1;
      stand(-1);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (walker >= 0) pinOrLetGo(view, tipOf(walker));
    } else if (step) {
      event.preventDefault();
      walker = walker < 0 ? 0 : Math.max(0, Math.min(GAP_BINS, walker + step));
      stand(walker);
      const story = gapStory(view, walker);
      if (story) view.say(story);
    }
  });

  return {
    draw,
    host,
    /** Middle of a bar's foot in pixels of the canvas, for tests. @param {number} bin */
    placeOf(bin) {
      const p = plot();
      const [x, wide] = barOf(p, bin);
      return [x + wide / 2, p.y + p.h - 2];
    },
    /** Another run: the axis of counts starts afresh. */
    reset() {
      most = 0;
      walker = -1;
    },
    /** @param {number} w @param {number} h */
    resize(w, h) {
      width = w;
      height = h;
      draw();
    },
  };
}
