// The first page: two runs on the same points, told in three steps. First the greedy tree grows, as
// it was recorded; then all cuts of the other one turn together, learnt by this tab where it can (else
// recorded too); then it is the visitor's turn. It can be stopped, and stands still from the
// beginning for those who asked for less motion.

import { component } from "../app/component.js";
import { give, make, makeButton, setText } from "../app/dom.js";
import { wayTo } from "../app/frame.js";
import { dot } from "../app/ink.js";
import { drawPoint, fillOf, fit, readTheme } from "../app/theme.js";
import { bytesOf, unpack } from "../app/wire.js";
import { _ } from "../app/words.js";
import { fetched, Run } from "../learn/run.js";
import { partition, route, scalesOf, trace } from "../map/geometry.js";
import { placesOf } from "../tree/places.js";

/** @typedef {{accuracy: number, leaf: number[], share: number[], split: Float32Array, children: Int16Array}} Frame */
/** @typedef {{frames: Array<{accuracy: number, leaf: number[], share: number[], split: number[][], children: number[][]}>}} Recorded */
/** @typedef {{box: Box, points: [number, number][], label: number[], greedy: Recorded, sgd: Recorded}} Recording
 *   see ui/lab/shipped.py */
/** @typedef {{name: string, text: string}} Step */
/** @typedef {{recording: Recording, steps: Step[], names: [string, string], start: string, learnt: string}} Told
 *   start: of the second run, in base64, empty where nothing is to be learnt here; learnt: says that it is */
/** @typedef {(ref: number) => [number, number]} At where a split is, or leaf ~ref */

const LEVEL = 2400; // milliseconds of a level of the greedy tree, in which its points run down
const RUN = 5200; // of all passes
const REST = 1800; // at the end of a step
const SLICE = 8; // of learning between two pictures
const ACCURACY = 4; // place among a pass's figures, see treecore/wasm/kernels.py
const DOT = 2.6;
const TREE = 0.44; // height of the tree by its width, as live.css has it

class Home {
  /** @type {Told | undefined} */
  told = undefined;
  /** @type {HTMLButtonElement[]} */
  buttons = [];
  /** @type {Card[]} */
  cards = [];

  /** @param {ShadowRoot} parent */
  constructor(parent) {
    this.steps = make("div", "home-steps", "", { role: "group", "aria-label": _("Steps") });
    this.playButton = makeButton("home-play", "", () => this.play(!this.playing));
    this.text = make("p", "home-text", "", { "aria-live": "polite" });
    this.pair = make("div", "home-pair");
    this.root = make("div", "tc tc-home", [make("div", "home-told", [this.steps, this.text]), this.pair], { "data-testid": "home" });
    this.root.addEventListener("keydown", (event) => this.key(event));
    parent.append(this.root);
    this.step = 0;
    this.began = 0;
    this.handle = 0;
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.playing = !this.still;
    this.time = 0;
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.root);
    this.tick = (/** @type {number} */ now) => this.advance(now);
  }

  /** @param {Told} told perhaps in another language */
  take(told) {
    const first = !this.told;
    this.told = told;
    if (first) {
      this.buttons = told.steps.map((_step, i) => makeButton("home-step", "", () => this.go(i)));
      this.steps.append(...this.buttons, this.playButton);
      this.cards = [told.recording.greedy, told.recording.sgd].map((run, i) => new Card(run, i));
      this.pair.append(...this.cards.map((card) => card.root));
      if (told.start) this.cards[1].learn(told.start).then(() => this.draw());
      if (this.still) this.time = this.length();
    }
    this.buttons.forEach((button, i) => setText(button, `${i + 1} ${told.steps[i].name}`));
    this.play(this.playing);
  }

  /** How long the present step plays, in milliseconds. */
  length() {
    return [LEVEL * (this.cards[0]?.frames.length ?? 0), RUN, 0][this.step];
  }

  /** @param {number} step */
  go(step) {
    this.step = Math.max(0, Math.min(this.buttons.length - 1, step));
    this.time = this.still ? this.length() : 0;
    this.play(this.step < 2 && !this.still); // the last step has nothing to play
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.go(this.step + by);
    this.buttons[this.step].focus();
  }

  /** @param {boolean} playing */
  play(playing) {
    this.playing = playing;
    cancelAnimationFrame(this.handle);
    if (playing) {
      if (this.step === 2) this.step = 0;
      if (this.time >= this.length()) this.time = 0;
      this.began = performance.now() - this.time;
      this.handle = requestAnimationFrame(this.tick);
    }
    this.draw();
  }

  /** @param {number} now milliseconds */
  advance(now) {
    if (!this.root.isConnected) return;
    this.time = Math.max(0, now - this.began);
    if (this.time > this.length() + REST) {
      this.step += 1;
      this.time = 0;
      this.began = now;
      if (this.step === 2) this.playing = false;
    }
    this.draw();
    if (this.playing) this.handle = requestAnimationFrame(this.tick);
  }

  draw() {
    if (!this.told) return;
    const { steps, names, recording } = this.told;
    const theme = readTheme(this.root);
    const here = this.step === 1 && this.cards[1].run && !this.still;
    setText(this.text, here ? `${steps[1].text} ${this.told.learnt}` : steps[this.step].text);
    setText(this.playButton, this.playing ? _("Pause") : _("Play"));
    this.buttons.forEach((button, i) => button.setAttribute("aria-current", i === this.step ? "step" : "false"));
    this.root.dataset.step = String(this.step);
    const shares = [
      [Math.min(1, this.time / this.length()), -1],
      [1, Math.min(1, this.time / this.length())],
      [1, 1],
    ][this.step];
    this.cards.forEach((card, i) => card.draw(theme, recording, names[i], shares[i]));
  }

  leave() {
    cancelAnimationFrame(this.handle);
    this.sizes.disconnect();
  }
}

