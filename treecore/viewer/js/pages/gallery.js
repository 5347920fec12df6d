// Small pictures of the datasets, one of which is chosen: a radio group, so arrow keys work.

import { addStyle, focusedBeside, make } from "../app/dom.js";
import { rampOf, shadeOf } from "../map/lenses.js";
import { fit, marker, readTheme } from "../app/theme.js";
import { middleOf, Tooltip } from "../app/tooltip.js";
import { _ } from "../app/words.js";

/** @import { Theme } from "../app/theme.js" */
/** @import { Context2D, Mount } from "../types.d.ts" */

/**
 * A dataset, see ui/live/component.py.
 * @typedef {{name: string, title?: string, hint?: string, points?: number[][],
 *   numbers?: boolean, image?: number[], pencil?: boolean}} Item
 */

/** @typedef {{items?: Item[], chosen?: string | null, strip?: boolean}} Told */

const SIDE = 40;
const MARGIN = 3;

/** @type {WeakMap<Node, Gallery>} */
const galleries = new WeakMap();
let galleryCount = 0;

/** What Streamlit calls, with the data Told. @param {Mount} mount */
export default function gallery({ parentElement, data, setTriggerValue }) {
  let view = galleries.get(parentElement);
  if (!view) {
    view = new Gallery(parentElement);
    galleries.set(parentElement, view);
  }
  view.choose = (name) => setTriggerValue("chosen", name);
  view.update(/** @type {Told | null} */ (data) ?? {});
  return () => view.leaveIfGone();
}

