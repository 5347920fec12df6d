// A run that goes on in this tab: how fast, how far, and what of it the view is told.

import { receive } from "../app/receive.js";
import { Engine } from "./engine.js";

/** @import { Image } from "./engine.js" */

const SLICE = 8; // milliseconds of learning between two pictures, at most
const PORTION = 256; // rows between two looks at the clock
const WHOLE = 15; // seconds that a run takes at its usual pace, so that it can be watched
const BEHIND = 0.1; // seconds that are made up for after a hitch
const DETAIL_GAP = 0.1; // between two trees whose weights and counts are told
const ALMOST = 1e-9;

const FRAME = ["split", "size", "reach", "children", "leaf", "share", "at", "loss", "bound"];
const SHAPE = ["split", "children"]; // told of a single leaf too
export const DETAIL = ["weights", "weight_of", "feature", "threshold", "norm", "length", "counts"];
const ACTIVE = 6; // leaves, their place among the figures

/** @typedef {{starts: Image[], knobs: Record<string, Knob>, ends: number[], room?: number, still: Meta}} Start */
/** @typedef {{value: number, low: number, high: number}} Knob */

let runs = 0; // begun in this tab

/** Learns, and tells a view of it. */
export class Learning {
  pace = 1; // times the usual one
  playing = false;
  until = Infinity; // the epoch at which to stop
  goal = 0; // the epoch that is due by now
  run = "";
  last = 0; // when it learnt last, in milliseconds
  request = 0; // of the next picture
  /** @type {import("./easel.js").Easel | undefined} */
  easel = undefined; // what its points are drawn on
  frames = 0; // told of
  /** @type {number[][]} figures after each pass, as treecore/wasm/kernels.py writes them */
  history = [];
  points = 0; // of these, told of
  detailed = -Infinity; // when weights were told last, in seconds

  /**
   * @param {View} view @param {WebAssembly.Module} module @param {Message<any>} told
   * @param {(view: View, message: Message<Meta>) => void} [hear] what the view does with a picture
   */
  constructor(view, module, told, hear = receive) {
    this.view = view;
    this.hear = hear;
    this.module = module;
    this.start = /** @type {Start} */ (/** @type {unknown} */ (told.meta));
    const content = /** @type {Uint8Array} */ (told.array("content") ?? new Uint8Array());
    this.contents = this.start.ends.map((end, i, ends) => content.subarray(ends[i - 1] ?? 0, end));
    this.image = this.start.starts[0];
    this.values = Object.fromEntries(Object.entries(this.start.knobs).map(([name, { value }]) => [name, value]));
    this.still = this.start.still;
    const [xy, label, held] = ["points", "label", "held"].map((name) => /** @type {any} */ (told.array(name)));
    view.points = { xy, label, held, target: null };
    /** @type {Drawn[]} points learnt from, the first ones on the map, in its units */
    this.given = Array.from(label, (c, i) => /** @type {Drawn} */ ([xy[2 * i], xy[2 * i + 1], c]))
      .filter((_, i) => !held?.[i]);
    this.drawn = this.given;
    this.tick = (/** @type {number} */ now) => this.learn(now);
    this.engine = this.fresh();
    this.begin(this.engine);
  }

  /** What is chosen, at its start. */
  fresh() {
    const engine = new Engine(this.module, this.image, this.contents, this.start.room ?? 0);
    hand(engine, this.given, this.drawn);
    for (const [name, value] of Object.entries(this.values)) engine.set(name, value);
    engine.call.begin?.();
    return engine;
  }

  begin(engine = this.fresh()) {
    this.engine = engine;
    this.run = `learnt here ${runs++}`;
    this.playing = false;
    this.goal = this.frames = this.points = 0;
    this.history = [];
    this.detailed = -Infinity;
    this.ask();
    this.tell();
  }

  /** What is to be, in the words of the view's buttons. @param {string} what @param {unknown} [value] */
  command(what, value) {
    if (what === "reset") return this.begin();
    this.playing = (what === "play" || what === "step") && !this.finished;
    this.until = what === "step" ? Number(value ?? Math.floor(this.epoch + ALMOST) + 1) : Infinity;
    this.goal = this.epoch;
    this.last = performance.now();
    this.ask();
    this.tell();
  }

  /** Another value of a setting, at once. @param {string} name @param {number} value */
  set(name, value) {
    this.values[name] = value;
    this.engine.set(name, value);
    if (!this.playing) this.tell();
  }

  /** Go on with these points, in units of the map. @param {Drawn[]} points */
  draw(points) {
    const { view, engine, drawn } = this;
    hand(engine, drawn, points);
    this.drawn = points;
    if (this.image.grows) { // anew, as far as it was
      const { epoch } = this;
      this.history = [];
      this.points = 0;
      engine.call.begin();
      this.work(epoch, Infinity);
    }
    const { xy, label, held, target } = view.points;
    const [n, kept] = [points.length, label.length - drawn.length]; // those held out come last
    const places = new Float32Array(2 * (n + kept));
    const labels = new Uint8Array(n + kept);
    points.forEach(([x, y, c], i) => {
      places.set([x, y], 2 * i);
      labels[i] = c;
    });
    places.set(xy.subarray(2 * drawn.length), 2 * n);
    labels.set(label.subarray(drawn.length), n);
    const out = held && Uint8Array.from(labels, (_, i) => Number(i >= n));
    view.points = { xy: places, label: labels, held: out, target, moved: (view.points.moved ?? 0) + 1 };
    if (n !== drawn.length) {
      // Earlier trees know nothing of these points.
      Object.assign(this.still, { rows: n, shown: [n, kept] });
      this.run = `learnt here ${runs++}`;
      this.frames = 0;
      this.detailed = -Infinity;
    }
    view.invalidate("map");
    if (!this.playing || n !== drawn.length) this.tell();
  }

