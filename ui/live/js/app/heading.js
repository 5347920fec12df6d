// The name of a run and how far it is, above its picture.

import { make, setText } from "./dom.js";

/** One line of words over another, smaller one; nothing where there is none. */
export class Heading {
  constructor() {
    this.root = make("div", "tc-heading");
    this.root.hidden = true;
    this.name = make("strong");
    this.text = make("span");
    this.root.append(this.name, this.text);
  }

  /** @param {[string, string] | undefined} heading */
  fill(heading) {
    this.root.hidden = !heading;
    if (!heading) return;
    setText(this.name, heading[0]);
    setText(this.text, heading[1]);
  }
}
