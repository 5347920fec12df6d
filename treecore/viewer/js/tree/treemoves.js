// The moves in the tree: the ways that points have taken since the last pass are solid, those they
// have left are dashed, and leaves wear brackets as points do on the map.

import { strokeBrackets } from "../map/flips.js";
import { hasTree } from "../app/frame.js";
import { countAt, movesOf } from "./moves.js";
import { outlined } from "../app/ink.js";
import { newPath } from "../app/theme.js";
import { foot, head, pipe } from "./treepaint.js";

/** @typedef {(path: Path, node: PlanNode, deep: number) => void} Bracket */

const WIDEST = 3.5; // pixels of the way that most points took

/** @param {Scene} view */
export function createTreeMoves(view) {
  const movesNow = () => (view.lens.flips && hasTree(view) ? movesOf(view) : null);

  /**
   * Over the streams: new ways solid, those that were left dashed, the wider the more points.
   * @param {Context2D} ctx @param {PlanNode[]} nodes
   */
  function ways(ctx, nodes) {
    const moves = movesNow();
    if (!moves) return;
    const most = [...moves.into, ...moves.out].reduce((high, counts) =>
      counts.reduce((a, b) => Math.max(a, b), high), 1);
    for (const node of nodes) {
      if (node.parent < 0) continue;
      const above = nodes[node.parent];
      const [came, gone] = [countAt(moves.into, node.ref), countAt(moves.out, node.ref)];
      const apart = came && gone ? 2.2 : 0;
      const both = [
        { n: came, shift: -apart, dash: [] }, { n: gone, shift: apart, dash: [4, 3] },
      ];
      for (const { n, shift, dash } of both) {
        if (!n) continue;
        pipe(ctx, above.x + shift, foot(above), node.x + shift, head(node), 0);
        ctx.setLineDash(dash);
        const wide = 1 + (WIDEST - 1) * (n / most);
        outlined(ctx, view.theme, wide, view.theme.text, { edge: 1.8, share: 0.7 });
        ctx.setLineDash([]);
      }
    }
  }

  /**
   * About leaves: round brackets where points moved in or out, square ones where they are kept.
   * @param {Context2D} ctx @param {PlanNode[]} nodes
   */
  function brackets(ctx, nodes) {
    const moves = movesNow();
    if (!moves) return;
    for (const node of nodes) {
      if (node.kind !== "leaf" && node.kind !== "fold") continue;
      const free = (node.room - node.w) / 2;
      const path = newPath(ctx);
      if (countAt(moves.into, node.ref) || countAt(moves.out, node.ref)) {
        round(path, node, Math.max(1.2, Math.min(5, free - 0.5)));
      }
      if (countAt(moves.kept, node.ref)) square(path, node, Math.max(2, Math.min(7, free - 0.5)));
      strokeBrackets(ctx, view.theme, path);
    }
  }

  /** @type {Bracket} */
  function round(path, { x, y, w, h }, deep) {
    for (const side of [-1, 1]) {
      const edge = x + side * (w / 2 + 0.5);
      path.moveTo(edge, y + 1);
      path.quadraticCurveTo(edge + side * 2 * deep, y + h / 2, edge, y + h - 1);
    }
  }

  /** @type {Bracket} */
  function square(path, { x, y, w, h }, deep) {
    for (const side of [-1, 1]) {
      const edge = x + side * (w / 2 + deep);
      const tip = edge - side * Math.min(3.4, deep);
      path.moveTo(tip, y - 2);
      path.lineTo(edge, y - 2);
      path.lineTo(edge, y + h + 2);
      path.lineTo(tip, y + h + 2);
    }
  }

  return { ways, brackets };
}
