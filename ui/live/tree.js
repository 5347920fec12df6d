// The tree: rows of training data flow through it, coloured by their class; each split shows its
// weights, each leaf the classes that arrive. Drawn on a canvas, reachable with the keyboard.

import { make, setText } from "./dom.js";
import { MOST_LEVELS, layoutTree } from "./layout.js";
import { leafOf, markOf, sameMark } from "./marks.js";
import { flowsOf, leafStory, splitStory } from "./stories.js";
import { fit } from "./theme.js";
import { createTreePainter, foot, head, pipe } from "./treepaint.js";

/**
 * @param {HTMLElement} host
 * @param {HTMLElement} remark where to say what is not drawn
 * @param {object} view what main.js shares: meta, frame, theme, marks
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
  const paint = createTreePainter(view);

  function layout() {
    const { frame, meta } = view;
    const ratio = meta.image ? meta.image[1] / meta.image[0] : 1.75;
    const key = [frame.children, width, height, ratio];
    if (!plan || key.some((part, i) => part !== planKey[i])) {
      plan = layoutTree(frame.children, width, height, ratio, !!meta.image);
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
    paint.edges(ctx, nodes, flows, width);
    drawPaths(ctx, nodes);
    for (const node of nodes) paint.node(ctx, node, flows);
    drawMarked(ctx, nodes);
    placeStop(stops.find((stop) => stop.tabIndex === 0));
  }

  /** The ways from the root to the marked leaves. */
  function drawPaths(ctx, nodes) {
    const { theme, marks, frame } = view;
    for (const mark of marks.all()) {
      const leaf = leafOf(mark, frame);
      const wide = mark.point >= 0 ? 3.5 : 2;
      let at = leaf >= 0 ? plan.ofLeaf[leaf] ?? -1 : -1;
      for (; at >= 0 && nodes[at].parent >= 0; at = nodes[at].parent) {
        const from = nodes[nodes[at].parent];
        pipe(ctx, from.x, foot(from), nodes[at].x, head(nodes[at]), 0);
        for (const [w, colour] of [[wide + 2.5, theme.back], [wide, theme.primary]]) {
          ctx.lineWidth = w;
          ctx.strokeStyle = colour;
          ctx.stroke();
        }
      }
    }
  }

  const boxOf = (node) => ({
    x: node.x - Math.max(node.w, 6) / 2, y: head(node), w: Math.max(node.w, 6), h: node.h,
  });

  /** Frames about the marked node, and about all that a marked point passes. */
  function drawMarked(ctx, nodes) {
    const { marks, frame } = view;
    for (const mark of marks.all()) {
      const leaf = leafOf(mark, frame);
      let at = leaf >= 0 ? plan.ofLeaf[leaf] : plan.ofSplit[mark.split];
      for (at = at ?? -1; at >= 0; at = mark.point >= 0 ? nodes[at].parent : -1) {
        const b = boxOf(nodes[at]);
        ctx.beginPath();
        ctx.roundRect(b.x - 2, b.y - 2, b.w + 4, b.h + 4, 6);
        ctx.strokeStyle = view.theme.primary;
        ctx.lineWidth = 2.5;
        ctx.stroke();
      }
    }
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
    if (!view.frame || !node) return null;
    if (node.ref < 0) return leafStory(view, ~node.ref);
    const story = splitStory(view, node.ref, node.depth);
    if (node.kind === "fold") story.note = "The splits below it are not drawn.";
    return story;
  }

  /** Mark a node everywhere and tell its story; -1 for none. */
  function mark(source, i) {
    const node = i >= 0 ? plan?.nodes[i] : null;
    if (!node) return view.setHover(source, null);
    const box = canvas.getBoundingClientRect();
    const b = boxOf(node);
    view.setHover(source, markFor(node), {
      story: () => storyOf(node),
      // Beside the node: above it lies the map, which shows what is being told.
      at: { x: box.left + node.x, y: box.top + b.y + b.h / 2, r: b.w / 2, top: box.top - 4 },
    });
  }

  const markFor = (node) => (node.ref < 0 ? markOf("leaf", ~node.ref) : markOf("split", node.ref));

  /** Pin a node, or let go of it when it is pinned already. */
  function pin(i) {
    const node = i >= 0 ? plan?.nodes[i] : null;
    const next = node ? markFor(node) : null;
    view.pin(next && sameMark(next, view.marks.pinned) ? null : next);
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
    if (event.key === "Escape") {
      mark("keys", -1);
      return view.pin(null);
    }
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return pin(current);
    }
    if (!(event.key in target)) return;
    event.preventDefault();
    go(target[event.key] ?? -1);
  }

  for (const stop of stops) {
    stop.addEventListener("keydown", onKey);
    stop.addEventListener("focus", () => mark("keys", current));
    stop.addEventListener("blur", () => mark("keys", -1));
  }
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return under(event.clientX - box.left, event.clientY - box.top);
  };
  host.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const found = at(event);
    mark("tree", found);
    canvas.style.cursor = found >= 0 ? "pointer" : "";
  });
  host.addEventListener("click", (event) => pin(at(event)));
  host.addEventListener("pointerleave", () => mark("tree", -1));

  return {
    draw,
    host,
    /** Middle of a node in pixels of the panel, for tests; null where it is not drawn. */
    placeOf(kind, i) {
      const node = plan?.nodes[(kind === "leaf" ? plan.ofLeaf : plan.ofSplit)[i]];
      return node ? [node.x, head(node) + node.h / 2] : null;
    },
    resize(w, h) {
      width = w;
      height = h;
      draw();
    },
  };
}

