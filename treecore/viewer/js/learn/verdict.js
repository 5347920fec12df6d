// Who is ahead, of runs that have learnt from the same points in this tab.

import { guessOf } from "../app/frame.js";
import { number } from "../app/theme.js";
import { _ } from "../app/words.js";

const [ACCURACY, HELD_ACCURACY] = [4, 5]; // among the figures
const SURE = 2.58; // deviations of a lead: of two equal trees one has it once in a hundred times

/** Nothing before all have learnt, or where their points differ. @param {Learning[]} learnings */
export function verdictOf(learnings) {
  if (learnings.length < 2) return "";
  const { label, held, xy } = learnings[0].view.points;
  const alike = (/** @type {Learning} */ { view: { points } }) => String(points.label) === String(label) && String(points.xy) === String(xy);
  if (!learnings.every((one) => one.finished && alike(one))) return "";
  const tested = held?.some((one) => one);
  const found = learnings.map(({ view, history }) => ({
    name: /** @type {ShadowRoot} */ (view.root.getRootNode()).host.closest(".run")?.querySelector("h1, h2")?.textContent ?? "",
    share: history.at(-1)?.[tested ? HELD_ACCURACY : ACCURACY] ?? NaN,
    right: Array.from(label, (y, i) => (!tested || held?.[i]) && guessOf(view.player.newest, i, view.meta) === y),
  })).sort((a, b) => b.share - a.share);
  const [best, ...others] = found;
  const shares = found.map(({ name, share }) => `${name}: ${number(100 * share)} %`).join("; ");
  const ahead = others.every(({ right }) => {
    // McNemar's test: points that only one of both gets right.
    const only = best.right.filter((one, i) => one !== right[i]);
    return 2 * only.filter(Boolean).length - only.length > SURE * Math.sqrt(only.length);
  });
  const said = tested ? _("Test accuracy: {shares}.", { shares }) : _("Training accuracy: {shares}.", { shares });
  return `${said} ${ahead ? _("{name} is ahead.", { name: best.name }) : _("Too close to call.")}`;
}
