// Small pictures of the datasets, one of which is chosen: a radio group, so arrow keys work.

import { component } from "../app/component.js";
import { focusedBeside, make } from "../app/dom.js";
import { scalesOf } from "../map/geometry.js";
import { rampOf, shadeOf } from "../map/lenses.js";
import { fit, marker, readTheme } from "../app/theme.js";
import { Tooltip } from "../app/tooltip.js";
import { _ } from "../app/words.js";

/**
 * A dataset, see ui/live/component.py.
 * @typedef {{name: string, title?: string, hint?: string, points?: number[][],
 *   numbers?: boolean, image?: number[], pencil?: boolean}} Item
 */

/** @typedef {{items?: Item[], chosen?: string | null, strip?: boolean}} Told */

const SIDE = 40;
const MARGIN = 3;

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
    const title = item.title ?? item.name;
    const input = make("input", "", "", { type: "radio", name: this.group, value: item.name });
    input.addEventListener("change", () => {
      this.root.dataset.chosen = item.name;
      this.choose(item.name);
    });
    const canvas = make("canvas", "tc-picture", "", { "aria-hidden": true });
    drawThumbnail(fit(canvas, SIDE, SIDE), item, theme);
    const label = make("label", "tc-tile", [input, canvas, make("span", "tc-caption", title)]);
    if (item.hint) this.tooltip.explain(label, { title, text: item.hint }, input);
    return label;
  }

  leave() {
    this.tooltip.destroy();
  }
}

export default component(Gallery);

/** @param {CanvasRenderingContext2D} ctx @param {Item} item @param {Theme} theme */
function drawThumbnail(ctx, item, theme) {
  if (item.image?.length) return drawPicture(ctx, item.image, theme);
  const points = item.points ?? [];
  if (!points.length) return drawSign(ctx, item, theme);
  const [xs, ys] = [0, 1].map((i) => points.map((p) => p[i]));
  const inner = SIDE - 2 * MARGIN;
  const { x, y } = scalesOf([Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)],
    { x: MARGIN, y: MARGIN, w: inner, h: inner });
  const shades = item.numbers ? rampOf(theme, "number") : null;
  /** @type {Context2D} */
  const pen = ctx;
  for (const p of points) {
    pen.fillStyle = shades ? shades[shadeOf({ low: 0, high: 1 }, p[2])] : theme.of(p[2]);
    pen.fill(marker(pen, shades ? 0 : p[2], x(p[0]), y(p[1]), 1.4));
  }
}

/**
 * A place for something of one's own: a plus in a frame, or for what is drawn by hand a pencil.
 * @param {CanvasRenderingContext2D} ctx @param {Item} item @param {Theme} theme
 */
function drawSign(ctx, { pencil }, theme) {
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = theme.muted;
  if (!pencil) {
    ctx.stroke(new Path2D("M12 20H28M20 12V28"));
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    ctx.roundRect(MARGIN + 2, MARGIN + 2, SIDE - 2 * MARGIN - 4, SIDE - 2 * MARGIN - 4, 8);
    return ctx.stroke();
  }
  ctx.scale(SIDE / 50, SIDE / 50); // it was drawn on paper of 50
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
