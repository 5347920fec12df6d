// Draw your own data: a canvas with a few tools. What is drawn lives here first: the server gets all
// points a moment after they changed, and says only when it has put others in their place.

import { component } from "../app/component.js";
import { focusedBeside, make, makeButton, setText } from "../app/dom.js";
import { Board } from "./board.js";
import { attachDrawHands } from "./drawhands.js";
import { paintDrawing } from "./drawpaint.js";
import { HALF, halfOf, keep, pointsIn, restored } from "./drawstore.js";
import { createStamps } from "../map/stamps.js";
import { applyTheme, drawPoint, fit } from "../app/theme.js";
import { Tooltip } from "../app/tooltip.js";
import { unpack } from "../app/wire.js";
import { _, N_, ngettext } from "../app/words.js";

/** @import { Drawing } from "./drawpoints.js" */

/** @import { Traits } from "../app/dom.js" */
/** @typedef {() => void} Deed */
/**
 * What ui/widgets/data/canvas.py says beside the points.
 * @typedef {{session: string, revision: number, most: number, classes: string[]}} Told
 */

const QUIET = 250; // milliseconds without a change before the points are sent
/** @type {Array<[key: string, title: string, hint: string]>} */
const TOOLS = [
  ["point", N_("Point"), N_("Click to add a point, drag to move it, right-click to erase it.")],
  ["spray", N_("Spray"), N_("Hold to spray points of a class around the pointer.")],
  ["erase", N_("Erase"), N_("Erase the points that the pointer touches.")],
];

// The page that shows the canvas may be left and come back to; what was drawn stays.
/**
 * @type {{session: string | null, revision: number | undefined, drawing: Drawing | null,
 *   unsent: boolean}}
 */
const memory = { session: null, revision: -1, drawing: null, unsent: false };

let canvasCount = 0;

/** One canvas on a page, and what has been drawn on it. */
export class DrawView extends Board {
  tool = "point";
  half = HALF;
  dead = false;
  classes = ["A", "B"];
  known = false; // whether a message has come
  pickerKey = ""; // what the picker shows now
  timer = 0;
  /** @type {(points: number[]) => void} */
  report = () => {};

