// Three small charts over one time axis: bound and loss, accuracy, active leaves; side by side, or one
// below the other, where only the last says what time is.

import { Glide, spread, timeEnd, valueRange } from "./axes.js";
import { give, make } from "../app/dom.js";
import { dot, haloed, typeset } from "../app/ink.js";
import { scalesOf } from "../map/geometry.js";
import { fit, number, tickText, ticks } from "../app/theme.js";
import { drawLine, valueAxis } from "./plot.js";
import { _, counted, N_ } from "../app/words.js";
import { within } from "../app/zoom.js";

/** @import { Axis } from "./axes.js" */
/** @typedef {{col: number, name: string, colour: "primary" | "text", dash?: number[]}} Series */
/** @typedef {ReturnType<typeof createChart>} Chart */

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
  // Its label says more once it is drawn.
  const canvas = make("canvas", "tc-canvas", "", { role: "img", "aria-label": _(CHARTS[i].title) });
  host.append(canvas);
  return {
    spec: CHARTS[i], canvas, host, last: i === 2, width: 0, height: 0, right: 0,
    axis: { low: new Glide(), high: new Glide(1) },
    /** @type {number | undefined} the end of its values towards which it glides */
    goal: undefined,
    told: "", // what of it was put into words
    // Of the last drawing:
    p: /** @type {Plot} */ ({ x: PAD_LEFT, y: 8, w: 20, h: 20 }),
    x: /** @type {ToPixels} of an epoch */ (Number), y: /** @type {ToPixels} of a value */ (Number),
  };
}

