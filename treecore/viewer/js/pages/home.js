// The first page: two recorded runs on the same points, told in three steps. First the greedy tree
// grows, then all cuts of the other one turn together, then it is the visitor's turn. It can be
// stopped, and stands still from the beginning for those who asked for less motion.

import { addStyle, make, setText } from "../app/dom.js";
import { drawPoint, fillOf, fit, readTheme } from "../app/theme.js";
import { _ } from "../app/words.js";
import { partition } from "../map/geometry.js";

/** @import { Theme } from "../app/theme.js" */
/** @import { Box, Context2D, Mount } from "../types.d.ts" */

/** @typedef {{accuracy: number, children: [number, number][], leaf: number[],
 *   split: [number, number, number][], share: number[]}} Frame */
/** @typedef {{frames: Frame[]}} Run */
/** @typedef {{box: Box, points: [number, number][], label: number[], greedy: Run, sgd: Run}} Recording
 *   see ui/lab/story.py */
/** @typedef {{name: string, text: string}} Step */
/** @typedef {{recording: Recording, steps: Step[], names: [string, string]}} Told */
/** @typedef {{x: number[], y: number[], leafX: number[], leafY: number[]}} Places of splits, leaves */

const LEVEL = 2400; // milliseconds of a level of the greedy tree, in which its points run down
const RUN = 5200; // of all passes
const REST = 1800; // at the end of a step
const DOT = 2.6;
const TREE = 0.44; // height of the tree by its width

/** @type {WeakMap<Node, Home>} */
const homes = new WeakMap();

/** What Streamlit calls. @param {Mount} mount */
export default function home({ parentElement, data }) {
  let one = homes.get(parentElement);
  if (!one || one.dead) {
    one = new Home(parentElement, /** @type {Told} */ (data));
    homes.set(parentElement, one);
  }
  const shown = one;
  shown.tell(/** @type {Told} */ (data));
  return () => shown.leaveIfGone();
}

class Home {
  /** @param {ShadowRoot} parent @param {Told} told */
  constructor(parent, told) {
    addStyle(parent);
    this.told = told;
    this.dead = false;
    this.style = make("style", "", HOME_STYLE);
    this.root = make("div", "tc tc-home");
    this.root.dataset.testid = "home";
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.steps = make("div", "home-steps");
    this.steps.setAttribute("role", "group");
    this.steps.setAttribute("aria-label", _("Steps"));
    this.buttons = told.steps.map((_step, i) => this.button("home-step", () => this.go(i)));
    this.playButton = this.button("home-play", () => this.play(!this.playing));
    this.steps.append(...this.buttons, this.playButton);
    this.text = make("p", "home-text");
    this.text.setAttribute("aria-live", "polite");
    const words = make("div", "home-told");
    words.append(this.steps, this.text);
    this.pair = make("div", "home-pair");
    this.cards = [told.recording.greedy, told.recording.sgd].map((run, i) => new Card(run, i));
    this.pair.append(...this.cards.map((card) => card.root));
    this.root.append(words, this.pair);
    parent.append(this.style, this.root);
    this.step = 0;
    this.began = 0;
    this.handle = 0;
    this.still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.playing = !this.still;
    this.time = this.still ? this.length() : 0;
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.root);
    this.tick = (/** @type {number} */ now) => this.advance(now);
    this.play(this.playing);
  }

  /** @param {string} name @param {() => void} act */
  button(name, act) {
    const button = make("button", name);
    button.type = "button";
    button.addEventListener("click", act);
    return button;
  }

  /** @param {Told} told perhaps in another language */
  tell(told) {
    this.told = told;
    this.buttons.forEach((button, i) => setText(button, `${i + 1} ${told.steps[i].name}`));
    this.draw();
  }

  /** How long the present step plays, in milliseconds. */
  length() {
    return [LEVEL * this.cards[0].run.frames.length, RUN, 0][this.step];
  }

  /** @param {number} step */
  go(step) {
    this.step = Math.max(0, Math.min(this.told.steps.length - 1, step));
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
    if (!this.root.isConnected) return this.leaveIfGone();
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
    const { steps, names, recording } = this.told;
    const theme = readTheme(this.root);
    setText(this.text, steps[this.step].text);
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

  leaveIfGone() {
    if (this.root.isConnected) return;
    this.dead = true;
    cancelAnimationFrame(this.handle);
    this.sizes.disconnect();
    this.style.remove();
    this.root.remove();
  }
}

