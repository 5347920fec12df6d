// When a view draws: what has changed since the last picture, and how soon the next one is due.
//
// The map follows every tree that is shown. Words, the tree's drawing and the curves come at
// most so often while the picture moves, so that the map has the time.

import { fillCounts, fillLegend } from "../map/legend.js";
import { describeStrip } from "./transport.js";

const CALM_GAP = 0.5; // seconds between pictures for those who asked for less motion
const WORDS_GAP = 0.06; // between clocks and sliders moved: the page lays them out each time
const TREE_GAP = 0.15; // and between drawings of the tree while it moves
const CURVES_GAP = 0.1; // and between drawings of the curves that have grown

export const DRAWINGS = /** @type {const} */ (["map", "curves", "tree"]);

/** @typedef {typeof DRAWINGS[number]} Drawing */

/** The pictures of one view, asked for by the browser's frames. */
export class Schedule {
  /** @param {View} view */
  constructor(view) {
    this.view = view;
    this.lastPicture = -1;
    this.lastTree = -1;
    this.lastWords = -1;
    this.lastCurves = -1;
    this.treeStale = false;
    /** @type {Set<Drawing>} */
    this.dirty = new Set();
    this.request = 0;
    this.timer = 0;
    this.step = (/** @type {number} */ now) => this.tick(now);
  }

  /** Have these drawn anew. @param {Drawing[]} names */
  invalidate(names) {
    for (const name of names) this.dirty.add(name);
    this.ask();
  }

  /** Have the next picture looked for. */
  ask() {
    if (!this.request && !this.view.dead) this.request = requestAnimationFrame(this.step);
  }

  /** The next picture is due at once, also for those who asked for less motion. */
  hurry() {
    this.lastPicture = -1;
  }

  /** Whether clocks and sliders are to be moved now. @param {number} seconds */
  wordsDue(seconds) {
    if (this.view.player.waiting() && seconds - this.lastWords <= WORDS_GAP) return false;
    this.lastWords = seconds;
    return true;
  }

  /** @param {number} now milliseconds */
  tick(now) {
    const { view } = this;
    this.request = 0;
    if (!view.root.isConnected) return view.leave();
    const seconds = now / 1000;
    const early = view.calm && seconds - this.lastPicture < CALM_GAP;
    const { mode } = view.player;
    const due = early ? view.frame : view.player.pick(seconds);
    if (due !== view.frame) this.show(due, seconds);
    if (mode !== view.player.mode) {
      describeStrip(view); // a replay has come to its end
      this.dirty.add("curves").add("tree");
    }
    if (this.dirty.has("map")) view.map.draw();
    if (this.dirty.has("tree")) {
      view.tree.draw();
      view.misses.draw();
    }
    const curvesDue = !view.player.waiting() || seconds - this.lastCurves >= CURVES_GAP;
    const later = this.dirty.has("curves") && !curvesDue;
    if (this.dirty.has("curves") && curvesDue) {
      view.curveCharts.draw(now);
      this.lastCurves = seconds;
    }
    this.dirty.clear();
    if (later) this.dirty.add("curves");
    if (view.curveCharts.moving()) this.dirty.add("curves");
    if (view.calm && view.player.waiting()) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ask(), 1000 * CALM_GAP);
    } else if (this.dirty.size || view.player.waiting()) this.ask();
  }

  /** Put a tree on the screen. @param {Frame | null} due @param {number} seconds */
  show(due, seconds) {
    // The tree's own drawing follows its weights, which arrive with each message, and its marks.
    const { view } = this;
    const { frame } = view;
    const earlier = due ? view.player.passAgo() : null;
    const ways = view.marks.all().some((m) => m.point >= 0);
    const same = frame && due && due.detail === frame.detail && due.children === frame.children
      && due.leaf === frame.leaf
      && (!ways || (due.at === frame.at && due.used === frame.used));
    view.frame = due;
    view.earlier = earlier;
    if (frame && due && frame.sliced !== due.sliced) fillLegend(view);
    this.lastPicture = seconds;
    view.pictures += 1;
    this.dirty.add("map");
    this.treeStale ||= !same;
    // Numbers and pictures that change faster are not read, and the map needs the time.
    if (this.treeStale && (seconds - this.lastTree > TREE_GAP || !view.player.waiting())) {
      this.dirty.add("tree");
      this.treeStale = false;
      this.lastTree = seconds;
    }
    if (!view.player.live) this.dirty.add("curves"); // the crosshair goes along
    if (this.wordsDue(seconds)) {
      describeStrip(view);
      fillCounts(view);
    }
    view.root.dataset.pictures = String(view.pictures);
    view.panel.refresh(false);
    if (view.tip) view.refreshTip();
  }

  leave() {
    cancelAnimationFrame(this.request);
    clearTimeout(this.timer);
  }
}
