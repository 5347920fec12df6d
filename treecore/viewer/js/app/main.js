// The live view: one mount per place on the page, which hears by its channel what is new.
//
// Streamlit calls the default export when the page is drawn and with each change of theme: with the
// address of a channel, or with one whole message, for a tree that rests for good. It may also call
//  the clean-up of a call that a newer one has overtaken, while the component stays where it
// is: so a mount ends when its element has left the page, not when somebody says so.

import { Changes } from "./change.js";
import { createCurves } from "../charts/curves.js";
import { setText } from "./dom.js";
import { createGaps } from "../charts/gaps.js";
import { fillCounts, fillLegend } from "../map/legend.js";
import { findLens, hasBound, POINT_LENSES, REGION_LENSES } from "../map/lenses.js";
import { createMap } from "../map/map.js";
import { isNothing, KINDS, markOf, Marks, NOTHING } from "../map/marks.js";
import { createMisses } from "../map/misses.js";
import { createPanel } from "./panel.js";
import { LensChoice } from "./lenschoice.js";
import { Place } from "./place.js";
import { Player } from "./player.js";
import { buildSkeleton } from "./skeleton.js";
import { applyTheme, number } from "./theme.js";
import { describeStrip } from "./transport.js";
import { partOf } from "./stories.js";
import { createTree } from "../tree/tree.js";
import { unpack } from "./wire.js";
import { _, said } from "./words.js";

/** @import { Frame } from "./frame.js" */
/** @import { Mark } from "../map/marks.js" */
/** @import { Story } from "./tooltip.js" */
/** @import { Lenses, Meta, Mount, Points, Report, Tip, Told, View } from "../types.d.ts" */
/** @import { Message } from "./wire.js" */

const CALM_GAP = 0.5; // seconds between pictures for those who asked for less motion
const WORDS_GAP = 0.06; // between clocks and sliders moved: the page lays them out each time
const TREE_GAP = 0.15; // and between drawings of the tree, and of the gaps, while they move
const ALL = /** @type {const} */ (["map", "curves", "tree", "gaps"]); // what is drawn
const CURVES_GAP = 0.1; // and between drawings of the curves that have grown
const CURVE_WIDTH = 8; // numbers of a point of the curves
const VERSION = 3; // of the messages, see treecore/viewer/message.py

/** @type {Points} */
const NO_POINTS = { xy: new Float32Array(), label: new Uint8Array(), held: null, target: null };

/** @type {WeakMap<Node, LiveView>} */
const mounts = new WeakMap();

/** @type {Set<LiveView>} those of this window, for who wants to draw what they show */
export const views = new Set();

// Now and then Streamlit takes an element from the page and puts it back a moment later. The run
// that was on the screen then goes on where it was.
/** @type {Pick<LiveView, "player" | "marks" | "choice"> | null} */
let orphan = null;

/**
 * What Streamlit calls: mount on the first call, update on each further one.
 * @param {Mount} mount
 */
export default function live({ parentElement, data, setTriggerValue }) {
  const view = mounted(parentElement);
  view.place(data, setTriggerValue);
  return () => view.leaveIfGone();
}

/** The view in a shadow root, made with the first call. @param {ShadowRoot} parent */
export function mounted(parent) {
  let view = mounts.get(parent);
  if (!view || view.dead) {
    view = new LiveView(parent);
    mounts.set(parent, view);
  }
  return view;
}

/**
 * State and schedule of one mounted view; the panels read from it and draw.
 * @implements {View}
 */
