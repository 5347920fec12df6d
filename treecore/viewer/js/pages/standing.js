// A tree that stands for itself, without a run, a map or points: treecore/viewer/messages/standing_tree.py
// writes it. What is picked on it is told to the page.

import { component } from "../app/component.js";
import { LiveView } from "../app/main.js";

class StandingTree extends LiveView {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    super(parent);
    this.root.classList.add("tc-alone");
    this.parts.treeHead.append(this.parts.menu.root);
    this.picked = (/** @type {Mark} */ { leaf, split }) => {
      if (leaf >= 0 || split >= 0) this.tell?.("picked", { leaf, split });
    };
  }
}

export default component(StandingTree);
