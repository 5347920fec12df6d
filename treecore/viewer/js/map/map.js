// The map: the regions of the leaves, the splits that bound them, and the points.

import { make } from "../app/dom.js";
import { drawFlips } from "./flips.js";
import { haloed, outlined, typeset } from "../app/ink.js";
import { isShown } from "../app/frame.js";
import { cellsOf, isByNearest } from "./cells.js";
import { area, boxPolygon, centre, leafLine, partition, scalesOf, sidesOf, trace } from "./geometry.js";
import { findLens, isWrong, pointShade, POINT_LENSES, rampOf, regionFill, REGION_LENSES } from "./lenses.js";
import { createMapMarks } from "./mapmarks.js";
import { attachMapHands } from "./maphands.js";
import { modelsOf, slopePieces } from "./slopes.js";
import { createStamps } from "./stamps.js";
import { flowsOf, rowsAt, total } from "../app/stories.js";
import { fit, newPath, number, shorten } from "../app/theme.js";
import { axisMarks, isCalendar, titleOf } from "../app/units.js";

/** @typedef {(ctx: Context2D, frame: Frame, s: Scales) => void} Draw */

const PAD = { left: 46, right: 10, top: 24, bottom: 26 };
const NARROW = 220; // pixels: below, the map takes the room of the numbers beside it
// Pixels² of a region that has room for the number of its leaf, or for what that predicts: its colour
// says so as well, and the number hides the points below it.
const NUMBERED = 700, VALUED = 2600;

