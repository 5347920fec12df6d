// The live view: one mount per place on the page, told again and again what is new.
//
// Streamlit calls the default export with each message and with each change of theme. It may also
// call the clean-up of a call that a newer one has overtaken, while the component stays where it
// is: so a mount ends when its element has left the page, not when somebody says so.

import { createCurves } from "./curves.js";
import { setText } from "./dom.js";
import { createMap } from "./map.js";
import { Player } from "./player.js";
import { buildSkeleton, fillLegend } from "./skeleton.js";
import { number, readTheme } from "./theme.js";
import { createTree } from "./tree.js";
import { unpack } from "./wire.js";

const CALM_GAP = 0.5; // seconds between pictures for those who asked for less motion
const NOTHING = { leaf: -1, split: -1, point: -1 };

/** @type {WeakMap<Node, LiveView>} */
const mounts = new WeakMap();

// Now and then Streamlit takes an element from the page and puts it back a moment later, when a
// click meets the fragment's timer. The run that was on the screen then goes on where it was.
let orphan = null;

/** What Streamlit calls: mount on the first call, update on each further one. */
export default function live({ parentElement, data }) {
  let view = mounts.get(parentElement);
  if (!view || view.dead) {
    view = new LiveView(parentElement);
    mounts.set(parentElement, view);
  }
  view.receive(data);
  return () => view.leaveIfGone();
}

/** State and schedule of one mounted view; the panels read from it and draw. */
class LiveView {
  constructor(parent) {
    this.dead = false;
    this.meta = {};
    this.points = null;
    this.curves = null;
    this.frame = null;
    this.theme = null;
    this.hover = NOTHING;
    this.hoverSource = "";
    this.tip = null;
    this.cross = null;
    this.pictures = 0;
    this.lastPicture = -1;
    this.dirty = new Set();
    this.request = 0;
    this.timer = 0;
    this.player = new Player();
    this.motion = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.parts = buildSkeleton(parent, this);
    this.root = this.parts.root;
    this.map = createMap(this.parts.map, this);
    this.curveCharts = createCurves(this.parts.charts, this);
    this.tree = createTree(this.parts.tree, this.parts.remark, this);
    this.sizes = new ResizeObserver((entries) => this.resize(entries));
    for (const host of [this.parts.map, this.parts.tree, ...this.parts.charts]) this.sizes.observe(host);
    this.step = (now) => this.tick(now);
  }

  get calm() {
    return this.motion.matches;
  }

  /** Take in a message; anything may be missing from it. */
  receive(data) {
    const message = unpack(data instanceof Uint8Array ? data : null);
    const { meta } = message;
    // While the scripts are loading, Streamlit may deliver two messages in the wrong order.
    if (meta.desk === this.meta.desk && meta.sent < this.meta.sent) return;
    this.retheme();
    if (!meta.v && !meta.run && !meta.state) return this.invalidate("map", "curves", "tree");
    if (meta.run !== this.player.run) this.restart(meta.run);
    this.meta = meta;
    this.points = {
      xy: message.array("points"), label: message.array("label"), held: message.array("held"),
    };
    if (!this.points.xy || !this.points.label) this.points = null;
    this.curves = message.array("curves");
    this.player.receive(message, performance.now() / 1000);
    if (meta.state !== "running" && this.player.live && this.player.newest) {
      this.player.moving = false;
      this.player.pick(0);
    }
    fillLegend(this);
    this.root.dataset.run = meta.run ?? "";
    this.root.dataset.state = meta.state ?? "";
    this.root.dataset.curvePoints = this.curveCharts.points();
    this.describe();
    this.invalidate("map", "curves");
    if (!this.player.frames.length) this.invalidate("tree");
  }

  restart(run) {
    if (orphan?.run === run) this.player = orphan;
    else this.player.reset(run);
    orphan = null;
    this.frame = null;
    this.hover = NOTHING;
    this.tip = null;
    this.cross = null;
    this.parts.tooltip.hide();
    this.curveCharts.reset();
    this.invalidate("map", "curves", "tree");
  }

  retheme() {
    const theme = readTheme(this.root);
    if (theme.key === this.theme?.key) return;
    this.theme = theme;
    this.root.dataset.dark = theme.dark ? "1" : "0";
    this.parts.legendKey = "";
    this.invalidate("map", "curves", "tree");
  }

  // Drawing ------------------------------------------------------------------------------------

  invalidate(...names) {
    for (const name of names) this.dirty.add(name);
    this.schedule();
  }

  schedule() {
    if (!this.request && !this.dead) this.request = requestAnimationFrame(this.step);
  }