/** One run: its map, and its tree below. */
class Card {
  /** @type {Run | undefined} what this tab learns */
  run = undefined;

  /** @param {Recorded} recorded @param {number} number 0: greedy, whose points run down */
  constructor(recorded, number) {
    /** @type {Frame[]} */
    this.frames = recorded.frames.map((frame) => ({
      ...frame, split: new Float32Array(frame.split.flat()), children: new Int16Array(frame.children.flat()),
    }));
    this.greedy = number === 0;
    this.head = make("figcaption", "home-head");
    this.map = make("canvas", "home-map", "", { role: "img" });
    this.tree = make("canvas", "home-tree", "", { "aria-hidden": true });
    this.root = make("figure", "home-card", [this.head, this.map, this.tree],
      { "data-testid": this.greedy ? "home-greedy" : "home-sgd" });
  }

  /** Learn the run in this tab from now on. @param {string} start */
  async learn(start) {
    try {
      this.run = new Run(await fetched(), unpack(bytesOf(start)));
    } catch (error) { // the recording shows the same
      console.warn(error);
    }
  }

  /** The tree at a share of the run, learnt up to there. @param {Run} run @param {number} share @returns {Frame} */
  learnt(run, share) {
    run.reach(share, performance.now() + (share < 1 ? SLICE : Infinity));
    const { array } = run.at(share);
    const [leaf, shares] = ["leaf", "share"].map((name) => Array.from(array(`f0.${name}`) ?? []));
    const [split, children] = [new Float32Array(array("f0.split") ?? []), new Int16Array(array("f0.children") ?? [])];
    return { accuracy: run.measured(share).at(-1)?.[ACCURACY] ?? NaN, leaf, share: shares, split, children };
  }

  /**
   * @param {Theme} theme @param {Recording} recording @param {string} name
   * @param {number} share of the run that is shown; negative: it has not begun
   */
  draw(theme, recording, name, share) {
    const side = this.map.clientWidth;
    if (!side) return;
    const { frames } = this;
    const begun = share >= 0;
    const place = Math.max(0, share) * (this.greedy ? frames.length : frames.length - 1);
    const at = Math.min(frames.length - 1, Math.floor(place));
    const frame = begun && this.run ? this.learnt(this.run, share) : frames[at];
    const percent = `${Math.round(100 * frame.accuracy)} %`;
    setText(this.head, begun ? _("{name}: {share} of these points right", { name, share: percent }) : name);
    Object.assign(this.root.dataset, { at: begun ? at : -1, learnt: this.run ? "here" : "before" });
    give(this.map, { "aria-label": _("Map of {name}: {share} of these points right with {n} leaves",
      { name, share: percent, n: frame.leaf.length }) });
    const ctx = fit(this.map, side, side);
    const s = scalesOf(recording.box, { x: 0, y: 0, w: side, h: side });
    if (begun) drawRegions(ctx, theme, frame, recording.box, s);
    recording.points.forEach(([x, y], i) =>
      drawPoint(ctx, theme, recording.label[i], false, false, s.x(x), s.y(y), DOT));
    const tall = Math.round(side * TREE);
    const pen = fit(this.tree, side, tall);
    if (begun) drawTree(pen, theme, frame, recording, side, tall, this.greedy && share < 1 ? place - at : 1);
  }
}

