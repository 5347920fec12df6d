// A picture that the server draws, with a name above it and words below: a forest among other runs.

import { addStyle, make, setText } from "../app/dom.js";
import { Heading } from "../app/heading.js";
import { Place } from "../app/place.js";
import { addCard } from "../app/spotlight.js";
import { applyTheme } from "../app/theme.js";

/** @import { Mount, Told } from "../types.d.ts" */
/** @import { Message } from "../app/wire.js" */

/** @typedef {{mark: number, at: number, heading: string[], image: string, text: string}} Shown */

/** @type {WeakMap<Node, Picture>} */
const pictures = new WeakMap();

/** What Streamlit calls. @param {Mount} mount */
export default function picture({ parentElement, data, setTriggerValue }) {
  let view = pictures.get(parentElement);
  if (!view) {
    view = new Picture(parentElement);
    pictures.set(parentElement, view);
  }
  applyTheme(view.root);
  view.place.take(/** @type {Told} */ (data), setTriggerValue);
  return () => view.leaveIfGone();
}

class Picture {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    addStyle(parent);
    this.root = make("div", "tc tc-picture-of");
    this.root.dataset.testid = "picture";
    this.heading = new Heading();
    this.image = make("img");
    this.image.style.width = "min(100%, 320px)"; // about that of the maps beside it
    this.image.hidden = true;
    this.text = make("div", "tc-note");
    this.root.append(this.heading.root, this.image, this.text);
    parent.append(this.root);
    /** @type {Partial<Shown>} */
    this.meta = {};
    this.place = new Place({
      have: () => ({ mark: this.meta.mark, at: this.meta.at }),
      receive: (/** @type {Message<Shown>} */ message) => this.receive(message),
    }, () => {});
    this.leaveCards = addCard(this.root, this.place);
  }

  /** @param {Message<Shown>} message */
  receive({ meta }) {
    this.meta = meta;
    this.heading.fill(meta.heading);
    this.image.hidden = !meta.image;
    if (meta.image && this.image.src !== meta.image) this.image.src = meta.image;
    this.image.alt = meta.text ?? "";
    setText(this.text, meta.text ?? "");
  }

  leaveIfGone() {
    if (this.root.isConnected) return;
    this.place.leave();
    this.leaveCards();
    this.root.remove();
  }
}
