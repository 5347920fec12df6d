// Three small charts over one time axis: bound and loss, accuracy, active leaves; side by side, or one
// below the other, where only the last says what time is.

import { Glide, spread, timeEnd, valueRange } from "./axes.js";
import { make } from "../app/dom.js";
import { fit, number, tickText, ticks } from "../app/theme.js";
import { _, counted, N_ } from "../app/words.js";
import { within } from "../app/zoom.js";

/** @import { Axis } from "./axes.js" */
/** @import { Context2D, Plot, View } from "../types.d.ts" */
/** @typedef {{col: number, name: string, colour: "primary" | "text", dash?: number[]}} Series */
/** @typedef {ReturnType<typeof createChart>} Chart */
/** @typedef {(value: number) => number} ToPixels */

// Columns of a row of `curves`.
const EPOCH = 0;
const WIDTH = 8;
const PAD_LEFT = 46;
const PAD_RIGHT = 96; // least room for the labels at the lines' ends
const PAD_RIGHT_OF_COUNTS = 72;
const BESIDE = 10; // pixels from the end of a line to its label
const LABEL = 16; // least distance between two of them

const PARTED = N_("bound fell, loss rose");

/** What runs along the axis of time. @type {Record<string, string>} */
const TIMES = { epoch: N_("epochs"), level: N_("levels"), round: N_("rounds") };

/**
 * What the three charts show; `col` is the column of `curves`, `gap` the two between which is
 * shaded.
 * @type {Array<Omit<Axis, "series"> & {title: string, series: Series[],
 *   text: (value: number) => string, gap?: [number, number]}>}
 */
const CHARTS = [
  {
    title: N_("Bound and loss"),
    series: [
      { col: 1, name: N_("bound"), colour: "primary" },
      { col: 2, name: N_("loss"), colour: "text" },
      { col: 3, name: N_("test"), colour: "text", dash: [5, 3] },
    ],
    gap: [1, 2],
    text: (v) => number(v),
    scale: 1,
  },
  {
    title: N_("Accuracy, or explained variance"),
    series: [
      { col: 4, name: N_("training"), colour: "text" },
      { col: 5, name: N_("test"), colour: "text", dash: [5, 3] },
    ],
    text: (v) => `${number(v)} %`,
    scale: 100,
    most: 100,
  },
  {
    title: N_("Leaves"),
    series: [{ col: 6, name: N_("active"), colour: "text" }],
    text: counted,
    scale: 1,
    whole: true,
  },
];

/** @param {HTMLElement} host @param {number} i of the chart */
function createChart(host, i) {
  const canvas = make("canvas", "tc-canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", _(CHARTS[i].title)); // until it is drawn, and says more
  host.appendChild(canvas);
  return {
    spec: CHARTS[i], canvas, host, last: i === 2, width: 0, height: 0, right: 0,
    axis: { low: new Glide(), high: new Glide(1) },
    /** @type {number | undefined} the end of its values towards which it glides */
    goal: undefined,
    told: "", // what of it was put into words
  };
}

/**
 * @param {HTMLElement[]} hosts one element per chart, in the order of CHARTS
 * @param {View} view
 */
