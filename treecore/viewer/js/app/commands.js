// Play, Step and Reset: buttons that say what should be, and reach a run by its channel. They are a
// toolbar: the tab key comes to one of them, and arrow keys go from one to the next.

import { give, make, makeButton, setText } from "./dom.js";
import { icon, setIcon } from "./icons.js";
import { Standin } from "./keepfocus.js";
import { _, N_ } from "./words.js";

/** @typedef {"play" | "pause" | "replay" | "step" | "reset" | "slow"} Command */
const PLACES = /** @type {const} */ (["toggle", "step", "slow", "reset"]); // of buttons

/** @type {Record<Command, [string, string]>} word, and what it does */
const LOOKS = {
  play: [N_("Play"), N_("Train to the end.")],
  pause: [N_("Pause"), N_("Pauses here; you can continue later.")],
  replay: [N_("Replay"), N_("Plays the recorded trees again; training does not change.")],
  step: [N_("Step"), N_("Learns a little, then pauses.")],
  slow: [N_("Slow motion"), N_("Watch one step of learning slowly, and see why it is taken.")],
  reset: [N_("Reset"), N_("Stops and returns to the start. The same seed learns the same tree again.")],
};

/** @type {Record<string, (at: number, n: number) => number>} the button that a key leads to, of so many */
const KEYS = {
  ArrowRight: (at, n) => (at + 1) % n, ArrowLeft: (at, n) => (at + n - 1) % n, Home: () => 0, End: (_, n) => n - 1,
};

/** The row of buttons; the first of them plays, holds or replays, whichever can be done. */
export class Commands {
  /** @param {(what: Command) => void} run */
  constructor(run) {
    this.root = make("div", "tc-commands", "", { role: "toolbar", "aria-label": _("Learning") });
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.standin = new Standin();
    /** @type {Command} */
    this.next = "play"; // what the first button does
    this.helps = Object.fromEntries(Object.entries(LOOKS).map(([what, [, help]]) => [what, _(help)]));
    this.toggle = this.button("play", () => run(this.next));
    this.step = this.button("step", () => run("step"));
    this.slow = this.button("slow", () => run("slow"));
    this.slow.hidden = true; // where no learner can be taken apart
    this.reset = this.button("reset", () => run("reset"));
    this.root.addEventListener("focusin", ({ target }) => this.stop(target));
    this.root.addEventListener("keydown", (event) => {
      const row = this.enabled();
      const at = row.findIndex((one) => one === event.target);
      if (at < 0 || !KEYS[event.key]) return;
      event.preventDefault();
      row[KEYS[event.key](at, row.length)].focus();
    });
  }

  /** Buttons that can have the focus. */
  enabled() {
    return this.buttons.filter((one) => !one.disabled && one.checkVisibility());
  }

  /** The tab key comes to this button, or where that is none of them to the first. @param {EventTarget | null} wanted */
  stop(wanted) {
    const row = this.enabled();
    const stop = row.find((one) => one === wanted) ?? row[0] ?? this.toggle;
    for (const one of this.buttons) one.tabIndex = one === stop ? 0 : -1;
  }

  /** @param {"play" | "step" | "slow" | "reset"} what @param {() => void} act */
  button(what, act) {
    const button = makeButton(`tc-button tc-command ${what}`, [icon(what), make("span")], act, { disabled: true });
    this.root.append(button);
    this.buttons.push(button);
    this.say(button, what);
    return button;
  }

  /** @param {HTMLButtonElement} button @param {Command} what */
  say(button, what) {
    const word = _(LOOKS[what][0]);
    setText(/** @type {HTMLElement} */ (button.lastElementChild), word);
    give(button, { "aria-label": word });
    if (button.title !== this.helps[what]) button.title = this.helps[what];
  }

  /**
   * What the first button does, and which of them do something now.
   * @param {Command} next @param {Record<typeof PLACES[number], boolean>} can
   */
  update(next, can) {
    const { toggle, step, reset } = this;
    const root = /** @type {ShadowRoot} */ (this.root.getRootNode());
    const { activeElement } = root;
    this.next = next;
    setIcon(/** @type {SVGElement} */ (toggle.firstElementChild), next === "pause" ? "pause" : "play");
    for (const place of PLACES) {
      this.say(this[place], place === "toggle" ? next : place);
      this[place].disabled = !can[place];
    }
    this.stop(this.buttons.find((one) => one.tabIndex === 0) ?? null);
    // Whoever has pressed a key on one goes on from the one that undoes it.
    if ([toggle, step, reset].some((one) => one === activeElement)) {
      queueMicrotask(() => {
        const moved = root.activeElement && root.activeElement !== activeElement;
        if (!moved) this.standin.changed([toggle, reset], activeElement);
      });
    }
  }

  /** @param {Command} what @param {string} help */
  explain(what, help) {
    this.helps[what] = help;
  }
}