/** @param {Context2D} ctx @param {Theme} theme @param {Frame} frame @param {Box} box @param {Scales} s */
function drawRegions(ctx, theme, frame, box, s) {
  const { leaves } = partition(frame.split, frame.children, box);
  ctx.lineJoin = "round";
  leaves.forEach((polygon, i) => {
    if (!polygon) return;
    const path = new Path2D();
    trace(path, polygon, s);
    ctx.fillStyle = fillOf(theme, frame.leaf[i], frame.share[i], 2);
    ctx.fill(path);
    ctx.lineWidth = 1.6;
    ctx.strokeStyle = theme.muted;
    ctx.stroke(path);
  });
}

/**
 * The tree: a cut's own line in each node, and in each leaf its points by class. While `share` is
 * below 1 the points run down from the root.
 * @param {Context2D} ctx @param {Theme} theme @param {Frame} frame @param {Recording} recording
 * @param {number} wide @param {number} tall @param {number} share
 */
function drawTree(ctx, theme, frame, recording, wide, tall, share) {
  const { split, children } = frame;
  const m = children.length >> 1;
  const { split: shares, leaf: ends, depth } = placesOf(children);
  const level = (/** @type {number} */ d) => 22 + ((tall - 48) / 2) * d;
  /** @type {At} */
  const at = (ref) => (ref < 0 ? [wide * ends[~ref], level(m ? wayTo(frame, ~ref).length : 0)]
    : [wide * shares[ref], level(depth[ref])]);
  const radius = Math.min(15, tall / 9);
  Object.assign(ctx, { lineWidth: 1.5, strokeStyle: theme.line });
  children.forEach((child, i) => {
    ctx.beginPath();
    ctx.moveTo(...at(i >> 1));
    ctx.lineTo(...at(child));
    ctx.stroke();
  });
  const counts = frame.leaf.map(() => [0, 0]);
  const running = share < 1 && m > 0;
  recording.points.forEach(([x, y], i) => {
    const leaf = route(split, children, x, y);
    // One after the other: each takes a third of the time, and begins when its turn comes.
    const from = (i / recording.points.length) * 0.6;
    const gone = running ? Math.max(0, Math.min(1, (share - from) / 0.35)) : 1;
    if (gone >= 1) counts[leaf][recording.label[i]] += 1;
    else if (share >= from) {
      const way = [...wayTo(frame, leaf).map((step) => step.split), ~leaf];
      const part = Math.min(way.length - 1 - 1e-6, gone * (way.length - 1));
      const done = Math.floor(part);
      const [[x0, y0], [x1, y1]] = [at(way[done]), at(way[done + 1])];
      drawPoint(ctx, theme, recording.label[i], false, false, x0 + (x1 - x0) * (part - done), y0 + (y1 - y0) * (part - done), 2);
    }
  });
  for (let i = 0; i < m; i++) {
    const [[x, y], [w1, w2]] = [at(i), split.subarray(3 * i)];
    dot(ctx, x, y, radius, theme.back, theme.muted);
    ctx.beginPath(); // the line w1 x + w2 y = b runs along (-w2, w1), and up is down on a canvas
    ctx.moveTo(x + w2 * radius, y + w1 * radius);
    ctx.lineTo(x - w2 * radius, y - w1 * radius);
    Object.assign(ctx, { lineWidth: 2.5, strokeStyle: theme.text });
    ctx.stroke();
  }
  const width = Math.min(64, wide / 5.5);
  counts.forEach(([a, b], i) => {
    const part = a + b ? (width * a) / (a + b) : width / 2;
    const [x, y] = at(~i);
    const left = x - width / 2;
    ctx.fillStyle = theme.back;
    ctx.fillRect(left, y - 8, width, 16);
    ctx.fillStyle = theme.of(0);
    if (a + b) ctx.fillRect(left, y - 8, part, 16);
    ctx.fillStyle = theme.of(1);
    if (a + b) ctx.fillRect(left + part, y - 8, width - part, 16);
    Object.assign(ctx, { lineWidth: 1, strokeStyle: theme.muted });
    ctx.strokeRect(left, y - 8, width, 16);
  });
}

export default component(Home);
