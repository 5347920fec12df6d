// The strip above the pictures: one button that plays the run, or what was recorded of it, the clock,
// and the way back to now.

import { Commands } from "./commands.js";
import { give, make, makeButton, offer, setText } from "./dom.js";
import { RATES } from "./player.js";
import { makeSlider, slide } from "./slider.js";
import { _, counted, N_, said, written } from "./words.js";

/** @type {Record<string, string>} */
const WORDS = {
  waiting: N_("Preparing"), running: N_("Training"), paused: N_("Paused"), finished: N_("Finished"), failed: N_("Failed"),
};

/** @type {Record<string, string>} */
const STEPS = {
  epoch: N_("Learns for one epoch, then pauses."), round: N_("Learns for one round, then pauses."),
  level: N_("Grows one level, then pauses."), tree: N_("Adds one tree, then pauses."),
  batch: N_("Learns from one mini-batch, then pauses."),
};

/** Keys of the slider: trees to go on, and shares of the whole run. @type {Record<string, number>} */
const NUDGES = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
/** @type {Record<string, number>} */
const PAGES = { PageDown: -0.1, PageUp: 0.1 };

/** @param {View} view @param {HTMLElement} unit the word for what the clock counts, which explains itself */
export function buildStrip(view, unit) {
  const commands = new Commands((what) => obey(view, what));
  unit.classList.add("tc-unit");
  const epoch = make("span", "tc-epoch", "0");
  const of = make("span", "tc-of");
  const state = make("span", "tc-state");
  const message = make("span", "tc-message", "", { role: "status" });
  const slider = buildSlider(view);
  const follow = makeButton("tc-button tc-follow", _("Live"), () => {
    commands.toggle.focus({ preventScroll: true }); // this button goes
    view.follow();
  }, { "aria-label": _("Live: return to the present tree") });
  const clock = make("div", "tc-clock", [unit, epoch, of, state]);
  const strip = make("div", "tc-strip", [commands.root, clock, message, slider, follow]);
  return { strip, commands, unit, epoch, of, state, message, slider, follow };
}

/** How fast a replay goes, for those who want to look closely. @param {View} view */
export function buildRate(view) {
  const rate = make("select", "tc-select");
  offer(rate, RATES.map((value) => ({ value, text: `${value}×` })), 1);
  rate.addEventListener("change", () => view.setRate(Number(rate.value)));
  return rate;
}

/** @param {View} view @param {import("./commands.js").Command} what */
function obey(view, what) {
  const replaying = view.player.mode === "replay";
  if (what === "replay" || (what === "pause" && replaying)) return view.toggleReplay();
  if (what === "play" && !view.player.live) view.follow(); // what is learnt next is looked at
  if (what === "slow") return view.takeApart(-1);
  view.command(what, what === "step" ? view.meta.commands?.next : undefined);
}

/** @param {View} view */
function buildSlider(view) {
  const slider = makeSlider(_("Look back at the tree at an earlier moment"), () => view.scrub(Number(slider.value)),
    ({ key, shiftKey }) => {
      if (NUDGES[key]) view.nudge(NUDGES[key] * (shiftKey ? 10 : 1)); // from tree to tree
      else if (PAGES[key]) view.scrub(Math.max(0, Number(slider.value) + PAGES[key] * Number(slider.max)));
      return key in NUDGES || key in PAGES;
    });
  slider.disabled = true;
  return slider;
}

/** Bring the strip up to date with the view. @param {View} view */
export function describeStrip(view) {
  const { meta, parts, frame, player } = view;
  const unit = _(meta.unit ?? "epoch");
  const whole = Number.isInteger(meta.n_epochs) ? counted(meta.n_epochs ?? 0) : "";
  const epoch = frame ? frame.epoch : meta.epoch ?? 0;
  const text = epochText(meta, epoch);
  setText(parts.unit, unit[0].toUpperCase() + unit.slice(1));
  setText(parts.epoch, text);
  setText(parts.of, whole ? _("of {n}", { n: whole }) : "");
  parts.epoch.style.minWidth = `${epochText(meta, meta.n_epochs || epoch).length}ch`;
  const top = meta.n_epochs || player.newest?.epoch || 1;
  const recorded = player.newest?.epoch ?? 0;
  parts.slider.max = String(top);
  parts.slider.value = String(epoch);
  parts.slider.disabled = player.frames.length < 2;
  slide(parts.slider, epoch / top);
  slide(parts.slider, recorded / top, "--to");
  give(parts.slider, { "aria-valuetext": `${unit} ${text}` });
  parts.rate.value = String(player.rate);
  parts.follow.style.visibility = player.live ? "hidden" : ""; // its place stays: the slider may be held
  const failed = view.page.broken || meta.state === "failed";
  const told = said(view.page.notice || meta.message);
  setText(parts.failure, failed ? told : "");
  setText(parts.message, failed ? "" : told);
  describeCommands(parts.commands, view);
  const state = told && meta.state === "waiting" ? "" : said(WORDS[meta.state ?? ""]);
  setText(parts.state, player.live ? state : player.mode === "replay" ? _("Replaying") : _("Looking back"));
  view.root.dataset.mode = player.mode;
  view.root.dataset.frame = frame ? String(frame.n) : "";
  view.root.dataset.epoch = String(epoch);
  view.root.dataset.pictures = String(view.pictures);
}

/** @param {Meta} meta @param {number} epoch */
function epochText(meta, epoch) {
  const whole = meta.unit === "level" || (meta.n_epochs ?? 0) > 500;
  return whole ? counted(Math.floor(epoch + 1e-9)) : written(String(Number(epoch.toFixed(1))));
}

/** @param {Commands} commands @param {View} view */
function describeCommands(commands, { meta: { commands: can, state, unit, slow }, player }) {
  const replaying = player.mode === "replay";
  const running = !!can && (can.playing || state === "running");
  const over = !!state && (!can || (state === "finished" && !can.playing));
  commands.step.hidden = commands.reset.hidden = !can;
  commands.slow.hidden = !can || !slow;
  commands.explain("step", said(STEPS[unit ?? "epoch"]));
  commands.explain("pause", replaying ? _("Pauses the replay; training does not change.")
    : _("Pauses here; you can continue later."));
  commands.update(replaying || running ? "pause" : over ? "replay" : "play", {
    toggle: over ? player.frames.length > 1 : replaying || running || (!!state && state !== "failed"),
    step: state === "paused" && !can?.playing,
    slow: state === "paused" || state === "finished",
    reset: !!state,
  });
}
