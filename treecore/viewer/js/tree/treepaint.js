// How the nodes and edges of the tree look; tree.js says where and which.

import { findLens, regionFill, REGION_LENSES } from "../map/lenses.js";
import { pixelCanvas, weightCanvas } from "../app/pictures.js";
import { cutOf, meanImage, nameOf, rowsAt, strongest, total, weightsOf } from "../app/stories.js";
import { dot, typeset } from "../app/ink.js";
import { number, shorten } from "../app/theme.js";
import { _, counted } from "../app/words.js";

/** @typedef {{canvas: HTMLCanvasElement, stamp: Frame["detail"], key: string}} Picture */
/** @typedef {(ctx: Context2D, frame: Frame, node: PlanNode, flows: Flows | null) => void} Draw */

const STREAM = 30; // most width of the root's stream of rows, pixels
const STRANDS = 2.4; // streams thinner than this show their largest class only
const BARS = 8;
const HISTOGRAM = 14; // least height of one, pixels

/**
 * Where the edge to its children leaves a node, and where the one from its parent arrives.
 * @param {PlanNode} node
 */
export const foot = (node) => node.y + (node.kind === "card" || node.kind === "dot" ? node.h / 2 : 0);
/** @param {PlanNode} node */
export const head = (node) => node.y - (node.kind === "card" || node.kind === "dot" ? node.h / 2 : 0);

