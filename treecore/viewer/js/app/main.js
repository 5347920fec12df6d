// The live view: one mount per place on the page, which hears by its channel what is new.
//
// Streamlit calls the default export when the page is drawn and with each change of theme: with the
// address of a channel, or with one whole message, for a tree that rests for good. It may also call
// the clean-up of a call that a newer one has overtaken, while the component stays where it
// is: so a mount ends when its element has left the page, not when somebody says so.

import { createCurves } from "../charts/curves.js";
import { component } from "./component.js";
import { setText } from "./dom.js";
import { fillLegend } from "../map/legend.js";
import { findLens, hasBound, POINT_LENSES, REGION_LENSES } from "../map/lenses.js";
import { createMap } from "../map/map.js";
import { isNothing, KINDS, markOf, Marks, NOTHING } from "../map/marks.js";
import { createMisses } from "../map/misses.js";
import { createPanel } from "./panel.js";
import { LensChoice } from "./lenschoice.js";
import { Place } from "./place.js";
import { Player } from "./player.js";
import { buildSkeleton } from "./skeleton.js";
import { applyTheme } from "./theme.js";
import { leaveStops, settleStops } from "./onestop.js";
import { have, leaveBehind, receive } from "./receive.js";
import { DRAWINGS, Schedule } from "./schedule.js";
import { addCard, lightPoint } from "./spotlight.js";
import { describeStrip } from "./transport.js";
import { createTree } from "../tree/tree.js";
import { unpack } from "./wire.js";
import { _ } from "./words.js";

/** @import { Drawing } from "./schedule.js" */

/** @type {Points} */
const NO_POINTS = { xy: new Float32Array(), label: new Uint8Array(), held: null, target: null };

/** @type {Set<LiveView>} those of this window, for who wants to draw what they show */
export const views = new Set();