class Gallery {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    addStyle(parent);
    this.root = make("div", "tc-gallery");
    this.root.setAttribute("role", "radiogroup");
    this.root.setAttribute("aria-label", _("Dataset"));
    this.root.lang = "en"; // for hyphens
    this.root.dataset.testid = "gallery";
    parent.appendChild(this.root);
    this.tooltip = new Tooltip(parent);
    this.group = `tc-gallery-${galleryCount++}`;
    this.key = "";
    /** @type {(name: string) => void} */
    this.choose = () => {};
  }

  /** @param {Told} told */
  update({ items = [], chosen = null, strip = false }) {
    const theme = readTheme(this.root);
    const key = theme.key + JSON.stringify(items);
    this.root.dataset.chosen = chosen ?? "";
    this.root.classList.toggle("strip", strip);
    if (key !== this.key) {
      this.key = key;
      const focused = this.inputs().find((input) => input === focusedBeside(input))?.value;
      this.root.replaceChildren(...items.map((item) => this.tile(item, theme)));
      // A new theme rebuilds the pictures; whoever was here with the keyboard stays here.
      if (focused) this.inputs().find((input) => input.value === focused)?.focus();
    }
    for (const input of this.inputs()) input.checked = input.value === chosen;
  }

  inputs() {
    return [...this.root.querySelectorAll("input")];
  }

  /** @param {Item} item @param {Theme} theme */
  tile(item, theme) {
    const label = make("label", "tc-tile");
    const input = make("input");
    input.type = "radio";
    input.name = this.group;
    input.value = item.name;
    input.addEventListener("change", () => {
      this.root.dataset.chosen = item.name;
      this.choose(item.name);
    });
    const canvas = make("canvas", "tc-picture");
    canvas.setAttribute("aria-hidden", "true");
    drawThumbnail(fit(canvas, SIDE, SIDE), item, theme);
    label.append(input, canvas, make("span", "tc-caption", item.title ?? item.name));
    if (item.hint) {
      input.setAttribute("aria-description", item.hint);
      const story = { title: item.title ?? item.name, text: item.hint };
      const show = () => this.tooltip.show(label, story, middleOf(label));
      const hide = () => this.tooltip.hide(label);
      label.addEventListener("pointerenter", show);
      label.addEventListener("pointerleave", hide);
      input.addEventListener("focus", () => {
        if (input.matches(":focus-visible")) show();
      });
      input.addEventListener("blur", hide);
      input.addEventListener("keydown", (event) => {
        if (event.key === "Escape") hide();
      });
    }
    return label;
  }

  leaveIfGone() {
    if (this.root.isConnected) return;
    this.tooltip.destroy();
    this.root.remove();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {Item} item @param {Theme} theme */
function drawThumbnail(ctx, item, theme) {
  if (item.image?.length) return drawPicture(ctx, item.image, theme);
  const points = item.points ?? [];
  if (!points.length) return item.pencil ? drawPencil(ctx, theme) : drawPlus(ctx, theme);
  let low = [Infinity, Infinity];
  let high = [-Infinity, -Infinity];
  for (const p of points) {
    low = low.map((v, i) => Math.min(v, p[i]));
    high = high.map((v, i) => Math.max(v, p[i]));
  }
  /** @type {(p: ArrayLike<number>, i: number) => number} */
  const at = (p, i) => MARGIN + ((p[i] - low[i]) / (high[i] - low[i] || 1)) * (SIDE - 2 * MARGIN);
  const shades = item.numbers ? rampOf(theme, "number") : null;
  /** @type {Context2D} */
  const pen = ctx;
  for (const p of points) {
    pen.fillStyle = shades ? shades[shadeOf({ low: 0, high: 1 }, p[2])] : theme.of(p[2]);
    pen.fill(marker(pen, shades ? 0 : p[2], at(p, 0), SIDE - at(p, 1), 1.4));
  }
}

/**
 * Nothing to show yet: a place for something of one's own.
 * @param {CanvasRenderingContext2D} ctx @param {Theme} theme
 */
function drawPlus(ctx, theme) {
  ctx.strokeStyle = theme.muted;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(SIDE / 2 - 8, SIDE / 2);
  ctx.lineTo(SIDE / 2 + 8, SIDE / 2);
  ctx.moveTo(SIDE / 2, SIDE / 2 - 8);
  ctx.lineTo(SIDE / 2, SIDE / 2 + 8);
  ctx.stroke();
  ctx.setLineDash([4, 4]);
  ctx.beginPath();
  ctx.roundRect(MARGIN + 2, MARGIN + 2, SIDE - 2 * MARGIN - 4, SIDE - 2 * MARGIN - 4, 8);
  ctx.stroke();
  ctx.setLineDash([]);
}

/**
 * A pencil over a stroke: a place for what is drawn by hand.
 * @param {CanvasRenderingContext2D} ctx @param {Theme} theme
 */
function drawPencil(ctx, theme) {
  ctx.scale(SIDE / 50, SIDE / 50); // it was drawn on paper of 50
  ctx.strokeStyle = theme.muted;
  ctx.lineWidth = 1.5;
  ctx.lineJoin = ctx.lineCap = "round";
  ctx.stroke(new Path2D("M14 34 L16 27 L32 11 L37 16 L21 32 Z M16 27 L21 32 M28 15 L33 20"));
  ctx.strokeStyle = theme.of(0);
  ctx.stroke(new Path2D("M10 42 C16 37 20 45 26 41 S36 38 40 41"));
}

/**
 * One example of an image dataset, dark on light or light on dark like the page.
 * @param {CanvasRenderingContext2D} ctx @param {number[]} image @param {Theme} theme
 */
function drawPicture(ctx, image, theme) {
  const side = Math.round(Math.sqrt(image.length));
  const most = Math.max(...image) || 1;
  const cell = (SIDE - 2 * MARGIN) / side;
  ctx.fillStyle = theme.text;
  image.forEach((value, i) => {
    ctx.globalAlpha = Math.max(0, value / most);
    const x = Math.round(MARGIN + (i % side) * cell);
    const y = Math.round(MARGIN + Math.floor(i / side) * cell);
    ctx.fillRect(x, y, Math.ceil(cell), Math.ceil(cell));
  });
  ctx.globalAlpha = 1;
}
