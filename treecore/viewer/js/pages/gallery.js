// Small pictures of the datasets, one of which is chosen: a radio group, so arrow keys work.

import { component } from "../app/component.js";
import { focusedBeside, make } from "../app/dom.js";
import { Tooltip } from "../app/tooltip.js";
import { _ } from "../app/words.js";

/**
 * A dataset with the address of its picture, see ui/widgets/data/tiles.py.
 * @typedef {{name: string, title: string, hint: string, picture: string}} Item
 */

/** @typedef {{items?: Item[], chosen?: string | null, strip?: boolean}} Told */

let galleryCount = 0;

class Gallery {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    this.root = make("div", "tc-gallery", "", {
      role: "radiogroup", "aria-label": _("Dataset"), lang: "en", "data-testid": "gallery", // a language for hyphens
    });
    parent.append(this.root);
    this.tooltip = new Tooltip(parent);
    this.group = `tc-gallery-${galleryCount++}`;
    this.key = "";
    /** @type {(name: string) => void} */
    this.choose = () => {};
  }

  /** @param {Told | null} told @param {Tell} report */
  take(told, report) {
    const { items = [], chosen = null, strip = false } = told ?? {};
    this.choose = (name) => report("chosen", name);
    const key = JSON.stringify(items);
    this.root.dataset.chosen = chosen ?? "";
    this.root.classList.toggle("strip", strip);
    if (key !== this.key) {
      this.key = key;
      const focused = this.inputs().find((input) => input === focusedBeside(input))?.value;
      this.root.replaceChildren(...items.map((item) => this.tile(item)));
      // A new theme rebuilds the pictures; whoever was here with the keyboard stays here.
      if (focused) this.inputs().find((input) => input.value === focused)?.focus();
    }
    for (const input of this.inputs()) input.checked = input.value === chosen;
  }

  inputs() {
    return [...this.root.querySelectorAll("input")];
  }

  /** @param {Item} item */
  tile({ name, title, hint, picture }) {
    const input = make("input", "", "", { type: "radio", name: this.group, value: name });
    input.addEventListener("change", () => {
      this.root.dataset.chosen = name;
      this.choose(name);
    });
    const image = make("img", "tc-picture", "", { src: picture, alt: "" });
    const label = make("label", "tc-tile", [input, image, make("span", "tc-caption", title)]);
    this.tooltip.explain(label, { title, text: hint }, input);
    return label;
  }

  leave() {
    this.tooltip.destroy();
  }
}

export default component(Gallery);
