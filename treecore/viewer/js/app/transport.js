// The strip above the pictures: the clock, the replay of what was recorded, and the way back to now.
// The buttons before it play and pause training itself, where the run is one that can be commanded.

import { Commands } from "./commands.js";
import { make, setText } from "./dom.js";
import { icon, setIcon } from "./icons.js";
import { RATES } from "./player.js";
import { _, counted, N_, said, written } from "./words.js";

/** @import { Parts } from "./skeleton.js" */
/** @import { Meta, View } from "../types.d.ts" */

/** @typedef {Pick<View, "scrub" | "nudge" | "follow" | "toggleReplay" | "setRate" | "command" | "meta">} Deeds */

/** @type {Record<string, string>} */
const WORDS = {
  waiting: N_("Preparing"), running: N_("Training"), paused: N_("Paused"), finished: N_("Finished"), failed: N_("Failed"),
};

/** @type {Record<string, string>} */
const STEPS = {
  epoch: N_("One epoch, then pause."), round: N_("One round, then pause."),
  level: N_("One level, then pause."), tree: N_("One tree, then pause."),
  batch: N_("One batch, then pause."),
};

/**
 * Keys of the slider: trees to go on, and shares of the whole run.
 * @type {Record<string, number>}
 */
const NUDGES = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
/** @type {Record<string, number>} */
const PAGES = { PageDown: -0.1, PageUp: 0.1 };

/**
 * @param {Parts} parts receives the elements
 * @param {Deeds} view
 * @param {HTMLElement} unit the word for what the clock counts, which explains itself
 */
export function buildStrip(parts, view, unit) {
  const strip = make("div", "tc-strip");
  parts.commands = new Commands((what) => {
    view.command(what, what === "step" ? view.meta.commands?.next : undefined);
  });
  const clock = make("div", "tc-clock");
  parts.unit = unit;
  unit.classList.add("tc-unit");
  parts.epoch = make("span", "tc-epoch", "0");
  parts.of = make("span", "tc-of");
  clock.append(parts.unit, parts.epoch, parts.of);

  const replay = make("div", "tc-replay");
  replay.setAttribute("role", "group");
  replay.setAttribute("aria-label", _("Replay of the recorded run"));
  parts.replay = make("button", "tc-button tc-replay-button");
  parts.replay.type = "button";
  parts.replayIcon = icon("play");
  parts.replay.append(parts.replayIcon, make("span", "", _("Replay")));
  parts.replay.addEventListener("click", () => view.toggleReplay());
  parts.rate = make("select", "tc-select");
  parts.rate.setAttribute("aria-label", _("Speed of the replay"));
  for (const rate of RATES) {
    const option = make("option", "", `${rate}×`);
    option.value = String(rate);
    parts.rate.append(option);
  }
  parts.rate.value = "1";
  parts.rate.addEventListener("change", () => view.setRate(Number(parts.rate.value)));
  parts.follow = make("button", "tc-button tc-follow", _("Live"));
  parts.follow.type = "button";
  parts.follow.setAttribute("aria-label", _("Live: back to the tree as it is now"));
  parts.follow.addEventListener("click", () => view.follow());
  replay.append(parts.replay, parts.rate, parts.follow);

  const right = make("div", "tc-status");
  parts.message = make("span", "tc-message");
  parts.message.setAttribute("role", "status");
  parts.state = make("span", "tc-state");
  right.append(parts.message, parts.state);
  strip.append(parts.commands.root, clock, replay, buildSlider(parts, view), right);
  return strip;
}

/** @param {Parts} parts @param {Deeds} view */
function buildSlider(parts, view) {
  const slider = make("input", "tc-slider");
  slider.type = "range";
  slider.min = "0";
  slider.max = "1";
  slider.step = "any";
  slider.value = "0";
  slider.disabled = true;
  slider.setAttribute("aria-label", _("Look back: the tree at an earlier time"));
  slider.addEventListener("input", () => view.scrub(Number(slider.value)));
  // Arrow keys on a slider without steps move by nothing useful: here from tree to tree.
  slider.addEventListener("keydown", (event) => {
    if (NUDGES[event.key]) view.nudge(NUDGES[event.key] * (event.shiftKey ? 10 : 1));
    else if (PAGES[event.key]) {
      view.scrub(Math.max(0, Number(slider.value) + PAGES[event.key] * Number(slider.max)));
    } else return;
    event.preventDefault();
  });
  parts.slider = slider;
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
  parts.slider.style.setProperty("--at", `${(100 * Math.min(1, epoch / top)).toFixed(2)}%`);
  parts.slider.style.setProperty("--to", `${(100 * Math.min(1, recorded / top)).toFixed(2)}%`);
  parts.slider.setAttribute("aria-valuetext", `${unit} ${text}`);
  const playing = player.mode === "replay";
  parts.replay.disabled = player.frames.length < 2;
  parts.replay.setAttribute("aria-pressed", String(playing));
  parts.replay.setAttribute("aria-label", playing ? _("Pause the replay") : _("Replay what was recorded"));
  parts.replay.title = playing
    ? _("Pause the replay; training is not touched.")
    : _("Play the recorded trees again; training is not touched.");
  setIcon(parts.replayIcon, playing ? "pause" : "play");
  parts.rate.value = String(player.rate);
  parts.follow.disabled = player.live;
  parts.follow.classList.toggle("on", player.live);
  const failed = view.broken || meta.state === "failed";
  const told = said(view.notice || meta.message);
  setText(parts.failure, failed ? told : "");
  setText(parts.message, failed ? "" : told);
  parts.message.title = told;
  describeCommands(parts.commands, meta);
  const state = said(WORDS[meta.state ?? ""]);
  setText(parts.state, player.live ? state : playing ? _("Replaying") : _("Looking back"));
  view.root.dataset.mode = player.mode;
  view.root.dataset.frame = frame ? String(frame.n) : "";
  view.root.dataset.epoch = String(epoch);
  view.root.dataset.pictures = String(view.pictures);
}

/** @param {Meta} meta @param {number} epoch */
function epochText(meta, epoch) {
  const whole = meta.unit === "level" || (meta.n_epochs ?? 0) > 500;
  return whole ? counted(Math.floor(epoch + 1e-9)) : written(epoch.toFixed(1));
}

/** @param {Commands} commands @param {Meta} meta */
function describeCommands(commands, { commands: can, state, unit }) {
  commands.root.hidden = !can;
  if (!can || !state) return;
  commands.update({
    play: !can.playing && state !== "finished" && state !== "failed",
    pause: can.playing || state === "running",
    step: state === "paused" && !can.playing,
    reset: true,
  });
  commands.explain("step", said(STEPS[unit ?? "epoch"]));
}
