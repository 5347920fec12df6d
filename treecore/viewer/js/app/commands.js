// Play, Pause, Step and Reset: buttons that say what should be, and reach a run by its channel.

import { make } from "./dom.js";
import { icon } from "./icons.js";
import { Standin } from "./keepfocus.js";
import { _, N_ } from "./words.js";

/** @typedef {"play" | "pause" | "step" | "reset"} Command */

/** @type {Record<Command, [string, string]>} word, and what it does */
const LOOKS = {
  play: [N_("Play"), N_("Learn to the end.")],
  pause: [N_("Pause"), N_("Stop here; learning can go on later.")],
  step: [N_("Step"), N_("A little, then pause.")],
  reset: [N_("Reset"), N_("Stop, and back to the start. The same seed learns the same tree again.")],
};

/** The row of buttons. */
export class Commands {
  /** @param {(what: Command) => void} run */
  constructor(run) {
    this.root = make("div", "tc-commands");
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", _("Learning"));
    this.root.hidden = true;
    this.standin = new Standin();
    this.buttons = /** @type {Record<Command, HTMLButtonElement>} */ ({});
    for (const what of /** @type {Command[]} */ (Object.keys(LOOKS))) {
      const [word, help] = [_(LOOKS[what][0]), _(LOOKS[what][1])];
      const button = make("button", `tc-button tc-command ${what}`);
      button.type = "button";
      button.disabled = true;
      button.append(icon(what), make("span", "", word));
      button.setAttribute("aria-label", word);
      button.title = help;
      button.addEventListener("click", () => run(what));
      this.buttons[what] = button;
      this.root.append(button);
    }
  }

  /** Which of them do something now. @param {Record<Command, boolean>} can */
  update(can) {
    const { play, pause, reset } = this.buttons;
    const root = /** @type {ShadowRoot} */ (this.root.getRootNode());
    const { activeElement } = root;
    for (const what of /** @type {Command[]} */ (Object.keys(LOOKS))) {
      this.buttons[what].disabled = !can[what];
    }
    // Whoever has pressed a key on one goes on from the one that undoes it.
    if (Object.values(this.buttons).some((one) => one === activeElement)) {
      queueMicrotask(() => {
        const moved = root.activeElement && root.activeElement !== activeElement;
        if (!moved) this.standin.changed([pause, play, reset], activeElement);
      });
    }
  }

  /** @param {Command} what @param {string} help */
  explain(what, help) {
    if (this.buttons[what].title !== help) this.buttons[what].title = help;
  }
}
