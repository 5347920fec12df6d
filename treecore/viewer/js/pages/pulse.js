// Nothing to see: has the page draw its figures anew when there is news of what they show.

import { component } from "../app/component.js";
import { make, setText } from "../app/dom.js";
import { _ } from "../app/words.js";
import { Place } from "../app/place.js";

/** @typedef {{mark: number, at: number, state: string}} Beat see ui/live/views.py */

class Pulse {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    this.root = make("div", "tc-note", "", { "data-testid": "pulse", role: "status" });
    parent.append(this.root);
    /** @type {Partial<Beat>} */
    this.meta = {};
    this.place = new Place({
      have: () => ({ mark: this.meta.mark, at: this.meta.at }),
      receive: (/** @type {Message<Beat>} */ message) => this.receive(message),
    }, () => setText(this.root, _(this.place.notice)));
  }

  /** @param {Placed} told @param {Tell} report */
  take(told, report) {
    this.place.take(told, report);
  }

  /** @param {Message<Beat>} message */
  receive({ meta }) {
    const first = this.meta.mark === undefined;
    this.meta = meta;
    this.root.dataset.state = meta.state;
    this.place.saw(meta.state);
    // The page was just drawn when the first news comes.
    if (!first && meta.state === this.place.told.drawn) this.place.report("state", meta.state);
  }

  leave() {
    this.place.leave();
  }
}

export default component(Pulse);
