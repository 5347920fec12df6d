// The tree: rows of training data flow through it, coloured by their class; each split shows its
// weights, each leaf the classes that arrive. Drawn on a canvas, reachable with the keyboard.

import { make, setText } from "./dom.js";
import { MOST_LEVELS, layoutTree } from "./layout.js";
import { axisOf, flowsOf, leafStory, rowsAt, splitStory, strongest, total, weightsOf } from "./stories.js";
import { fit, mix, number } from "./theme.js";

const STREAM = 30; // width of the root's stream of rows, pixels
const STRANDS = 2.4; // streams thinner than this show their largest class only
const BARS = 8;

/**
 * @param {HTMLElement} host
 * @param {HTMLElement} remark where to say what is not drawn
 * @param {object} view what main.js shares: meta, frame, theme, hover
 */
export function createTree(host, remark, view) {
  const canvas = make("canvas", "tc-canvas");
  canvas.setAttribute("aria-hidden", "true");
  const group = make("div", "tc-nodes");
  group.setAttribute("role", "tree");
  group.setAttribute("aria-label", "Splits and leaves of the tree");
  // Two elements take turns as the focused node: a screen reader hears a new one at each step,
  // and a tree of five hundred splits still costs two.
  const stops = [0, 1].map((i) => {
    const stop = make("div", "tc-node");
    stop.setAttribute("role", "treeitem");
    stop.tabIndex = i ? -1 : 0;
    group.appendChild(stop);
    return stop;
  });
  host.append(canvas, group);
  let width = 0;
  let height = 0;
  let plan = null;
  let planKey = [];
  let current = 0; // node with the focus
  const images = new Map();

  function layout() {
    const { frame, meta } = view;
    const ratio = meta.image ? meta.image[1] / meta.image[0] : 1.75;
    const key = [frame.children, width, height, ratio];
    if (!plan || key.some((part, i) => part !== planKey[i])) {
      plan = layoutTree(frame.children, width, height, ratio);
      planKey = key;
      current = Math.min(current, plan.nodes.length - 1);
      setText(remark, plan.folded
        ? `The first ${MOST_LEVELS} levels are drawn; ${plan.folded} splits lie below.` : "");
    }
    return plan;
  }

  function draw() {
    const { frame, theme } = view;
    if (!width || !theme) return;
    const ctx = fit(canvas, width, height);
    ctx.clearRect(0, 0, width, height);
    group.hidden = !frame;
    if (!frame) {
      plan = null;
      setText(remark, "");
      ctx.fillStyle = theme.muted;
      ctx.font = `13px ${theme.font}`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.fillText("The tree appears here when training starts.", width / 2, height / 2, width - 20);
      return;
    }
    const { nodes } = layout();
    const flows = flowsOf(frame);
    drawEdges(ctx, nodes, flows);
    drawPath(ctx, nodes);
    for (const node of nodes) {
      if (node.kind === "leaf" || node.kind === "fold") drawLeaf(ctx, node, flows);
      else if (node.kind === "card" && tells(node)) drawCard(ctx, node, flows);
      else drawDot(ctx, node, flows);
    }
    drawMarked(ctx, nodes);
    placeStop(stops.find((stop) => stop.tabIndex === 0));
  }

  // Edges ------------------------------------------------------------------------------------

  const foot = (node) => node.y + (node.kind === "card" || node.kind === "dot" ? node.h / 2 : 0);
  const head = (node) => node.y - (node.kind === "card" || node.kind === "dot" ? node.h / 2 : 0);

  function drawEdges(ctx, nodes, flows) {
    const { theme } = view;
    ctx.lineCap = "butt";
    // A stream wider than the gaps it turns in would run into itself.
    const gap = nodes.reduce((least, node) => (
      node.parent < 0 ? least : Math.min(least, head(node) - foot(nodes[node.parent]))), STREAM);
    const scale = flows?.total ? Math.min(STREAM, width / 24, Math.max(8, 0.9 * gap)) / flows.total : 0;
    for (const node of nodes) {
      if (node.parent < 0) continue;
      const from = nodes[node.parent];
      const rows = flows && rowsAt(flows, node.ref);
      const all = rows ? total(rows) : 0;
      const wide = all * scale;
      if (!all) {
        ctx.strokeStyle = theme.line;
        ctx.lineWidth = 0.8;
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
        ctx.strokeStyle = theme.of(largest(rows));
        ctx.lineWidth = Math.max(0.7, wide);
        pipe(ctx, start, foot(from), node.x, head(node), 0);
        ctx.stroke();
      } else {
        let shift = -wide / 2;
        for (let c = 0; c < rows.length; c++) {
          if (!rows[c]) continue;
          const own = rows[c] * scale;
          ctx.strokeStyle = theme.of(c);
          ctx.lineWidth = own + 0.25; // hides the seam between two strands
          pipe(ctx, start, foot(from), node.x, head(node), shift + own / 2);
          ctx.stroke();
          shift += own;
        }
      }
      ctx.globalAlpha = 1;
    }
  }

  /**
   * A pipe from (x0, y0) down to (x1, y1): two arcs, as wide as they can be, and what is left
   * between them straight. Parallels of arcs are arcs, so strands of one stream keep their widths.
   * @param {number} shift pixels to the right of the stream's middle, seen at its start
   */
  function pipe(ctx, x0, y0, x1, y1, shift) {
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

  /** The way from the root to the marked leaf. */
  function drawPath(ctx, nodes) {
    const { hover, theme } = view;
    let at = hover.leaf >= 0 ? plan.ofLeaf[hover.leaf] ?? -1 : -1;
    ctx.strokeStyle = theme.primary;
    ctx.lineWidth = 2;
    while (at >= 0 && nodes[at].parent >= 0) {
      const from = nodes[nodes[at].parent];
      pipe(ctx, from.x, foot(from), nodes[at].x, head(nodes[at]), 0);
      ctx.stroke();
      at = nodes[at].parent;
    }
  }

  // Nodes ------------------------------------------------------------------------------------

  /** Is there anything to put on its card? Messages about wide data hold the first weights only. */
  function tells(node) {
    return axisOf(view.frame, node.ref) >= 0 || weightsOf(view.frame, node.ref, view.meta) !== null;
  }

  function drawDot(ctx, node, flows) {
    const rows = flows && rowsAt(flows, node.ref);
    ctx.beginPath();
    ctx.arc(node.x, node.y, Math.min(node.w, 10) / 2, 0, 2 * Math.PI);
    ctx.fillStyle = rows && !total(rows) ? view.theme.line : view.theme.muted;
    ctx.fill();
  }

  function drawCard(ctx, node, flows) {
    const { theme, frame, meta } = view;
    const x = node.x - node.w / 2;
    const y = node.y - node.h / 2;
    const empty = flows && !total(rowsAt(flows, node.ref));
    ctx.beginPath();
    ctx.roundRect(x, y, node.w, node.h, 5);
    ctx.fillStyle = theme.back;
    ctx.fill();
    ctx.save();
    if (empty) ctx.globalAlpha = 0.4;
    const axis = axisOf(frame, node.ref);
    if (axis >= 0) axisText(ctx, node, axis, x, y);
    else {
      const found = weightsOf(frame, node.ref, meta);
      if (found && meta.image && meta.image[0] * meta.image[1] === found.values.length) {
        ctx.imageSmoothingEnabled = false;
        ctx.beginPath();
        ctx.roundRect(x, y, node.w, node.h, 5);
        ctx.clip();
        ctx.drawImage(weightImage(node.ref, found.values), x, y, node.w, node.h);
      } else if (found) bars(ctx, found.values, x, y, node.w, node.h);
    }
    ctx.restore();
    ctx.beginPath();
    ctx.roundRect(x, y, node.w, node.h, 5);
    ctx.strokeStyle = theme.line;
    ctx.lineWidth = 1;
    ctx.stroke();
  }

  function axisText(ctx, node, axis, x, y) {
    const { theme, frame, meta } = view;
    const name = meta.features?.[axis] ?? `x${axis + 1}`;
    const threshold = number(frame.detail?.threshold?.[node.ref]);
    ctx.fillStyle = theme.text;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.font = `12px ${theme.font}`;
    if (node.w < 30) return ctx.fillText(name, node.x, node.y, node.w - 6);
    const one = `${name} > ${threshold}`;
    if (ctx.measureText(one).width <= node.w - 10) return ctx.fillText(one, node.x, node.y);
    if (node.h < 34) return ctx.fillText(name, node.x, node.y, node.w - 6);
    ctx.fillText(name, node.x, y + node.h / 2 - 8, node.w - 8);
    ctx.fillText(`> ${threshold}`, node.x, y + node.h / 2 + 8, node.w - 8);
  }

  /** Weights as bars from a middle line: to the right where more of it sends a row right. */
  function bars(ctx, values, x, y, w, h) {
    const { theme, meta } = view;
    const used = values.length <= BARS ? Array.from(values, (_, j) => j) : strongest(values, BARS);
    if (!used.length) return;
    let most = 0;
    for (const j of used) most = Math.max(most, Math.abs(values[j]));
    const pitch = (h - 8) / used.length;
    const thick = Math.max(1.5, Math.min(12, pitch * 0.66));
    const named = pitch >= 12 && w >= 58;
    ctx.font = `11px ${theme.font}`;
    const names = used.map((j) => meta.features?.[j] ?? `x${j + 1}`);
    const longest = named ? Math.max(...names.map((name) => ctx.measureText(name).width)) : 0;
    const label = named ? Math.min(w * 0.45, longest + 6) : 0;
    const half = (w - 14 - label) / 2;
    const middle = x + 7 + label + half;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    used.forEach((j, i) => {
      const at = y + 4 + (i + 0.5) * pitch;
      const long = most ? (half * values[j]) / most : 0;
      ctx.fillStyle = long > 0 ? theme.plus : theme.minus;
      ctx.fillRect(Math.min(middle, middle + long), at - thick / 2, Math.abs(long), thick);
      if (!named) return;
      ctx.fillStyle = theme.muted;
      ctx.fillText(shorten(ctx, names[i], label - 5), x + 7, at);
    });
    ctx.fillStyle = theme.line;
    ctx.fillRect(Math.round(middle), y + 4, 1, h - 8);
  }

  /** The weights of a split as a picture: one colour pushes right, the other left. */
  function weightImage(split, values) {
    const { theme, meta } = view;
    const known = images.get(split);
    const stamp = view.frame.detail;
    if (known?.stamp === stamp && known.key === theme.key) return known.canvas;
    const [rows, columns] = meta.image;
    const image = known?.canvas ?? document.createElement("canvas");
    if (image.width !== columns || image.height !== rows) {
      image.width = columns;
      image.height = rows;
    }
    const pen = image.getContext("2d");
    const pixels = pen.createImageData(columns, rows);
    // A few extreme pixels at the border must not leave the rest white.
    const sizes = Array.from(values, Math.abs).sort((a, b) => a - b);
    const full = Math.max(1, sizes[Math.floor(0.95 * (sizes.length - 1))]);
    for (let j = 0; j < values.length; j++) {
      const sign = values[j] > 0 ? theme.plusRgb : theme.minusRgb;
      const colour = mix(sign, theme.backRgb, Math.min(1, Math.abs(values[j]) / full));
      for (let c = 0; c < 3; c++) pixels.data[4 * j + c] = colour[c];
      pixels.data[4 * j + 3] = 255;
    }
    pen.putImageData(pixels, 0, 0);
    images.set(split, { canvas: image, stamp, key: theme.key });
    return image;
  }

  function drawLeaf(ctx, node, flows) {
    const { theme, frame } = view;
    const x = node.x - node.w / 2;
    const rows = flows && rowsAt(flows, node.ref);
    const all = rows ? total(rows) : 0;
    const label = node.room >= 20;
    ctx.font = `11px ${theme.font}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    if (flows && !all) {
      if (node.w < 5) {
        ctx.fillStyle = theme.grid;
        ctx.fillRect(x, node.y, node.w, node.h);
      } else {
        ctx.strokeStyle = theme.line;
        ctx.lineWidth = 1;
        ctx.setLineDash([3, 3]);
        ctx.strokeRect(Math.round(x) + 0.5, Math.round(node.y) + 0.5, Math.round(node.w) - 1, node.h - 1);
        ctx.setLineDash([]);
      }
      ctx.fillStyle = theme.muted;
      if (label) ctx.fillText(node.room >= 42 ? "asleep" : "z", node.x, node.y + node.h + 3);
      return;
    }
    if (!flows) {
      ctx.fillStyle = node.kind === "leaf" ? theme.of(frame.leaf[~node.ref]) : theme.line;
      ctx.fillRect(x, node.y, node.w, node.h);
      return;
    }
    let y = node.y;
    for (let c = 0; c < rows.length; c++) {
      if (!rows[c]) continue;
      const tall = (node.h * rows[c]) / all;
      ctx.fillStyle = theme.of(c);
      ctx.fillRect(x, y, node.w, tall);
      y += tall;
    }
    if (node.kind === "fold") {
      ctx.fillStyle = theme.text;
      ctx.fillRect(x, node.y + node.h + 1, node.w, 1.5);
    } else if (label) {
      ctx.fillStyle = theme.muted;
      const text = all >= 10000 ? `${Math.round(all / 1000)}k` : String(all);
      if (ctx.measureText(text).width <= node.room - 3) ctx.fillText(text, node.x, node.y + node.h + 3);
    }
  }

  function marked() {
    const { hover } = view;
    if (!plan) return -1;
    if (hover.leaf >= 0) return plan.ofLeaf[hover.leaf] ?? -1;
    return hover.split >= 0 ? plan.ofSplit[hover.split] ?? -1 : -1;
  }

  const boxOf = (node) => ({
    x: node.x - Math.max(node.w, 6) / 2, y: head(node), w: Math.max(node.w, 6), h: node.h,
  });

  function drawMarked(ctx, nodes) {
    const at = marked();
    if (at < 0) return;
    const b = boxOf(nodes[at]);
    ctx.beginPath();
    ctx.roundRect(b.x - 2, b.y - 2, b.w + 4, b.h + 4, 6);
    ctx.strokeStyle = view.theme.primary;
    ctx.lineWidth = 2.5;
    ctx.stroke();
  }

  // Pointer and keyboard -----------------------------------------------------------------------

  function under(px, py) {
    let best = -1;
    let nearest = 14;
    plan?.nodes.forEach((node, i) => {
      const b = boxOf(node);
      const dx = Math.max(b.x - px, 0, px - b.x - b.w);
      const dy = Math.max(b.y - py, 0, py - b.y - b.h - (node.kind === "leaf" ? 14 : 0));
      const d = Math.hypot(dx, dy) + 0.01 * Math.abs(node.x - px);
      if (d < nearest) {
        nearest = d;
        best = i;
      }
    });
    return best;
  }

  function storyOf(node) {
    const { frame, meta, theme } = view;
    if (!frame || !node) return null;
    if (node.ref < 0) return leafStory(frame, ~node.ref, meta, theme);
    const story = splitStory(frame, node.ref, node.depth, meta, theme);
    if (node.kind === "fold") story.note = "The splits below it are not drawn.";
    return story;
  }

  /** Mark a node everywhere and tell its story; -1 for none. */
  function mark(source, i) {
    const node = i >= 0 ? plan?.nodes[i] : null;
    if (!node) return view.setHover(source, null, null);
    const box = canvas.getBoundingClientRect();
    const b = boxOf(node);
    view.setHover(source,
      { leaf: node.ref < 0 ? ~node.ref : -1, split: node.ref >= 0 ? node.ref : -1, point: -1 },
      {
        story: () => storyOf(node),
        at: { x: box.left + node.x, y: box.top + b.y + b.h / 2, r: b.h / 2 },
      });
  }

  function placeStop(stop) {
    const node = plan?.nodes[current];
    if (!node) return;
    const b = boxOf(node);
    stop.style.transform = `translate(${b.x - 3}px, ${b.y - 3}px)`;
    stop.style.width = `${b.w + 6}px`;
    stop.style.height = `${b.h + 6}px`;
    const story = stop === host.getRootNode().activeElement || !stop.ariaLabel ? storyOf(node) : null;
    if (!story) return;
    const rows = (story.rows ?? []).map((row) => `${row.label} ${row.value}`).join(", ");
    stop.setAttribute("aria-label", [story.title, story.text, rows, story.note].filter(Boolean).join(". "));
    stop.setAttribute("aria-level", String(node.depth + 1));
  }

  function go(target) {
    if (target < 0 || target === undefined || !plan?.nodes[target]) return;
    current = target;
    const [from, to] = stops[0].tabIndex === 0 ? stops : [stops[1], stops[0]];
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.removeAttribute("aria-label");
    placeStop(to);
    to.focus({ preventScroll: true });
  }

  /** The node beside the current one in its level. */
  function beside(step) {
    const node = plan.nodes[current];
    let best = -1;
    plan.nodes.forEach((other, i) => {
      if (other.depth !== node.depth || (other.x - node.x) * step <= 0) return;
      if (best < 0 || (other.x - plan.nodes[best].x) * step < 0) best = i;
    });
    return best;
  }

  function onKey(event) {
    const node = plan?.nodes[current];
    if (!node) return;
    const target = {
      ArrowUp: node.parent, ArrowDown: node.kids[0], ArrowLeft: beside(-1), ArrowRight: beside(1),
      Home: 0, End: plan.nodes.length - 1,
    };
    if (event.key === "Escape") return mark("keys", -1);
    if (!(event.key in target)) return;
    event.preventDefault();
    go(target[event.key] ?? -1);
  }

  for (const stop of stops) {
    stop.addEventListener("keydown", onKey);
    stop.addEventListener("focus", () => mark("keys", current));
    stop.addEventListener("blur", () => mark("keys", -1));
  }
  host.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    mark("tree", under(event.clientX - box.left, event.clientY - box.top));
  });
  host.addEventListener("pointerleave", () => mark("tree", -1));

  return {
    draw,
    host,
    resize(w, h) {
      width = w;
      height = h;
      draw();
    },
  };
}

function largest(rows) {
  let best = 0;
  for (let c = 1; c < rows.length; c++) if (rows[c] > rows[best]) best = c;
  return best;
}

function shorten(ctx, text, width) {
  if (ctx.measureText(text).width <= width) return text;
  let n = text.length - 1;
  while (n > 1 && ctx.measureText(text.slice(0, n) + "…").width > width) n--;
  return text.slice(0, n) + "…";
}