  get epoch() {
    return this.engine.clock[0];
  }

  get finished() {
    const [done, all] = this.engine.clock;
    return done >= all;
  }

  /** Have it go on with the next picture, where it plays. */
  ask() {
    cancelAnimationFrame(this.request);
    if (this.playing) this.request = requestAnimationFrame(this.tick);
  }

  /** Learn up to an epoch, as far as there is time. @param {number} goal @param {number} end milliseconds */
  work(goal, end) {
    while (this.epoch < goal && !this.finished && performance.now() < end) {
      if (this.unmeasured) this.look();
      const rows = Math.ceil((goal - this.epoch) * this.image.units);
      this.engine.call.advance(BigInt(Math.min(PORTION, rows)));
    }
  }

  /** Whether a pass is over whose figures are not in the history yet. */
  get unmeasured() {
    return Number.isInteger(this.epoch) && this.epoch !== this.history.at(-1)?.[0];
  }

  /** Have the kernels picture the tree as it is now, and measure it. */
  look() {
    const { engine, image } = this;
    engine.call.read?.();
    engine.call.picture();
    if (this.unmeasured) this.history.push(Array.from(engine.array(image.picture.figures[0])));
  }

  /** A slice of learning. @param {number} now milliseconds */
  learn(now) {
    const { engine, image, epoch: before } = this;
    const rate = (this.pace * engine.clock[1]) / WHOLE; // epochs a second
    const due = this.goal + rate * Math.min(BEHIND, Math.max(0, now - this.last) / 1000);
    this.goal = Math.min(due, before + Math.max(rate * BEHIND, 1 / image.units));
    this.last = now;
    this.work(Math.min(this.goal, this.until), performance.now() + SLICE);
    if (this.finished || this.epoch >= this.until) this.playing = false;
    if (this.epoch > before || !this.playing) this.tell();
    this.ask();
  }

  /** Have the view draw the tree as it is now. */
  tell() {
    const { view, engine, image } = this;
    this.look();
    const now = performance.now() / 1000;
    const { epoch, finished, playing, run, frames: n } = this;
    /** @type {Record<string, any>} */
    const arrays = {};
    // A tree that grows has room for more splits, and as many more leaves.
    const room = image.grows ? image.picture.leaf[1] - engine.array(image.picture.figures[0])[ACTIVE] : 0;
    /** @param {string} name @param {string} as */
    const take = (name, as) => {
      const [place, size] = image.picture[name];
      const array = engine.array(place);
      const unused = image.arrays[place][3] ? 0 : (array.length / size) * room; // points are all there
      if (array.length || SHAPE.includes(name)) arrays[as] = array.slice(0, array.length - unused);
    };
    for (const name of FRAME) take(name, `f0.${name}`);
    /** @type {Meta} */
    const meta = {
      run, state: finished ? "finished" : playing ? "running" : "paused", message: "", epoch,
      frames: [{ n, t: now, epoch, sliced: -1 }],
      commands: { playing: !!playing, next: Math.floor(epoch + ALMOST) + 1 },
      curves: this.points, n_epochs: engine.clock[1],
    };
    if (this.values.nu !== undefined) meta.nu = this.values.nu;
    if (engine.array(image.picture.used[0]).length) {
      take("used", "used0");
      Object.assign(meta.frames?.[0] ?? {}, { used: 0 });
    }
    if (!playing || now - this.detailed > DETAIL_GAP) {
      for (const name of DETAIL) take(name, name);
      meta.detail = [n, now, !playing];
      this.detailed = now;
    }
    arrays.curves = Float32Array.from(this.history.slice(this.points).flat());
    this.points = this.history.length;
    this.frames = n + 1;
    if (!n) {
      const { xy, label, held, target } = view.points;
      Object.assign(arrays, { points: xy, label, held, target });
    }
    this.hear(view, {
      meta: n ? meta : { ...this.still, ...meta },
      array: (name) => arrays[name] ?? null,
      shape: (name) => {
        const [, size, ...more] = image.picture[name] ?? [];
        return name in arrays ? [size - room, ...more] : [];
      },
    });
  }
}

/**
 * Put rows where points are.
 * @param {Engine} engine @param {Drawn[]} before where they were @param {Drawn[]} points
 */
function hand(engine, before, points) {
  if (before === points) return;
  const [old, now] = [before.length, points.length];
  engine.resize(Math.max(old, now));
  points.forEach((point, i) => {
    const [x, y, label] = point;
    if (point !== before[i]) engine.call.place(BigInt(i), x, y, BigInt(label));
  });
  if (old === now) return;
  engine.call.count(BigInt(old), BigInt(now));
  engine.resize(now);
  engine.call.hold?.();
}
