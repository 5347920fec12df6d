// The picture of the first page: a recorded run in a loop. It can be stopped, and stands still from
// the beginning for those who asked for less motion: then it is the finished tree.

import { addStyle, make, setText } from "../app/dom.js";
import { partition } from "../map/geometry.js";
import { drawPoint, fillOf, fit, readTheme } from "../app/theme.js";
import { Place } from "../app/place.js";
import { _, N_ } from "../app/words.js";

/** @import { Theme } from "../app/theme.js" */
/** @import { Box, Context2D, Mount, Told as Placed } from "../types.d.ts" */
/** @import { Message } from "../app/wire.js" */

/** @typedef {{epoch: number, accuracy: number, active: number, leaves: number}} Figures */
/** @typedef {Figures & {split: Float32Array, leaf: Uint8Array, share: Uint8Array}} Picture */
/** @typedef {{v: number, box: Box, n_classes: number, frames: Figures[],
 *   mark: [boolean, string], message: string, failed: boolean}} Told see ui/home/recording.py */

const POINTS = N_("Points of two classes, two arms of a spiral.");
const FRAMES_PER_SECOND = 18;
const REST = 2.6; // seconds at the finished tree
const DOT = 2.6;

/** @type {WeakMap<Node, Loop>} */
const loops = new WeakMap();

/** What Streamlit calls; news come from `ui/home/recording.py`. @param {Mount} mount */
export default function home({ parentElement, data, setTriggerValue }) {
  let loop = loops.get(parentElement);
  if (!loop || loop.dead) {
    loop = new Loop(parentElement);
    loops.set(parentElement, loop);
  }
  loop.draw(); // perhaps in another theme
  loop.place.take(/** @type {Placed} */ (data), setTriggerValue);
  return () => loop.leaveIfGone();
}