  tick(now) {
    this.request = 0;
    if (!this.root.isConnected) return this.leaveIfGone();
    const seconds = now / 1000;
    const early = this.calm && seconds - this.lastPicture < CALM_GAP;
    const due = early ? this.frame : this.player.pick(seconds);
    if (due !== this.frame) {
      // The tree's own drawing follows its weights, which arrive with each message.
      const same = this.frame && due && due.detail === this.frame.detail
        && due.children === this.frame.children && due.leaf === this.frame.leaf;
      this.frame = due;
      this.lastPicture = seconds;
      this.pictures += 1;
      this.dirty.add("map");
      if (!same) this.dirty.add("tree");
      this.describe();
      if (this.tip) this.refreshTip();
    }
    if (this.dirty.has("map")) this.map.draw();
    if (this.dirty.has("tree")) this.tree.draw();
    if (this.dirty.has("curves")) this.curveCharts.draw(now);
    this.dirty.clear();
    if (this.curveCharts.moving()) this.dirty.add("curves");
    if (this.calm && this.player.waiting()) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.schedule(), 1000 * CALM_GAP);
    } else if (this.dirty.size || this.player.waiting()) this.schedule();
  }

  /** Sizes in CSS pixels; a canvas loses its picture when resized, so it is drawn at once. */
  resize(entries) {
    this.retheme();
    for (const { target, contentRect } of entries) {
      const { width, height } = contentRect;
      if (target === this.map.host) this.map.resize(width, height);
      else if (target === this.tree.host) this.tree.resize(width, height);
      else this.curveCharts.resize(target, width, height);
    }
  }

  // The strip above the pictures ---------------------------------------------------------------

  describe() {
    const { meta, parts, frame } = this;
    const unit = meta.unit ?? "epoch";
    const whole = Number.isInteger(meta.n_epochs) ? String(meta.n_epochs) : "";
    const epoch = frame ? frame.epoch : meta.epoch ?? 0;
    setText(parts.unit, unit[0].toUpperCase() + unit.slice(1));
    setText(parts.epoch, this.epochText(epoch));
    setText(parts.of, whole ? `of ${whole}` : "");
    parts.epoch.style.minWidth = `${this.epochText(meta.n_epochs || epoch).length}ch`;
    const top = meta.n_epochs || this.player.newest?.epoch || 1;
    parts.slider.max = String(top);
    parts.slider.value = String(epoch);
    parts.slider.disabled = this.player.frames.length < 2;
    parts.slider.style.setProperty("--at", `${(100 * Math.min(1, epoch / top)).toFixed(2)}%`);
    parts.slider.setAttribute("aria-valuetext", `${unit} ${this.epochText(epoch)}`);
    parts.follow.hidden = this.player.live;
    setText(parts.message, meta.message ?? "");
    const words = { waiting: "Preparing", running: "Training", paused: "Paused", finished: "Finished", failed: "Failed" };
    setText(parts.state, this.player.live ? words[meta.state] ?? "" : "Looking back");
    this.root.dataset.frame = frame ? frame.n : "";
    this.root.dataset.epoch = epoch;
    this.root.dataset.pictures = this.pictures;
  }

  epochText(epoch) {
    const whole = this.meta.unit === "level" || (this.meta.n_epochs ?? 0) > 500;
    return whole ? String(Math.floor(epoch)) : epoch.toFixed(1);
  }

  /** Look at the tree of an earlier epoch. */
  scrub(epoch) {
    if (!this.player.frames.length) return;
    this.player.scrub(epoch);
    this.lastPicture = -1;
    this.describe();
    this.invalidate("map", "curves", "tree");
  }

  follow() {
    this.player.follow();
    this.describe();
    this.invalidate("map", "curves", "tree");
  }

  // What the panels share ----------------------------------------------------------------------

  /** The epoch under the pointer or being looked at, null while live. */
  cursor() {
    if (this.cross !== null) return this.cross;
    return this.player.live || !this.frame ? null : this.frame.epoch;
  }

  setCross(epoch) {
    this.cross = epoch;
    this.invalidate("curves");
  }

  trail(count, gap) {
    return this.player.before(count, gap);
  }

  /**
   * Mark a leaf, a split or a point in all panels.
   * @param {string} source who marks; only the same source, or another mark, takes it away
   * @param {?{leaf: number, split: number, point: number}} what
   * @param {?{story: Function, at: object}} tip
   */
  setHover(source, what, tip) {
    if (!what) {
      if (source !== this.hoverSource) return;
      what = NOTHING;
      tip = null;
    }
    const { hover } = this;
    const same = ["leaf", "split", "point"].every((kind) => hover[kind] === what[kind]);
    this.hover = what;
    this.hoverSource = source;
    this.tip = tip;
    if (!same) this.invalidate("map", "tree");
    this.refreshTip();
  }

  refreshTip() {
    const story = this.tip?.story();
    if (story) this.parts.tooltip.show(this, story, this.tip.at);
    else this.parts.tooltip.hide(this);
  }

  /** Free everything once the element has left the page. */
  leaveIfGone() {
    if (this.dead || this.root.isConnected) return;
    this.dead = true;
    cancelAnimationFrame(this.request);
    clearTimeout(this.timer);
    this.sizes.disconnect();
    this.parts.tooltip.destroy();
    orphan = this.player;
    this.root.remove();
  }

  /** For tests and for the curious: what is on the screen, as numbers. */
  report() {
    return {
      frames: this.player.frames.length, bytes: this.player.bytes, pictures: this.pictures,
      moving: !!this.request, epoch: number(this.frame?.epoch ?? NaN),
    };
  }
}
