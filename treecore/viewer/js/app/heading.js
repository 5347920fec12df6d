// The name of a run, how far it is and how good, above its picture.

import { make, setText } from "./dom.js";

/** One line of words over another, smaller one, and a large figure; nothing where there is none. */
export class Heading {
  constructor() {
    this.root = make("div", "tc-heading");
    this.root.hidden = true;
    this.name = make("strong");
    this.text = make("span");
    this.score = make("p", "tc-score");
    this.figure = make("b");
    this.detail = make("span");
    this.score.append(this.figure, " ", this.detail);
    this.root.append(this.name, this.text, this.score);
  }

  /** @param {string[] | undefined} heading name and text; then a figure and what it is one of */
  fill(heading) {
    this.root.hidden = !heading;
    if (!heading) return;
    setText(this.name, heading[0]);
    setText(this.text, heading[1]);
    this.score.hidden = heading.length < 4;
    setText(this.figure, heading[2] ?? "");
    setText(this.detail, heading[3] ?? "");
  }
}