  /** @param {ShadowRoot} parent */
  constructor(parent) {
    super();
    this.tooltip = new Tooltip(parent);
    this.root = make("div", "tc-draw", "", { view: this, "data-testid": "draw" }); // a view for tests and for the curious
    parent.append(this.root);
    this.theme = applyTheme(this.root);
    this.stamps = createStamps(this);
    this.group = `tc-draw-${canvasCount++}`;
    this.picker = this.radios(_("Class of the next points"), "tc-draw-classes");
    this.canvas = make("canvas", "tc-canvas", "", {
      tabIndex: 0, role: "application", "aria-roledescription": _("drawing"),
      "aria-label": _("Canvas for your own points. Arrow keys move a " +
        "cursor, with Shift in smaller steps. Keys 1 to 6 add a point of that class, Enter one of " +
        "the same class again. M picks up the nearest point and drops it. Delete erases it; " +
        "Control Z undoes."),
    });
    this.invitation = make("div", "tc-draw-invitation", _("Click here to add points"));
    this.plate = make("div", "tc-draw-plate", [this.canvas, this.invitation]);
    this.undoButton = this.button(_("Undo"), _("Undo the last change (Ctrl+Z)."),
      () => this.travel("undo"));
    this.redoButton = this.button(_("Redo"), _("Repeat the change that was undone (Ctrl+Shift+Z)."),
      () => this.travel("redo"));
    this.clearButton = this.button(_("Clear"), _("Erase all points. Undo restores them."), () => this.clear());
    this.largeButton = this.button(_("Larger"), _("Draw on a large canvas beside the map. Escape closes it."),
      () => this.enlarge());
    this.tally = make("div", "tc-draw-tally");
    const deeds = [this.undoButton, this.redoButton, this.clearButton, this.largeButton];
    this.tools = make("div", "tc-draw-bench", [
      this.picker, this.buildTools(), this.plate, make("div", "tc-draw-row", deeds), this.tally, this.said,
    ]);
    this.pad = make("aside", "tc-draw-pad", "", { // over the page but not in its way: the map is watched
      popover: "manual", "aria-label": _("Draw your own data"),
    });
    this.pad.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.shrink();
    });
    this.root.append(this.tools, this.pad);
    attachDrawHands(this.canvas, this);
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(this.plate);
  }

  /** @param {unknown} data a message of ui/widgets/data/canvas.py @param {Tell} report */
  take(data, report) {
    this.report = (points) => report("points", points);
    this.receive(unpack(data instanceof Uint8Array ? data : null));
  }

  get drawing() {
    return (memory.drawing ??= restored());
  }

  // Elements -----------------------------------------------------------------------------------

  buildTools() {
    const kinds = this.radios(_("Tool"), "tc-draw-tools");
    for (const [value, name, hint] of TOOLS) {
      kinds.append(this.choice(`${this.group}t`, [_(name)], _(name), _(hint), () => {
        this.tool = value;
        this.changed();
      }, { value, checked: value === this.tool }));
    }
    return kinds;
  }

  /** @param {string} name @param {string} kind */
  radios(name, kind) {
    return make("div", `tc-draw-row ${kind}`, "", { role: "radiogroup", "aria-label": name });
  }

  /**
   * @param {string} name of all choices of one thing @param {Array<Node | string>} content
   * @param {string} title @param {string} text @param {Deed} choose @param {Traits} traits
   */
  choice(name, content, title, text, choose, traits) {
    const input = make("input", "", "", { type: "radio", name, ...traits });
    input.addEventListener("change", choose);
    const label = make("label", "tc-draw-choice", [input, ...content]);
    this.tooltip.explain(label, { title, text }, input);
    return label;
  }

  /** @param {string} title @param {string} text @param {Deed} act */
  button(title, text, act) {
    const button = makeButton("tc-button", title, () => {
      act();
      this.changed();
    });
    this.tooltip.explain(button, { title, text });
    return button;
  }

  /** The classes, in the colours and shapes that they have on the map. */
  fillPicker() {
    const key = `${this.theme.key}|${this.classes.join("|")}`;
    if (key === this.pickerKey) return;
    this.pickerKey = key;
    const focused = focusedBeside(this.root)?.getAttribute("data-class");
    const tiles = this.classes.map((name, i) => {
      const swatch = make("canvas", "tc-draw-swatch");
      drawPoint(fit(swatch, 18, 18), this.theme, i, false, false, 9, 9, 5.5);
      const title = _("Class {name}", { name });
      return this.choice(`${this.group}c`, [swatch, name], title, _("Key {key} on the canvas.", { key: i + 1 }),
        () => this.setLabel(i), { "data-class": i, "aria-label": title });
    });
    this.picker.replaceChildren(...tiles);
    this.inputOf(focused)?.focus();
    this.setLabel(Math.min(this.label, this.classes.length - 1));
  }

  /** The choice of a class. @param {unknown} label @returns {HTMLInputElement | null} */
  inputOf(label) {
    return this.picker.querySelector(`[data-class="${label}"]`);
  }

  /** @param {number} label */
  setLabel(label) {
    this.label = label;
    const input = this.inputOf(label);
    if (input) input.checked = true;
    this.changed();
  }

  enlarge() {
    if (this.pad.matches(":popover-open")) return this.shrink();
    this.pad.append(this.tools);
    this.pad.showPopover();
    setText(this.largeButton, _("Close"));
    this.canvas.focus();
  }

  shrink() {
    this.pad.hidePopover();
    this.root.prepend(this.tools);
    setText(this.largeButton, _("Larger"));
    this.largeButton.focus({ preventScroll: true });
    this.tooltip.hide();
  }

  // Points -------------------------------------------------------------------------------------

  /**
   * Take in a message: its points count where the server has put them, or knows more than we do.
   * @param {Message<Told>} message
   */
  receive(message) {
    const { meta } = message;
    this.retheme();
    if (!meta.session) return;
    this.classes = meta.classes ?? [];
    this.drawing.most = meta.most ?? 0;
    this.fillPicker();
    const theirs = pointsIn(message);
    if (meta.session !== memory.session) {
      // A new session has nothing yet, when a page is loaded again or a server started again.
      if (theirs.length) this.replace(theirs);
      else memory.unsent = this.drawing.points.length > 0;
      this.half = halfOf(this.drawing.points);
    } else if (meta.revision !== memory.revision) this.replace(theirs);
    else if (!this.known) this.half = halfOf(this.drawing.points);
    this.known = true;
    memory.session = meta.session;
    memory.revision = meta.revision;
    if (memory.unsent) this.send();
    this.changed();
  }

  /** @param {Drawn[]} points */
  replace(points) {
    clearTimeout(this.timer);
    memory.unsent = false;
    this.drawing.gesture(() => {
      this.drawing.points = points;
    });
    this.half = halfOf(points);
    keep(this.drawing.points);
  }

  /** Something changed for good: it is kept, and sent once the hand rests. */
  commit() {
    keep(this.drawing.points);
    memory.unsent = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), QUIET);
  }

  send() {
    clearTimeout(this.timer);
    if (this.dead || !this.root.isConnected) return; // the next mount sends what is left
    memory.unsent = false;
    this.report(this.drawing.points.flat());
  }

  clear() {
    if (this.drawing.gesture(() => this.drawing.keep(() => false))) this.commit();
  }

  /** @param {"undo" | "redo"} where */
  travel(where) {
    if (this.drawing[where]()) this.commit();
    this.half = Math.max(this.half, halfOf(this.drawing.points));
    this.say(ngettext("{n} points", "{n} points", this.drawing.points.length));
  }

  // Drawing ------------------------------------------------------------------------------------

  retheme() {
    const theme = applyTheme(this.root);
    if (theme.key === this.theme.key) return;
    this.theme = theme;
    if (this.pickerKey) this.fillPicker();
  }

  resize() {
    this.retheme();
    this.size = this.plate.clientWidth;
    this.paint();
  }

  changed() {
    this.request ||= requestAnimationFrame(() => {
      this.request = 0;
      if (this.root.isConnected) this.paint();
    });
  }

  paint() {
    if (!this.size) return;
    paintDrawing(this);
    this.tell();
  }

  /** What the words and buttons around the canvas say. */
  tell() {
    const { drawing } = this;
    const n = drawing.points.length;
    const counts = drawing.counts(this.classes.length);
    const parts = this.classes.map((name, i) => `${name} ${counts[i]}`).filter((_, i) => counts[i]);
    setText(this.tally, n
      ? _("{n} of {most} points: {parts}", { n, most: drawing.most, parts: parts.join(", ") })
      : _("{n} of {most} points", { n, most: drawing.most }));
    this.tally.classList.toggle("full", drawing.full);
    this.invitation.hidden = n > 0 || !!this.cursor;
    this.undoButton.disabled = !drawing.past.length;
    this.redoButton.disabled = !drawing.future.length;
    this.clearButton.disabled = !n;
    this.root.dataset.points = String(n);
  }

  leave() {
    this.dead = true;
    clearTimeout(this.timer);
    cancelAnimationFrame(this.request);
    this.sizes.disconnect();
    this.tooltip.destroy();
  }
}

export default component(DrawView);
