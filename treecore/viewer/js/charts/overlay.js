// Several runs over one clock: a slider for its hand, curves laid over each other, and a table.
//
// Where things are along the clock comes from Python as shares of the way, 0 to 1, with the texts
// of the ticks: what is a logarithm and what is not is decided there.

import { spread } from "./axes.js";
import { Commands } from "../app/commands.js";
import { component } from "../app/component.js";
import { give, make, setText } from "../app/dom.js";
import { dot, typeset } from "../app/ink.js";
import { nearestOf, scalesOf } from "../map/geometry.js";
import { Place } from "../app/place.js";
import { LimitLine } from "./limit.js";
import { dashOf, FigureTable } from "./overlaytable.js";
import { drawLine, valueAxis } from "./plot.js";
import { leaveStops } from "../app/onestop.js";
import { makeSlider, slide } from "../app/slider.js";
import { light, takePart } from "../app/spotlight.js";
import { applyTheme, fit, lineColour, number, readTheme } from "../app/theme.js";
import { Tooltip, term } from "../app/tooltip.js";
import { _, counted } from "../app/words.js";
import { within } from "../app/zoom.js";

/** @import { Limit } from "./limit.js" */
/** @import { Figures } from "./overlaytable.js" */

/**
 * What is drawn in one chart; `some` where there is anything, `none` what is said where not. One
 * with `ticks` of its own shows trails over leaves, and perhaps their limit.
 * @typedef {{title: string, help: string, unit?: string, low: number, high: number,
 *   whole?: boolean, some?: boolean, none?: string, ticks?: Tick[], limit?: Limit}} ChartSpec
 */

/**
 * The `meta` of a message of ui/live/board.py.
 * @typedef {Partial<Figures> & {v: number, mark: number, at: number, state: string,
 *   commands?: Can,
 *   message: string, hand: {share?: number, text?: string}, axis: string,
 *   parts: string[], columns: Array<{title: string, help: string}>, charts: ChartSpec[],
 *   ticks: Tick[]}} Told
 */

/** @typedef {{at: number, text: string}} Tick */
/** @typedef {{playing: boolean, next: number, slow: boolean}} Can */
/**
 * With the plot and the scales of its last drawing, and where its labels were.
 * @typedef {{host: HTMLElement, canvas: HTMLCanvasElement, index: number, limit?: LimitLine, plot?: Plot,
 *   x: ToPixels, y: ToPixels, labels: Array<{i: number, at: number}>}} Chart
 */

const EDGE_LEFT = 44;
const EDGE_RIGHT = 80; // numerals and values at the lines' ends
const EDGE_BELOW = 22;
const APART = 16; // least distance between two labels
const REACH = 12; // pixels around a line that count as on it
const FAINT = 0.25; // of the lines beside the one that is pointed at
const SEEK_GAP = 90; // milliseconds between two reports of a slider that is being pulled
const HELD = 700; // and how long a pulled slider does not listen

/** @type {Record<string, number>} hundredths of the way that a key goes */
const STEPS = {
  ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10,
  Home: -100, End: 100,
};

/**
 * What is built once for messages of its kind; where it differs, all is built anew. A chart's head
 * has its unit and its explanation as well: two charts of one title are not the same.
 * @param {Partial<Told>} meta
 */
export function shapeOf({ parts, columns, charts = [] }) {
  return JSON.stringify([parts, columns, charts.map(({ title, unit, help }) => [title, unit, help])]);
}

/**
 * Where the last row begins whose number in a column is not above `cross`; without one, the last.
 * @param {Float32Array} rows @param {number} wide numbers in a row @param {number} column
 * @param {number | null} cross
 */
export function rowAt(rows, wide, column, cross) {
  let at = rows.length - wide;
  if (cross !== null) while (at > 0 && rows[at + column] > cross) at -= wide;
  return at;
}