/** One run: its map, and its tree below. */
class Card {
  /** @param {Run} run @param {number} number 0: greedy, whose points run down */
  constructor(run, number) {
    this.run = run;
    this.greedy = number === 0;
    this.root = make("figure", "home-card");
    this.root.dataset.testid = this.greedy ? "home-greedy" : "home-sgd";
    this.head = make("figcaption", "home-head");
    this.map = make("canvas", "home-map");
    this.map.setAttribute("role", "img");
    this.tree = make("canvas", "home-tree");
    this.tree.setAttribute("aria-hidden", "true");
    this.root.append(this.head, this.map, this.tree);
  }

  /**
   * @param {Theme} theme @param {Recording} recording @param {string} name
   * @param {number} share of the run that is shown; negative: it has not begun
   */
  draw(theme, recording, name, share) {
    const side = this.map.clientWidth;
    if (!side) return;
    const { frames } = this.run;
    const begun = share >= 0;
    const place = Math.max(0, share) * (this.greedy ? frames.length : frames.length - 1);
    const at = Math.min(frames.length - 1, Math.floor(place));
    const frame = frames[at];
    const percent = `${Math.round(100 * frame.accuracy)} %`;
    setText(this.head, begun ? _("{name}: {share} accuracy", { name, share: percent }) : name);
    this.root.dataset.at = String(begun ? at : -1);
    this.map.setAttribute("aria-label", _("Map of {name}: {share} accuracy with {n} leaves",
      { name, share: percent, n: frame.leaf.length }));
    const ctx = fit(this.map, side, side);
    ctx.clearRect(0, 0, side, side);
    if (begun) drawRegions(ctx, theme, frame, recording.box, side);
    const [x0, x1, y0, y1] = recording.box;
    recording.points.forEach(([x, y], i) => drawPoint(ctx, theme, recording.label[i], false, false,
      ((x - x0) / (x1 - x0)) * side, side - ((y - y0) / (y1 - y0)) * side, DOT));
    const tall = Math.round(side * TREE);
    const pen = fit(this.tree, side, tall);
    pen.clearRect(0, 0, side, tall);
    if (begun) drawTree(pen, theme, frame, recording, side, tall, this.greedy && share < 1 ? place - at : 1);
  }
}

/**
 * @param {Context2D} ctx @param {Theme} theme @param {Frame} frame @param {Box} box
 * @param {number} side
 */