/** @param {HTMLElement[]} hosts one element per chart, in the order of CHARTS @param {View} view */
export function createCurves(hosts, view) {
  const charts = hosts.map(createChart);
  const time = new Glide();
  let moved = 0;
  let moving = false;

  const rows = () => (view.curves ? Math.floor(view.curves.length / WIDTH) : 0);
  /** @type {(row: number, col: number) => number} */
  const value = (row, col) => view.curves?.[row * WIDTH + col] ?? NaN;
  const unit = () => _(view.meta.unit ?? "epoch");

  /** @param {Chart} chart */
  function drawChart(chart) {
    const { width, height } = chart;
    if (!width) return;
    const ctx = fit(chart.canvas, width, height);
    paint(ctx, chart);
    if (rows()) describe(chart, rowNow());
  }

  /** The row at the crosshair, or the last one. */
  const rowNow = () => {
    const cursor = view.cursor();
    return cursor === null ? rows() - 1 : nearest(cursor);
  };

  /** Where a chart lies, and its scales. @param {Context2D} ctx @param {Chart} chart */
  function measure(ctx, chart) {
    const { spec, axis, width, height, last } = chart;
    // Those of one width stand below each other, over one axis of time.
    const alike = [chart, ...charts.filter((one) => one.width === width)]; // none for a file
    chart.right = Math.max(...alike.map((one) => roomOf(ctx, one)));
    const [w, h] = [width - PAD_LEFT - chart.right, height - 8 - (last ? 34 : 8)];
    const p = { x: PAD_LEFT, y: 8, w: Math.max(20, w), h: Math.max(20, h) };
    const { x, y } = scalesOf([0, time.value, axis.low.value, axis.high.value], p);
    return Object.assign(chart, { p, x, y: (/** @type {number} */ v) => y(v * spec.scale) });
  }

  /** @param {Context2D} ctx @param {Chart} chart */
  function paint(ctx, chart) {
    const { spec, p, x, y } = measure(ctx, chart);
    const { theme } = view;
    grid(ctx, chart);
    if (!rows()) return;
    ctx.save();
    ctx.beginPath();
    ctx.rect(p.x, p.y - 3, p.w + 6, p.h + 6);
    ctx.clip();
    if (spec.gap) {
      shade(ctx, chart, spec.gap);
      slack(ctx, chart);
    }
    for (const { col, colour, dash } of spec.series) {
      drawLine(ctx, rows(), (i) => x(value(i, EPOCH)), (i) => y(value(i, col)),
        { ink: theme[colour], wide: dash ? 1.6 : 2, dash });
      let first = 0;
      while (first < rows() && Number.isNaN(value(first, col))) first++;
      const ground = dash ? theme.back : theme[colour];
      if (first < rows()) dot(ctx, x(value(first, EPOCH)), y(value(first, col)), 2.2, ground, theme[colour]);
    }
    ctx.restore();
    const crossed = view.cursor() !== null;
    const at = rowNow();
    ctx.fillStyle = theme.line;
    if (crossed) ctx.fillRect(Math.round(x(value(at, EPOCH))), p.y, 1, p.h);
    labels(ctx, chart, at, crossed);
    if (!crossed) beyond(ctx, chart); // else the crosshair's own words are there
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
    const text = spec.text(v * spec.scale);
    typeset(ctx, view.theme, 14, "left", "middle", 600);
    const value = ctx.measureText(text).width + 5;
    typeset(ctx, view.theme, 14);
    return { text, value, name: ctx.measureText(_(series.name)).width };
  }

  /** @param {Context2D} ctx @param {Chart} chart */
  function grid(ctx, { spec, axis, last, p, x, y }) {
    const { theme, meta } = view;
    const [low, high] = [axis.low.value, axis.high.value];
    valueAxis(ctx, theme, p, [low, Math.max(high, low + 1e-9)], (v) => y(v / spec.scale), spec.whole);
    const xs = ticks(0, time.value || 1, Math.max(2, p.w / 60), meta.unit === "level" || time.value > 8);
    typeset(ctx, theme, 14, "center", "top");
    tickText(xs).forEach((text, i) => {
      ctx.fillStyle = theme.grid;
      ctx.fillRect(Math.round(x(xs[i])), p.y, 1, p.h);
      ctx.fillStyle = theme.muted;
      if (last) ctx.fillText(text, x(xs[i]), p.y + p.h + 6);
    });
    typeset(ctx, theme, 14, "left", "top");
    ctx.fillStyle = theme.text;
    if (last) ctx.fillText(_(TIMES[meta.unit ?? "epoch"]), p.x + p.w + 20, p.y + p.h + 5);
    if (rows()) return;
    typeset(ctx, theme, 14, "center");
    haloed(ctx, theme, _("when training starts"), p.x + p.w / 2, p.y + p.h / 2, theme.muted, 8);
  }

  /** @param {Context2D} ctx @param {Chart} chart @param {[number, number]} gap */
  function shade(ctx, { x, y }, [top, bottom]) {
    const n = rows();
    if (Number.isNaN(value(n - 1, top))) return; // this method has no bound
    const put = (/** @type {number} */ i, /** @type {number} */ col) => {
      if (!Number.isNaN(value(i, col))) ctx.lineTo(x(value(i, EPOCH)), y(value(i, col)));
    };
    ctx.beginPath();
    for (let i = 0; i < n; i++) put(i, top);
    for (let i = n - 1; i >= 0; i--) put(i, bottom);
    ctx.closePath();
    Object.assign(ctx, { globalAlpha: 0.14, fillStyle: view.theme.primary });
    ctx.fill();
    ctx.globalAlpha = 1;
  }

  /** Whether the bound fell since the row before and the loss rose all the same. @param {number} row */
  function parted(row) {
    if (row < 1) return false;
    return value(row, 1) < value(row - 1, 1) && value(row, 2) > value(row - 1, 2);
  }

  /** A tick below wherever lowering the bound did not lower the loss. @param {Context2D} ctx @param {Chart} chart */
  function slack(ctx, { p, x }) {
    ctx.fillStyle = view.theme.minus;
    view.parts.ticks.hidden = true;
    for (let i = 1; i < rows(); i++) {
      if (!parted(i)) continue;
      view.parts.ticks.hidden = false;
      ctx.fillRect(x(value(i, EPOCH)) - 1, p.y + p.h - 6, 2, 6);
    }
  }

  /**
   * Names and values at the ends of the lines, or at the crosshair, pushed apart.
   * @param {Context2D} ctx @param {Chart} chart @param {number} at row @param {boolean} crossed
   */
  function labels(ctx, { spec, width, p, x, y }, at, crossed) {
    const { theme } = view;
    const now = x(value(at, EPOCH));
    const found = spec.series.map((series) => ({ series, v: value(at, series.col), at: 0 }))
      .filter(({ v }) => !Number.isNaN(v));
    for (const one of found) {
      const ink = theme[one.series.colour];
      one.at = Math.max(p.y, Math.min(p.y + p.h, y(one.v)));
      dot(ctx, now, one.at, 3, one.series.dash ? theme.back : ink, ink);
    }
    spread(found, LABEL, p.y + 5, p.y + p.h - 6);
    for (const { series, v, at: py } of found) {
      const { text, value: w, name } = labelOf(ctx, spec, series, v);
      // A long word lies over the lines rather than being cut.
      const px = Math.min(width - 1 - w - name, (crossed ? p.x + p.w : now) + BESIDE);
      haloed(ctx, theme, _(series.name), px + w, py, series.colour === "primary" ? theme.primary : theme.muted);
      typeset(ctx, theme, 14, "left", "middle", 600);
      haloed(ctx, theme, text, px, py, theme[series.colour]);
    }
    if (!crossed || spec !== CHARTS[0]) return;
    typeset(ctx, theme, 14);
    const text = `${unit()} ${number(value(at, EPOCH))}${parted(at) ? `: ${_(PARTED)}` : ""}`;
    const wide = ctx.measureText(text).width;
    const px = now + wide + 8 < p.x + p.w ? now + 6 : Math.max(p.x + 2, now - 6 - wide);
    haloed(ctx, theme, text, px, p.y + 6, theme.muted);
  }

  /**
   * The chart in words, for those who hear it; not oftener than it is measured.
   * @param {Chart} chart @param {number} at row
   */
  function describe(chart, at) {
    if (chart.told === `${at} ${rows()}`) return;
    chart.told = `${at} ${rows()}`;
    const { spec } = chart;
    const found = read(spec, at);
    const title = spec.gap && Number.isNaN(value(at, spec.gap[0])) ? _("Loss") : _(spec.title);
    if (spec.gap && parted(at)) found.push(_(PARTED));
    give(chart.canvas, { "aria-label": _("{title} at {unit} {at}: {found}",
      { title, unit: unit(), at: number(value(at, EPOCH)), found: found.join(", ") }) });
  }

  /** The names and values of a chart at a row. @param {Chart["spec"]} spec @param {number} at */
  const read = (spec, at) => spec.series.filter(({ col }) => !Number.isNaN(value(at, col)))
    .map(({ col, name }) => `${_(name)} ${spec.text(value(at, col) * spec.scale)}`);

  /** Say so where a line starts above the chart. @param {Context2D} ctx @param {Chart} chart */
  function beyond(ctx, { spec, axis, goal = NaN, p, x }) {
    const most = Math.max(...spec.series.map(({ col }) => value(0, col) * spec.scale || 0));
    if (spec.most || !(most > goal * 1.02)) return;
    let inside = 0; // the first row at which all lines are on the chart
    for (const { col } of spec.series) {
      while (inside < rows() - 1 && value(inside, col) * spec.scale > axis.high.value) inside++;
    }
    typeset(ctx, view.theme, 14);
    haloed(ctx, view.theme, _("↑ from {most}", { most: number(most) }),
      Math.min(x(value(inside, EPOCH)) + 10, p.x + p.w - 70), p.y + 6, view.theme.muted);
  }

  /** The row nearest to an epoch. @param {number} epoch */
  function nearest(epoch) {
    const far = (/** @type {number} */ row) => Math.abs(value(row, EPOCH) - epoch);
    let best = 0;
    for (let i = 1; i < rows(); i++) if (far(i) <= far(best)) best = i;
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
      const share = (within(chart.canvas, event)[0] - PAD_LEFT) / chart.p.w;
      return Math.max(0, Math.min(1, share)) * time.value;
    };
    chart.canvas.addEventListener("pointermove", (event) => view.setCross(epochAt(event)));
    chart.canvas.addEventListener("pointerleave", () => view.setCross(null));
    chart.canvas.addEventListener("click", (event) => view.scrub(epochAt(event)));
  }

  return {
    draw,
    moving: () => moving,
    points: rows,
    /** Chart i in another size. @param {number} i @param {Context2D} pen @param {number} w @param {number} h */
    drawWith(i, pen, w, h) {
      paint(pen, { ...charts[i], width: w, height: h, last: true });
    },
    /** The names and values of chart i at the moment that is shown. @param {number} i */
    read: (i) => read(charts[i].spec, rowNow()),
    /** Another run: the axes start afresh instead of gliding over. */
    reset() {
      time.set = false;
      for (const chart of charts) {
        chart.axis.low.set = chart.axis.high.set = false;
        // Or the words would stay those of a run as long as this one.
        Object.assign(chart, { goal: undefined, right: 0, told: "" });
      }
    },
    /** @param {Element} host @param {number} w @param {number} h */
    resize(host, w, h) {
      const chart = charts.find((c) => c.host === host);
      if (!chart) return;
      Object.assign(chart, { width: w, height: h });
      chart.last = chart === charts[2] || hosts[0].offsetTop === hosts[2].offsetTop;
      drawChart(chart);
    },
  };
}