class Loop {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    addStyle(parent);
    this.dead = false;
    this.style = make("style", "", HOME_STYLE);
    this.root = make("div", "tc tc-home");
    this.root.dataset.testid = "home";
    this.canvas = make("canvas", "home-canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", _(POINTS));
    this.words = make("span", "home-words");
    this.button = make("button", "home-button");
    this.button.type = "button";
    this.button.hidden = true;
    this.button.addEventListener("click", () => this.play(!this.playing));
    const foot = make("div", "home-foot");
    foot.append(this.words, this.button);
    this.root.append(this.canvas, foot, make("div", "home-key",
      _("Points: two classes. Areas: the class that the tree sees there, the stronger the surer.")));
    parent.append(this.style, this.root);
    /** @type {Partial<Told>} */
    this.meta = {};
    /** @type {Picture[]} */
    this.frames = [];
    /** @type {Float32Array} */
    this.points = new Float32Array();
    /** @type {Uint8Array} */
    this.label = new Uint8Array();
    /** @type {Int16Array} */
    this.children = new Int16Array();
    this.at = 0;
    this.place = new Place({
      have: () => ({ mark: this.meta.mark }),
      receive: (/** @type {Message<Told>} */ message) => this.receive(message),
    }, () => {});
    this.began = 0;
    this.handle = 0;
    this.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.root);
    this.tick = (/** @type {number} */ now) => this.step(now);
  }

  /** @param {Message<Told>} message */
  receive(message) {
    const { meta } = message;
    this.meta = meta;
    this.points = message.array("points") ?? this.points;
    this.label = message.array("label") ?? this.label;
    this.children = message.array("children") ?? this.children;
    this.frames = (meta.frames ?? []).map((figures, i) => ({
      ...figures,
      split: message.array(`f${i}.split`) ?? new Float32Array(),
      leaf: message.array(`f${i}.leaf`) ?? new Uint8Array(),
      share: message.array(`f${i}.share`) ?? new Uint8Array(),
    }));
    this.began = performance.now();
    this.at = this.playing ? 0 : Math.max(0, this.frames.length - 1);
    this.button.hidden = !this.frames.length;
    this.play(this.playing);
    this.draw();
  }

  /** @param {boolean} playing */
  play(playing) {
    this.playing = playing;
    setText(this.button, playing ? _("Pause") : _("Play"));
    this.button.setAttribute("aria-label", playing ? _("Pause the picture") : _("Play the picture"));
    cancelAnimationFrame(this.handle);
    if (!playing || !this.frames.length) return;
    if (this.at >= this.frames.length - 1) this.at = 0;
    this.began = performance.now() - (1000 * this.at) / FRAMES_PER_SECOND;
    this.handle = requestAnimationFrame(this.tick);
  }

  /** @param {number} now milliseconds */
  step(now) {
    if (!this.root.isConnected) return this.leaveIfGone();
    const n = this.frames.length;
    const whole = (n / FRAMES_PER_SECOND + REST) * 1000;
    const at = Math.min(n - 1, Math.floor((((now - this.began) % whole) / 1000) * FRAMES_PER_SECOND));
    if (at !== this.at) {
      this.at = Math.max(0, at);
      this.draw();
    }
    this.handle = requestAnimationFrame(this.tick);
  }

  draw() {
    const side = this.canvas.getBoundingClientRect().width;
    if (!side || !this.meta.box) return;
    const theme = readTheme(this.root);
    const ctx = fit(this.canvas, side, side);
    const [x0, x1, y0, y1] = this.meta.box;
    const x = (/** @type {number} */ v) => ((v - x0) / (x1 - x0)) * side;
    const y = (/** @type {number} */ v) => side - ((v - y0) / (y1 - y0)) * side;
    ctx.clearRect(0, 0, side, side);
    const frame = this.frames[this.at];
    if (frame) this.drawTree(ctx, theme, frame, this.meta.box, x, y);
    for (let i = 0; i < this.label.length; i++) {
      drawPoint(ctx, theme, this.label[i], false, false, x(this.points[2 * i]),
        y(this.points[2 * i + 1]), DOT);
    }
    this.say(frame);
  }

  /**
   * @param {Context2D} ctx @param {Theme} theme @param {Picture} frame @param {Box} box
   * @param {(value: number) => number} x @param {(value: number) => number} y
   */
  drawTree(ctx, theme, frame, box, x, y) {
    const { leaves } = partition(frame.split, this.children, box);
    ctx.lineJoin = "round";
    ctx.lineWidth = 1;
    leaves.forEach((polygon, i) => {
      if (!polygon) return;
      const path = new Path2D();
      for (let k = 0; k < polygon.length; k += 2) path.lineTo(x(polygon[k]), y(polygon[k + 1]));
      path.closePath();
      const fill = fillOf(theme, frame.leaf[i], frame.share[i], this.meta.n_classes ?? 2);
      ctx.fillStyle = fill;
      ctx.fill(path);
      ctx.strokeStyle = theme.line;
      ctx.globalAlpha = 0.55;
      ctx.stroke(path);
      ctx.globalAlpha = 1;
    });
  }

  /** @param {Picture | undefined} frame */
  say(frame) {
    const last = this.frames[this.frames.length - 1];
    if (!frame) {
      this.canvas.setAttribute("aria-label", _(POINTS));
      const said = _(this.meta.message || N_("Learning"));
      return setText(this.words, this.meta.failed ? said : `${said} …`);
    }
    const percent = (/** @type {number} */ v) => `${Math.round(100 * v)} %`;
    setText(this.words, _("pass {pass} · {share} of points right · {active} of {leaves} leaves awake",
      { pass: Math.floor(frame.epoch), share: percent(frame.accuracy), active: frame.active, leaves: frame.leaves }));
    this.root.dataset.at = String(this.at);
    this.canvas.setAttribute("aria-label", _("A tree learns two spirals in {n} passes: in the end it is right for {share} of the points.",
      { n: Math.round(last.epoch), share: percent(last.accuracy) }));
  }

  leaveIfGone() {
    if (this.root.isConnected) return;
    this.dead = true;
    this.place.leave();
    cancelAnimationFrame(this.handle);
    this.sizes.disconnect();
    this.style.remove();
    this.root.remove();
  }
}

const HOME_STYLE = `
.tc-home { min-height: 0; max-width: max(430px, 52vh); margin: 0 auto; }
.home-key { color: var(--muted); font-size: 12px; }
.home-canvas { display: block; width: 100%; aspect-ratio: 1; border-radius: 8px; }
.home-foot { display: flex; align-items: center; gap: 12px; min-height: 34px; color: var(--muted); }
.home-words { flex: 1; }
.home-button {
  font: inherit; color: var(--text); background: none; border: 1px solid var(--hair);
  border-radius: 6px; padding: 3px 12px; cursor: pointer;
}
.home-button:hover { border-color: var(--primary); color: var(--primary); }
.home-button:focus-visible { outline: 2px solid var(--primary); outline-offset: 1px; }
@media (pointer: coarse) { .home-button { min-width: 44px; height: 44px; } }
`;
