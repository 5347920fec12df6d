// The runs of a lesson, where this tab learns them: their common clock, and what their views show.
// ui/learn/tab.py says what they begin with, and hears what they have measured.

import { here } from "../app/channel.js";
import { Place } from "../app/place.js";
import { unpack } from "../app/wire.js";
import { filled } from "../app/words.js";
import { DETAIL } from "../learn/learning.js";
import { fetched, Run } from "../learn/run.js";

const SLICE = 8; // milliseconds of learning between two pictures, of all runs together
const LONGEST = 0.5; // seconds that a picture counts at most: the hand does not jump
const CALM_GAP = 500; // milliseconds between pictures for those who asked for less motion
const DETAIL_GAP = 100; // and between two trees whose weights and counts are told
const WILD = 0.12; // share of a run that does not say how high a chart has to be

/**
 * What the page says; counts grow with each click, and a chart is as charts/overlay.js has it.
 * `places` on its axis have runs of which it shows one value each.
 * @typedef {object} Told
 * @property {string} address @property {string} key of what is learnt @property {string[]} names
 * @property {number} plays @property {number} pauses @property {string} state as the page is drawn
 * @property {number} seconds from the beginning to the end @property {boolean} curves
 * @property {Record<string, string>} words templates, and states
 * @property {{meta: Record<string, any>, column: number, places?: number[], lines: number[][][]}} [chart]
 */

/** @type {Map<string, Lesson>} by address; they outlive the component, which Streamlit takes away and puts back */
const lessons = new Map();

/** What Streamlit calls. @param {Mount} mount */
export default function lesson({ data, setTriggerValue }) {
  const message = /** @type {Message<Told>} */ (unpack(/** @type {Uint8Array} */ (data)));
  const told = /** @type {Told} */ (message.meta);
  let one = lessons.get(told.address);
  if (one?.told.key !== told.key) {
    if (one) one.playing = false;
    lessons.set(told.address, (one = new Lesson(told, message)));
  }
  one.take(told, setTriggerValue);
}

class Lesson {
  /** @type {Run[]} */
  runs = [];
  hand = 0; // share of all runs
  playing = false;
  plays = 0;
  pauses = 0;
  failed = false;
  name = crypto.randomUUID(); // of what views show; another one begins anew
  /** @type {Map<string, string>} of which of these views know all that stays, and how many curve points */
  known = new Map();
  pictures = 0; // shown
  last = 0; // when the hand went on, when something was shown, and when details, in milliseconds
  shown = -Infinity;
  detailed = -Infinity;
  request = 0;

  /** @param {Told} told @param {Message<Told>} message */
  constructor(told, message) {
    this.told = told;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.channel = here(told.address);
    this.channel.joined = (view) => {
      this.known.delete(view);
      this.show();
    };
    this.channel.commanded = (what, value) => {
      if (what === "seek") this.seek(Number(value));
    };
    this.place = new Place({ have: () => ({}), receive() {} }, () => {});
    this.begun = this.begin(message);
  }

  /** In the words of ui/live/comparison.py. */
  get state() {
    if (this.failed) return "failed";
    if (!this.runs.length) return "waiting";
    if (this.playing) return "running";
    return this.hand >= 1 ? "finished" : "paused";
  }

  /** @param {Message<Told>} message */
  async begin({ array }) {
    try {
      const module = await fetched();
      this.runs = this.told.names.map((_, i) => new Run(module, unpack(array(`start${i}`))));
    } catch (error) {
      console.warn(error);
      this.failed = true;
    }
  }

  /** What the page says by now. @param {Told} told @param {Tell} report */
  async take(told, report) {
    this.told = told;
    await this.begun;
    if (told !== this.told) return; // something newer has come meanwhile
    if (told.plays > this.plays) this.play();
    if (told.pauses > this.pauses) this.playing = false;
    Object.assign(this, { plays: told.plays, pauses: told.pauses });
    this.place.take({ wire: told.address, view: "page", drawn: told.state }, (_, state) => {
      const runs = state === "finished" ? this.runs.map(({ learning }) => learning.history) : [];
      report("said", { key: told.key, plays: this.plays, state, runs });
    });
    this.show();
  }

  play() {
    if (this.hand >= 1) {
      this.hand = 0;
      this.name = crypto.randomUUID();
    }
    this.playing = true;
    this.last = performance.now();
    this.ask();
  }

  /** @param {number} share */
  seek(share) {
    this.hand = Math.max(0, Math.min(share, ...this.runs.map((run) => run.share)));
    this.show();
  }

