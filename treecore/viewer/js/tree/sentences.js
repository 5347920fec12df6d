// Every node of the tree in one sentence, for those who hear it.

import { answerOf, cutOf, flowsOf, lineOf, nameOf, rowsAt, strongest, total, weightsOf } from "../app/stories.js";
import { number } from "../app/theme.js";
import { _, ngettext } from "../app/words.js";

const NAMED = 3; // features of a long sum that are named

/** What a split asks of a row. @param {Frame} frame @param {number} split @param {Meta} meta */
function question(frame, split, meta) {
  const cut = cutOf(frame, split, meta);
  if (cut) return `${cut.name} ${cut.asks}`;
  if (meta.features?.length === 2) return lineOf(frame, split, meta) || _("all weights are zero");
  const found = weightsOf(frame, split, meta);
  if (!found) return _("a weighted sum of features");
  const { values, scale } = found;
  const used = strongest(values, values.length).length;
  if (!used) return _("all weights are zero");
  // A weight of one pixel says nothing by itself.
  if (meta.image) return ngettext("a weighted sum of {n} pixels", "a weighted sum of {n} pixels", used);
  const top = strongest(values, NAMED).map((j) => {
    const weight = Number.isFinite(scale) ? ` ${number(values[j] * scale)}` : values[j] > 0 ? " +" : " −";
    return nameOf(meta, j) + weight;
  }).join(", ");
  return used > NAMED ? _("a weighted sum of {n} features, mainly {top}", { n: used, top })
    : ngettext("a weighted sum of {n} features: {top}", "a weighted sum of {n} features: {top}", used, { top });
}

/** Rows that come to a node. @param {number} n */
const rowsText = (n) => ngettext("{n} example", "{n} examples", n);

/**
 * What a node is, where it is, what it asks or predicts, and how many rows come to it.
 * @param {WithTree<Pick<Scene, "meta">>} scene
 * @param {Pick<PlanNode, "ref" | "depth" | "kind">} node
 */
export function nodeSentence({ frame, meta }, { ref, depth, kind }) {
  const flows = flowsOf(frame);
  const rows = flows ? total(rowsAt(flows, ref)) : NaN;
  if (ref < 0) {
    const answer = answerOf(frame, ~ref, meta);
    const share = Math.round((100 * frame.share[~ref]) / 255);
    const said = meta.task === "regression"
      ? _("Leaf {leaf}, depth {depth}: predicts {answer}", { leaf: ~ref, depth, answer })
      : _("Leaf {leaf}, depth {depth}: predicts {answer} with probability {share} %",
        { leaf: ~ref, depth, answer, share });
    const here = !flows ? "" : `, ${rows ? rowsText(rows) : _("inactive: no example reaches it")}`;
    return `${said}${here}.`;
  }
  const right = flows ? total(rowsAt(flows, frame.children[2 * ref + 1])) : 0;
  const share = Math.round((100 * right) / rows);
  const here = !flows ? "" : rows
    ? `, ${rowsText(rows)}, ${_("{share} % of them go right", { share })}`
    : `, ${_("no example reaches it")}`;
  const folded = kind === "fold" ? `; ${_("the part below is folded up")}` : "";
  const name = ref ? _("Split {split}", { split: ref }) : _("Root split");
  const place = _("{name}, depth {depth}: {question}", { name, depth, question: question(frame, ref, meta) });
  return `${place}${here}${folded}.`;
}