/** State of one mounted view; the panels read from it and draw. */
export class LiveView {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    this.dead = false;
    /** @type {Meta} */
    this.meta = {};
    this.points = NO_POINTS;
    /** @type {Float32Array | null} */
    this.curves = null;
    /** @type {Frame | null} */
    this.frame = null;
    /** @type {Frame | null} */
    this.earlier = null; // the tree a pass ago
    this.marks = new Marks();
    this.choice = new LensChoice(() => this.page.told.lens, (lens) => this.tell?.("lens", lens));
    this.lens = { ...this.choice.lens }; // what is chosen, as far as this run can show it
    /** @type {Tip | null} */
    this.tip = null;
    /** @type {number | null} */
    this.cross = null;
    /** @type {Tell | undefined} */
    this.tell = undefined;
    /** @type {(mark: Mark) => void} */
    this.picked = () => {};
    this.page = new Place({
      have: () => have(this), receive: (message) => receive(this, message),
    }, () => describeStrip(this));
    this.pictures = 0;
    this.schedule = new Schedule(this);
    this.player = new Player();
    this.motion = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.parts = buildSkeleton(parent, this);
    this.root = this.parts.root;
    Object.assign(this.root, { view: this }); // for tests and for the curious
    this.theme = applyTheme(this.root);
    this.map = createMap(this.parts.map, this);
    this.curveCharts = createCurves(this.parts.charts, this);
    this.tree = createTree(this.parts.tree, this);
    this.misses = createMisses(this);
    this.panel = createPanel(this.root, this);
    /** @type {Map<Element, DOMRectReadOnly>} */
    this.unsized = new Map(); // sizes of panels that do not know them yet
    this.sized = false;
    this.sizes = new ResizeObserver((entries) => this.resize(entries));
    const { map, tree, charts } = this.parts;
    for (const host of [map, tree, ...charts]) this.sizes.observe(host);
    // Escape lets go wherever the focus is: a click on the tree leaves it on the page.
    this.letGo = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && this.root.isConnected) this.pin(null);
    };
    document.addEventListener("keydown", this.letGo);
    this.leaveCards = addCard(this.root, this.page, (point) => {
      this.marks.beside = markOf("point", point);
      this.invalidate("map", "tree");
    });
    views.add(this);
    fillLegend(this);
  }

  get calm() {
    return this.motion.matches;
  }

  /** @returns {unknown} */
  get group() {
    return this.page.told.wire ?? this;
  }

  /** What the page says. @param {unknown} data @param {Tell} report */
  take(data, report) {
    this.tell = report;
    this.retheme();
    if (data instanceof Uint8Array || !data) {
      receive(this, unpack(data instanceof Uint8Array ? data : null));
      return;
    }
    const told = /** @type {Placed} */ (data);
    if (this.choice.take(told.lens)) this.lensChanged();
    this.page.take(told, report);
  }

  /** @param {string} what @param {unknown} [value] */
  command(what, value) {
    this.page.command(what, value);
  }

  retheme() {
    const theme = applyTheme(this.root);
    if (theme.key === this.theme.key) return;
    this.theme = theme;
    this.parts.legendKey = "";
    fillLegend(this);
    this.panel.refresh(true);
    this.invalidate(...DRAWINGS);
  }

  // Drawing ------------------------------------------------------------------------------------

  /** @param {Drawing[]} names */
  invalidate(...names) {
    this.schedule.invalidate(names);
  }

  /**
   * Sizes in CSS pixels; a canvas loses its picture when resized, so it is drawn at once. When a page
   * opens, the map is the first to be seen.
   * @param {ResizeObserverEntry[]} entries
   */
  resize(entries) {
    this.retheme();
    for (const { target, contentRect } of entries) this.unsized.set(target, contentRect);
    if (!this.sized) requestAnimationFrame(() => this.fit([...this.unsized.keys()]));
    this.fit(this.sized ? [...this.unsized.keys()] : [this.map.host]);
    this.sized = true;
  }

  /** Have panels draw themselves as large as they are now. @param {Element[]} hosts */
  fit(hosts) {
    for (const host of hosts) {
      const size = this.unsized.get(host);
      if (!size) continue;
      this.unsized.delete(host);
      const { width, height } = size;
      if (host === this.map.host) this.map.resize(width, height);
      else if (host === this.tree.host) this.tree.resize(width, height);
      else this.curveCharts.resize(host, width, height);
    }
    settleStops();
  }

  // Time -----------------------------------------------------------------------------------------

  /** Change what is shown of the run, and draw it. @param {() => void} change */
  travel(change) {
    if (!this.player.frames.length) return;
    change();
    this.schedule.hurry();
    describeStrip(this);
    this.invalidate(...DRAWINGS);
  }

  /** Look at the tree of an earlier epoch. @param {number} epoch */
  scrub(epoch) {
    this.travel(() => this.player.scrub(epoch));
  }

  /** Look at the recorded tree so many before or after this one. @param {number} count */
  nudge(count) {
    this.travel(() => this.player.nudge(count));
  }

  /** Play what was recorded, or hold it. */
  toggleReplay() {
    this.travel(() => {
      if (this.player.mode === "replay") this.player.hold();
      else this.player.replay(performance.now() / 1000);
    });
  }

  /** @param {number} rate */
  setRate(rate) {
    this.player.rate = rate;
    this.schedule.ask();
  }

  /** Back to now. */
  follow() {
    this.travel(() => this.player.follow());
  }

  // What the panels share ----------------------------------------------------------------------

  /** The epoch under the pointer or being looked at, null while live. */
  cursor() {
    if (this.cross !== null) return this.cross;
    return this.player.live || !this.frame ? null : this.frame.epoch;
  }

  /** @param {number | null} epoch */
  setCross(epoch) {
    this.cross = epoch;
    this.invalidate("curves");
  }

  /** @param {Partial<Lenses>} change */
  setLens(change) {
    this.choice.choose(change);
    this.lensChanged();
  }

  lensChanged() {
    this.settleLens();
    fillLegend(this);
    this.panel.refresh(true);
    this.invalidate(...DRAWINGS);
  }

  /** What is chosen stays chosen, also while a tree has no bound or no point is held out. */
  settleLens() {
    const bounded = hasBound(this);
    const chosen = this.choice.lens;
    this.parts.lossHeads.forEach((head, i) => (head.hidden = bounded === (i === 1)));
    /** @type {(lenses: Array<Lens<any>>, key: string) => string} */
    const usable = (lenses, key) =>
      (findLens(lenses, key, this.meta).bounded && !bounded ? lenses[0].key : key);
    this.lens = {
      region: usable(REGION_LENSES, chosen.region),
      point: usable(POINT_LENSES, chosen.point),
      side: this.points.held?.some((held) => held) ? chosen.side : "both",
      margins: chosen.margins && bounded && this.meta.task !== "regression",
      flips: chosen.flips && this.meta.unit !== "level",
    };
  }

  /**
   * Mark a leaf, a split or a point in all panels, for as long as the pointer is on it.
   * @param {string} source who marks; only the same source, or another mark, takes it away
   * @param {Mark | null} what @param {Tip} [tip]
   */
  setHover(source, what, tip) {
    const changed = this.marks.on(source, what);
    if (changed === null) return;
    this.tip = (what && tip) ?? null;
    if (changed) this.invalidate("map", "tree");
    if (changed) lightPoint(this.page.told.wire, this.root, this.marks.hover.point);
    this.refreshTip();
  }

  /**
   * Mark until Escape or another click, and tell of it in a card there; null lets go.
   * @param {Mark | null} what @param {TipPlace} [at] in the window
   */
  pin(what, at) {
    const next = what ?? NOTHING;
    if (isNothing(next) && isNothing(this.marks.pinned)) return;
    this.marks.pinned = next;
    this.tip = null;
    this.refreshTip();
    if ((this.meta.features?.length ?? 0) > 2) this.page.ask(); // of the point
    if (at && !isNothing(next)) this.panel.place(at);
    this.panel.refresh(true);
    this.picked(next);
    this.root.dataset.pinned = KINDS.filter((kind) => next[kind] >= 0)
      .map((kind) => `${kind} ${next[kind]}`).join("");
    setText(this.parts.said, isNothing(next) ? _("Nothing selected") : this.panel.card.innerText);
    this.invalidate("map", "tree");
  }

  /** Mark what a term of a formula means in a step, as "leaf3" or "split2.after". @param {string[]} names */
  mean(names) {
    if (!this.meta.step) return;
    const found = names.map((name) => /^(leaf|split)(\d+)/.exec(name)).filter((one) => one !== null);
    this.marks.meant = found.map(([, kind, i]) => markOf(/** @type {"leaf" | "split"} */ (kind), Number(i)));
    this.invalidate("map", "tree");
  }

  refreshTip() {
    const story = this.tip?.story();
    if (this.tip && story) this.parts.tooltip.show(this, story, this.tip.at);
    else this.parts.tooltip.hide(this);
  }

  /** Have the page show a step in slow motion. @param {number} which point or split; -1: any */
  takeApart(which) {
    this.tell?.("step", which);
    this.pin(null); // its card would lie over what is told now
  }

  /** Let a screen reader say a story. @param {Story} story */
  say(story) {
    const rows = (story.rows ?? []).map((row) => `${row.label} ${row.value}`);
    setText(this.parts.said, [story.title, ...rows, story.note].filter(Boolean).join(", "));
  }

  /** Free everything, once the element has left the page. */
  leave() {
    if (this.dead) return;
    this.dead = true;
    views.delete(this);
    this.leaveCards();
    leaveStops(this.root);
    this.schedule.leave();
    this.page.leave();
    this.choice.leave();
    this.sizes.disconnect();
    document.removeEventListener("keydown", this.letGo);
    this.parts.tooltip.destroy();
    this.panel.destroy();
    leaveBehind(this);
  }
}

export default component(LiveView);