  ask() {
    cancelAnimationFrame(this.request);
    if (this.playing) this.request = requestAnimationFrame((now) => this.tick(now));
  }

  /** @param {number} now milliseconds */
  tick(now) {
    const { runs, told } = this;
    const passed = Math.min(LONGEST, Math.max(0, now - this.last) / 1000);
    const goal = told.seconds ? Math.min(1, this.hand + passed / told.seconds) : 1;
    this.last = now;
    for (const run of runs) run.reach(goal, performance.now() + SLICE / runs.length);
    this.hand = Math.max(this.hand, Math.min(goal, ...runs.map((run) => run.share)));
    if (this.hand >= 1) this.playing = false;
    if (!this.playing || !this.calm.matches || now - this.shown > CALM_GAP) this.show();
    this.ask();
  }

  /** Have all views show the runs where the hand is. */
  show() {
    this.place.saw(this.state);
    if (!this.runs.length) return;
    const now = performance.now();
    const detailed = !this.playing || now - this.detailed > DETAIL_GAP;
    this.shown = now;
    if (detailed) this.detailed = now;
    this.pictures += 1;
    this.runs.forEach((run, i) => this.channel.tell(`${i}`, this.picture(run, i, detailed)));
    this.channel.tell("strip", this.strip());
    if (this.told.chart) this.channel.tell("board", this.board(this.told.chart));
  }

  /** A run where the hand is. @param {Run} run @param {number} i @param {boolean} detailed */
  picture(run, i, detailed) {
    const { hand, name, told, state, pictures } = this;
    const now = performance.now() / 1000;
    const picture = run.at(hand);
    const measured = run.measured(hand);
    const curves = told.curves ? Float32Array.from(measured.flat()) : new Float32Array();
    const whole = this.known.get(`${i}`) !== name;
    this.known.set(`${i}`, name);
    const [, , , , , accuracy, active] = measured.at(-1) ?? [];
    const n_leaves = run.learning.image.grows ? active : picture.array("f0.leaf")?.length;
    const heading = filled(n_leaves === 1 ? told.words.single : told.words.heading, {
      accuracy: (100 * accuracy).toFixed(0), active, n_leaves,
    });
    const hidden = (/** @type {string} */ part) => !(detailed || whole) && DETAIL.includes(part);
    return {
      meta: {
        ...(whole ? run.pictures[0].meta : {}), ...picture.meta, run: name, state, curves: 0,
        heading: [told.names[i], heading], detail: [pictures, now, !this.playing],
        frames: [{ ...picture.meta.frames?.[0], n: pictures, t: now }],
      },
      array: (/** @type {string} */ part) => {
        if (part === "curves") return /** @type {any} */ (curves);
        const found = picture.array(part) ?? (whole ? run.pictures[0].array(part) : null);
        return /** @type {any} */ (hidden(part) ? null : found);
      },
      shape: (/** @type {string} */ part) => (hidden(part) ? [] : picture.shape(part)),
    };
  }

  strip() {
    const { hand, state, told: { words } } = this;
    const text = hand > 0 ? filled(words.hand, { value: (100 * hand).toFixed(0) }) : words.start;
    return message({ v: 1, parts: ["strip"], state, message: words[state], hand: { share: hand, text } });
  }

  /** @param {NonNullable<Told["chart"]>} chart */
  board({ meta, column, places, lines }) {
    const { hand, runs, state } = this;
    const drawn = runs.map((run, i) => {
      const rows = run.measured(hand).map((row) => [row[0] / run.epochs, row[column]]);
      return places ? [[places[i], rows.at(-1)?.[1] ?? NaN]] : rows;
    });
    const all = runs.flatMap((run) => run.learning.history.map((row) => [row[0] / run.epochs, row[column]]));
    const late = all.filter(([share]) => share > WILD);
    const [spec] = meta.charts;
    const most = 1.05 * Math.max(1e-9, ...(late.length ? late : all).map(([, value]) => value));
    const high = spec.high ?? (spec.whole ? Math.max(4, most) : most);
    // A line that ends in nothing: its last value stands beside a run already.
    const tables = [...drawn, ...lines.map((rows) => [...rows, [1, NaN]])].map((rows) => Float32Array.from(rows.flat()));
    return message({ ...meta, state, charts: [{ ...spec, low: 0, high, some: true }] },
      Object.fromEntries(tables.map((table, i) => [`run${i}`, table])));
  }
}

/** @param {object} meta @param {Record<string, any>} [arrays] @returns {Message<any>} */
const message = (meta, arrays = {}) => ({ meta, array: (name) => arrays[name] ?? null, shape: () => [] });