/** @param {Scene} view */
export function createTreePainter(view) {
  /** @type {Map<number, Picture>} of the weights of splits, and of the means of leaf ~ref */
  const pictures = new Map();

  /**
   * The picture of a node, drawn anew only when other weights have arrived.
   * @param {Frame} frame @param {number} ref @param {(canvas?: HTMLCanvasElement) => HTMLCanvasElement | null} paint
   */
  function picture(frame, ref, paint) {
    const known = pictures.get(ref);
    if (known?.stamp === frame.detail && known.key === view.theme.key) return known.canvas;
    const canvas = paint(known?.canvas);
    if (canvas) pictures.set(ref, { canvas, stamp: frame.detail, key: view.theme.key });
    return canvas;
  }

  /** @type {(ctx: Context2D, nodes: PlanNode[], flows: Flows | null, width: number) => void} */
  function drawEdges(ctx, nodes, flows, width) {
    const { theme } = view;
    ctx.lineCap = "butt";
    const scale = flows?.total ? streamScale(nodes, flows, width) : 0;
    for (const node of nodes) {
      stubs(ctx, node);
      if (node.parent < 0) continue;
      const from = nodes[node.parent];
      const rows = flows ? rowsAt(flows, node.ref) : [];
      const all = total(rows);
      const wide = all * scale;
      if (!flows || !all) {
        Object.assign(ctx, { strokeStyle: theme.line, lineWidth: 0.8 });
        ctx.setLineDash(flows ? [2, 3] : []);
        pipe(ctx, from.x, foot(from), node.x, head(node), 0);
        ctx.stroke();
        ctx.setLineDash([]);
        continue;
      }
      // Both streams leave side by side as wide as the one that came in.
      const inflow = total(rowsAt(flows, from.ref)) * scale;
      const start = from.x + (node.side ? inflow / 2 - wide / 2 : wide / 2 - inflow / 2);
      ctx.globalAlpha = 0.62;
      if (wide < STRANDS) {
        Object.assign(ctx, { strokeStyle: rowColour(largest(rows)), lineWidth: Math.max(0.7, wide) });
        pipe(ctx, start, foot(from), node.x, head(node), 0);
        ctx.stroke();
      } else {
        let shift = -wide / 2;
        for (let c = 0; c < rows.length; c++) {
          if (!rows[c]) continue;
          const own = rows[c] * scale;
          ctx.strokeStyle = rowColour(c);
          ctx.lineWidth = own + 0.25; // hides the seam between two strands
          pipe(ctx, start, foot(from), node.x, head(node), shift + own / 2);
          ctx.stroke();
          shift += own;
        }
      }
      ctx.globalAlpha = 1;
    }
  }

  /** A short end on the side of a hidden branch. @param {Context2D} ctx @param {PlanNode} node */
  function stubs(ctx, node) {
    for (const side of node.stubs) {
      const reach = Math.min(9, node.room / 3) * (side ? 1 : -1);
      ctx.beginPath();
      ctx.moveTo(node.x + reach / 3, foot(node));
      ctx.lineTo(node.x + reach, foot(node) + 5);
      Object.assign(ctx, { strokeStyle: view.theme.muted, lineWidth: 1.2 });
      ctx.setLineDash([2, 1.5]);
      ctx.stroke();
      ctx.setLineDash([]);
    }
  }

  /**
   * Is there anything to put on its card? Messages about wide data hold the first weights only.
   * @param {Frame} frame @param {PlanNode} node
   */
  function tells(frame, node) {
    return cutOf(frame, node.ref, view.meta) !== null || weightsOf(frame, node.ref, view.meta) !== null;
  }

  /** @type {Draw} */
  function drawDot(ctx, frame, node, flows) {
    const rows = flows && rowsAt(flows, node.ref);
    dot(ctx, node.x, node.y, Math.min(node.w, 10) / 2, rows && !total(rows) ? view.theme.line : view.theme.muted);
  }

  /** @type {Draw} */
  function drawCard(ctx, frame, node, flows) {
    const { theme, meta } = view;
    const x = node.x - node.w / 2;
    const y = node.y - node.h / 2;
    const empty = flows && !total(rowsAt(flows, node.ref));
    const outline = () => {
      ctx.beginPath();
      ctx.roundRect(x, y, node.w, node.h, 5);
    };
    outline();
    ctx.fillStyle = theme.back;
    ctx.fill();
    ctx.save();
    if (empty) ctx.globalAlpha = 0.4;
    const cut = cutOf(frame, node.ref, meta);
    if (cut) {
      const lines = cutLines(ctx, node, cut);
      const [top, low] = [y + 8 + 15 * lines, y + node.h - 4];
      const shown = low - top >= HISTOGRAM && histogram(ctx, frame, node, top, low);
      cutText(ctx, node, cut, lines, shown ? y + 5 + 7.5 * lines : node.y);
    } else {
      const found = weightsOf(frame, node.ref, meta);
      const image = found && weightImage(frame, node.ref, found.values);
      if (image) {
        ctx.imageSmoothingEnabled = false;
        outline();
        ctx.clip();
        ctx.drawImage(image, x, y, node.w, node.h);
      } else if (found) bars(ctx, found.values, x, y, node.w, node.h);
    }
    ctx.restore();
    outline();
    Object.assign(ctx, { strokeStyle: theme.line, lineWidth: 1 });
    ctx.stroke();
  }

  /** @type {(ctx: Context2D, node: PlanNode, cut: {name: string, asks: string}) => number} */
  function cutLines(ctx, node, { name, asks }) {
    typeset(ctx, view.theme, 14, "center");
    return ctx.measureText(`${name} ${asks}`).width <= node.w - 10 ? 1 : 2;
  }

  /** @type {(ctx: Context2D, node: PlanNode, cut: {name: string, asks: string}, lines: number, y: number) => void} */
  function cutText(ctx, node, { name, asks }, lines, y) {
    const { theme } = view;
    ctx.fillStyle = theme.text;
    typeset(ctx, theme, 14, "center");
    if (lines === 1) return ctx.fillText(`${name} ${asks}`, node.x, y);
    if (node.h < 28) return ctx.fillText(asks, node.x, y, node.w - 4);
    typeset(ctx, theme, node.w < 58 ? 12 : 14, "center");
    // Drawn a little narrower it still tells pixels apart: p_4_4, not p….
    ctx.fillText(shorten(ctx, name, 1.25 * (node.w - 4), view.meta.features), node.x, y - 7, node.w - 4);
    ctx.fillText(asks, node.x, y + 7, node.w - 4);
  }

  /**
   * The rows that come to a split by the feature it asks of, and its threshold; whether they are known.
   * @type {(ctx: Context2D, frame: Frame, node: PlanNode, top: number, low: number) => boolean}
   */
  function histogram(ctx, frame, node, top, low) {
    const { detail } = frame;
    const i = detail?.hist_of?.indexOf(node.ref) ?? -1;
    if (!detail?.hist || !detail.hist_at || i < 0) return false;
    const { classes: k, hist, hist_at: at } = detail;
    const bins = hist.length / (at.length * k);
    const sums = Array.from({ length: bins }, (_, b) => total(hist.subarray((i * bins + b) * k, (i * bins + b + 1) * k)));
    const left = node.x - node.w / 2 + 6;
    const [wide, tall] = [node.w - 12, (low - top) / Math.max(...sums)];
    for (let b = 0; b < bins; b++) {
      let y = low;
      for (let c = 0; c < k; c++) {
        const high = tall * hist[(i * bins + b) * k + c];
        if (!high) continue;
        ctx.fillStyle = rowColour(c);
        ctx.fillRect(left + (wide * b) / bins, (y -= high), wide / bins - 0.5, high);
      }
    }
    ctx.fillStyle = view.theme.text;
    ctx.fillRect(left + wide * at[i] - 0.75, top - 1, 1.5, low - top + 2);
    return true;
  }

  /**
   * Weights as bars from a middle line: to the right where more of it sends a row right.
   * @param {Context2D} ctx @param {ArrayLike<number>} values
   * @param {number} x @param {number} y @param {number} w @param {number} h
   */
  function bars(ctx, values, x, y, w, h) {
    const { theme, meta } = view;
    const used = values.length <= BARS ? Array.from(values, (_, j) => j) : strongest(values, BARS);
    if (!used.length) return;
    let most = 0;
    for (const j of used) most = Math.max(most, Math.abs(values[j]));
    const pitch = (h - 8) / used.length;
    const thick = Math.max(1.5, Math.min(12, pitch * 0.66));
    const named = pitch >= 12 && w >= 58;
    typeset(ctx, theme, pitch < 16 ? 12 : 14);
    const names = used.map((j) => nameOf(meta, j));
    const longest = named ? Math.max(...names.map((name) => ctx.measureText(name).width)) : 0;
    const label = named ? Math.min(w * 0.45, longest + 6) : 0;
    const half = (w - 14 - label) / 2;
    const middle = x + 7 + label + half;
    used.forEach((j, i) => {
      const at = y + 4 + (i + 0.5) * pitch;
      const long = most ? (half * values[j]) / most : 0;
      ctx.fillStyle = long > 0 ? theme.plus : theme.minus;
      ctx.fillRect(Math.min(middle, middle + long), at - thick / 2, Math.abs(long), thick);
      if (!named) return;
      ctx.fillStyle = theme.muted;
      ctx.fillText(shorten(ctx, names[i], label - 5, meta.features), x + 7, at);
    });
    ctx.fillStyle = theme.line;
    ctx.fillRect(Math.round(middle), y + 4, 1, h - 8);
  }

  /**
   * The weights of a split as a picture, null where features are no pixels: one colour pushes
   * right, the other left.
   * @param {Frame} frame @param {number} split @param {ArrayLike<number>} values
   */
  function weightImage(frame, split, values) {
    const { image } = view.meta;
    if (!image || image[0] * image[1] !== values.length) return null;
    return picture(frame, split, (canvas) => weightCanvas(values, image, view.theme, canvas));
  }

  /** Where targets are numbers, rows have no colours, and a leaf has that of its number. */
  const rowColour = (/** @type {number} */ c) =>
    (view.meta.task === "regression" ? view.theme.line : view.theme.of(c));

  /** @param {Frame} frame @param {number} leaf @param {number} c */
  function leafColour(frame, leaf, c) {
    const { meta, theme } = view;
    if (meta.task !== "regression") return theme.of(c);
    if (!(leaf < (frame.value?.length ?? 0))) return theme.line;
    return regionFill(findLens(REGION_LENSES, "value", meta), frame, leaf, view) ?? theme.line;
  }

  /** The mean image of a leaf. @param {Frame} frame @param {number} leaf */
  const leafImage = (frame, leaf) => picture(frame, ~leaf, (canvas) => {
    const pixels = meanImage(frame, leaf, view.meta);
    return pixels && view.meta.image ? pixelCanvas(pixels, view.meta.image, view.theme, canvas) : null;
  });

  /** @type {Draw} */
  function drawLeaf(ctx, frame, node, flows) {
    const { theme } = view;
    const x = node.x - node.w / 2;
    const rows = flows ? rowsAt(flows, node.ref) : [];
    const all = total(rows);
    typeset(ctx, theme, node.room < 38 ? 12 : 14, "center", "top");
    if (flows && !all) {
      if (node.w < 5) {
        ctx.fillStyle = theme.grid;
        ctx.fillRect(x, node.y, node.w, node.h);
      } else {
        Object.assign(ctx, { strokeStyle: theme.line, lineWidth: 1 });
        ctx.setLineDash([3, 3]);
        ctx.strokeRect(Math.round(x) + 0.5, Math.round(node.y) + 0.5, Math.round(node.w) - 1, node.h - 1);
        ctx.setLineDash([]);
      }
      return under(ctx, node, node.room >= 48 ? _("inactive") : "0", Infinity);
    }
    if (!flows) {
      const leaf = ~node.ref;
      ctx.fillStyle = node.kind === "leaf" ? leafColour(frame, leaf, frame.leaf[leaf]) : theme.line;
      ctx.fillRect(x, node.y, node.w, node.h);
      return under(ctx, node, node.kind === "leaf" && frame.value ? number(frame.value[leaf]) : "");
    }
    // Over the bar of classes, which then is low, the mean of the leaf's images.
    const picture = node.kind === "leaf" && node.w >= 6 ? leafImage(frame, ~node.ref) : null;
    if (picture) {
      ctx.imageSmoothingEnabled = false;
      ctx.drawImage(picture, x, node.y, node.w, node.w);
    }
    const top = picture ? Math.min(node.w + 2, node.h - 6) : 0;
    let y = node.y + top;
    for (let c = 0; c < rows.length; c++) {
      if (!rows[c]) continue;
      const tall = ((node.h - top) * rows[c]) / all;
      ctx.fillStyle = leafColour(frame, ~node.ref, c);
      ctx.fillRect(x, y, node.w, tall);
      y += tall;
    }
    if (node.kind === "fold") {
      ctx.fillStyle = theme.text;
      ctx.fillRect(x, node.y + node.h + 1, node.w, 1.5);
    } else under(ctx, node, all >= 10000 ? `${counted(all / 1000)}k` : counted(all));
  }

  /** A few letters under a leaf, where they have room. @type {(ctx: Context2D, node: PlanNode, text: string, most?: number) => void} */
  function under(ctx, node, text, most = node.room - 3) {
    ctx.fillStyle = view.theme.muted;
    if (node.room >= 20 && ctx.measureText(text).width <= most) ctx.fillText(text, node.x, node.y + node.h + 3);
  }

  /**
   * Pixels per row: no stream may be wider than the gap it turns in, or it would run into itself.
   * @param {PlanNode[]} nodes @param {Flows} flows @param {number} width
   */
  function streamScale(nodes, flows, width) {
    let scale = Math.min(STREAM, width / 24) / Math.max(1, total(rowsAt(flows, nodes[0].ref)));
    for (const node of nodes) {
      if (node.parent < 0) continue;
      const rows = total(rowsAt(flows, node.ref));
      const gap = head(node) - foot(nodes[node.parent]);
      if (rows) scale = Math.min(scale, Math.max(4, 0.95 * gap) / rows);
    }
    return scale;
  }

  return {
    edges: drawEdges,
    /** One node with what there is room for. @type {Draw} */
    node(ctx, frame, node, flows) {
      if (node.kind === "leaf" || node.kind === "fold") drawLeaf(ctx, frame, node, flows);
      else if (node.kind === "card" && tells(frame, node)) drawCard(ctx, frame, node, flows);
      else drawDot(ctx, frame, node, flows);
    },
  };
}

