// Points of the map that are moved and added by hand while the page learns from them.

import { make } from "../app/dom.js";
import { kept } from "../app/memo.js";
import { fit } from "../app/theme.js";
import { _, ngettext } from "../app/words.js";
import { Drawing } from "../draw/drawpoints.js";
import { Board } from "../draw/board.js";
import { attachDrawHands } from "../draw/drawhands.js";
import { paintHand } from "../draw/drawpaint.js";

const RING = 4; // pixels of a point, about which the pointer's ring lies

/**
 * Lies over the map of a run, in whose halves its points count; runs that learn from the same points
 * share what is drawn.
 */
export class Easel extends Board {
  /** @type {Easel[]} those that share a drawing */
  easels = [];
  /** @type {WeakMap<Drawn, Drawn>} of a point drawn, the same in units of the map */
  where = new WeakMap();

  /** @param {Learning} learning @param {Easel} [first] whose drawing it shares */
  constructor(learning, first) {
    super();
    this.learning = learning;
    learning.easel = this;
    this.view = learning.view;
    this.said = this.view.parts.said;
    const [[x, y], [w, h]] = this.box;
    const points = learning.given.map((point, i) => {
      /** @type {Drawn} */
      const drawn = first?.drawing.points[i] ?? [(point[0] - x) / w, (point[1] - y) / h, point[2]];
      this.where.set(drawn, point);
      return drawn;
    });
    this.drawing = first?.drawing ?? new Drawing(learning.start.room ?? 0);
    this.drawing.points = points;
    this.easels = first?.easels ?? this.easels;
    this.easels.push(this);
    this.canvas = make("canvas", "tc-canvas tc-easel", "", {
      tabIndex: 0, role: "application", "aria-roledescription": _("drawing"),
      "aria-label": _("Points of the map. Arrow keys move a cursor, with " +
        "Shift in smaller steps. M picks up the nearest point and drops it. A digit or Enter adds " +
        "a point; Delete erases the nearest one; Control Z undoes."),
    });
    const { map } = this.view;
    map.host.append(this.canvas);
    attachDrawHands(this.canvas, this);
    new ResizeObserver(() => this.changed()).observe(map.host);
    this.take("", 0);
  }

  get theme() {
    return this.view.theme;
  }

  get classes() {
    return this.view.meta.classes ?? [];
  }

  /** The middle of the map, and half its sides. @returns {[XY, XY]} */
  get box() {
    const [x0, x1, y0, y1] = this.view.meta.box ?? [-1, 1, -1, 1];
    return [[(x0 + x1) / 2, (y0 + y1) / 2], [(x1 - x0) / 2, (y1 - y0) / 2]];
  }

  /** Something else in the hand. @param {string} tool @param {number} label */
  take(tool, label) {
    Object.assign(this, { tool, label });
    this.canvas.hidden = !tool;
    this.changed();
  }

  /** @param {number} label */
  setLabel(label) {
    this.easels.forEach((one) => one.take("point", label));
    this.canvas.dispatchEvent(new Event("taken", { bubbles: true, composed: true }));
  }

  /** What was drawn, in units of the map. @param {Drawn} drawn */
  found(drawn) {
    const [[x, y], [w, h]] = this.box;
    return kept(this.where, drawn, () => /** @type {Drawn} */ ([x + w * drawn[0], y + h * drawn[1], drawn[2]]));
  }

  /** @param {XY} at */
  told([x, y]) {
    return super.told(this.found([x, y, 0]));
  }

  /** The hand rests. */
  commit() {
    const { least } = this.learning.image;
    if (this.drawing.points.length >= least) return;
    this.drawing.undo();
    this.say(ngettext("Keep at least {n} point", "Keep at least {n} points", least));
  }

  /** @param {"undo" | "redo"} where */
  travel(where) {
    this.drawing[where]();
    this.say(ngettext("{n} points", "{n} points", this.drawing.points.length));
    this.changed();
  }

  changed() {
    for (const one of this.easels) one.request ||= requestAnimationFrame(() => one.apply());
  }

  /** Have the run learn from what is there now. */
  apply() {
    this.request = 0;
    const { drawing, learning, canvas, view } = this;
    const few = drawing.points.length < learning.image.least; // as long as the hand is down
    const points = drawing.points.map((one) => this.found(one));
    const news = points.length !== learning.drawn.length || points.some((one, i) => one !== learning.drawn[i]);
    if (news && !few) learning.draw(points);
    const { x, y, w, h } = view.map.scales().plot;
    this.size = w;
    Object.assign(canvas.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
    if (!this.tool) return;
    const ctx = fit(canvas, w, h);
    paintHand(this, ctx, RING);
  }
}
