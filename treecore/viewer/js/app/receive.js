// What a view takes in: a message of its run, or of another run that begins.

import { give, setText } from "./dom.js";
import { fillLegend } from "../map/legend.js";
import { hasBound } from "../map/lenses.js";
import { markOf, Marks, NOTHING } from "../map/marks.js";
import { Player } from "./player.js";
import { DRAWINGS } from "./schedule.js";
import { partOf } from "./stories.js";
import { describeStrip } from "./transport.js";
import { _, said } from "./words.js";

const CURVE_WIDTH = 8; // numbers of a point of the curves
const VERSION = 3; // of the messages, see treecore/viewer/messages/message.py

// Now and then Streamlit takes an element from the page and puts it back a moment later. The run
// that was on the screen then goes on where it was.
/** @type {Pick<View, "player" | "marks" | "choice"> | null} */
let orphan = null;

/** Keep the run of a view that has left the page. @param {View} view */
export function leaveBehind({ player, marks, choice }) {
  orphan = { player, marks, choice };
}

/** What is here of the run, as treecore/viewer/messages/message.py asks for it. @param {View} view */
export function have(view) {
  const { run, mark, detail, commands, heading } = view.meta;
  if (!run) return {};
  const count = view.curves ? view.curves.length / CURVE_WIDTH : 0;
  const last = view.curves?.[(count - 1) * CURVE_WIDTH] ?? 0;
  return {
    run, mark, detail, commands, heading, n: view.player.newest?.n ?? -1, curves: [count, last],
    slice: view.marks.pinned.point, sliced: view.player.newest?.sliced ?? -1,
    step: view.meta.step?.n,
  };
}

/**
 * Take in a message; anything may be missing from it.
 * @param {View} view
 * @param {Message<Meta>} message
 * @returns {boolean} whether there is something to draw before more is asked for
 */
export function receive(view, message) {
  const { meta } = message;
  if (!meta.run && !meta.state) {
    view.invalidate(...DRAWINGS);
    return true;
  }
  const anew = meta.run !== view.meta.run;
  if ((anew || meta.v) && meta.v !== VERSION) {
    refuse(view);
    return true;
  }
  if (meta.run !== view.player.run) restart(view, meta.run);
  const { state } = view.meta;
  view.meta = meta.v ? meta : { ...view.meta, ...meta };
  /** @type {Float32Array | null} */
  const xy = message.array("points");
  /** @type {Uint8Array | null} */
  const label = message.array("label");
  if (xy && label) {
    view.points = { xy, label, held: message.array("held"), target: message.array("target") };
  }
  const grown = takeCurves(view, message);
  const before = view.player.newest;
  const more = view.player.receive(message, performance.now() / 1000);
  if (more || state !== view.meta.state || meta.marked !== undefined) view.invalidate("tree");
  if (meta.anew) view.invalidate("map");
  if (meta.step && before && before !== view.player.newest && !view.calm) view.player.turn(before, performance.now() / 1000);
  if (view.meta.state !== "running" && view.player.live && view.player.newest) {
    // The tree at which a run stops is shown before the page says that it has stopped.
    view.player.moving = false;
    view.schedule.show(view.player.pick(0), performance.now() / 1000);
  }
  // Whether a method has a bound is known with its first tree, which may come after all else.
  const settled = view.parts.lossHeads[1].hidden === hasBound(view);
  if (meta.v || !settled) view.settleLens();
  if (meta.v) setText(view.parts.counted, said(partOf(view.meta).its));
  if (meta.v || !settled || meta.anew || meta.message !== undefined) fillLegend(view);
  const numbers = view.meta.task === "regression";
  view.parts.shareHeads.forEach((head, i) => (head.hidden = numbers !== (i === 1)));
  for (const unit of view.parts.lossUnits) setText(unit, numbers ? _("squared deviations") : _("nats"));
  if (meta.marked !== undefined) view.marks.told = meta.marked < 0 ? [] : [markOf("leaf", meta.marked)];
  takeStep(view, message);
  view.root.dataset.run = view.meta.run ?? "";
  view.root.dataset.state = view.meta.state ?? "";
  view.root.dataset.curvePoints = String(view.curveCharts.points());
  const now = performance.now() / 1000;
  if (view.schedule.wordsDue(now)) describeStrip(view);
  view.panel.refresh(false);
  if (grown || state !== view.meta.state) view.invalidate("curves");
  else view.schedule.ask();
  // The map follows its frames; a message changes it only before there are any.
  if (!view.frame) view.invalidate("map", "tree");
  view.parts.heading.fill(view.meta.heading);
  if (view.meta.heading) give(view.root, { role: "group", "aria-label": view.meta.heading[0] }); // one of several
  view.parts.summary.tell(view, now);
  tellPage(view);
  return !!meta.v || !!meta.frames?.length;
}

/**
 * Have the page be drawn for the state of the run; while somebody steps, for the last step.
 * @param {View} view
 */
function tellPage(view) {
  const { state, commands } = view.meta;
  if (state === "running") return view.page.saw(state, !commands?.playing);
  const resting = `${state} ${view.player.newest?.n ?? -1}`;
  const { drawn } = view.page.told;
  view.page.saw(state === "waiting" ? state : resting, drawn?.split(" ")[0] === state);
}

/**
 * What a step in slow motion is about, see ui/live/step_source.py.
 * @param {View} view @param {Message<Meta>} message
 */
function takeStep(view, { meta, array }) {
  if (!meta.step) return;
  view.marks.told = meta.step.marks.map((mark) => ({ ...NOTHING, ...mark }));
  view.marks.sides = array("sides");
  view.invalidate("map", "tree");
}

/**
 * Points of the curves that follow those that there are.
 * @param {View} view @param {Message<Meta>} message
 */
function takeCurves(view, message) {
  /** @type {Float32Array | null} */
  const rows = message.array("curves");
  if (!rows) return false;
  const kept = view.curves?.subarray(0, (message.meta.curves ?? 0) * CURVE_WIDTH);
  const grown = rows.length > 0 || kept?.length !== view.curves?.length;
  if (kept?.length) {
    if (!rows.length) return grown;
    const all = new Float32Array(kept.length + rows.length);
    all.set(kept);
    all.set(rows, kept.length);
    view.curves = all;
  } else view.curves = rows;
  return grown;
}

/**
 * A server of another version cannot be understood: better to say so than to draw nonsense.
 * @param {View} view
 */
function refuse(view) {
  setText(view.parts.message, _("This page is older than its server. Reload the page."));
}

/** Another run begins. @param {View} view @param {string | undefined} run */
function restart(view, run) {
  if (orphan && orphan.player.run === run) {
    view.player = orphan.player;
    view.marks = orphan.marks;
    view.choice.goOnWith(orphan.choice);
    view.panel.refresh(true);
  } else {
    const { rate } = view.player;
    view.player = new Player(run);
    view.player.rate = rate;
    view.marks = new Marks();
  }
  orphan = null;
  view.frame = view.earlier = null;
  view.tip = null;
  view.cross = null;
  view.parts.tooltip.hide();
  view.panel.refresh(true);
  view.curveCharts.reset();
  view.tree.reset();
  view.invalidate(...DRAWINGS);
}
