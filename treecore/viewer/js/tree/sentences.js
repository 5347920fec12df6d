// Every node of the tree in one sentence, for those who hear it.

import { answerOf, axisOf, flowsOf, lineSum, nameOf, rowsAt, strongest, total, weightsOf } from "../app/stories.js";
import { number } from "../app/theme.js";

/** @import { Frame } from "../app/frame.js" */
/** @import { PlanNode } from "./layout.js" */
/** @import { Meta, Scene, WithTree } from "../types.d.ts" */

const NAMED = 3; // features of a long sum that are named

/** What a split asks of a row. @param {Frame} frame @param {number} split @param {Meta} meta */
function question(frame, split, meta) {
  const axis = axisOf(frame, split);
  const threshold = frame.detail?.threshold?.[split] ?? NaN;
  if (axis >= 0) return `${nameOf(meta, axis)} > ${number(threshold)}`;
  if (meta.features?.length === 2) {
    const sum = lineSum(frame, split, meta);
    return sum ? `${sum} > ${number(frame.split[3 * split + 2])}` : "all weights are zero";
  }
  const found = weightsOf(frame, split, meta);
  if (!found) return "a weighted sum of features";
  const { values, scale } = found;
  const used = strongest(values, values.length).length;
  if (!used) return "all weights are zero";
  // A weight of one pixel says nothing by itself.
  if (meta.image) return `a weighted sum of ${used} pixels`;
  const top = strongest(values, NAMED).map((j) => {
    const weight = Number.isFinite(scale) ? ` ${number(values[j] * scale)}` : values[j] > 0 ? " +" : " −";
    return nameOf(meta, j) + weight;
  });
  return `a weighted sum of ${used} features${used > NAMED ? ", above all" : ":"} ${top.join(", ")}`;
}

/** @type {(n: number, one: string, more: string) => string} */
const count = (n, one, more) => `${n} ${n === 1 ? one : more}`;

/**
 * What a node is, where it is, what it asks or predicts, and how many rows come to it.
 * @param {WithTree<Pick<Scene, "meta">>} scene
 * @param {Pick<PlanNode, "ref" | "depth" | "kind">} node
 */
export function nodeSentence({ frame, meta }, { ref, depth, kind }) {
  const flows = flowsOf(frame);
  const rows = flows ? total(rowsAt(flows, ref)) : NaN;
  if (ref < 0) {
    const sure = meta.task === "regression" ? ""
      : ` with probability ${Math.round((100 * frame.share[~ref]) / 255)} %`;
    const here = !flows ? "" : rows ? `, ${count(rows, "row", "rows")}` : ", asleep: no row comes here";
    return `Leaf ${~ref}, depth ${depth}: predicts ${answerOf(frame, ~ref, meta)}${sure}${here}.`;
  }
  const right = flows ? total(rowsAt(flows, frame.children[2 * ref + 1])) : 0;
  const here = !flows ? "" : rows
    ? `, ${count(rows, "row", "rows")}, ${Math.round((100 * right) / rows)} % of them go right`
    : ", no row comes here";
  const folded = kind === "fold" ? "; what is below is folded up" : "";
  const name = ref ? `Split ${ref}` : "Root split";
  return `${name}, depth ${depth}: ${question(frame, ref, meta)}${here}${folded}.`;
}
