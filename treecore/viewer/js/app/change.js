// What would have to change for the pinned point to be answered otherwise: asked of the server, which
// searches the newest tree, told in the card, and drawn as an arrow on the map.

import { make, setText } from "./dom.js";
import { pixelCanvas, weightCanvas } from "./pictures.js";
import { _ } from "./words.js";

/** @import { Message } from "./wire.js" */
/** @import { Meta, View, XY } from "../types.d.ts" */

/**
 * What the server has found, see ui/live/nearest_change.py.
 * @typedef {object} Told
 * @property {number} n of the frame that was searched @property {number} t its time
 * @property {number} point @property {number} wanted a class, OTHERWISE or LESS
 * @property {string} sentence
 * @property {XY} [to] where the nearest point lies on the map
 * @property {boolean} [flat] does nothing change but what the map shows?
 *
 * @typedef {Told & {before: Uint8Array | null, after: Uint8Array | null}} Change with its pictures
 */

export const OTHERWISE = -1; // another class than now, or a greater number
export const LESS = -2; // a smaller number
const KEPT = 16; // answers of the last trees: what is drawn is a little behind what is heard
const STALE = 0.5; // seconds between a tree that is shown and the answer of an earlier one

/** Asks, keeps what was answered, and tells it. */
export class Changes {
  /** @param {View} view @param {() => void} ask put the question to the server */
  constructor(view, ask) {
    this.view = view;
    this.ask = ask;
    this.wanted = OTHERWISE;
    /** @type {Change[]} */
    this.answers = [];
    /** @type {Change | null} */
    this.pictured = null;
    /** @type {import("./theme.js").Theme | null} */
    this.theme = null;
    this.spoken = "";
    this.listed = "";
    this.element = make("details", "tc-card-change");
    this.element.open = true;
    this.chooser = make("select", "tc-select");
    this.chooser.setAttribute("aria-label", _("What is wanted"));
    this.sentence = make("div", "tc-tip-text");
    this.pictures = make("div", "tc-change-pictures");
    this.note = make("div", "tc-tip-note");
    const row = make("label", "tc-change-wanted", _("Wanted"));
    row.append(this.chooser);
    this.element.append(
      make("summary", "", _("What would have to change?")), row, this.sentence, this.pictures, this.note,
    );
    this.element.addEventListener("toggle", () => this.again());
    this.chooser.addEventListener("change", () => {
      this.wanted = Number(this.chooser.value);
      this.again();
    });
  }

  again() {
    this.ask();
    this.fill();
    this.view.invalidate("map");
  }

  /** Another run begins. */
  reset() {
    this.answers = [];
    this.wanted = OTHERWISE;
    this.spoken = this.listed = "";
  }

  /** What the server is asked; undefined where nothing is. */
  question() {
    const { point } = this.view.marks.pinned;
    if (!this.view.meta.changes || !this.element.open || point < 0) return undefined;
    const last = this.answers[this.answers.length - 1];
    const heard = last && last.point === point && last.wanted === this.wanted;
    return [point, this.wanted, heard ? last.n : -1, heard ? last.t : -1];
  }

  /** @param {Message<Meta>} message @returns {boolean} whether there is an answer in it */
  receive({ meta, array }) {
    if (!meta.change) return false;
    this.answers.push({ ...meta.change, before: array("change.before"), after: array("change.after") });
    if (this.answers.length > KEPT) this.answers.shift();
    return true;
  }

  /** The answer of the tree that is shown, or of one a moment before it while the run goes on. */
  shown() {
    const { frame, player, marks } = this.view;
    if (!frame || !this.element.open) return null;
    /** @type {(told: Change) => boolean} */
    const fits = ({ n, t }) => n === frame.n
      || (player.live && player.moving && n < frame.n && frame.t - t < STALE);
    const { wanted } = this;
    const { point } = marks.pinned;
    return this.answers.findLast((told) => told.point === point && told.wanted === wanted && fits(told)) ?? null;
  }

  /** Whether the arrow leads to the right of its point; null where there is no arrow. */
  leadsRight() {
    const told = this.shown();
    return leads(told) ? told.to[0] > this.view.points.xy[2 * told.point] : null;
  }

  /** Tell what is known of the pinned point. */
  fill() {
    const { meta, marks } = this.view;
    this.element.hidden = !meta.changes || marks.pinned.point < 0;
    if (this.element.hidden) return;
    this.list();
    const told = this.shown();
    setText(this.sentence, told?.sentence ?? this.waiting());
    setText(this.note, told?.to && !told.flat
      ? _("The arrow is a shadow: features that the map does not show change as well.") : "");
    if (told !== this.pictured || this.view.theme !== this.theme) this.picture(told);
    const key = `${marks.pinned.point} ${this.wanted}`;
    if (told && key !== this.spoken) {
      this.spoken = key;
      this.view.say({ title: told.sentence });
    }
    this.pictures.hidden = !this.pictures.childElementCount;
  }

  /** Why there is no answer yet. */
  waiting() {
    const { meta, player } = this.view;
    if (!player.live) return _("It is shown for the newest tree.");
    return meta.state === "running" ? _("It appears when the run pauses.") : _("It is looked for.");
  }

  /** What may be wanted: classes, or more and less. */
  list() {
    const { meta } = this.view;
    /** @type {Array<[number, string]>} */
    const choices = meta.task === "regression" ? [[OTHERWISE, _("more")], [LESS, _("less")]]
      : [[OTHERWISE, _("anything else")], ...(meta.classes ?? []).map((name, c) => /** @type {[number, string]} */ ([c, name]))];
    const key = JSON.stringify(choices);
    if (key === this.listed) return;
    this.listed = key;
    this.chooser.replaceChildren(...choices.map(([value, name]) => {
      const option = make("option", "", name);
      option.value = String(value);
      return option;
    }));
    this.chooser.value = String(this.wanted);
  }

  /** An image as it is, as it would have to be, and the difference. @param {Change | null} told */
  picture(told) {
    const { meta, theme } = this.view;
    this.pictured = told;
    this.theme = theme;
    this.pictures.replaceChildren();
    if (!told?.before || !told.after || !meta.image) return;
    const { before, after } = told;
    const moved = Float32Array.from(after, (shade, j) => shade - before[j]);
    /** @type {Array<[HTMLCanvasElement, string]>} */
    const drawn = [
      [pixelCanvas(before, meta.image, theme), _("As it is")],
      [pixelCanvas(after, meta.image, theme), _("What it would take")],
      [weightCanvas(moved, meta.image, theme), _("More ink green, less violet")],
    ];
    for (const [canvas, caption] of drawn) {
      const figure = make("figure");
      figure.append(canvas, make("figcaption", "", caption));
      this.pictures.append(figure);
    }
  }
}

/**
 * Whether an answer has a place to which an arrow leads.
 * @param {Change | null} told
 * @returns {told is Change & {to: XY}}
 */
export const leads = (told) => told !== null && told.to !== undefined;
