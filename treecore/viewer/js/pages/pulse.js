// Nothing to see: has the page draw its figures anew when there is news of what they show.

import { addStyle, make, setText } from "../app/dom.js";
import { _ } from "../app/words.js";
import { Place } from "../app/place.js";

/** @import { Mount, Told } from "../types.d.ts" */
/** @import { Message } from "../app/wire.js" */

/** @typedef {{mark: number, at: number, state: string}} Beat see ui/live/component.py */

/** @type {WeakMap<Node, Pulse>} */
const pulses = new WeakMap();

/** What Streamlit calls. @param {Mount} mount */
export default function pulse({ parentElement, data, setTriggerValue }) {
  let view = pulses.get(parentElement);
  if (!view) {
    view = new Pulse(parentElement);
    pulses.set(parentElement, view);
  }
  view.place.take(/** @type {Told} */ (data), setTriggerValue);
  return () => view.leaveIfGone();
}

class Pulse {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    addStyle(parent);
    this.root = make("div", "tc-note");
    this.root.dataset.testid = "pulse";
    this.root.setAttribute("role", "status");
    parent.append(this.root);
    /** @type {Partial<Beat>} */
    this.meta = {};
    this.place = new Place({
      have: () => ({ mark: this.meta.mark, at: this.meta.at }),
      receive: (/** @type {Message<Beat>} */ message) => this.receive(message),
    }, () => setText(this.root, _(this.place.notice)));
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

  leaveIfGone() {
    if (this.root.isConnected) return;
    this.place.leave();
    this.root.remove();
  }
}