/** @param {HTMLElement} host @param {View} view */
export function createMap(host, view) {
  const stamps = createStamps(view);
  const marked = createMapMarks(view);
  const canvas = make("canvas", "tc-canvas");
  host.appendChild(canvas);
  let width = 0;
  let height = 0;
  let pieces = nothing(); // of the frame drawn last
  /** @type {{key: string, cells: import("./geometry.js").Polygon[]}} */
  let near = { key: "", cells: [] }; // about the points

  /** The whole box, before there is a tree. @returns {Pieces} */
  function nothing() {
    return { leaves: [boxPolygon(boxNow())], regions: [], lines: [], depth: new Uint16Array() };
  }

  /** What a frame divides the box into; nothing where its splits are no lines there. @param {Frame} frame @returns {Pieces} */
  function piecesOf(frame) {
    if (isByNearest(view, frame)) return { ...nothing(), leaves: [] };
    return partition(frame.split, frame.children, boxNow());
  }

  /** Marks of the vertical axis; the map of one feature has none. @param {number} tall @param {Box} [box] */
  const marksUp = (tall, [, , y0, y1] = boxNow()) =>
    (view.meta.axes?.y ? axisMarks(y0, y1, tall / 56, view.meta.axes.units?.[1]) : []);

  /** Where the box is drawn; labels such as 1700002000 get the room they need. */
  function plot() {
    const tall = height - PAD.top - PAD.bottom;
    if (width < NARROW) return { x: PAD.right, y: PAD.top, ...sidesOf(view.meta, width - 2 * PAD.right, tall) };
    const longest = Math.max(0, ...marksUp(tall).map(({ text }) => text.length));
    const left = Math.max(PAD.left, Math.min(width / 3, 16 + 6.5 * longest));
    return { x: left, y: PAD.top, ...sidesOf(view.meta, width - left - PAD.right, tall) };
  }

  /** @returns {Box} */
  function boxNow() {
    return view.meta.box ?? [-1, 1, -1, 1];
  }

  function scales() {
    return scalesOf(boxNow(), plot());
  }

  /** @type {Draw} */
  function drawRegions(ctx, frame, s) {
    const { theme, meta } = view;
    const lens = findLens(REGION_LENSES, view.lens.region, meta);
    const flows = flowsOf(frame);
    pieces.leaves.forEach((polygon, leaf) => {
      if (!polygon) return;
      const fill = regionFill(lens, frame, leaf, view);
      const pieces = slopePieces(lens, frame, leaf, polygon, view);
      for (const piece of [{ polygon, fill: fill ?? theme.back }, ...(pieces ?? [])]) {
        ctx.beginPath();
        trace(ctx, piece.polygon, s);
        ctx.fillStyle = piece.fill;
        ctx.fill();
      }
      ctx.beginPath();
      trace(ctx, polygon, s);
      const asleep = flows && total(rowsAt(flows, ~leaf)) === 0;
      if (fill && !asleep) return;
      Object.assign(ctx, { globalAlpha: theme.dark ? 0.55 : 0.5, fillStyle: theme.back });
      if (fill) ctx.fill();
      Object.assign(ctx, { globalAlpha: 0.75, fillStyle: stamps.hatching(ctx) ?? theme.line });
      ctx.fill();
      ctx.globalAlpha = 1;
    });
    ctx.lineCap = "round";
    // Deep splits first, so that the root lies on top.
    const order = Array.from(pieces.depth, (d, i) => [d, i]).sort((a, b) => b[0] - a[0]);
    ctx.strokeStyle = theme.text;
    for (const [depth, i] of order) {
      const line = pieces.lines[i];
      if (!line) continue;
      ctx.lineWidth = Math.max(0.8, 3 * 0.72 ** depth);
      ctx.globalAlpha = Math.max(0.4, 0.92 - 0.11 * depth);
      marked.segment(ctx, line, s);
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    if (view.lens.margins) marked.margins(ctx, frame, pieces, s);
  }

  /** The places about the points, each in the colour of its point's leaf. @type {Draw} */
  function drawCells(ctx, frame, s) {
    const { theme, meta, points, lens } = view;
    const { at } = frame;
    if (!at) return;
    const shown = Array.from(points.label, (_, i) => i).filter((i) => isShown(points, i, lens.side));
    const scale = [Math.abs(s.x(1) - s.x(0)), Math.abs(s.y(1) - s.y(0))];
    const key = JSON.stringify([meta.run, lens.side, shown.length, boxNow(), scale.map(Math.round)]);
    if (key !== near.key) near = { key, cells: cellsOf(points.xy, shown, boxNow(), [scale[0], scale[1]]) };
    const own = findLens(REGION_LENSES, lens.region, meta);
    /** @type {Map<string, Path>} */
    const paths = new Map();
    near.cells.forEach((cell, k) => {
      if (!cell) return;
      const fill = regionFill(own, frame, at[shown[k]], view) ?? theme.back;
      const path = paths.get(fill) ?? newPath(ctx);
      paths.set(fill, path);
      trace(path, cell, s);
    });
    ctx.lineWidth = 1; // over the seams between cells
    for (const [fill, path] of paths) {
      ctx.fillStyle = ctx.strokeStyle = fill;
      ctx.fill(path);
      ctx.stroke(path);
    }
  }

  /** Numbers, or predicted numbers, of the leaves whose regions have room for them. @type {Draw} */
  function drawNumbers(ctx, frame, s) {
    const { theme, lens, meta } = view;
    const key = findLens(REGION_LENSES, lens.region, meta).key;
    if (key !== "leaf" && key !== "value") return;
    if (key === "value" && meta.staircase) return; // its steps are drawn at their heights
    const unit = Math.abs((s.x(1) - s.x(0)) * (s.y(1) - s.y(0)));
    typeset(ctx, theme, 14, "center", "middle", 600);
    /** @type {Array<{leaf: number, polygon: number[], size: number}>} */
    const roomy = [];
    pieces.leaves.forEach((polygon, leaf) => {
      const size = polygon ? area(polygon) * unit : 0;
      if (polygon && size >= (key === "leaf" ? NUMBERED : VALUED)) roomy.push({ leaf, polygon, size });
    });
    // The larger ones first: a number that would lie on another one is left out.
    /** @type {Array<[number, number, number]>} */
    const taken = [];
    for (const { leaf, polygon } of roomy.sort((a, b) => b.size - a.size)) {
      const [x, y] = centre(polygon);
      const text = key === "leaf" ? String(leaf) : number(frame.value?.[leaf]);
      const [at, down, wide] = [s.x(x), s.y(y), ctx.measureText(text).width + 4];
      if (taken.some(([px, py, w]) => Math.abs(py - down) < 14 && Math.abs(px - at) < (w + wide) / 2)) continue;
      taken.push([at, down, wide]);
      haloed(ctx, theme, text, at, down, theme.text, 3.5);
    }
  }

  /**
   * Over one feature the tree is a staircase: every leaf a step at the height it predicts, or
   * where leaves are linear a line, level beyond the leaf's range.
   * @type {Draw}
   */
  function drawStairs(ctx, frame, s) {
    const { value, slopes } = frame;
    if (!view.meta.staircase || !value) return;
    ctx.lineCap = "round";
    ctx.beginPath();
    pieces.leaves.forEach((polygon, leaf) => {
      if (!polygon) return;
      const xs = polygon.filter((_, i) => i % 2 === 0);
      const ends = [Math.min(...xs), Math.max(...xs)];
      const corners = slopes ? leafLine(modelsOf(frame, leaf)[0], ends) : ends.map((x) => [x, value[leaf]]);
      corners.forEach(([x, y], i) => (i ? ctx.lineTo(s.x(x), s.y(y)) : ctx.moveTo(s.x(x), s.y(y))));
    });
    outlined(ctx, view.theme, 2.5, view.theme.text, { edge: 2.5 });
  }

  const radius = () => {
    const n = view.points.label.length;
    return Math.max(2.2, Math.min(4.4, Math.sqrt((plot().w * plot().h) / Math.max(1, n)) / 6));
  };

  /** @param {Context2D} ctx @param {Scales} s */
  function drawPoints(ctx, s) {
    const { xy, label, held } = view.points;
    const { frame, meta, theme, lens, marks } = view;
    const own = findLens(POINT_LENSES, lens.point, meta);
    const scale = own.scale(meta);
    const colours = scale && rampOf(theme, scale.ramp);
    const r = radius();
    /** @type {(pen: Context2D, i: number, wrong: boolean) => void} */
    const put = (pen, i, wrong) => {
      const colour = colours?.[pointShade(own, frame, i, view)] ?? null;
      stamps.point(pen, label[i], !!held?.[i], wrong, r, s.x(xy[2 * i]), s.y(xy[2 * i + 1]), colour);
    };
    const shown = Array.from(label, (_, i) => i).filter((i) => isShown(view.points, i, lens.side));
    const wrong = shown.filter((i) => isWrong(view, i));
    const all = (/** @type {Context2D} */ pen) => shown.forEach((i) => put(pen, i, false));
    // In the colours of their classes points stay as they are for a whole run.
    if (colours) all(ctx);
    else stamps.layer(ctx, "points", `${meta.run}|${lens.side}|${label.length}|${view.points.moved ?? 0}`, width, height, all);
    // Errors last, so that no correct point covers one.
    for (const i of wrong) put(ctx, i, true);
    if (lens.flips) drawFlips(ctx, view, stamps, s, r);
    /** @type {(which: number[], away: number, wide: number, ink?: string, edge?: number) => void} rings about points */
    const ring = (which, away, wide, ink, edge) => {
      ctx.beginPath();
      for (const i of which) {
        const [x, y] = [s.x(xy[2 * i]), s.y(xy[2 * i + 1])];
        ctx.moveTo(x + r + away, y);
        ctx.arc(x, y, r + away, 0, 2 * Math.PI);
      }
      outlined(ctx, theme, wide, ink, { edge });
    };
    if (frame && isByNearest(view, frame)) {
      for (const { colour, points } of marked.parties(frame, shown)) ring(points, 3, 1.5, colour, 0);
    }
    if (marks.sides) {
      ring(shown.filter((i) => marks.sides?.[i] === 1), 2.5, 1.5, theme.minus);
      ring(shown.filter((i) => marks.sides?.[i] === 2), 2.5, 1.5, theme.plus);
    }
    for (const { point } of marks.all()) if (point >= 0 && point < label.length) ring([point], 6, 3);
  }

  /** @param {Context2D} ctx @param {Scales} s */
  function drawAxes(ctx, s) {
    const { theme, meta } = view;
    const p = s.plot;
    const [x0, x1] = boxNow();
    Object.assign(ctx, { fillStyle: theme.muted, strokeStyle: theme.line, lineWidth: 1 });
    ctx.strokeRect(p.x - 0.5, p.y - 0.5, p.w + 1, p.h + 1);
    const [xUnit, yUnit] = [0, 1].map((side) => meta.axes?.units?.[side] ?? "");
    const xs = axisMarks(x0, x1, p.w / (isCalendar(xUnit) ? 90 : 70), xUnit);
    typeset(ctx, theme, 14);
    const name = shorten(ctx, titleOf(meta.axes?.x, xUnit), p.w / 2, meta.features);
    const free = p.x + p.w - ctx.measureText(name).width - 8;
    typeset(ctx, theme, 14, "center", "top");
    xs.forEach(({ at, text }) => {
      ctx.fillRect(Math.round(s.x(at)), p.y + p.h + 1, 1, 4);
      if (s.x(at) + ctx.measureText(text).width / 2 < free) ctx.fillText(text, s.x(at), p.y + p.h + 7);
    });
    typeset(ctx, theme, 14, "right");
    for (const { at, text } of width < NARROW ? [] : marksUp(p.h)) {
      ctx.fillRect(p.x - 5, Math.round(s.y(at)), 4, 1);
      ctx.fillText(text, p.x - 8, s.y(at));
    }
    ctx.fillStyle = theme.text;
    typeset(ctx, theme, 14, "right", "alphabetic");
    ctx.fillText(name, p.x + p.w, p.y + p.h + 17);
    ctx.textAlign = "left";
    ctx.fillText(shorten(ctx, titleOf(meta.axes?.y, yUnit), width - 8, meta.features), 4, 14);
  }

  function draw() {
    if (!width) return;
    const ctx = fit(canvas, width, height);
    stamps.renew();
    paint(ctx);
  }

  /** @param {Context2D} ctx */
  function paint(ctx) {
    const { frame } = view;
    const s = scales();
    const p = s.plot;
    pieces = frame ? piecesOf(frame) : nothing();
    ctx.save();
    ctx.beginPath();
    ctx.rect(p.x, p.y, p.w, p.h);
    ctx.clip();
    if (frame) {
      if (isByNearest(view, frame)) drawCells(ctx, frame, s);
      drawRegions(ctx, frame, s);
      marked.under(ctx, frame, pieces, s, boxNow());
    }
    drawPoints(ctx, s);
    if (frame) {
      drawStairs(ctx, frame, s);
      drawNumbers(ctx, frame, s);
      marked.over(ctx, frame, pieces, s);
    }
    ctx.restore();
    const key = JSON.stringify([boxNow(), view.meta.axes]);
    stamps.layer(ctx, "axes", key, width, height, (pen) => drawAxes(pen, s));
  }

  attachMapHands(canvas, view, { scales, radius });

  return {
    draw,
    host,
    canvas,
    scales,
    /** The same in another size. @param {Context2D} pen @param {number} w @param {number} h */
    drawWith(pen, w, h) {
      const size = [width, height];
      [width, height] = [w, h];
      paint(pen);
      [width, height] = size;
    },
    /** @param {number} w @param {number} h */
    resize(w, h) {
      width = w;
      height = h;
      draw();
    },
    /** Where a point lies, in pixels of the canvas. @param {number} i */
    placeOf(i) {
      const s = scales();
      return [s.x(view.points.xy[2 * i]), s.y(view.points.xy[2 * i + 1])];
    },
  };
}