function drawRegions(ctx, theme, frame, box, side) {
  const [x0, x1, y0, y1] = box;
  const { leaves } = partition(new Float32Array(frame.split.flat()),
    new Int16Array(frame.children.flat()), box);
  ctx.lineJoin = "round";
  leaves.forEach((polygon, i) => {
    if (!polygon) return;
    const path = new Path2D();
    for (let k = 0; k < polygon.length; k += 2) {
      path.lineTo(((polygon[k] - x0) / (x1 - x0)) * side, side - ((polygon[k + 1] - y0) / (y1 - y0)) * side);
    }
    path.closePath();
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
  const at = places(frame, wide, tall);
  const radius = Math.min(15, tall / 9);
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = theme.line;
  frame.children.forEach((pair, i) => pair.forEach((child) => {
    ctx.beginPath();
    ctx.moveTo(at.x[i], at.y[i]);
    ctx.lineTo(child < 0 ? at.leafX[~child] : at.x[child], child < 0 ? at.leafY[~child] : at.y[child]);
    ctx.stroke();
  }));
  const counts = frame.leaf.map(() => [0, 0]);
  const running = share < 1 && frame.split.length > 0;
  recording.points.forEach((point, i) => {
    const way = wayOf(frame, point);
    const leaf = way[way.length - 1];
    // One after the other: each takes a third of the time, and begins when its turn comes.
    const from = (i / recording.points.length) * 0.6;
    const gone = running ? Math.max(0, Math.min(1, (share - from) / 0.35)) : 1;
    if (gone >= 1) counts[leaf][recording.label[i]] += 1;
    else if (share >= from) drawRunner(ctx, theme, at, way, gone, recording.label[i]);
  });
  frame.split.forEach(([w1, w2], i) => {
    ctx.beginPath();
    ctx.arc(at.x[i], at.y[i], radius, 0, 2 * Math.PI);
    ctx.fillStyle = theme.back;
    ctx.fill();
    ctx.lineWidth = 1.5;
    ctx.strokeStyle = theme.muted;
    ctx.stroke();
    ctx.beginPath(); // the line w1 x + w2 y = b runs along (-w2, w1), and up is down on a canvas
    ctx.moveTo(at.x[i] + w2 * radius, at.y[i] + w1 * radius);
    ctx.lineTo(at.x[i] - w2 * radius, at.y[i] - w1 * radius);
    ctx.lineWidth = 2.5;
    ctx.strokeStyle = theme.text;
    ctx.stroke();
  });
  const width = Math.min(64, wide / 5.5);
  counts.forEach(([a, b], i) => {
    const part = a + b ? (width * a) / (a + b) : width / 2;
    const left = at.leafX[i] - width / 2;
    ctx.fillStyle = theme.back;
    ctx.fillRect(left, at.leafY[i] - 8, width, 16);
    if (a + b) {
      ctx.fillStyle = theme.of(0);
      ctx.fillRect(left, at.leafY[i] - 8, part, 16);
      ctx.fillStyle = theme.of(1);
      ctx.fillRect(left + part, at.leafY[i] - 8, width - part, 16);
    }
    ctx.lineWidth = 1;
    ctx.strokeStyle = theme.muted;
    ctx.strokeRect(left, at.leafY[i] - 8, width, 16);
  });
}

/**
 * @param {Context2D} ctx @param {Theme} theme @param {Places} at @param {number[]} way
 * @param {number} gone @param {number} label
 */
function drawRunner(ctx, theme, at, way, gone, label) {
  const last = way.length - 1;
  const x = way.map((node, i) => (i < last ? at.x[node] : at.leafX[node]));
  const y = way.map((node, i) => (i < last ? at.y[node] : at.leafY[node]));
  const part = Math.min(last - 1e-6, gone * last);
  const i = Math.floor(part);
  drawPoint(ctx, theme, label, false, false, x[i] + (x[i + 1] - x[i]) * (part - i),
    y[i] + (y[i + 1] - y[i]) * (part - i), 2);
}

/** The splits that a point passes, and its leaf. @param {Frame} frame @param {[number, number]} point */
function wayOf(frame, [x, y]) {
  if (!frame.split.length) return [0];
  const way = [];
  let node = 0;
  while (node >= 0) {
    way.push(node);
    const [w1, w2, b] = frame.split[node];
    node = frame.children[node][w1 * x + w2 * y > b ? 1 : 0];
  }
  way.push(~node);
  return way;
}

/**
 * Where splits and leaves stand: leaves side by side, a split above the middle of its two sides.
 * @param {Frame} frame @param {number} wide @param {number} tall @returns {Places}
 */
function places(frame, wide, tall) {
  /** @type {Places} */
  const at = { x: [], y: [], leafX: [], leafY: [] };
  const n = frame.leaf.length;
  const step = (tall - 48) / 2;
  let next = 0;
  /** @param {number} node @param {number} depth @returns {number} */
  const put = (node, depth) => {
    const y = 22 + step * depth;
    if (node < 0) {
      at.leafX[~node] = (wide * (next + 0.5)) / n;
      at.leafY[~node] = y;
      next += 1;
      return at.leafX[~node];
    }
    const [left, right] = frame.children[node].map((child) => put(child, depth + 1));
    at.x[node] = (left + right) / 2;
    at.y[node] = y;
    return at.x[node];
  };
  put(frame.split.length ? 0 : ~0, 0);
  return at;
}

const HOME_STYLE = `
.tc-home { min-height: 0; font-size: 16px; }
.home-steps { display: flex; flex-wrap: wrap; gap: 8px; }
.home-steps button {
  font: inherit; color: var(--text); background: none; border: 1px solid var(--hair);
  border-radius: 999px; padding: 5px 16px; min-height: 36px; cursor: pointer;
}
.home-steps button[aria-current=step] { border-color: var(--primary); color: var(--primary); font-weight: 600; }
.home-steps button:hover { border-color: var(--primary); }
.home-steps button:focus-visible { outline: 2px solid var(--primary); outline-offset: 1px; }
.home-steps .home-play { border-radius: 8px; }
.home-text { margin: 16px 0 0; min-height: 6em; font-size: 18px; line-height: 1.5; }
.home-pair { display: grid; grid-template-columns: 1fr 1fr; gap: 28px; }
@media (min-width: 900px) {
  .tc-home { display: grid; grid-template-columns: minmax(260px, 4fr) 9fr; gap: 40px; }
  .home-steps { flex-direction: column; align-items: stretch; }
  .home-steps button { text-align: left; font-size: 17px; }
  .home-steps .home-play { text-align: center; align-self: start; }
  .home-pair { max-width: max(520px, 100vh); }
}
.home-card { margin: 0; min-width: 0; }
.home-head { font-weight: 600; min-height: 1.6em; }
.home-map, .home-tree { display: block; width: 100%; }
.home-map { aspect-ratio: 1; border-radius: 8px; }
.home-tree { aspect-ratio: ${1 / TREE}; margin-top: 8px; }
@media (max-width: 640px) {
  .home-pair { gap: 12px; margin-top: 16px; }
  .home-head { font-size: 14px; min-height: 3em; }
  .home-text { font-size: 16px; }
}
@media (pointer: coarse) { .home-steps button { min-height: 44px; } }
`;
