// The map: the regions of the leaves, the splits that bound them, and the points.

import { make } from "./dom.js";
import { area, boxPolygon, centre, lineOf, parents, partition, route } from "./geometry.js";
import { createStamps } from "./stamps.js";
import { leafStory, pointStory, flowsOf, rowsAt, total } from "./stories.js";
import { fillOf, fit, tickText, ticks } from "./theme.js";

const PAD = { left: 44, right: 10, top: 24, bottom: 24 };
const TRAIL = 14; // earlier positions of the split under the pointer, a third of a second apart
const HIT = 9; // pixels around a point that count as on it

/**
 * @param {HTMLElement} host
 * @param {object} view what main.js shares: meta, frame, points, theme, hover
 */
export function createMap(host, view) {
  const stamps = createStamps(view);
  const canvas = make("canvas", "tc-canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "Map of the points and of the regions of the leaves");
  host.appendChild(canvas);
  let width = 0;
  let height = 0;
  let pieces = null; // of the frame drawn last

  /** Where the box is drawn; labels such as 1700002000 get the room they need. */
  function plot() {
    const h = Math.max(10, height - PAD.top - PAD.bottom);
    const [, , y0, y1] = boxNow();
    const longest = Math.max(0, ...tickText(ticks(y0, y1, h / 56)).map((text) => text.length));
    const left = Math.max(PAD.left, Math.min(width / 3, 16 + 6.5 * longest));
    return { x: left, y: PAD.top, w: Math.max(10, width - left - PAD.right), h };
  }
  const boxNow = () => view.meta.box ?? [-1, 1, -1, 1];

  /** Functions from axis units to pixels and back. */
  function scales() {
    const p = plot();
    const [x0, x1, y0, y1] = boxNow();
    const kx = p.w / (x1 - x0 || 1);
    const ky = p.h / (y1 - y0 || 1);
    return {
      x: (v) => p.x + (v - x0) * kx,
      y: (v) => p.y + p.h - (v - y0) * ky,
      backX: (v) => x0 + (v - p.x) / kx,
      backY: (v) => y0 + (p.y + p.h - v) / ky,
    };
  }

  function trace(ctx, polygon, s) {
    ctx.beginPath();
    for (let i = 0; i < polygon.length; i += 2) ctx.lineTo(s.x(polygon[i]), s.y(polygon[i + 1]));
    ctx.closePath();
  }

  function stroke(ctx, line, s) {
    ctx.beginPath();
    ctx.moveTo(s.x(line[0]), s.y(line[1]));
    ctx.lineTo(s.x(line[2]), s.y(line[3]));
    ctx.stroke();
  }

  function drawRegions(ctx, frame, s) {
    const { theme } = view;
    const nClasses = Math.max(2, view.meta.classes?.length ?? 2);
    const flows = flowsOf(frame);
    pieces = partition(frame.split, frame.children, boxNow());
    pieces.leaves.forEach((polygon, leaf) => {
      if (!polygon) return;
      trace(ctx, polygon, s);
      ctx.fillStyle = fillOf(theme, frame.leaf[leaf], frame.share[leaf], nClasses);
      ctx.fill();
      if (flows && total(rowsAt(flows, ~leaf)) === 0) {
        ctx.globalAlpha = theme.dark ? 0.55 : 0.5;
        ctx.fillStyle = theme.back;
        ctx.fill();
        ctx.globalAlpha = 0.75;
        ctx.fillStyle = stamps.hatching(ctx);
        ctx.fill();
        ctx.globalAlpha = 1;
      }
    });
    ctx.lineCap = "round";
    // Deep splits first, so that the root lies on top.
    const order = Array.from(pieces.depth, (d, i) => [d, i]).sort((a, b) => b[0] - a[0]);
    for (const [depth, i] of order) {
      if (!pieces.lines[i]) continue;
      ctx.lineWidth = Math.max(0.8, 3 * 0.72 ** depth);
      ctx.strokeStyle = theme.text;
      ctx.globalAlpha = Math.max(0.4, 0.92 - 0.11 * depth);
      stroke(ctx, pieces.lines[i], s);
    }
    ctx.globalAlpha = 1;
  }

  function drawHover(ctx, frame, s) {
    const { theme, hover } = view;
    if (hover.leaf >= 0 && pieces.leaves[hover.leaf]) {
      trace(ctx, pieces.leaves[hover.leaf], s);
      outline(ctx, theme);
    }
    if (hover.split < 0 || hover.split >= pieces.lines.length) return;
    const above = parents(frame.children);
    // Where the split has been: its own motion says more than any number.
    view.trail(TRAIL, 0.33).forEach((past, i) => {
      if (past.children !== frame.children) return;
      const line = lineOf(past.split, past.children, above, boxNow(), hover.split);
      if (!line) return;
      ctx.globalAlpha = 0.5 * (1 - i / TRAIL);
      ctx.lineWidth = 1.5;
      ctx.strokeStyle = theme.primary;
      stroke(ctx, line, s);
    });
    ctx.globalAlpha = 1;
    const line = pieces.lines[hover.split];
    if (!line) return;
    for (const [w, colour] of [[7, theme.back], [4, theme.primary]]) {
      ctx.lineWidth = w;
      ctx.strokeStyle = colour;
      stroke(ctx, line, s);
    }
  }

  /** A small arrow to the side that the marked split calls right; above the points. */
  function drawArrow(ctx, frame, s) {
    const line = pieces.lines[view.hover.split];
    if (!line) return;
    const at = 3 * view.hover.split;
    const x = s.x((line[0] + line[2]) / 2);
    const y = s.y((line[1] + line[3]) / 2);
    // The normal of the line as drawn, turned to where the score grows.
    let nx = s.y(line[3]) - s.y(line[1]);
    let ny = s.x(line[0]) - s.x(line[2]);
    const size = Math.hypot(nx, ny) || 1;
    nx /= size;
    ny /= size;
    const grows = frame.split[at] * nx - frame.split[at + 1] * ny;
    const turn = grows < 0 ? -1 : 1;
    nx *= turn;
    ny *= turn;
    const path = new Path2D();
    path.moveTo(x, y);
    path.lineTo(x + 20 * nx, y + 20 * ny);
    path.moveTo(x + 14 * nx - 5 * ny, y + 14 * ny + 5 * nx);
    path.lineTo(x + 20 * nx, y + 20 * ny);
    path.lineTo(x + 14 * nx + 5 * ny, y + 14 * ny - 5 * nx);
    for (const [w, colour] of [[5.5, view.theme.back], [2.5, view.theme.primary]]) {
      ctx.lineWidth = w;
      ctx.strokeStyle = colour;
      ctx.stroke(path);
    }
    const tx = x + 32 * nx;
    const ty = y + 29 * ny;
    ctx.font = `600 11px ${view.theme.font}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.lineWidth = 4;
    ctx.strokeStyle = view.theme.back;
    ctx.strokeText("right", tx, ty);
    ctx.fillStyle = view.theme.primary;
    ctx.fillText("right", tx, ty);
  }

  function outline(ctx, theme) {
    ctx.lineJoin = "round";
    for (const [w, colour] of [[6, theme.back], [3, theme.primary]]) {
      ctx.lineWidth = w;
      ctx.strokeStyle = colour;
      ctx.stroke();
    }
  }

  const radius = () => {
    const n = view.points?.label?.length ?? 0;
    return Math.max(2.2, Math.min(4.4, Math.sqrt((plot().w * plot().h) / Math.max(1, n)) / 6));
  };

  function drawPoints(ctx, s) {
    const { xy, label, held } = view.points ?? {};
    if (!xy || !label) return;
    const guess = view.frame?.guess;
    const r = radius();
    // Errors last, so that no correct point covers one.
    for (const errors of guess ? [false, true] : [false]) {
      for (let i = 0; i < label.length; i++) {
        const wrong = !!guess && guess[i] !== label[i];
        if (wrong !== errors) continue;
        stamps.point(ctx, label[i], !!held?.[i], wrong, r, s.x(xy[2 * i]), s.y(xy[2 * i + 1]));
      }
    }
    if (view.hover.point >= 0) {
      const i = view.hover.point;
      ctx.beginPath();
      ctx.arc(s.x(xy[2 * i]), s.y(xy[2 * i + 1]), r + 6, 0, 2 * Math.PI);
      outline(ctx, view.theme);
    }
  }

  function drawAxes(ctx, s) {
    const { theme, meta } = view;
    const p = plot();
    const [x0, x1, y0, y1] = boxNow();
    ctx.font = `11px ${theme.font}`;
    ctx.fillStyle = theme.muted;
    ctx.strokeStyle = theme.line;
    ctx.lineWidth = 1;
    ctx.strokeRect(p.x - 0.5, p.y - 0.5, p.w + 1, p.h + 1);
    const xs = ticks(x0, x1, p.w / 70);
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    const name = meta.axes?.x ?? "";
    ctx.font = `12px ${theme.font}`;
    const free = p.x + p.w - ctx.measureText(name).width - 8;
    ctx.font = `11px ${theme.font}`;
    tickText(xs).forEach((text, i) => {
      ctx.fillRect(Math.round(s.x(xs[i])), p.y + p.h + 1, 1, 4);
      if (s.x(xs[i]) + ctx.measureText(text).width / 2 < free) ctx.fillText(text, s.x(xs[i]), p.y + p.h + 7);
    });
    const ys = ticks(y0, y1, p.h / 56);
    ctx.textAlign = "right";
    ctx.textBaseline = "middle";
    tickText(ys).forEach((text, i) => {
      ctx.fillRect(p.x - 5, Math.round(s.y(ys[i])), 4, 1);
      ctx.fillText(text, p.x - 8, s.y(ys[i]));
    });
    ctx.fillStyle = theme.text;
    ctx.font = `12px ${theme.font}`;
    ctx.textBaseline = "alphabetic";
    ctx.textAlign = "right";
    ctx.fillText(name, p.x + p.w, p.y + p.h + 17, p.w);
    ctx.textAlign = "left";
    ctx.fillText(meta.axes?.y ?? "", 4, 14, width - 8);
  }

  function draw() {
    if (!width || !view.theme) return;
    const ctx = fit(canvas, width, height);
    const p = plot();
    const s = scales();
    ctx.clearRect(0, 0, width, height);
    pieces = { leaves: [boxPolygon(boxNow())], lines: [], depth: [] };
    ctx.save();
    ctx.beginPath();
    ctx.rect(p.x, p.y, p.w, p.h);
    ctx.clip();
    if (view.frame) {
      drawRegions(ctx, view.frame, s);
      drawHover(ctx, view.frame, s);
    }
    drawPoints(ctx, s);
    if (view.frame) drawArrow(ctx, view.frame, s);
    ctx.restore();
    drawAxes(ctx, s);
  }

  /** What lies under a pixel of the canvas: a point, else a leaf, else nothing. */
  function under(px, py) {
    const p = plot();
    const none = { leaf: -1, split: -1, point: -1 };
    if (px < p.x || py < p.y || px > p.x + p.w || py > p.y + p.h) return none;
    const s = scales();
    const { xy, label } = view.points ?? {};
    let best = HIT * HIT;
    for (let i = 0; xy && i < label.length; i++) {
      const d = (s.x(xy[2 * i]) - px) ** 2 + (s.y(xy[2 * i + 1]) - py) ** 2;
      if (d < best) {
        best = d;
        none.point = i;
      }
    }
    if (none.point >= 0 || !view.frame) return none;
    none.leaf = route(view.frame.split, view.frame.children, s.backX(px), s.backY(py));
    return none;
  }

  function story() {
    const { hover, frame, points, meta, theme } = view;
    if (hover.point >= 0 && points) {
      const i = hover.point;
      return pointStory(points.label[i], frame?.guess?.[i], !!points.held?.[i], meta);
    }
    return hover.leaf >= 0 && frame ? leafStory(frame, hover.leaf, meta, theme) : null;
  }

  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const found = under(event.clientX - box.left, event.clientY - box.top);
    view.setHover("map", found, found.point >= 0 || found.leaf >= 0
      ? { story, at: { x: event.clientX, y: event.clientY, r: 6 } } : null);
  });
  canvas.addEventListener("pointerleave", () => view.setHover("map", null, null));

  return {
    draw,
    host,
    resize(w, h) {
      width = w;
      height = h;
      draw();
    },
    /** For tests: how much of the box the visible regions cover, and their centres. */
    check: () => ({
      covered: pieces.leaves.reduce((sum, polygon) => sum + (polygon ? area(polygon) : 0), 0),
      centres: pieces.leaves.map((polygon) => polygon && centre(polygon)),
    }),
  };
}
