// Pointer and keyboard on the canvas of a drawing.

import { strayed } from "./drawpoints.js";
import { _, ngettext } from "../app/words.js";
import { within } from "../app/zoom.js";

/** @typedef {import("./draw.js").DrawView | import("../learn/easel.js").Easel} Hand what is drawn on */

const HIT = 9; // pixels around a point that count as on it
const FINGER = 16; // the same for a finger
const PUFF = 40; // milliseconds between two points of the spray
const STEPS = 50; // cursor steps across the canvas
const STEADY = 5; // of those are one with Shift

/**
 * What the pressed pointer does, and where it is; its point, and the clock of its spray.
 * @typedef {{tool: string, at: XY, point: number, timer?: number}} Doing
 */

/** @type {Record<string, XY>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @param {HTMLCanvasElement} canvas @param {Hand} view */
export function attachDrawHands(canvas, view) {
  /** @type {Doing | null} */
  let doing = null;
  let carried = -1; // the point that goes along with the keyboard's cursor

  const place = (/** @type {MouseEvent} */ event) => view.plane(within(canvas, event));
  const reach = (/** @type {PointerEvent} */ event) =>
    view.length(event.pointerType === "touch" ? FINGER : HIT);

  // Between two events a quick hand moves far: all that lies on its way goes.
  /** @param {XY} at @param {number} within @param {XY} from */
  function erase([x, y], within, [fromX, fromY]) {
    const [dx, dy] = [x - fromX, y - fromY];
    const way = dx * dx + dy * dy || 1;
    view.drawing.keep(([a, b]) => {
      const along = Math.max(0, Math.min(1, ((a - fromX) * dx + (b - fromY) * dy) / way));
      return (a - fromX - along * dx) ** 2 + (b - fromY - along * dy) ** 2 > within * within;
    });
  }

  /** @param {XY} at */
  function spray(at) {
    view.drawing.add([strayed(...at, view.label, view.half)]);
    view.changed();
  }

  canvas.addEventListener("pointerdown", (event) => {
    if (doing || event.button > 2) return;
    canvas.setPointerCapture(event.pointerId);
    const at = place(event);
    const { drawing } = view;
    view.cursor = null;
    carried = -1;
    drawing.begin();
    const tool = event.button === 2 || event.buttons === 32 ? "erase" : view.tool;
    /** @type {Doing} */
    const own = { tool, at, point: -1 };
    doing = own;
    if (tool === "erase") erase(at, reach(event), at);
    else if (tool === "spray") {
      spray(at);
      own.timer = setInterval(() => spray(own.at), PUFF);
    } else {
      own.point = drawing.nearest(...at, reach(event));
      if (own.point < 0 && !drawing.full) {
        drawing.add([[...at, view.label]]);
        own.point = drawing.points.length - 1;
      }
    }
    view.changed();
  });

  canvas.addEventListener("pointermove", (event) => {
    const at = place(event);
    view.hover = event.pointerType === "touch" && !doing ? null : at;
    view.aim = reach(event);
    if (doing) {
      if (doing.tool === "erase") erase(at, reach(event), doing.at);
      else if (doing.point >= 0) view.drawing.move(doing.point, ...at);
      doing.at = at;
    }
    view.changed();
  });

  function finish() {
    if (!doing) return;
    clearInterval(doing.timer);
    doing = null;
    if (view.drawing.end()) view.commit();
    view.changed();
  }
  canvas.addEventListener("pointerup", finish);
  canvas.addEventListener("pointercancel", finish);
  canvas.addEventListener("lostpointercapture", finish);
  canvas.addEventListener("pointerleave", () => {
    view.hover = null;
    view.changed();
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());

  canvas.addEventListener("keydown", (event) => {
    const act = keyed(event);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    if (!ARROWS[event.key] && event.key.toLowerCase() !== "m") carried = -1;
    act();
    view.changed();
  });

  /** What a key does, if anything. @param {KeyboardEvent} event */
  function keyed(event) {
    const { key, shiftKey } = event;
    if (event.ctrlKey || event.metaKey) {
      if (key === "z" || key === "Z") return () => view.travel(shiftKey ? "redo" : "undo");
      return key === "y" ? () => view.travel("redo") : null;
    }
    if (event.altKey) return null;
    if (ARROWS[key]) return () => walk(ARROWS[key], shiftKey ? 1 / STEADY : 1);
    const at = view.cursor ?? [0, 0];
    const label = /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
    if (label >= 0 && label < view.classes.length) {
      return () => {
        view.setLabel(label);
        drop(at);
      };
    }
    if (key === "m" || key === "M") return () => carry(at);
    if (key === "Enter" || key === " ") return () => drop(at);
    if (key === "Delete" || key === "Backspace") return () => pick(at);
    return null;
  }

  /** @type {(direction: XY, share: number) => void} */
  function walk([dx, dy], share) {
    const step = (2 * view.half * share) / STEPS;
    const [x, y] = view.cursor ?? [0, 0];
    view.cursor = view.cursor ? [view.held(x + dx * step), view.held(y + dy * step)] : [x, y];
    const { drawing, cursor } = view;
    if (carried >= 0 && drawing.gesture(() => drawing.move(carried, ...cursor))) view.commit();
    view.say(_("Cursor at {place}", { place: view.told(cursor) }));
  }

  /** Take the nearest point along, or let it go. @param {XY} at */
  function carry(at) {
    view.cursor = at;
    const { drawing } = view;
    const point = carried < 0 ? drawing.nearest(...at, view.length(FINGER)) : -1;
    if (carried >= 0) view.say(_("Nothing selected"));
    else if (point < 0) view.say(_("No point here"));
    else {
      const [x, y, label] = drawing.points[point];
      view.cursor = [x, y];
      view.say(_("Class {name} picked up", { name: view.classes[label] }));
    }
    carried = point;
  }

  /** @param {XY} at */
  function drop(at) {
    view.cursor = at;
    if (view.drawing.full) return view.say(_("No room for another point"));
    if (view.drawing.gesture(() => view.drawing.add([[...at, view.label]]))) view.commit();
    view.say(_("Class {name} at {place}", { name: view.classes[view.label], place: view.told(at) }));
  }

  /** @param {XY} at */
  function pick(at) {
    view.cursor = at;
    const point = view.drawing.nearest(...at, view.length(FINGER));
    if (point < 0) return view.say(_("No point here"));
    if (view.drawing.gesture(() => view.drawing.keep((_, i) => i !== point))) view.commit();
    view.say(ngettext("Erased; {n} point left", "Erased; {n} point left", view.drawing.points.length));
  }
}