class Overlay {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    this.root = make("div", "tc tc-over");
    this.tooltip = new Tooltip(parent);
    parent.append(this.root);
    this.theme = readTheme(this.root);
    /** @type {Partial<Told>} */
    this.meta = {};
    /** @type {Array<Record<"line" | "trail" | "mean", Float32Array | null>>} over the clock, over leaves, and there on average */
    this.runs = [];
    /** @type {number | null} */
    this.cross = null;
    this.lit = -1; // the run that is pointed at
    this.request = 0;
    this.pulled = 0;
    this.timer = 0;
    /** @type {Chart[]} */
    this.charts = [];
    /** @type {ReturnType<Overlay["buildStrip"]> | null} */
    this.strip = null;
    /** @type {HTMLElement | null} */
    this.axis = null;
    /** @type {FigureTable | null} */
    this.table = null;
    this.shape = "";
    this.sizes = new ResizeObserver(() => this.draw());
    this.place = new Place({
      have: () => ({ mark: this.meta.mark, at: this.meta.at }),
      receive: (message) => this.receive(message),
    }, () => this.fillStrip());
    this.leaveCards = () => {};
  }

  /** @param {Placed} told @param {Tell} report */
  take(told, report) {
    this.draw(); // perhaps in another theme
    this.place.take(told, report);
  }

  /** @param {number} share */
  report(share) {
    this.place.command("seek", share);
  }

  /** @param {Message<Told>} message */
  receive(message) {
    const { meta } = message;
    this.meta = meta;
    const runs = meta.runs ?? [];
    if (this.lit >= runs.length) this.lit = -1;
    this.runs = runs.map((_, i) => (
      { line: message.array(`run${i}`), trail: message.array(`trail${i}`), mean: message.array(`mean${i}`) }));
    const shape = shapeOf(meta);
    if (shape !== this.shape) this.build(shape);
    this.root.dataset.state = meta.state ?? "";
    this.root.dataset.share = String(meta.hand?.share ?? 0);
    this.fillStrip();
    if (this.axis) setText(this.axis, meta.axis ?? "");
    this.table?.fill(meta, readTheme(this.root));
    this.draw();
    this.place.saw(meta.state);
  }

  /** Build what a message with these parts and charts needs. @param {string} shape */
  build(shape) {
    this.shape = shape;
    this.sizes.disconnect();
    const { parts = [], charts = [] } = this.meta;
    this.root.dataset.testid = `over-${parts.join("-")}`;
    this.charts = [];
    this.strip = this.table = this.axis = null;
    this.leaveCards();
    leaveStops(this.root);
    if (parts.includes("charts")) this.leaveCards = takePart({
      root: this.root, place: this.place, hear: (run) => this.point(this.cross, run),
      colour: (run) => (this.meta.runs?.[run] ? this.colour(run) : ""),
    });
    /** @type {(text: string, place: () => string) => HTMLElement} */
    const word = (text, place) => term(text, this.tooltip, place);
    const children = [];
    if (parts.includes("strip")) {
      this.strip = this.buildStrip();
      children.push(this.strip.root);
    }
    if (parts.includes("charts")) {
      this.axis = make("div", "tc-note");
      children.push(make("div", "over-charts", charts.map((chart, i) =>
        this.buildChart(chart, i, word(chart.title, () => this.meta.charts?.[i]?.help ?? "")))), this.axis);
    }
    if (parts.includes("table")) {
      /** @type {(title: string, i: number) => HTMLElement} */
      const explained = (title, i) => word(title, () => this.meta.columns?.[i]?.help ?? "");
      this.table = new FigureTable(this.meta.columns ?? [], explained);
      children.push(this.table.frame);
    }
    this.root.replaceChildren(...children);
    for (const chart of this.charts) this.sizes.observe(chart.host);
  }

  // The hand -----------------------------------------------------------------------------------

  buildStrip() {
    const commands = new Commands((what) => {
      if (what === "slow") return this.place.report("slow", true);
      const asked = what === "replay" ? "play" : what; // which begins anew at the end
      this.place.command(asked, asked === "step" ? this.meta.commands?.next : undefined);
    });
    for (const what of /** @type {const} */ (["play", "replay"])) {
      commands.explain(what, _("Learns and shows all runs to the end; at the end, shows them again."));
    }
    commands.explain("pause", _("Pauses all runs here."));
    commands.explain("step", _("Moves to the next moment at which a run has a measured tree: " +
      "after an epoch, or a level of a greedy tree."));
    commands.explain("reset", _("Returns all runs to the start. The same seed learns the same trees again."));
    const slider = makeSlider(_("Position of the clock"), () => this.pull(slider), (event) => {
      const step = STEPS[event.key];
      if (!step) return false;
      slider.value = String(Math.max(0, Math.min(1, Number(slider.value) + step / 100)));
      this.pull(slider);
      return true;
    });
    const clock = make("span", "over-clock");
    const state = make("span", "over-state", "", { role: "status" });
    const root = make("div", "over-strip", [commands.root, clock, state, slider]);
    return { root, commands, slider, clock, state };
  }

  /** @param {HTMLInputElement} slider */
  pull(slider) {
    this.pulled = performance.now();
    slide(slider, Number(slider.value));
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.report(Number(slider.value));
    }, SEEK_GAP);
  }

  fillStrip() {
    if (!this.strip) return;
    const { commands, slider, clock, state } = this.strip;
    const { hand = {}, commands: can, state: now } = this.meta;
    setText(clock, hand.text ?? "");
    setText(state, _(this.place.notice) || (this.meta.message ?? ""));
    commands.root.hidden = !can;
    commands.slow.hidden = !can?.slow;
    const next = now === "running" || can?.playing ? "pause" : now === "finished" ? "replay" : "play";
    commands.update(next, { toggle: now !== "failed", step: now === "paused", reset: true,
      slow: now === "paused" || now === "finished" });
    give(slider, { "aria-valuetext": hand.text ?? "" });
    if (performance.now() - this.pulled < HELD) return;
    slider.value = String(hand.share ?? 0);
    slide(slider, hand.share ?? 0);
  }

  // Curves -------------------------------------------------------------------------------------

  /** @param {ChartSpec} chart @param {number} i @param {HTMLElement} title */
  buildChart(chart, i, title) {
    const unit = chart.unit ? [make("span", "tc-sub", chart.unit)] : [];
    const head = make("h2", "tc-head", [make("span", "", [title, ...unit])]);
    const canvas = make("canvas", "tc-canvas", "", {
      role: "img", "aria-label": _("{title} of all runs; the table gives the numbers", { title: chart.title }),
    });
    const host = make("div", "tc-fill tc-chart", [canvas]);
    /** @type {Chart} */
    const own = { host, canvas, index: i, x: Number, y: Number, labels: [] };
    this.charts.push(own);
    host.addEventListener("pointermove", (event) => {
      if (event.target === canvas || !event.buttons) this.follow(own, ...within(host, event));
    });
    host.addEventListener("pointerleave", () => {
      this.point(null, this.lit);
      light(this.place.told.wire, -1);
    });
    if (chart.ticks) {
      own.limit = new LimitLine(this.tooltip, (most) => this.place.report("most", most), () => this.place.told.wire);
      host.append(own.limit.root);
      canvas.style.cursor = "default";
    } else {
      canvas.addEventListener("click", (event) => this.report(shareAt(own, event.offsetX)));
    }
    return make("section", "over-panel", [head, host]);
  }

  /**
   * The pointer is on a chart: the same moment of the clock is marked in all of them, and the run at
   * whose line or label it is, is lit.
   * @param {Chart} chart @param {number} px @param {number} py
   */
  follow(chart, px, py) {
    const { plot, x, y, labels } = chart;
    const [lines, wide, column, time] = this.linesOf(chart.index);
    if (!plot) return;
    let cross = time ? null : shareAt(chart, px);
    let run = -1;
    if (px > plot.x + plot.w + 4) {
      run = labels[nearestOf(labels.map(({ at }) => [px, at]), px, py, APART / 2)]?.i ?? -1;
    } else {
      /** @type {Array<{i: number, at: number}>} of lines over the clock, one place each */
      const rows = lines.flatMap((line, i) => {
        if (!line?.length) return [];
        if (!time) return [{ i, at: rowAt(line, wide, time, cross) }];
        return Array.from({ length: line.length / wide }, (_, row) => ({ i, at: row * wide }));
      });
      const place = (/** @type {{i: number, at: number}} */ { i, at }) => /** @type {XY} */ (
        [time ? x(lines[i]?.[at] ?? NaN) : px, y(lines[i]?.[at + column] ?? NaN)]);
      const found = rows[nearestOf(rows.map(place), px, py, REACH)];
      run = found?.i ?? -1;
      if (found && time) cross = lines[run]?.[found.at + time] ?? null;
    }
    this.point(cross, this.lit);
    light(this.place.told.wire, run);
  }

  /**
   * Mark a moment of the clock and light a run; both are drawn once, and only if they change.
   * @param {number | null} cross @param {number} run
   */
  point(cross, run) {
    if (cross === this.cross && run === this.lit) return;
    this.cross = cross;
    this.lit = run;
    this.request ||= requestAnimationFrame(() => {
      this.request = 0;
      this.draw();
    });
  }

  /**
   * A chart's lines, how many numbers a row of them has, and the columns of values and of the clock.
   * @param {number} index @returns {[Array<Float32Array | null>, number, number, number]}
   */
  linesOf(index) {
    const { charts = [] } = this.meta;
    return charts[index]?.ticks ? [this.runs.map(({ trail }) => trail), 3, 1, 2]
      : [this.runs.map(({ line }) => line), 1 + charts.length, index + 1, 0];
  }

  draw() {
    if (!this.root.isConnected || !this.meta.v) return;
    this.theme = applyTheme(this.root);
    for (const chart of this.charts) this.drawChart(chart);
  }

  /** @param {Chart} chart */
  drawChart(chart) {
    const { host, canvas, index } = chart;
    const { theme, meta } = this;
    const spec = meta.charts?.[index];
    const { clientWidth: width, clientHeight: height } = host;
    if (!width || !height || !spec) return;
    const ctx = fit(canvas, width, height);
    const [w, h] = [width - EDGE_LEFT - EDGE_RIGHT, height - 8 - EDGE_BELOW];
    const p = { x: EDGE_LEFT, y: 8, w: Math.max(20, w), h: Math.max(20, h) };
    const { x, y } = scalesOf([0, 1, spec.low, spec.high], p);
    Object.assign(chart, { plot: p, x, y });
    chart.limit?.place(spec.limit, p);
    valueAxis(ctx, theme, p, [spec.low, spec.high], y, spec.whole, 28);
    this.drawTicks(ctx, p, x, spec.ticks ?? meta.ticks ?? []);
    typeset(ctx, theme, 14, "center");
    ctx.fillStyle = theme.muted;
    if (!spec.some) ctx.fillText(spec.none ?? "", p.x + p.w / 2, p.y + p.h / 2);
    ctx.save();
    ctx.beginPath();
    ctx.rect(p.x - 3, p.y - 4, p.w + 8, p.h + 8);
    ctx.clip();
    if (spec.ticks) this.runs.forEach(({ mean }, i) => this.drawMeans(ctx, mean, i, x, y));
    const [lines, wide, column, time] = this.linesOf(index);
    lines.forEach((rows, i) => {
      ctx.globalAlpha = this.weight(i);
      if (rows) this.drawLine(ctx, rows, i, column, wide, x, y);
    });
    ctx.restore();
    if (this.cross !== null && !time) {
      ctx.fillStyle = theme.line;
      ctx.fillRect(Math.round(x(this.cross)), p.y, 1, p.h);
    }
    chart.labels = this.drawLabels(ctx, chart, spec, p);
  }

  /**
   * Dots of means, joined by a thin line.
   * @param {Context2D} ctx @param {Float32Array | null} pairs @param {number} i
   * @param {ToPixels} x @param {ToPixels} y
   */
  drawMeans(ctx, pairs, i, x, y) {
    if (!pairs?.length) return;
    ctx.globalAlpha = 0.55 * this.weight(i);
    this.drawLine(ctx, pairs, i, 1, 2, x, y, 1);
    for (let at = 0; at < pairs.length; at += 2) dot(ctx, x(pairs[at]), y(pairs[at + 1]), 2.6, this.colour(i));
    ctx.globalAlpha = 1;
  }

  /** @param {Context2D} ctx @param {Plot} p @param {ToPixels} x @param {Tick[]} marks of the clock, or of leaves */
  drawTicks(ctx, p, x, marks) {
    const { theme } = this;
    typeset(ctx, theme, 14, "center", "top");
    let free = -Infinity;
    for (const { at, text } of marks) {
      ctx.fillStyle = theme.grid;
      ctx.fillRect(Math.round(x(at)), p.y, 1, p.h);
      const half = ctx.measureText(text).width / 2;
      if (x(at) - half < free) continue;
      free = x(at) + half + 8;
      ctx.fillStyle = theme.muted;
      ctx.fillText(text, x(at), p.y + p.h + 6);
    }
  }

  /**
   * @param {Context2D} ctx @param {Float32Array} rows @param {number} i @param {number} column
   * @param {number} wide numbers in a row @param {ToPixels} x @param {ToPixels} y
   * @param {number} [width] of the line, in pixels
   */
  drawLine(ctx, rows, i, column, wide, x, y, width = 2.2) {
    drawLine(ctx, rows.length / wide, (row) => x(rows[row * wide]), (row) => y(rows[row * wide + column]),
      { ink: this.colour(i), wide: width, dash: dashOf(i) });
  }

  /** How strong run i is drawn. @param {number} i */
  weight(i) {
    return this.lit < 0 || this.lit === i ? 1 : FAINT;
  }

  /** Of run i. @param {number} i */
  colour(i) {
    return lineColour(this.theme, this.meta.runs?.[i]?.colour ?? i);
  }

  /**
   * Numerals and values at the ends of the lines, or under the pointer, pushed apart.
   * @param {Context2D} ctx @param {Chart} chart @param {ChartSpec} spec @param {Plot} p
   */
  drawLabels(ctx, { index, x, y }, spec, p) {
    const { theme, meta, cross } = this;
    const [lines, wide, column, time] = this.linesOf(index);
    /** @type {Array<{i: number, v: number, at: number}>} */
    const found = [];
    lines.forEach((rows, i) => {
      if (!rows?.length) return;
      const at = rowAt(rows, wide, time, cross);
      const v = rows[at + column];
      if (Number.isNaN(v)) return;
      const py = Math.max(p.y, Math.min(p.y + p.h, y(v)));
      ctx.globalAlpha = this.weight(i);
      dot(ctx, x(rows[at]), py, 3.4, this.colour(i), theme.back, 1.4);
      ctx.globalAlpha = 1;
      found.push({ i, v, at: py });
    });
    spread(found, APART, p.y + 4, p.y + p.h - 4);
    for (const { i, v, at } of found) {
      typeset(ctx, theme, 14, "left", "middle", 700);
      ctx.fillStyle = this.colour(i);
      ctx.fillText(meta.runs?.[i].numeral ?? "", p.x + p.w + 10, at);
      typeset(ctx, theme, 14);
      ctx.fillText(spec.whole ? counted(v) : number(v), p.x + p.w + 29, at);
    }
    return found;
  }

  leave() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.request);
    this.leaveCards();
    leaveStops(this.root);
    this.place.leave();
    this.sizes.disconnect();
    this.tooltip.destroy();
  }
}

export default component(Overlay);

/** The share of the clock at a pixel of a chart. @param {Chart} chart @param {number} px */
const shareAt = ({ plot }, px) => Math.max(0, Math.min(1, (px - (plot?.x ?? 0)) / (plot?.w || 1)));
