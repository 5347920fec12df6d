// Accuracies over seeds: a strip for each contestant, every run a dot, mean and deviation beside.

import { levelsOf } from "./axes.js";
import { component } from "../app/component.js";
import { give, make } from "../app/dom.js";
import { dot, typeset } from "../app/ink.js";
import { fit, lineColour, number, readTheme, tickText, ticks } from "../app/theme.js";
import { _, ngettext } from "../app/words.js";

/**
 * The runs of a contestant.
 * @typedef {{numeral: string, name: string, colour: number, values: number[],
 *   mean: number, deviation: number | null}} Strip
 */

/** @typedef {{figure: HTMLElement, caption: HTMLElement, canvas: HTMLCanvasElement}} Panel */
/** @typedef {{low?: number, high?: number, strips?: Strip[]}} Told by ui/lab/seed_study.py */

const HIGH = 64;
const SIDES = 14;
const DOT = 4.5;

class Strips {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    this.grid = make("div", "", "", {
      style: "display: grid; grid-template-columns: repeat(auto-fit, minmax(230px, 1fr)); gap: 14px 26px",
    });
    this.root = make("div", "tc", [this.grid], { style: "min-height: 0", "data-testid": "strips" });
    parent.append(this.root);
    /** @type {Told} */
    this.data = {};
    /** @type {Panel[]} */
    this.panels = [];
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.root);
  }

  /** @param {Told | null} data */
  take(data) {
    this.data = data ?? {};
    this.draw();
  }

  draw() {
    const { strips: list = [] } = this.data;
    const theme = readTheme(this.root);
    for (const { figure } of this.panels.splice(list.length)) figure.remove();
    list.forEach((strip, i) => {
      this.panels[i] ??= this.addPanel();
      this.drawOne(this.panels[i], strip, theme);
    });
  }

  addPanel() {
    const caption = make("figcaption");
    const canvas = make("canvas", "", "", { style: `width: 100%; height: ${HIGH}px; display: block`, role: "img" });
    const figure = make("figure", "", [caption, canvas], { style: "margin: 0" });
    this.grid.append(figure);
    return { figure, caption, canvas };
  }

  /** @param {Panel} panel @param {Strip} strip @param {Theme} theme */
  drawOne({ caption, canvas }, strip, theme) {
    const percent = (/** @type {number} */ v) => number(100 * v);
    const { values = [], mean, deviation } = strip;
    const spreadText = deviation === null ? "" : ` ± ${percent(deviation)}`;
    const figures = values.length ? `${percent(mean)}${spreadText} %` : _("not run yet");
    const title = make("strong", "", `${strip.numeral} · ${strip.name}`);
    const line = make("div", "tc-sub", values.length
      ? ngettext("{figures}, {n} seeds", "{figures}, {n} seeds", values.length, { figures }) : figures);
    caption.replaceChildren(title, line);
    give(canvas, { "aria-label": `${strip.name}: ${values.map(percent).join(", ")} %` });
    const width = canvas.clientWidth;
    if (!width) return;
    const ctx = fit(canvas, width, HIGH);
    const { low = 0, high = 1 } = this.data;
    const scale = (width - 2 * SIDES) / (high - low || 1);
    const x = (/** @type {number} */ v) => SIDES + (v - low) * scale;
    const base = HIGH - 22;
    const colour = lineColour(theme, strip.colour);
    typeset(ctx, theme, 14, "center", "top");
    const marks = ticks(100 * low, 100 * high, width / 60);
    const texts = tickText(marks);
    marks.forEach((v, k) => {
      ctx.fillStyle = theme.grid;
      ctx.fillRect(Math.round(x(v / 100)), 2, 1, base);
      ctx.fillStyle = theme.muted;
      ctx.fillText(texts[k], x(v / 100), base + 6);
    });
    if (values.length > 1 && deviation !== null) {
      ctx.fillStyle = colour;
      ctx.globalAlpha = 0.18;
      ctx.fillRect(x(mean - deviation), 6, Math.max(2, x(mean + deviation) - x(mean - deviation)), base - 8);
      ctx.globalAlpha = 1;
      ctx.fillRect(Math.round(x(mean)) - 1, 4, 2, base - 4);
    }
    // Dots that would hide each other stand above each other.
    const xs = [...values].sort((a, b) => a - b).map(x);
    const levels = levelsOf(xs, 2 * DOT);
    const step = Math.min(2 * DOT, (base - 16) / Math.max(1, ...levels));
    xs.forEach((at, k) => dot(ctx, at, base - 8 - levels[k] * step, DOT, colour, theme.back));
  }

  leave() {
    this.sizes.disconnect();
  }
}

export default component(Strips);