export class LiveView {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    this.dead = false;
    /** @type {Meta} */
    this.meta = {};
    /** @type {Points} */
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
    /** @type {Report | undefined} */
    this.tell = undefined;
    /** @type {(mark: Mark) => void} */
    this.picked = () => {};
    this.page = new Place({
      have: () => this.have(), receive: (message) => this.receive(message),
    }, () => describeStrip(this));
    this.pictures = 0;
    this.lastPicture = -1;
    this.lastTree = -1;
    this.lastWords = -1;
    this.lastGaps = -1;
    this.lastCurves = -1;
    this.treeStale = false;
    /** @type {Set<typeof ALL[number]>} */
    this.dirty = new Set();
    this.request = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.player = new Player();
    this.motion = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.parts = buildSkeleton(parent, this);
    this.root = this.parts.root;
    Object.assign(this.root, { view: this }); // for tests and for the curious
    this.theme = applyTheme(this.root);
    this.map = createMap(this.parts.map, this);
    this.curveCharts = createCurves(this.parts.charts, this);
    this.tree = createTree(this.parts.tree, this.parts, this);
    this.gaps = createGaps(this.parts.gaps, this);
    this.misses = createMisses(this.parts, this);
    this.changes = new Changes(this, () => this.page.ask());
    this.panel = createPanel(this.root, this);
    this.sizes = new ResizeObserver((entries) => this.resize(entries));
    const { map, tree, gaps, charts } = this.parts;
    for (const host of [map, tree, gaps, ...charts]) this.sizes.observe(host);
    this.step = (/** @type {number} */ now) => this.tick(now);
    // Escape lets go wherever the focus is: a click on the tree leaves it on the page.
    this.letGo = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && this.root.isConnected) this.pin(null);
    };
    document.addEventListener("keydown", this.letGo);
    views.add(this);
    fillLegend(this);
  }

  get calm() {
    return this.motion.matches;
  }

  /** What the page says. @param {unknown} data @param {Report} report */
  place(data, report) {
    this.tell = report;
    this.retheme();
    if (data instanceof Uint8Array || !data) {
      this.receive(unpack(data instanceof Uint8Array ? data : null));
      return;
    }
    const told = /** @type {Told} */ (data);
    this.takeLens(told.lens);
    this.page.take(told, report);
  }

  /** What the page says of the lens. @param {Told["lens"]} told */
  takeLens(told) {
    if (this.choice.take(told)) this.lensChanged();
  }

  /** What is here of the run, as treecore/viewer/message.py asks for it. */
  have() {
    const { run, mark, detail, commands, heading } = this.meta;
    if (!run) return {};
    const count = this.curves ? this.curves.length / CURVE_WIDTH : 0;
    const last = this.curves?.[(count - 1) * CURVE_WIDTH] ?? 0;
    return {
      run, mark, detail, commands, heading, n: this.player.newest?.n ?? -1, curves: [count, last],
      slice: this.marks.pinned.point, sliced: this.player.newest?.sliced ?? -1,
      change: this.changes.question(),
    };
  }

  /**
   * Take in a message; anything may be missing from it.
   * @param {Message<Meta>} message
   * @returns {boolean} whether there is something to draw before more is asked for
   */
  receive(message) {
    const { meta } = message;
    if (!meta.run && !meta.state) {
      this.invalidate(...ALL);
      return true;
    }
    const anew = meta.run !== this.meta.run;
    if ((anew || meta.v) && meta.v !== VERSION) {
      this.refuse();
      return true;
    }
    if (meta.run !== this.player.run) this.restart(meta.run);
    const { state } = this.meta;
    this.meta = meta.v ? meta : { ...this.meta, ...meta };
    /** @type {Float32Array | null} */
    const xy = message.array("points");
    /** @type {Uint8Array | null} */
    const label = message.array("label");
    if (xy && label) {
      this.points = { xy, label, held: message.array("held"), target: message.array("target") };
    }
    const grown = this.takeCurves(message);
    const more = this.player.receive(message, performance.now() / 1000);
    if (this.changes.receive(message)) this.invalidate("map");
    if (more || state !== this.meta.state || meta.marked !== undefined) this.invalidate("tree");
    if (meta.anew) this.invalidate("map");
    if (this.meta.state !== "running" && this.player.live && this.player.newest) {
      // The tree at which a run stops is shown before the page says that it has stopped.
      this.player.moving = false;
      this.show(this.player.pick(0), performance.now() / 1000);
    }
    // Whether a method has a bound is known with its first tree, which may come after all else.
    const settled = this.parts.gapPanel.hidden !== hasBound(this);
    if (meta.v || !settled) this.settleLens();
    if (meta.v) setText(this.parts.counted, said(partOf(this.meta).its));
    if (meta.v || !settled || meta.anew || meta.message !== undefined) fillLegend(this);
    const numbers = this.meta.task === "regression";
    this.parts.shareHeads.forEach((head, i) => (head.hidden = numbers !== (i === 1)));
    for (const unit of this.parts.lossUnits) setText(unit, numbers ? _("squared deviations") : _("nats"));
    if (meta.marked !== undefined) this.marks.told = meta.marked < 0 ? NOTHING : markOf("leaf", meta.marked);
    this.root.dataset.run = this.meta.run ?? "";
    this.root.dataset.state = this.meta.state ?? "";
    this.root.dataset.curvePoints = String(this.curveCharts.points());
    const now = performance.now() / 1000;
    if (!this.player.waiting() || now - this.lastWords > WORDS_GAP) {
      this.lastWords = now;
      describeStrip(this);
    }
    this.panel.refresh(false);
    if (grown || state !== this.meta.state) this.invalidate("curves");
    else this.schedule();
    // The map follows its frames; a message changes it only before there are any.
    if (!this.frame) this.invalidate("map", "tree", "gaps");
    this.parts.heading.fill(this.meta.heading);
    if (this.meta.heading) {
      this.root.setAttribute("role", "group"); // one of several
      this.root.setAttribute("aria-label", this.meta.heading[0]);
    }
    this.parts.summary.tell(this, now);
    this.tellPage();
    return !!meta.v || !!meta.frames?.length;
  }

  /** Have the page be drawn for the state of the run; while somebody steps, for the last step. */
  tellPage() {
    const { state, commands } = this.meta;
    if (state === "running") return this.page.saw(state, !commands?.playing);
    const resting = `${state} ${this.player.newest?.n ?? -1}`;
    const { drawn } = this.page.told;
    this.page.saw(state === "waiting" ? state : resting, drawn?.split(" ")[0] === state);
  }

  /** Points of the curves that follow those that there are. @param {Message<Meta>} message */
  takeCurves(message) {
    /** @type {Float32Array | null} */
    const rows = message.array("curves");
    if (!rows) return false;
    const kept = this.curves?.subarray(0, (message.meta.curves ?? 0) * CURVE_WIDTH);
    const grown = rows.length > 0 || kept?.length !== this.curves?.length;
    if (kept?.length) {
      if (!rows.length) return grown;
      const all = new Float32Array(kept.length + rows.length);
      all.set(kept);
      all.set(rows, kept.length);
      this.curves = all;
    } else this.curves = rows;
    return grown;
  }

  get notice() {
    return this.page.notice;
  }

  /** @param {string} what @param {unknown} [value] */
  command(what, value) {
    this.page.command(what, value);
  }

  /** A server of another version cannot be understood: better to say so than to draw nonsense. */
  refuse() {
    setText(this.parts.message, _("This page is older than its server: load it again."));
  }

  /** Another run begins. @param {string | undefined} run */
  restart(run) {
    if (orphan && orphan.player.run === run) {
      this.player = orphan.player;
      this.marks = orphan.marks;
      this.choice.goOnWith(orphan.choice);
      this.panel.refresh(true);
    } else {
      const { rate } = this.player;
      this.player = new Player(run);
      this.player.rate = rate;
      this.marks = new Marks();
    }
    orphan = null;
    this.changes.reset();
    this.frame = this.earlier = null;
    this.tip = null;
    this.cross = null;
    this.parts.tooltip.hide();
    this.panel.refresh(true);
    this.curveCharts.reset();
    this.gaps.reset();
    this.tree.reset();
    this.invalidate(...ALL);
  }

  retheme() {
    const theme = applyTheme(this.root);
    if (theme.key === this.theme.key) return;
    this.theme = theme;
    this.parts.legendKey = "";
    fillLegend(this);
    this.panel.refresh(true);
    this.invalidate(...ALL);
  }

  // Drawing ------------------------------------------------------------------------------------

  /** @param {Array<typeof ALL[number]>} names */
  invalidate(...names) {
    for (const name of names) this.dirty.add(name);
    this.schedule();
  }

  schedule() {
    if (!this.request && !this.dead) this.request = requestAnimationFrame(this.step);
  }

  /** @param {number} now milliseconds */
  tick(now) {
    this.request = 0;
    if (!this.root.isConnected) return this.leaveIfGone();
    const seconds = now / 1000;
    const early = this.calm && seconds - this.lastPicture < CALM_GAP;
    const { mode } = this.player;
    const due = early ? this.frame : this.player.pick(seconds);
    if (due !== this.frame) this.show(due, seconds);
    if (mode !== this.player.mode) {
      describeStrip(this); // a replay has come to its end
      this.dirty.add("curves").add("tree");
    }
    if (this.dirty.has("map")) this.map.draw();
    if (this.dirty.has("tree")) {
      this.tree.draw();
      this.misses.draw();
    }
    if (this.dirty.has("gaps")) this.gaps.draw();
    const curvesDue = !this.player.waiting() || seconds - this.lastCurves >= CURVES_GAP;
    const later = this.dirty.has("curves") && !curvesDue;
    if (this.dirty.has("curves") && curvesDue) {
      this.curveCharts.draw(now);
      this.lastCurves = seconds;
    }
    this.dirty.clear();
    if (later) this.dirty.add("curves");
    if (this.curveCharts.moving()) this.dirty.add("curves");
    if (this.calm && this.player.waiting()) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.schedule(), 1000 * CALM_GAP);
    } else if (this.dirty.size || this.player.waiting()) this.schedule();
  }

  /** Put a tree on the screen. @param {Frame | null} due @param {number} seconds */
  show(due, seconds) {
    // The tree's own drawing follows its weights, which arrive with each message, and its marks.
    const { frame } = this;
    const earlier = due ? this.player.passAgo() : null;
    const ways = this.lens.flips || this.marks.all().some((m) => m.point >= 0);
    const same = frame && due && due.detail === frame.detail && due.children === frame.children
      && due.leaf === frame.leaf
      && (!ways || (due.at === frame.at && due.used === frame.used && earlier?.at === this.earlier?.at));
    this.frame = due;
    this.earlier = earlier;
    if (frame && due && frame.sliced !== due.sliced) fillLegend(this);
    this.lastPicture = seconds;
    this.pictures += 1;
    this.dirty.add("map");
    this.treeStale ||= !same;
    // Numbers and pictures that change faster are not read, and the map needs the time.
    if (this.treeStale && (seconds - this.lastTree > TREE_GAP || !this.player.waiting())) {
      this.dirty.add("tree");
      this.treeStale = false;
      this.lastTree = seconds;
    }
    if (seconds - this.lastGaps > TREE_GAP || !this.player.waiting()) {
      this.dirty.add("gaps");
      this.lastGaps = seconds;
    }
    if (!this.player.live) this.dirty.add("curves"); // the crosshair goes along
    if (seconds - this.lastWords > WORDS_GAP || !this.player.waiting()) {
      this.lastWords = seconds;
      describeStrip(this);
      fillCounts(this);
    }
    this.root.dataset.pictures = String(this.pictures);
    this.panel.refresh(false);
    if (this.tip) this.refreshTip();
  }

  /**
   * Sizes in CSS pixels; a canvas loses its picture when resized, so it is drawn at once.
   * @param {ResizeObserverEntry[]} entries
   */
  resize(entries) {
    this.retheme();
    for (const { target, contentRect } of entries) {
      const { width, height } = contentRect;
      if (target === this.map.host) this.map.resize(width, height);
      else if (target === this.tree.host) this.tree.resize(width, height);
      else if (target === this.gaps.host) this.gaps.resize(width, height);
      else this.curveCharts.resize(target, width, height);
    }
  }

  // Time -----------------------------------------------------------------------------------------

  /** Change what is shown of the run, and draw it. @param {() => void} change */
  travel(change) {
    if (!this.player.frames.length) return;
    change();
    this.lastPicture = -1;
    describeStrip(this);
    this.invalidate(...ALL);
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
    this.schedule();
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
    this.invalidate(...ALL);
  }

  /** What is chosen stays chosen, also while a tree has no bound or no point is held out. */
  settleLens() {
    const bounded = hasBound(this);
    const chosen = this.choice.lens;
    this.parts.gapPanel.hidden = !bounded;
    this.parts.lossHeads.forEach((head, i) => (head.hidden = bounded === (i === 1)));
    /** @type {(lenses: Array<import("../map/lenses.js").Lens<any>>, key: string) => string} */
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

  /** Earlier trees, newest first. @param {number} count @param {number} gap seconds */
  trail(count, gap) {
    return this.player.before(count, gap);
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
    if (changed) this.invalidate("map", "tree", "gaps");
    this.refreshTip();
  }

  /**
   * Mark until Escape or another click, and tell of it in a card there; null lets go.
   * @param {Mark | null} what @param {import("./tooltip.js").TipPlace} [at] in the window
   */
  pin(what, at) {
    const next = what ?? NOTHING;
    if (isNothing(next) && isNothing(this.marks.pinned)) return;
    this.marks.pinned = next;
    this.tip = null;
    this.refreshTip();
    if ((this.meta.features?.length ?? 0) > 2 || this.changes.question()) this.page.ask(); // of the point
    if (at && !isNothing(next)) this.panel.place(at);
    this.panel.refresh(true);
    this.picked(next);
    this.root.dataset.pinned = KINDS.filter((kind) => next[kind] >= 0)
      .map((kind) => `${kind} ${next[kind]}`).join("");
    setText(this.parts.said, isNothing(next) ? _("Let go") : this.panel.card.innerText);
    this.invalidate("map", "tree", "gaps");
  }

  refreshTip() {
    const story = this.tip?.story();
    if (this.tip && story) this.parts.tooltip.show(this, story, this.tip.at);
    else this.parts.tooltip.hide(this);
  }

  /** Have the page take apart the step of a point, over it. @param {number} point */
  takeApart(point) {
    this.tell?.("step", point);
    this.pin(null); // its card would lie over what is told now
  }

  /** Let a screen reader say a story. @param {Story} story */
  say(story) {
    const rows = (story.rows ?? []).map((row) => `${row.label} ${row.value}`);
    setText(this.parts.said, [story.title, ...rows, story.note].filter(Boolean).join(", "));
  }

  /** Free everything once the element has left the page. */
  leaveIfGone() {
    if (this.dead || this.root.isConnected) return;
    this.dead = true;
    views.delete(this);
    cancelAnimationFrame(this.request);
    clearTimeout(this.timer);
    this.page.leave();
    this.choice.leave();
    this.sizes.disconnect();
    document.removeEventListener("keydown", this.letGo);
    this.parts.tooltip.destroy();
    this.panel.destroy();
    const { player, marks, choice } = this;
    orphan = { player, marks, choice };
    this.root.remove();
  }

  /** What is on the screen, as numbers. */
  figures() {
    return {
      frames: this.player.frames.length, bytes: this.player.bytes, pictures: this.pictures,
      moving: !!this.request, epoch: number(this.frame?.epoch ?? NaN),
    };
  }
}
