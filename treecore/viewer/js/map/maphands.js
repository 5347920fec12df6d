// Pointer and keyboard on the map: what is marked, what is pinned, and how arrow keys walk.

import { give } from "../app/dom.js";
import { addPicture } from "../app/onestop.js";
import { hasTree, isShown } from "../app/frame.js";
import { isByNearest } from "./cells.js";
import { nearestOf, route } from "./geometry.js";
import { isNothing, markOf, NOTHING } from "./marks.js";
import { attachPointer } from "./pointing.js";
import { leafStory, pointStory } from "../app/stories.js";
import { middleOf } from "../app/tooltip.js";
import { _ } from "../app/words.js";
import { inWindow, within, zoomOf } from "../app/zoom.js";

const HIT = 9; // pixels around a point that count as on it

/** @type {Record<string, XY>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The nearest point in a direction: within 45° of it, and the straighter ahead the better.
 * @param {Array<XY | null>} places pixels of every point, null where it is not shown
 * @param {XY} from @param {XY} direction
 * @returns {number} -1 where there is none
 */
export function nextPoint(places, [x0, y0], [dx, dy]) {
  let best = -1;
  let least = Infinity;
  places.forEach((place, i) => {
    if (!place) return;
    const ahead = (place[0] - x0) * dx + (place[1] - y0) * dy;
    const aside = Math.abs((place[0] - x0) * dy) + Math.abs((place[1] - y0) * dx);
    if (ahead <= 0.01 || aside > ahead) return;
    const far = ahead + 2 * aside;
    if (far < least) {
      least = far;
      best = i;
    }
  });
  return best;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {View} view
 * @param {{scales: () => Scales, radius: () => number}} map
 */
export function attachMapHands(canvas, view, map) {
  give(canvas, {
    tabIndex: 0, role: "application", "aria-roledescription": _("map"),
    "aria-label": _("Map of the points and the leaves' regions. Arrow keys " +
      "move from point to point, Enter shows a point's path through the tree, Escape clears it."),
    "aria-describedby": view.parts.summary.line.id,
  });
  let walker = -1; // the point that the keyboard is at
  const { tooltip } = view.parts;
  addPicture({
    host: canvas, group: () => view.group, target: () => canvas,
    hint: () => tooltip.show(canvas, {
      title: "", text: _("Arrow keys move from point to point, Page Down and Page Up from picture to picture."),
    }, middleOf(canvas)),
  });

  /** @param {Scales} s @returns {Array<XY | null>} */
  function places(s) {
    const { points, lens } = view;
    const { xy, label } = points;
    return Array.from(label, (_, i) =>
      isShown(points, i, lens.side) ? [s.x(xy[2 * i]), s.y(xy[2 * i + 1])] : null);
  }

  /**
   * What lies under a pixel of the canvas: a point, else a leaf, else nothing.
   * @type {(px: number, py: number) => Mark}
   */
  function under(px, py) {
    const s = map.scales();
    const p = s.plot;
    if (px < p.x || py < p.y || px > p.x + p.w || py > p.y + p.h) return NOTHING;
    const all = places(s);
    const hit = nearestOf(all, px, py, HIT);
    if (hit >= 0) return markOf("point", hit);
    const { frame } = view;
    if (!frame) return NOTHING;
    if (isByNearest(view, frame)) {
      const point = nearestOf(all, px, py);
      return point < 0 || !frame.at ? NOTHING : markOf("leaf", frame.at[point]);
    }
    return markOf("leaf", route(frame.split, frame.children, s.backX(px), s.backY(py)));
  }

  /** @type {(mark: Mark) => Story | null} */
  function storyOf({ point, leaf }) {
    if (point >= 0) return pointStory(view, point);
    return leaf >= 0 && hasTree(view) ? leafStory(view, leaf) : null;
  }

  attachPointer(canvas, view, "map", (event) => {
    const mark = under(...within(canvas, event));
    if (event.type === "click" && mark.point >= 0) walker = mark.point;
    return isNothing(mark) ? null
      : { mark, story: () => storyOf(mark), at: { x: event.clientX, y: event.clientY, r: 6 } };
  });

  /** Stand on a point: mark it everywhere and say what it is. @param {number} i */
  function stand(i) {
    walker = i;
    if (i < 0) return view.setHover("mapkeys", null);
    view.setHover("mapkeys", markOf("point", i), { story: () => pointStory(view, i), at: placeFor(i) });
    view.say(pointStory(view, i));
  }

  /** Where a point lies in the window. @param {number} i */
  function placeFor(i) {
    const s = map.scales();
    const { xy } = view.points;
    return { ...inWindow(canvas, s.x(xy[2 * i]), s.y(xy[2 * i + 1])), r: zoomOf(canvas) * (map.radius() + 6) };
  }

  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      stand(-1);
      view.pin(null);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (walker >= 0) view.pin(markOf("point", walker), placeFor(walker));
    } else if (ARROWS[event.key]) {
      event.preventDefault();
      const s = map.scales();
      const all = places(s);
      const { x, y, w, h } = s.plot;
      const from = all[walker] ?? all[view.marks.pinned.point] ?? null;
      if (from) {
        const next = nextPoint(all, from, ARROWS[event.key]);
        if (next >= 0) stand(next);
        return;
      }
      // The first key stands on the point nearest to the middle.
      const nearest = nearestOf(all, x + w / 2, y + h / 2);
      if (nearest >= 0) stand(nearest);
    }
  });
  canvas.addEventListener("blur", () => {
    view.setHover("mapkeys", null);
    tooltip.hide(canvas);
  });
}
