// One tooltip for everything, and the words that it explains.

import { give, make } from "./dom.js";
import { pixelCanvas, weightCanvas } from "./pictures.js";
import { zoomOf } from "./zoom.js";

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
    this.element = make("div", "tc-tip", "", { role: "tooltip", popover: "manual" });
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
    this.element.classList.add("open");
    if (!this.element.matches(":popover-open")) this.element.showPopover();
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
    this.element.hidePopover();
  }

  /** @param {Story} story */
  fill(story) {
    this.element.replaceChildren(...storyParts(story));
  }

  /**
   * Tell a story of an element while the pointer is on it, or the keyboard at what of it takes the focus.
   * @param {HTMLElement} element @param {Story} story @param {HTMLElement} focused
   */
  explain(element, story, focused = element) {
    give(focused, { "aria-description": story.text });
    const show = () => this.show(element, story, middleOf(element));
    const hide = () => this.hide(element);
    element.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && show());
    element.addEventListener("pointerleave", hide);
    element.addEventListener("pointerdown", hide); // what comes of a click may lie below it
    focused.addEventListener("focus", () => focused.matches(":focus-visible") && show());
    focused.addEventListener("blur", hide);
    focused.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
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
        bar.append(make("i", "", "", { style:
          `width: ${Math.max(2, Math.abs(row.bar) * 100)}%; background: ${row.colour ?? "currentColor"}` }));
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
