// Play, Step and Reset: buttons that say what should be, and reach a run by its channel.

import { give, make, makeButton, setText } from "./dom.js";
import { icon, setIcon } from "./icons.js";
import { Standin } from "./keepfocus.js";
import { _, N_ } from "./words.js";

/** @typedef {"play" | "pause" | "replay" | "step" | "reset" | "slow"} Command */
/** @typedef {"toggle" | "step" | "reset" | "slow"} Place of a button */

/** @type {Record<Command, [string, string]>} word, and what it does */
const LOOKS = {
  play: [N_("Play"), N_("Train to the end.")],
  pause: [N_("Pause"), N_("Pauses here; you can continue later.")],
  replay: [N_("Replay"), N_("Plays the recorded trees again; training does not change.")],
  step: [N_("Step"), N_("Learns a little, then pauses.")],
  slow: [N_("Slow motion"), N_("Watch one step of learning slowly, and see why it is taken.")],
  reset: [N_("Reset"), N_("Stops and returns to the start. The same seed learns the same tree again.")],
};

/** The row of buttons; the first of them plays, holds or replays, whichever can be done. */
export class Commands {
  /** @param {(what: Command) => void} run */
  constructor(run) {
    this.root = make("div", "tc-commands", "", { role: "group", "aria-label": _("Learning") });
    this.standin = new Standin();
    /** @type {Command} */
    this.next = "play"; // what the first button does
    this.helps = Object.fromEntries(Object.entries(LOOKS).map(([what, [, help]]) => [what, _(help)]));
    this.toggle = this.button("play", () => run(this.next));
    this.step = this.button("step", () => run("step"));
    this.slow = this.button("slow", () => run("slow"));
    this.slow.hidden = true; // where no learner can be taken apart
    this.reset = this.button("reset", () => run("reset"));
  }

  /** @param {"play" | "step" | "slow" | "reset"} what @param {() => void} act */
  button(what, act) {
    const button = makeButton(`tc-button tc-command ${what}`, [icon(what), make("span")], act, { disabled: true });
    this.root.append(button);
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
   * @param {Command} next @param {Record<Place, boolean>} can
   */
  update(next, can) {
    const { toggle, step, slow, reset } = this;
    const root = /** @type {ShadowRoot} */ (this.root.getRootNode());
    const { activeElement } = root;
    this.next = next;
    setIcon(/** @type {SVGElement} */ (toggle.firstElementChild), next === "pause" ? "pause" : "play");
    this.say(toggle, next);
    this.say(step, "step");
    this.say(slow, "slow");
    this.say(reset, "reset");
    [toggle.disabled, step.disabled, reset.disabled] = [!can.toggle, !can.step, !can.reset];
    slow.disabled = !can.slow;
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
