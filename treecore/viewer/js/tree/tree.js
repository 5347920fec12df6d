// The tree: rows of training data flow through it, coloured by their class; each split shows its
// weights, each leaf the classes that arrive. Drawn on a canvas, reachable with the keyboard.

import { make, setText } from "../app/dom.js";
import { frozenLeaf } from "../map/flips.js";
import { hasTree, parentsOf } from "../app/frame.js";
import { layoutTree, placeIn } from "./layout.js";
import { splitsAbove } from "../map/geometry.js";
import { leafOf, markOf } from "../map/marks.js";
import { attachPointer, pinOrLetGo } from "../map/pointing.js";
import { flowsOf, leafStory, splitStory } from "../app/stories.js";
import { outlined, typeset } from "../app/ink.js";
import { fit } from "../app/theme.js";
import { createTreeBar } from "./treebar.js";
import { createTreeItems } from "./treeitems.js";
import { createTreePainter, foot, head, pipe } from "./treepaint.js";
import { WHOLE, windowOf } from "./treewindow.js";
import { _, ngettext } from "../app/words.js";
import { inWindow, within, zoomOf } from "../app/zoom.js";

/** @import { Window } from "./treewindow.js" */

/** @param {HTMLElement} host @param {View} view */
export function createTree(host, view) {
  const { remark, treeBar, treeMenu } = view.parts; // what is not drawn, and choosing what is
  const canvas = make("canvas", "tc-canvas", "", { "aria-hidden": true });
  host.append(canvas);
  let width = 0;
  let height = 0;
  /** @type {Plan | null} */
  let plan = null;
  /** @type {unknown[]} */
  let planKey = [];
  /** @type {Wish} */
  let wish = WHOLE;
  /** @type {Window | null} */
  let shown = null;
  const paint = createTreePainter(view);
  const bar = createTreeBar(treeBar, treeMenu, view, { choose, fold });
  const below = (/** @type {number} */ split) => choose({ root: split, to: null });
  const items = createTreeItems(host, view, {
    boxOf: (node) => boxOf(node), mark: markKey, pin: (i) => pinOrLetGo(view, tipOf(i)), fold, above, below,
    enter: (split) => (wish.closed.has(split) ? fold(split) : below(split)),
  });

  const ratioNow = () => (view.meta.image ? view.meta.image[1] / view.meta.image[0] : 1.75);

  /**
   * Where all goes that is wished for, in so much room.
   * @type {(frame: Frame, flows: Flows | null, w: number, h: number) => [Plan, Window]}
   */
  function planned(frame, flows, w, h) {
    const part = windowOf(wish, frame.children, flows, w);
    return [layoutTree(frame.children, w, h, ratioNow(), !!view.meta.image, part), part];
  }

  /** @param {Frame} frame @param {Flows | null} flows */
  function layout(frame, flows) {
    const ratio = ratioNow();
    // Rows come anew with every message: they matter only where branches are hidden by them.
    const key = [frame.children, width, height, ratio, wish, wish.least && flows];
    if (!plan || key.some((part, i) => part !== planKey[i])) {
      [plan, shown] = planned(frame, flows, width, height);
      planKey = key;
      setText(remark, remarkOf(plan, shown));
    }
    return plan;
  }

  /** @param {Plan} plan @param {Window} shown */
  function remarkOf(plan, shown) {
    const parts = [];
    const { root, top: from, to, bottom } = shown;
    if (root || to < bottom) parts.push(_("levels {from} to {to} of {bottom}", { from, to, bottom }));
    if (plan.folded) parts.push(ngettext("{n} split folded up", "{n} splits folded up", plan.folded));
    if (plan.hidden) parts.push(ngettext("{n} branch hidden", "{n} branches hidden", plan.hidden));
    return parts.length ? _("Drawn: {parts}.", { parts: parts.join(", ") }) : "";
  }

  /** Draw another part of the tree. @param {Partial<Wish>} change */
  function choose(change) {
    wish = { ...wish, ...change };
    if (view.frame) {
      if ("root" in change) plan = null;
      draw();
    }
    if (items.isInside()) markKey(items.current());
  }

  /** Fold up what lies below a split, or unfold it. @param {number} split */
  function fold(split) {
    const closed = new Set(wish.closed);
    if (!closed.delete(split)) closed.add(split);
    choose({ closed });
  }

  /** Draw also what lies above the split on top; false where it is the root. */
  function above() {
    if (!view.frame || !shown?.root) return false;
    choose({ root: parentsOf(view.frame).split[shown.root], to: null });
    return true;
  }

  /**
   * The node of a split, or leaf ~ref, or the nearest one above it that is drawn; -1 for none.
   * @param {Frame} frame @param {Plan} plan @param {number} ref
   */
  function nodeOf(frame, plan, ref) {
    const above = splitsAbove(parentsOf(frame), ref).map((split) => plan.ofSplit[split]);
    return [placeIn(plan, ref), ...above].find((at) => at >= 0) ?? -1;
  }

  function draw() {
    const { frame, theme } = view;
    if (!width) return;
    const ctx = fit(canvas, width, height);
    if (!frame) {
      plan = null;
      items.fill(null, true, []);
      setText(remark, "");
      bar.fill(null, wish);
      ctx.fillStyle = theme.muted;
      typeset(ctx, theme, 14, "center");
      if (view.meta.state !== "failed" && !view.page.broken) {
        ctx.fillText(_("when training starts"), width / 2, height / 2);
      }
      return;
    }
    const flows = flowsOf(frame);
    const own = layout(frame, flows);
    bar.fill(shown, wish);
    drawPlan(ctx, frame, own, flows, width);
    const resting = view.meta.state !== "running" && !view.player.waiting();
    items.fill(own, resting, [frame, frame.detail]);
  }

  /** @type {(ctx: Context2D, frame: Frame, own: Plan, flows: Flows | null, w: number) => void} */
  function drawPlan(ctx, frame, own, flows, w) {
    const { nodes } = own;
    const { primary, minus } = view.theme;
    // The ways to what is marked, dashed where the gradient keeps a point, or a step pushes it.
    const marked = view.marks.all().map((mark) => {
      const isPoint = mark.point >= 0;
      const split = mark.split >= 0 ? nodeOf(frame, own, mark.split) : -1;
      const way = nodesTo(frame, own, leafOf(mark, frame));
      const kept = (isPoint ? nodesTo(frame, own, frozenLeaf(frame, mark.point)) : []).filter((at) => !way.includes(at));
      return { mark, isPoint, way, kept, framed: split >= 0 ? [split] : isPoint ? way : way.slice(0, 1) };
    });
    paint.edges(ctx, nodes, flows, w);
    for (const { mark: { away }, isPoint, way, kept } of marked) {
      drawWay(ctx, nodes, kept, isPoint ? 3.5 : 2, [7, 5], primary);
      drawWay(ctx, nodes, way, away ? 3 : isPoint ? 3.5 : 2, away ? [7, 5] : [], away ? minus : primary);
    }
    for (const node of nodes) paint.node(ctx, frame, node, flows);
    for (const { mark: { away }, kept, framed } of marked) {
      drawFrames(ctx, nodes, framed, away ? [5, 3] : [], away ? minus : primary);
      drawFrames(ctx, nodes, kept, [5, 3]);
    }
  }

  /**
   * Nodes on the way to a leaf, the lowest first.
   * @type {(frame: Frame, plan: Plan, leaf: number) => number[]}
   */
  function nodesTo(frame, plan, leaf) {
    const found = [];
    let at = leaf >= 0 ? nodeOf(frame, plan, ~leaf) : -1;
    for (; at >= 0; at = plan.nodes[at].parent) found.push(at);
    return found;
  }

  /**
   * @param {Context2D} ctx @param {PlanNode[]} nodes @param {number[]} way @param {number} wide
   * @param {number[]} dash @param {string} ink
   */
  function drawWay(ctx, nodes, way, wide, dash, ink) {
    for (const at of way) {
      if (nodes[at].parent < 0) continue;
      const from = nodes[nodes[at].parent];
      pipe(ctx, from.x, foot(from), nodes[at].x, head(nodes[at]), 0);
      outlined(ctx, view.theme, wide, ink, { edge: 2.5, dash });
    }
  }

  /** @type {(node: PlanNode) => Plot} */
  const boxOf = (node) => ({
    x: node.x - Math.max(node.w, 6) / 2, y: head(node), w: Math.max(node.w, 6), h: node.h,
  });

  /** @type {(ctx: Context2D, nodes: PlanNode[], which: number[], dash: number[], ink?: string) => void} */
  function drawFrames(ctx, nodes, which, dash, ink = view.theme.primary) {
    ctx.setLineDash(dash);
    for (const at of which) {
      const b = boxOf(nodes[at]);
      ctx.beginPath();
      ctx.roundRect(b.x - 2, b.y - 2, b.w + 4, b.h + 4, 6);
      Object.assign(ctx, { strokeStyle: ink, lineWidth: 2.5 });
      ctx.stroke();
    }
    ctx.setLineDash([]);
  }

  // Pointer and keyboard -----------------------------------------------------------------------

  /** The node at a pixel, or near it; -1 for none. @param {number} px @param {number} py */
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

  /** @param {PlanNode | undefined} node */
  function storyOf(node) {
    if (!node || !hasTree(view)) return null;
    if (node.ref < 0) return leafStory(view, ~node.ref);
    const story = splitStory(view, node.ref, node.depth);
    if (wish.closed.has(node.ref)) story.note = _("The part below is folded up: press C to unfold it.");
    else if (node.kind === "fold") story.note = _("The part below is not drawn: press F, or " +
      "double-click, to see it.");
    else if (node.stubs.length) story.note = _("A branch below has too few examples to be drawn.");
    return story;
  }

  /**
   * The mark of a node and its story, told beside it: what lies above shows what is being told.
   * @param {number} i -1 for none
   */
  function tipOf(i) {
    const node = plan?.nodes[i];
    if (!node) return null;
    const b = boxOf(node);
    const { top } = canvas.getBoundingClientRect();
    const at = { ...inWindow(canvas, node.x, b.y + b.h / 2), r: zoomOf(canvas) * b.w / 2, top: top - 4 };
    const mark = node.ref < 0 ? markOf("leaf", ~node.ref) : markOf("split", node.ref);
    return { mark, story: () => storyOf(node), at };
  }

  /** Mark a node for the keyboard; -1: none. @param {number} i */
  function markKey(i) {
    const tip = tipOf(i);
    view.setHover("keys", tip?.mark ?? null, tip ?? undefined);
  }

  const at = (/** @type {MouseEvent} */ event) => under(...within(canvas, event));
  attachPointer(host, view, "tree", (event) => tipOf(at(event)), canvas);
  host.addEventListener("dblclick", (event) => {
    const node = plan?.nodes[at(event)];
    if (node && node.ref > 0) below(node.ref);
  });

  return {
    draw,
    host,
    /**
     * The same in another size; returns what of the tree has no room there, in words.
     * @param {Context2D} pen @param {number} w @param {number} h
     */
    drawWith(pen, w, h) {
      const { frame } = view;
      if (!frame) return "";
      const flows = flowsOf(frame);
      const [own, part] = planned(frame, flows, w, h);
      drawPlan(pen, frame, own, flows, w);
      return remarkOf(own, part);
    },
    /** Another run: its splits and levels are others. */
    reset() {
      wish = { ...WHOLE, least: wish.least };
    },
    /** What is drawn, for tests. */
    check: () => ({
      ...shown,
      nodes: plan?.nodes.map(({ ref, depth, kind, x, room }) => ({ ref, depth, kind, x, room })),
    }),
    /**
     * Middle of a node in pixels of the panel, for tests; null where it is not drawn.
     * @param {"leaf" | "split"} kind @param {number} i
     */
    placeOf(kind, i) {
      const node = plan?.nodes[placeIn(plan, kind === "leaf" ? ~i : i)];
      return node ? [node.x, head(node) + node.h / 2] : null;
    },
    /** @param {number} w @param {number} h */
    resize(w, h) {
      width = w;
      height = h;
      draw();
    },
  };
}

