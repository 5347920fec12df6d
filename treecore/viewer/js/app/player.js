// The run so far, and which of its pictures is due now.
//
// Each message brings the trees since the last one. Where messages come as fast as the display
// draws, the newest tree is shown at once; where they come more slowly, their trees are shown a
// little late, at the pace at which they were trained, so that the picture moves evenly. Every
// picture is a recorded tree. A replay goes through the recorded trees at a pace of its own,
// without a word to the server; where it is so slow that the display waits for the next one, the
// splits turn evenly from tree to tree.

import { between, readDetail, readFrame } from "./frame.js";

const PROMPT = 0.05; // seconds between messages up to which nothing is gained by waiting
const MOST_DELAY = 0.3; // seconds that a tree is shown late at most
const PAUSE = 1; // seconds without a message that say nothing about their pace
const MAX_FRAMES = 2400;
const MAX_BYTES = 24 << 20;
const LONGEST_GAP = 0.5; // seconds: a replay does not wait as long as a visitor once paused
const TURN = 1; // seconds in which a step in slow motion turns its splits
const SMOOTH = 1 / 30; // seconds between pictures above which splits are turned evenly

/** Speeds of a replay; 1 is the pace at which the run was shown. */
export const RATES = [0.25, 0.5, 1, 2, 4, 8, 16];

/** Keeps the frames of one run and plays them. */
export class Player {
  /** @param {string} [run] whose frames they are */
  constructor(run) {
    this.rate = 1;
    this.run = run;
    /** @type {Frame[]} */
    this.frames = [];
    this.bytes = 0;
    this.offset = Infinity; // performance clock minus server clock, the smallest seen
    /** @type {Frame | null} */
    this.shown = null;
    /** @type {"live" | "parked" | "replay"} */
    this.mode = "live";
    this.moving = false;
    this.heard = -Infinity; // when trees came last
    this.pace = 0; // seconds between messages with trees, lately
    this.into = 0; // seconds of recorded time since the shown frame, in a replay
    this.last = 0; // when the replay went on last
    this.turning = false; // whether the replay is one step, which takes a second
  }

  get newest() {
    return this.frames[this.frames.length - 1] ?? null;
  }

  get live() {
    return this.mode === "live";
  }

  /**
   * Take in the frames of a message.
   * @param {Message<Meta>} message
   * @param {number} now seconds, performance clock
   * @returns {boolean} whether more is known now of a tree that there was
   */
  receive(message, now) {
    const { meta } = message;
    const moved = this.moving;
    if (meta.state !== undefined) this.moving = meta.state === "running";
    const listed = meta.frames ?? [];
    const detail = readDetail(message);
    if (detail) detail.of = meta.detail?.[0] ?? listed[listed.length - 1]?.n;
    const known = detail && this.frames.find(({ n }) => n === detail.of);
    if (known) known.detail = detail;
    this.reslice(message);
    if (!listed.length) return !!known;
    if (!moved) this.pace = 0; // the first tree after a click is not kept waiting
    else if (now - this.heard < PAUSE) this.pace += 0.2 * (now - this.heard - this.pace);
    this.heard = now;
    let last = this.newest;
    listed.forEach((entry, i) => {
      const isLast = i === listed.length - 1;
      if (last && entry.n <= last.n) return;
      const frame = readFrame(message, i, entry, last);
      if (!frame) return;
      const splits = frame.children.length;
      const fitting = [last?.detail, detail].find((d) => d?.splits === splits >> 1) ?? null;
      frame.detail = isLast && detail ? detail : fitting;
      this.frames.push(frame);
      this.bytes += frame.bytes + (isLast && detail ? detail.bytes : 0);
      last = frame;
    });
    // The fastest message so far tells the clocks' difference best. The slow rise forgets a lucky
    // one, should the two clocks drift.
    const seen = now - listed[listed.length - 1].t;
    this.offset = Math.min(this.offset + 0.0005, seen);
    if (this.frames.length > MAX_FRAMES || this.bytes > MAX_BYTES) this.thin();
    return !!known;
  }

  /** The newest frame through another point. @param {Message<Meta>} message */
  reslice({ meta, array }) {
    const [n, sliced] = meta.anew ?? [];
    const frame = this.frames.find((one) => one.n === n);
    const split = array("anew.split");
    if (!frame || !split) return;
    Object.assign(frame, { split, size: array("anew.size"), slopes: array("anew.slopes"), sliced });
  }

