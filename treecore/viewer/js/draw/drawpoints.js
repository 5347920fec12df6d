// The points of a drawing and what has been done to them. Nothing here knows of a screen.

/** Standard deviation of sprayed points, in units of the map. */
export const SPREAD = 0.1;

const UNDONE_AT_MOST = 100;
const DIGITS = 1e4; // as ui/widgets/data/points.py rounds them

/** @typedef {[number, number, number]} Drawn x, y and class; never changed in place */

/** Points with a past. Lists are replaced and never changed, so that the past costs little. */
export class Drawing {
  /** @param {number} most how many points there may be */
  constructor(most) {
    this.most = most;
    /** @type {Drawn[]} */
    this.points = [];
    /** @type {Drawn[][]} */
    this.past = [];
    /** @type {Drawn[][]} */
    this.future = [];
    /** @type {Drawn[] | null} */
    this.before = null; // the points when the present gesture began
  }

  get full() {
    return this.points.length >= this.most;
  }

  /** What follows, up to `end`, is undone at once. */
  begin() {
    this.before ??= this.points;
  }

  /** @returns {boolean} whether the gesture has changed anything */
  end() {
    const { before } = this;
    this.before = null;
    if (!before || before === this.points) return false;
    this.past.push(before);
    if (this.past.length > UNDONE_AT_MOST) this.past.shift();
    this.future = [];
    return true;
  }

  /** One whole gesture. @param {() => void} change */
  gesture(change) {
    this.begin();
    change();
    return this.end();
  }

  undo() {
    return this.travel(this.past, this.future);
  }

  redo() {
    return this.travel(this.future, this.past);
  }

  /** @param {Drawn[][]} from the points are the last of these @param {Drawn[][]} to those that there are go here */
  travel(from, to) {
    const points = from.pop();
    if (!points) return false;
    to.push(this.points);
    this.points = points;
    return true;
  }

  /** Add as many of these as there is room for. @param {Drawn[]} points */
  add(points) {
    const room = this.most - this.points.length;
    if (room > 0 && points.length) this.points = this.points.concat(points.slice(0, room).map(rounded));
  }

  /** Put a point elsewhere. @param {number} i @param {number} x @param {number} y */
  move(i, x, y) {
    this.points = this.points.with(i, rounded([x, y, this.points[i][2]]));
  }

  /** Keep the points for which `keep(point, i)` holds. @param {(point: Drawn, i: number) => boolean} keep */
  keep(keep) {
    const kept = this.points.filter(keep);
    if (kept.length < this.points.length) this.points = kept;
  }

  /**
   * The point nearest to (x, y), no farther than `reach`; -1 where there is none.
   * @param {number} x @param {number} y @param {number} reach
   */
  nearest(x, y, reach) {
    let best = -1;
    let least = reach * reach;
    this.points.forEach(([a, b], i) => {
      const far = (a - x) ** 2 + (b - y) ** 2;
      if (far > least) return;
      least = far;
      best = i;
    });
    return best;
  }

  /** Points by class. @param {number} nClasses @returns {number[]} */
  counts(nClasses) {
    const counts = new Array(nClasses).fill(0);
    for (const [, , label] of this.points) counts[label] += 1;
    return counts;
  }
}

/**
 * A point about (x, y), normally distributed and held within the square of this half side.
 * @param {number} x @param {number} y @param {number} label @param {number} half
 * @returns {Drawn}
 */
export function strayed(x, y, label, half, random = Math.random) {
  const far = SPREAD * Math.sqrt(-2 * Math.log(1 - random()));
  const turn = 2 * Math.PI * random();
  const held = (/** @type {number} */ v) => Math.max(-half, Math.min(half, v));
  return [held(x + far * Math.cos(turn)), held(y + far * Math.sin(turn)), label];
}

export const round = (/** @type {number} */ v) => Math.round(v * DIGITS) / DIGITS;

/** @type {(point: Drawn) => Drawn} */
function rounded([x, y, label]) {
  return [round(x), round(y), label];
}
