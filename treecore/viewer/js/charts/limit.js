// The limit of leaves as a line in the chart over leaves: it is dragged, or moved with the arrow keys.

import { give, make } from "../app/dom.js";
import { addPicture, settleStops } from "../app/onestop.js";
import { middleOf } from "../app/tooltip.js";
import { _ } from "../app/words.js";
import { within } from "../app/zoom.js";

/** @import { Tooltip } from "../app/tooltip.js" */

/**
 * `octaves` is how often the number of leaves doubles along the axis.
 * @typedef {{most: number, values: number[], octaves: number}} Limit
 */

/** @type {Record<string, number>} values that a key goes */
const STEPS = {
  ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -99, End: 99,
};
const REST = 600; // milliseconds after the last key until the page hears of it
const PATIENCE = 5000; // and until a limit that the page has not taken is given up

/** The value nearest to a share of the axis. @param {Limit} limit @param {number} share */
export function valueAt({ values, octaves }, share) {
  const off = (/** @type {number} */ n) => Math.abs(Math.log2(n) / octaves - share);
  return values.reduce((best, n) => (off(n) < off(best) ? n : best));
}

/** The value to which a key leads from another. @type {(values: number[], n: number, key: string) => number | undefined} */
export function valueAfter(values, n, key) {
  const to = values.indexOf(n) + (STEPS[key] ?? NaN);
  return Number.isNaN(to) ? undefined : values[Math.max(0, Math.min(values.length - 1, to))];
}

export class LimitLine {
  /** @param {Tooltip} tooltip @param {(most: number) => void} report @param {() => unknown} group of pictures */
  constructor(tooltip, report, group) {
    this.tooltip = tooltip;
    this.report = report;
    this.root = make("div", "over-limit", "", { tabIndex: 0, role: "slider", "aria-label": _("Leaf limit"), hidden: true });
    /** @type {Limit | undefined} */
    this.limit = undefined;
    /** @type {Plot} */
    this.plot = { x: 0, y: 0, w: 0, h: 0 };
    /** @type {number | null} where it is moved to, until the page says the same */
    this.wanted = null;
    this.until = 0;
    this.timer = 0;
    const on = this.root.addEventListener.bind(this.root);
    on("pointerdown", (event) => this.root.setPointerCapture(event.pointerId));
    on("pointermove", (event) => this.drag(event));
    on("pointerup", () => this.commit());
    on("pointercancel", () => this.move(null));
    on("keydown", (event) => this.press(event));
    on("blur", () => this.commit());
    for (const name of ["pointerenter", "focus"]) on(name, () => this.say());
    addPicture({ host: this.root, group, target: () => this.root });
    for (const name of ["pointerleave", "blur"]) on(name, () => tooltip.hide(this));
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const host = this.root.parentElement;
    if (!this.limit || !host || !this.root.hasPointerCapture(event.pointerId)) return;
    this.move(valueAt(this.limit, (within(host, event)[0] - this.plot.x) / this.plot.w));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.key === "Escape") return this.move(null);
    const { values = [], most = 0 } = this.limit ?? {};
    const to = valueAfter(values, this.wanted ?? most, event.key);
    if (to === undefined) return;
    event.preventDefault();
    this.move(to);
    this.timer = setTimeout(() => this.commit(), REST);
  }

  /** @param {number | null} wanted */
  move(wanted) {
    clearTimeout(this.timer);
    this.until = Infinity;
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    this.settle();
    this.say();
  }

  commit() {
    clearTimeout(this.timer);
    if (this.until !== Infinity) return;
    this.until = performance.now() + PATIENCE;
    if (this.wanted !== null && this.wanted !== this.limit?.most) this.report(this.wanted);
  }

  /** Stand where the limit is. @param {Limit | undefined} limit @param {Plot} plot */
  place(limit, plot) {
    Object.assign(this, { limit, plot });
    if (performance.now() > this.until || this.wanted === limit?.most) this.wanted = null;
    this.settle();
  }

  settle() {
    const { limit, plot, root } = this;
    if (root.hidden === !!limit) {
      root.hidden = !limit;
      settleStops();
    }
    if (!limit) return;
    const n = this.wanted ?? limit.most;
    const at = plot.x + plot.w * Math.min(1, Math.log2(n) / limit.octaves);
    root.style.cssText = `left: ${at}px; top: ${plot.y}px; height: ${plot.h}px`;
    const { values } = limit;
    give(root, { "aria-valuemin": values[0], "aria-valuemax": values.at(-1), "aria-valuenow": n, "aria-valuetext": this.text });
  }

  get text() {
    return _("at most {n} leaves", { n: this.wanted ?? this.limit?.most });
  }

  say() {
    this.tooltip.show(this, { title: "", text: this.text }, middleOf(this.root));
  }
}