  /** Drop every other frame of the older half; the first one stays. */
  thin() {
    const half = this.frames.length >> 1;
    const shown = this.recorded;
    this.frames = this.frames.filter((frame, i) => i >= half || i % 2 === 0 || frame === shown);
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

  /** The recorded frame that is shown, or from which the shown picture is turned on. */
  get recorded() {
    return this.shown && (this.frames[this.indexOf(this.shown.n)] ?? null);
  }

  /** The last frame that is as asked for, else the first. @param {(frame: Frame) => boolean} asked */
  lastIndex(asked) {
    return Math.max(0, this.frames.findLastIndex(asked));
  }

  /** The last frame at or before number n. @param {number} n */
  indexOf(n) {
    return this.lastIndex((frame) => frame.n <= n);
  }

  /**
   * The picture due at `now`, which becomes the one shown; null before the first.
   * @param {number} now seconds
   */
  pick(now) {
    if (!this.frames.length || this.mode === "parked") return this.shown;
    if (this.mode === "replay") return this.replayed(now);
    if (!this.moving || !this.shown) return (this.shown = this.moving ? this.due(now) : this.newest);
    const due = this.due(now);
    // Never backwards, for instance when a pause had shown the newest tree ahead of its time.
    if (due.n > this.shown.n) this.shown = due;
    return this.shown;
  }

  /** Seconds that trees are shown late: until the message after theirs has surely come. */
  get delay() {
    return this.pace < PROMPT ? 0 : Math.min(MOST_DELAY, 1.5 * this.pace);
  }

  /** @param {number} now */
  due(now) {
    const until = now - this.offset - this.delay;
    return this.frames[this.lastIndex(({ t }) => t <= until)];
  }

  /** @param {number} now */
  replayed(now) {
    // A hidden tab draws nothing for minutes; it goes on where it was.
    const rate = this.turning ? 1 / TURN : this.rate;
    this.into += Math.min(0.6, Math.max(0, now - this.last)) * rate;
    this.last = now;
    let at = this.indexOf(this.shown?.n ?? 0);
    while (at < this.frames.length - 1 && this.into >= this.gap(at)) this.into -= this.gap(at++);
    const frame = this.frames[at];
    if (at === this.frames.length - 1) {
      this.mode = "live";
      this.turning = false;
      return (this.shown = frame);
    }
    const gap = this.gap(at);
    const smooth = gap / rate > SMOOTH;
    this.shown = smooth ? between(frame, this.frames[at + 1], this.into / gap) : frame;
    return this.shown;
  }

  /** Seconds from a frame to the next, in a replay. @param {number} at */
  gap(at) {
    if (this.turning) return 1;
    return Math.max(1e-4, Math.min(LONGEST_GAP, this.frames[at + 1].t - this.frames[at].t));
  }

  /** Is a later picture waiting for its time? */
  waiting() {
    if (this.mode === "replay") return true;
    return this.live && this.moving && !!this.newest && this.newest !== this.shown;
  }

  /** Look at the last recorded tree at or before `epoch`, and stay there. @param {number} epoch */
  scrub(epoch) {
    if (this.frames.length) this.park(this.lastIndex((frame) => frame.epoch <= epoch));
  }

  /** Look at the recorded tree `count` before (negative) or after the shown one. @param {number} count */
  nudge(count) {
    if (!this.frames.length) return;
    const at = this.indexOf(this.shown?.n ?? 0) + count;
    this.park(Math.max(0, Math.min(this.frames.length - 1, at)));
  }

  /** @param {number} at */
  park(at) {
    this.mode = "parked";
    this.into = 0;
    this.shown = this.frames[at];
  }

  /**
   * Go through the recorded trees from the shown one on, from the first where that is the last.
   * @param {number} now
   */
  replay(now) {
    if (!this.newest || this.frames.length < 2) return;
    const atEnd = this.live || !this.shown || this.shown.n >= this.newest.n;
    this.shown = atEnd ? this.frames[0] : this.recorded;
    this.into = 0;
    this.last = now;
    this.mode = "replay";
  }

  /** Turn the splits from this tree to the newest, slowly. @param {Frame} from @param {number} now */
  turn(from, now) {
    Object.assign(this, { mode: "replay", turning: true, shown: from, into: 0, last: now });
  }

  /** Hold the replay where it is. */
  hold() {
    if (this.mode === "replay") this.park(this.indexOf(this.shown?.n ?? 0));
  }

  /** Back to the tree being trained. */
  follow() {
    this.mode = "live";
    if (this.frames.length) this.shown = this.moving ? this.due(performance.now() / 1000) : this.newest;
  }

  /**
   * The recorded tree of the shown one's shape from a pass before it, or from the last moment known
   * before that; null where there is none.
   */
  passAgo() {
    const { shown } = this;
    if (!shown || !this.frames.length) return null;
    let at = this.indexOf(shown.n);
    const due = Math.max(0, shown.epoch - 1) + 1e-6;
    while (at > 0 && this.frames[at].epoch > due) at--;
    const found = this.frames[at];
    const whole = found.n < shown.n && found.epoch <= due && found.children === shown.children;
    return whole ? found : null;
  }

  /**
   * Up to `count` frames before the shown one, newest first, about `gap` seconds apart.
   * @param {number} count @param {number} gap
   */
  before(count, gap) {
    /** @type {Frame[]} */
    const found = [];
    if (!this.shown || !this.frames.length) return found;
    let at = this.indexOf(this.shown.n);
    let due = this.shown.t - gap;
    while (--at >= 0 && found.length < count) {
      if (this.frames[at].t > due) continue;
      found.push(this.frames[at]);
      due = this.frames[at].t - gap;
    }
    return found;
  }
}