export function createCurves(hosts, view) {
  const charts = hosts.map(createChart);
  const time = new Glide();
  let moved = 0;
  let moving = false;

  const rows = () => (view.curves ? Math.floor(view.curves.length / WIDTH) : 0);
  /** @type {(row: number, col: number) => number} */
  const value = (row, col) => view.curves?.[row * WIDTH + col] ?? NaN;

  /** @param {Chart} chart @returns {Plot} */
  function plot({ right, width, height, last }) {
    const [w, h] = [width - PAD_LEFT - right, height - 8 - (last ? 34 : 8)];
    return { x: PAD_LEFT, y: 8, w: Math.max(20, w), h: Math.max(20, h) };
  }

  /** @param {Chart} chart */
  function drawChart(chart) {
    const { width, height } = chart;
    if (!width) return;
    const ctx = fit(chart.canvas, width, height);
    ctx.clearRect(0, 0, width, height);
    paint(ctx, chart);
    if (rows()) describe(chart, rowNow());
  }

  /** The row at the crosshair, or the last one. */
  const rowNow = () => {
    const cursor = view.cursor();
    return cursor === null ? rows() - 1 : nearest(cursor);
  };

  /** @param {Context2D} ctx @param {Chart} chart */
  function paint(ctx, chart) {
    const { spec } = chart;
    const { theme } = view;
    // Those of one width stand below each other, over one axis of time.
    const alike = [chart, ...charts.filter((one) => one.width === chart.width)]; // none for a file
    chart.right = Math.max(...alike.map((one) => roomOf(ctx, one)));
    const p = plot(chart);
    const low = chart.axis.low.value;
    const span = chart.axis.high.value - low || 1;
    const x = (/** @type {number} */ epoch) => p.x + (epoch / (time.value || 1)) * p.w;
    const y = (/** @type {number} */ v) => p.y + p.h - ((v * spec.scale - low) / span) * p.h;
    grid(ctx, chart, p, x);
    const n = rows();
    if (!n) return;
    ctx.save();
    ctx.beginPath();
    ctx.rect(p.x, p.y - 3, p.w + 6, p.h + 6);
    ctx.clip();
    if (spec.gap) {
      shade(ctx, spec.gap, x, y);
      slack(ctx, p, x);
    }
    for (const series of spec.series) line(ctx, series, x, y);
    ctx.restore();
    const cursor = view.cursor();
    const at = rowNow();
    if (cursor !== null) {
      ctx.fillStyle = theme.line;
      ctx.fillRect(Math.round(x(value(at, EPOCH))), p.y, 1, p.h);
    }
    labels(ctx, chart, at, cursor !== null, p, x, y);
    if (cursor === null) beyond(ctx, chart, p, x); // else the crosshair's own words are there
  }

  /**
   * Room at the right for all names and values, in whole steps: a chart is not to tremble with its
   * digits, so it never takes less than before.
   * @param {Context2D} ctx @param {Chart} chart
   */
  function roomOf(ctx, { spec, right, width }) {
    let most = Math.max(right, spec.whole ? PAD_RIGHT_OF_COUNTS : PAD_RIGHT);
    for (const series of spec.series) {
      const v = value(rowNow(), series.col);
      if (Number.isNaN(v)) continue;
      const wide = labelOf(ctx, spec, series, v);
      most = Math.max(most, 8 * Math.ceil((BESIDE + wide.value + wide.name + 1) / 8));
    }
    return Math.min(most, Math.max(PAD_RIGHT_OF_COUNTS, 0.6 * width));
  }

  /**
   * The value at the end of a line, and how wide it and the name beside it are.
   * @param {Context2D} ctx @param {Chart["spec"]} spec @param {Series} series @param {number} v
   */
  function labelOf(ctx, spec, series, v) {
    const { font } = view.theme;
    const text = spec.text(v * spec.scale);
    ctx.font = `600 14px ${font}`;
    const value = ctx.measureText(text).width + 5;
    ctx.font = `14px ${font}`;
    return { text, value, name: ctx.measureText(_(series.name)).width };
  }

  /** @param {Context2D} ctx @param {Chart} chart @param {Plot} p @param {ToPixels} x */
  function grid(ctx, chart, p, x) {
    const { theme, meta } = view;
    ctx.font = `14px ${theme.font}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "right";
    const { spec, axis } = chart;
    const [low, high] = [axis.low.value, axis.high.value];
    const ys = ticks(low, Math.max(high, low + 1e-9), Math.max(2, p.h / 25), spec.whole);
    const texts = tickText(ys);
    ys.forEach((v, i) => {
      const at = p.y + p.h - ((v - low) / (high - low || 1)) * p.h;
      if (at < p.y - 1) return;
      ctx.fillStyle = v === low ? theme.line : theme.grid;
      ctx.fillRect(p.x, Math.round(at), p.w, 1);
      ctx.fillStyle = theme.muted;
      ctx.fillText(texts[i], p.x - 7, at);
    });
    const whole = meta.unit === "level";
    const xs = ticks(0, time.value || 1, Math.max(2, p.w / 60), whole || time.value > 8);
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    const below = tickText(xs);
    xs.forEach((v, i) => {
      ctx.fillStyle = theme.grid;
      ctx.fillRect(Math.round(x(v)), p.y, 1, p.h);
      if (!chart.last) return;
      ctx.fillStyle = theme.muted;
      ctx.fillText(below[i], x(v), p.y + p.h + 6);
    });
    if (chart.last) {
      ctx.fillStyle = theme.text;
      ctx.font = `14px ${theme.font}`;
      ctx.textAlign = "left";
      ctx.fillText(_(TIMES[meta.unit ?? "epoch"]), p.x + p.w + 14, p.y + p.h + 5);
    }
    if (!rows()) {
      ctx.fillStyle = theme.muted;
      ctx.font = `14px ${theme.font}`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.lineWidth = 8;
      ctx.strokeStyle = theme.back;
      const text = _("when training starts");
      ctx.strokeText(text, p.x + p.w / 2, p.y + p.h / 2);
      ctx.fillText(text, p.x + p.w / 2, p.y + p.h / 2);
    }
  }

  /** @type {(ctx: Context2D, gap: [number, number], x: ToPixels, y: ToPixels) => void} */
  function shade(ctx, [top, bottom], x, y) {
    const n = rows();
    if (Number.isNaN(value(n - 1, top))) return; // this method has no bound
    ctx.beginPath();
    for (let i = 0; i < n; i++) {
      if (!Number.isNaN(value(i, top))) ctx.lineTo(x(value(i, EPOCH)), y(value(i, top)));
    }
    for (let i = n - 1; i >= 0; i--) {
      if (!Number.isNaN(value(i, bottom))) ctx.lineTo(x(value(i, EPOCH)), y(value(i, bottom)));
    }
    ctx.closePath();
    ctx.globalAlpha = 0.14;
    ctx.fillStyle = view.theme.primary;
    ctx.fill();
    ctx.globalAlpha = 1;
  }

  /**
   * Whether the bound fell since the row before and the loss rose all the same.
   * @param {number} row
   */
  function parted(row) {
    if (row < 1) return false;
    return value(row, 1) < value(row - 1, 1) && value(row, 2) > value(row - 1, 2);
  }

  /**
   * A tick below wherever lowering the bound did not lower the loss.
   * @param {Context2D} ctx @param {Plot} p @param {ToPixels} x
   */
  function slack(ctx, p, x) {
    ctx.fillStyle = view.theme.minus;
    view.parts.ticks.hidden = true;
    for (let i = 1; i < rows(); i++) {
      if (!parted(i)) continue;
      view.parts.ticks.hidden = false;
      ctx.fillRect(x(value(i, EPOCH)) - 1, p.y + p.h - 6, 2, 6);
    }
  }

  /** @param {Context2D} ctx @param {Series} series @param {ToPixels} x @param {ToPixels} y */
  function line(ctx, series, x, y) {
    const n = rows();
    ctx.beginPath();
    let started = false;
    let first = -1;
    for (let i = 0; i < n; i++) {
      const v = value(i, series.col);
      if (Number.isNaN(v)) {
        started = false;
        continue;
      }
      if (first < 0) first = i;
      if (started) ctx.lineTo(x(value(i, EPOCH)), y(v));
      else ctx.moveTo(x(value(i, EPOCH)), y(v));
      started = true;
    }
    if (first < 0) return;
    ctx.strokeStyle = view.theme[series.colour];
    ctx.lineWidth = series.dash ? 1.6 : 2;
    ctx.setLineDash(series.dash ?? []);
    ctx.lineJoin = "round";
    ctx.stroke();
    ctx.setLineDash([]);
    dot(ctx, series, x(value(first, EPOCH)), y(value(first, series.col)), 2.2);
  }

  /** @type {(ctx: Context2D, series: Series, px: number, py: number, r: number) => void} */
  function dot(ctx, series, px, py, r) {
    ctx.beginPath();
    ctx.arc(px, py, r, 0, 2 * Math.PI);
    ctx.fillStyle = series.dash ? view.theme.back : view.theme[series.colour];
    ctx.fill();
    ctx.lineWidth = 1.5;
    ctx.strokeStyle = view.theme[series.colour];
    ctx.stroke();
  }

  /**
   * Names and values at the ends of the lines, or at the crosshair, pushed apart.
   * @param {Context2D} ctx @param {Chart} chart @param {number} at row @param {boolean} crossed
   * @param {Plot} p @param {ToPixels} x @param {ToPixels} y
   */
  function labels(ctx, chart, at, crossed, p, x, y) {
    const { theme } = view;
    /** @type {Array<{series: Series, v: number, at: number}>} */
    const found = [];
    for (const series of chart.spec.series) {
      const v = value(at, series.col);
      if (Number.isNaN(v)) continue;
      const py = Math.max(p.y, Math.min(p.y + p.h, y(v)));
      dot(ctx, series, x(value(at, EPOCH)), py, 3);
      found.push({ series, v, at: py });
    }
    spread(found, LABEL, p.y + 5, p.y + p.h - 6);
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    for (const { series, v, at: py } of found) {
      const { text, value: w, name } = labelOf(ctx, chart.spec, series, v);
      // A long word lies over the lines rather than being cut.
      const most = chart.width - 1 - w - name;
      const px = Math.min(most, (crossed ? p.x + p.w : x(value(at, EPOCH))) + BESIDE);
      // Text over lines needs the page's colour around it.
      ctx.lineWidth = 4;
      ctx.strokeStyle = theme.back;
      ctx.strokeText(_(series.name), px + w, py);
      ctx.fillStyle = series.colour === "primary" ? theme.primary : theme.muted;
      ctx.fillText(_(series.name), px + w, py);
      ctx.font = `600 14px ${theme.font}`;
      ctx.strokeText(text, px, py);
      ctx.fillStyle = theme[series.colour];
      ctx.fillText(text, px, py);
    }
    if (crossed && chart.spec === CHARTS[0]) {
      ctx.font = `14px ${theme.font}`;
      ctx.fillStyle = theme.muted;
      const unit = _(view.meta.unit ?? "epoch");
      const text = `${unit} ${number(value(at, EPOCH))}${parted(at) ? `: ${_(PARTED)}` : ""}`;
      const cx = x(value(at, EPOCH));
      const fits = cx + ctx.measureText(text).width + 8 < p.x + p.w;
      const px = fits ? cx + 6 : Math.max(p.x + 2, cx - 6 - ctx.measureText(text).width);
      ctx.strokeText(text, px, p.y + 6);
      ctx.fillText(text, px, p.y + 6);
    }
  }

  /**
   * The chart in words, for those who hear it; not oftener than it is measured.
   * @param {Chart} chart @param {number} at row
   */
  function describe(chart, at) {
    if (chart.told === `${at} ${rows()}`) return;
    chart.told = `${at} ${rows()}`;
    const { spec } = chart;
    const found = spec.series.filter(({ col }) => !Number.isNaN(value(at, col)))
      .map(({ col, name }) => `${_(name)} ${spec.text(value(at, col) * spec.scale)}`);
    const unit = _(view.meta.unit ?? "epoch");
    const title = spec.gap && Number.isNaN(value(at, spec.gap[0])) ? _("Loss") : _(spec.title);
    if (spec.gap && parted(at)) found.push(_(PARTED));
    chart.canvas.setAttribute("aria-label",
      _("{title} at {unit} {at}: {found}",
        { title, unit, at: number(value(at, EPOCH)), found: found.join(", ") }));
  }

  /**
   * Say so where a line starts above the chart.
   * @param {Context2D} ctx @param {Chart} chart @param {Plot} p @param {ToPixels} x
   */
  function beyond(ctx, chart, p, x) {
    let most = -Infinity;
    for (const { col } of chart.spec.series) most = Math.max(most, value(0, col) * chart.spec.scale || 0);
    if (chart.spec.most || !(most > (chart.goal ?? NaN) * 1.02)) return;
    ctx.font = `14px ${view.theme.font}`;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    ctx.lineWidth = 4;
    ctx.strokeStyle = view.theme.back;
    ctx.fillStyle = view.theme.muted;
    const text = _("↑ from {most}", { most: number(most) });
    let inside = 0; // the first row at which all lines are on the chart
    chart.spec.series.forEach(({ col }) => {
      const top = chart.axis.high.value;
      while (inside < rows() - 1 && value(inside, col) * chart.spec.scale > top) inside++;
    });
    const px = Math.min(x(value(inside, EPOCH)) + 10, p.x + p.w - 70);
    ctx.strokeText(text, px, p.y + 6);
    ctx.fillText(text, px, p.y + 6);
  }

  /** The row nearest to an epoch. @param {number} epoch */
  function nearest(epoch) {
    let best = 0;
    const n = rows();
    for (let i = 1; i < n; i++) {
      if (Math.abs(value(i, EPOCH) - epoch) <= Math.abs(value(best, EPOCH) - epoch)) best = i;
    }
    return best;
  }

  function draw(now = performance.now()) {
    const seconds = moving ? Math.min(0.05, (now - moved) / 1000) : 0.016;
    moved = now;
    const n = rows();
    const done = n ? value(n - 1, EPOCH) : 0;
    // A run may end before its time; its last point stands at the axis's end then.
    const planned = view.meta.state === "finished" ? done : view.meta.n_epochs || 0;
    moving = time.to(timeEnd(planned, done), seconds, view.calm);
    for (const chart of charts) {
      const [low, high] = valueRange(chart.spec, value, n, chart.goal);
      chart.goal = high;
      const { axis } = chart;
      moving = axis.low.to(low, seconds, view.calm) || moving;
      moving = axis.high.to(high, seconds, view.calm) || moving;
      drawChart(chart);
    }
  }

  for (const chart of charts) {
    const epochAt = (/** @type {MouseEvent} */ event) => {
      const share = (within(chart.canvas, event)[0] - PAD_LEFT) / plot(chart).w;
      return Math.max(0, Math.min(1, share)) * time.value;
    };
    chart.canvas.addEventListener("pointermove", (event) => view.setCross(epochAt(event)));
    chart.canvas.addEventListener("pointerleave", () => view.setCross(null));
    chart.canvas.addEventListener("click", (event) => view.scrub(epochAt(event)));
  }

  return {
    draw,
    hosts,
    moving: () => moving,
    points: rows,
    /** Chart i in another size. @param {number} i @param {Context2D} pen @param {number} w @param {number} h */
    drawWith(i, pen, w, h) {
      paint(pen, { ...charts[i], width: w, height: h, last: true });
    },
    /** The names and values of chart i at the moment that is shown. @param {number} i */
    read: (i) => charts[i].spec.series
      .map(({ col, name }) => ({ name, v: value(rowNow(), col) * charts[i].spec.scale }))
      .filter(({ v }) => !Number.isNaN(v))
      .map(({ name, v }) => `${_(name)} ${charts[i].spec.text(v)}`),
    /** Another run: the axes start afresh instead of gliding over. */
    reset() {
      time.set = false;
      for (const { axis } of charts) axis.low.set = axis.high.set = false;
      for (const chart of charts) {
        chart.goal = undefined;
        chart.right = 0;
        chart.told = ""; // or the words would stay those of a run as long as this one
      }
    },
    /** @param {Element} host @param {number} w @param {number} h */
    resize(host, w, h) {
      const chart = charts.find((c) => c.host === host);
      if (!chart) return;
      chart.width = w;
      chart.height = h;
      chart.last = chart === charts[2] || hosts[0].offsetTop === hosts[2].offsetTop;
      drawChart(chart);
    },
  };
}
