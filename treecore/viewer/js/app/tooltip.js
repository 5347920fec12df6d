// One tooltip for everything, and the words that it explains.

import { make } from "./dom.js";
import { pixelCanvas, weightCanvas } from "./pictures.js";
import { zoomOf } from "./zoom.js";

/** @import { Theme } from "./theme.js" */
/** @import { XY } from "../types.d.ts" */

let tipCount = 0;

/**
 * With `limit` the end of the bar's room is a limit, and is shown.
 * @typedef {{label: string, value: string, colour?: string, bar?: number,
 *   limit?: boolean}} StoryRow
 */

/**
 * @typedef {object} Story what a tooltip says
 * @property {string} title
 * @property {string} [text] a sentence under the title
 * @property {StoryRow[]} [rows]
 * @property {{pixels: ArrayLike<number>, shape: XY, theme: Theme, signed?: boolean} | null} [image]
 *   of grey, or of signed weights
 * @property {string} [note] a last, quieter sentence
 */

/**
 * A point of the window, and how far to stay away; with `top` the tooltip goes beside it and not
 * above `top`.
 * @typedef {{x: number, y: number, r?: number, top?: number}} TipPlace
 */

/** @type {(element: Element) => TipPlace} the middle of an element, and its edge */
export function middleOf(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, r: box.height / 2 };
}

/** A tooltip in the top layer, where no scrolling container can clip it. */
export class Tooltip {
  /** @param {ParentNode} parent the shadow root, outside of anything that contains layout */
  constructor(parent) {
    this.element = make("div", "tc-tip");
    this.element.id = `tc-tip-${tipCount++}`;
    this.element.setAttribute("role", "tooltip");
    this.popover = typeof this.element.showPopover === "function";
    if (this.popover) this.element.setAttribute("popover", "manual");
    /** @type {unknown} */
    this.owner = null;
    parent.append(this.element);
  }

  /**
   * @param {unknown} owner whoever shows it; only the owner can hide it again
   * @param {Story} story
   * @param {TipPlace} at
   */
  show(owner, story, at) {
    this.owner = owner;
    this.fill(story);
    const open = this.element.classList.contains("open");
    if (!open) {
      this.element.classList.add("open");
      if (this.popover) this.element.showPopover();
    }
    const { width, height } = this.element.getBoundingClientRect();
    const away = (at.r ?? 0) + 10;
    const [right, floor] = [window.innerWidth - width - 8, window.innerHeight - height - 8];
    let left = Math.max(8, Math.min(right, at.x - width / 2));
    let top = at.y - away - height;
    if (at.top !== undefined && (at.x + away <= right || at.x - away - width >= 8)) {
      left = at.x + away <= right ? at.x + away : at.x - away - width;
      top = Math.min(floor, Math.max(at.top, at.y - height / 2));
    } else if (top < 8) top = Math.min(floor, at.y + away);
    const zoom = zoomOf(this.element);
    this.element.style.left = `${Math.round(left / zoom)}px`;
    this.element.style.top = `${Math.round(Math.max(4, top) / zoom)}px`;
  }

  /** @param {unknown} [owner] whoever shows it, or nobody */
  hide(owner) {
    if (owner !== undefined && owner !== this.owner) return;
    this.owner = null;
    if (!this.element.classList.contains("open")) return;
    this.element.classList.remove("open");
    if (this.popover) this.element.hidePopover();
  }

  /** @param {Story} story */
  fill(story) {
    this.element.replaceChildren(...storyParts(story));
  }

  destroy() {
    this.hide();
    this.element.remove();
  }
}

/** The elements that tell a story. @param {Story} story */
export function storyParts(story) {
  /** @type {HTMLElement[]} */
  const parts = [];
  if (story.title) parts.push(make("div", "tc-tip-title", story.title));
  if (story.text) parts.push(make("div", "tc-tip-text", story.text));
  if (story.image) {
    const { pixels, shape, theme, signed } = story.image;
    parts.push((signed ? weightCanvas : pixelCanvas)(pixels, shape, theme));
  }
  if (story.rows?.length) {
    const table = make("div", "tc-tip-rows");
    for (const row of story.rows) {
      const bar = make("span", row.limit ? "tc-tip-bar limit" : "tc-tip-bar");
      if (row.bar !== undefined) {
        const fill = make("i");
        fill.style.width = `${Math.max(2, Math.abs(row.bar) * 100)}%`;
        fill.style.background = row.colour ?? "currentColor";
        bar.appendChild(fill);
      }
      table.append(make("span", "tc-tip-label", row.label), bar, make("span", "tc-tip-value", row.value));
    }
    parts.push(table);
  }
  if (story.note) parts.push(make("div", "tc-tip-note", story.note));
  return parts;
}

/**
 * A word a newcomer may not know: dotted underline, explained to pointers, where it is known at once
 * to readers of screens as well. The keyboard passes it by: a view lists its words, see viewmenu.js.
 * @param {string} word @param {Tooltip} tooltip
 * @param {() => string} explain the explanation, empty while none has arrived
 */
export function term(word, tooltip, explain) {
  const element = make("span", "tc-term", word);
  if (explain()) element.setAttribute("aria-description", explain());
  const show = () => {
    const text = explain();
    if (text) tooltip.show(element, { title: "", text }, middleOf(element));
  };
  const hide = () => tooltip.hide(element);
  element.addEventListener("pointerenter", show);
  element.addEventListener("pointerleave", hide);
  element.addEventListener("click", () => { // a finger has left it by then, and hides it elsewhere
    show();
    document.addEventListener("pointerdown", hide, { once: true });
  });
  return element;
}
