// The run so far, and which of its pictures is due now.
//
// Messages come about ten times a second and each brings the trees since a little before the last
// one. They are shown a fifth of a second late, at the pace at which they were trained, so that the
// picture moves at the display's rate. Every picture is a recorded tree; nothing is interpolated.

const DELAY = 0.2; // seconds: two ticks of the server, so that one late message is not seen
const MAX_FRAMES = 2000;
const MAX_BYTES = 16 << 20;

/**
 * @typedef {object} Frame
 * @property {number} n @property {number} t @property {number} epoch
 * @property {Float32Array} split @property {Int16Array} children
 * @property {Uint8Array} leaf @property {Uint8Array} share @property {?Uint8Array} guess
 * @property {?object} detail weights and counts of this tree, or of one a tick earlier
 */

/** Keeps the frames of one run and plays them. */
export class Player {
  constructor() {
    this.reset(null);
  }

  /** Forget everything: another run begins. */
  reset(run) {
    this.run = run;
    /** @type {Frame[]} */
    this.frames = [];
    this.bytes = 0;
    this.offset = Infinity; // performance clock minus server clock, the smallest seen
    this.shown = null;
    this.live = true; // false while an old picture is being looked at
    this.moving = false;
  }

  get newest() {
    return this.frames[this.frames.length - 1] ?? null;
  }

  /**
   * Take in the frames of a message.
   * @param {import("./wire.js").Message} message
   * @param {number} now seconds, performance clock
   */
  receive(message, now) {
    const listed = message.meta.frames ?? [];
    if (!listed.length) return;
    let last = this.newest;
    const detail = readDetail(message);
    listed.forEach((entry, i) => {
      const isLast = i === listed.length - 1;
      if (last && entry.n <= last.n) {
        // The same tree may come again, this time with its weights.
        if (isLast && entry.n === last.n && detail && !last.detail) last.detail = detail;
        return;
      }
      const frame = readFrame(message, i, entry, last);
      if (!frame) return;
      const splits = frame.children.length;
      const fits = (d) => d && d.splits === splits >> 1;
      frame.detail = isLast && detail ? detail : fits(last?.detail) ? last.detail : null;
      if (!frame.detail && fits(detail)) frame.detail = detail;
      this.frames.push(frame);
      this.bytes += frame.bytes + (isLast && detail ? detail.bytes : 0);
      last = frame;
    });
    // The fastest message so far tells the clocks' difference best. The slow rise forgets a lucky
    // one, should the two clocks drift.
    const seen = now - listed[listed.length - 1].t;
    this.offset = Math.min(this.offset + 0.0005, seen);
    this.moving = message.meta.state === "running";
    if (this.frames.length > MAX_FRAMES || this.bytes > MAX_BYTES) this.thin();
  }

  /** Drop every other frame of the older half; the first one stays. */
  thin() {
    const half = this.frames.length >> 1;
    this.frames = this.frames.filter((frame, i) => i >= half || i % 2 === 0 || frame === this.shown);
    const details = new Set();
    this.bytes = 0;
    for (const frame of this.frames) {
      this.bytes += frame.bytes;
      if (frame.detail && !details.has(frame.detail)) {
        details.add(frame.detail);
        this.bytes += frame.detail.bytes;
      }
    }
  }

  /**
   * The picture due at `now`, which becomes the one shown; null before the first.
   * @param {number} now seconds
   * @returns {?Frame}
   */
  pick(now) {
    if (!this.live || !this.frames.length) return this.shown;
    if (!this.moving || !this.shown) return (this.shown = this.moving ? this.first(now) : this.newest);
    const until = now - this.offset - DELAY;
    let at = this.frames.length - 1;
    while (at > 0 && this.frames[at].t > until) at--;
    // Never backwards, for instance when a pause had shown the newest tree ahead of its time.
    if (this.frames[at].n > this.shown.n) this.shown = this.frames[at];
    return this.shown;
  }

  /** Is a later picture waiting for its time? */
  waiting() {
    return this.live && this.moving && !!this.newest && this.newest !== this.shown;
  }

  /** Look at the last recorded tree at or before `epoch`, and stay there. */
  scrub(epoch) {
    if (!this.frames.length) return;
    let at = this.frames.length - 1;
    while (at > 0 && this.frames[at].epoch > epoch) at--;
    this.live = false;
    this.shown = this.frames[at];
  }

  /** Back to the tree being trained. */
  follow() {
    this.live = true;
    this.shown = this.moving ? this.first(performance.now() / 1000) : this.newest;
  }

  first(now) {
    const until = now - this.offset - DELAY;
    let at = this.frames.length - 1;
    while (at > 0 && this.frames[at].t > until) at--;
    return this.frames[at];
  }

  /** Up to `count` frames before the shown one, newest first, about `gap` seconds apart. */
  before(count, gap) {
    const found = [];
    let at = this.frames.indexOf(this.shown);
    let due = this.shown ? this.shown.t - gap : 0;
    while (--at >= 0 && found.length < count) {
      if (this.frames[at].t > due) continue;
      found.push(this.frames[at]);
      due = this.frames[at].t - gap;
    }
    return found;
  }
}

function readFrame(message, i, entry, last) {
  const split = message.array(`f${i}.split`);
  const children = message.array(`f${i}.children`);
  if (!split || !children) return null;
  const leaves = (children.length >> 1) + 1;
  const frame = {
    n: entry.n,
    t: entry.t ?? 0,
    epoch: entry.epoch ?? 0,
    split,
    // Shape and answers seldom change from one tree to the next: sharing them makes the run four
    // times smaller, and lets the drawings know by `===` that their layout still holds.
    children: shared(children, last?.children),
    leaf: shared(message.array(`f${i}.leaf`) ?? new Uint8Array(leaves), last?.leaf),
    share: shared(message.array(`f${i}.share`) ?? new Uint8Array(leaves).fill(255), last?.share),
    guess: shared(message.array(`f${i}.guess`), last?.guess),
    detail: null,
    bytes: split.byteLength,
  };
  for (const name of ["children", "leaf", "share", "guess"]) {
    if (frame[name] && frame[name] !== last?.[name]) frame.bytes += frame[name].byteLength;
  }
  return frame;
}

function readDetail(message) {
  const names = ["weights", "weight_of", "feature", "threshold", "norm", "counts"];
  const detail = { bytes: 0, splits: -1, features: message.shape("weights")[1] ?? 0 };
  for (const name of names) {
    detail[name] = message.array(name);
    detail.bytes += detail[name]?.byteLength ?? 0;
  }
  if (!detail.bytes && !message.shape("feature").length) return null;
  const [leaves, classes] = message.shape("counts");
  detail.classes = classes ?? 0;
  detail.splits = detail.feature?.length ?? (leaves ?? 0) - 1;
  detail.row = new Int32Array(Math.max(0, detail.splits)).fill(-1); // split -> row of weights
  detail.weight_of?.forEach((split, row) => (detail.row[split] = row));
  return detail;
}

function shared(array, earlier) {
  if (!array || !earlier || array.length !== earlier.length) return array;
  for (let i = 0; i < array.length; i++) if (array[i] !== earlier[i]) return array;
  return earlier;
}