/**
 * A pipe from (x0, y0) down to (x1, y1): two arcs, as wide as they can be, and what is left
 * between them straight. Parallels of arcs are arcs, so strands of one stream keep their widths.
 * @param {Context2D} ctx
 * @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1
 * @param {number} shift pixels to the right of the stream's middle, seen at its start
 */
export function pipe(ctx, x0, y0, x1, y1, shift) {
  const dx = Math.abs(x1 - x0);
  const dy = Math.max(1, y1 - y0);
  ctx.beginPath();
  if (dx < 0.5) {
    ctx.moveTo(x0 + shift, y0);
    ctx.lineTo(x1 + shift, y1);
    return;
  }
  const turn = dx >= dy ? Math.PI / 2 : 2 * Math.atan(dx / dy);
  const r = dy / (2 * Math.sin(turn));
  const [inner, outer] = [Math.max(0, r - shift), Math.max(0, r + shift)];
  if (x1 > x0) {
    ctx.arc(x0 + r, y0, inner, Math.PI, Math.PI - turn, true);
    ctx.arc(x1 - r, y1, outer, -turn, 0);
  } else {
    ctx.arc(x0 - r, y0, outer, 0, turn);
    ctx.arc(x1 + r, y1, inner, Math.PI + turn, Math.PI, true);
  }
}

/** @param {ArrayLike<number>} rows */
function largest(rows) {
  let best = 0;
  for (let c = 1; c < rows.length; c++) if (rows[c] > rows[best]) best = c;
  return best;
}
