// A picture that the server draws, with a name above it and words below: a forest among other runs.

import { component } from "../app/component.js";
import { classSigns, make, setText } from "../app/dom.js";
import { Heading } from "../app/heading.js";
import { Place } from "../app/place.js";
import { addCard } from "../app/spotlight.js";
import { applyTheme, readTheme } from "../app/theme.js";

/** @typedef {{mark: number, at: number, heading: string[], classes: string[], image: string,
 *   text: string}} Shown classes: where no tree beside it names them */

class Picture {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    this.heading = new Heading();
    this.classes = make("div", "tc-sub tc-classes");
    this.image = make("img", "", "", { hidden: true });
    this.image.style.width = "min(100%, max(320px, 100vh - 560px))"; // about that of the maps beside it
    this.text = make("div", "tc-note");
    this.root = make("div", "tc tc-picture-of", [this.heading.root, this.classes, this.image, this.text], { "data-testid": "picture" });
    parent.append(this.root);
    /** @type {Partial<Shown>} */
    this.meta = {};
    this.place = new Place({
      have: () => ({ mark: this.meta.mark, at: this.meta.at }),
      receive: (/** @type {Message<Shown>} */ message) => this.receive(message),
    }, () => {});
    this.leaveCards = addCard(this.root, this.place);
  }

  /** @param {Placed} told @param {Tell} report */
  take(told, report) {
    applyTheme(this.root);
    this.place.take(told, report);
  }

  /** @param {Message<Shown>} message */
  receive({ meta }) {
    this.meta = meta;
    this.heading.fill(meta.heading);
    this.classes.replaceChildren(...classSigns(meta.classes ?? [], readTheme(this.root).of));
    this.image.hidden = !meta.image;
    if (meta.image && this.image.src !== meta.image) this.image.src = meta.image;
    this.image.alt = meta.text ?? "";
    setText(this.text, meta.text ?? "");
  }

  leave() {
    this.place.leave();
    this.leaveCards();
  }
}

export default component(Picture);
