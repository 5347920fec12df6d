// Where the regions of a tree lie: exact convex polygons, cut from the view box split by split.
// A polygon is a flat list [x0, y0, x1, y1, ...]; numbers are float64, as NumPy's are in the tests.

/** @typedef {number[] | null} Polygon null where nothing is left of it */
/** @typedef {ReturnType<typeof partition>} Pieces */
/** @typedef {{split: Int32Array, leaf: Int32Array}} Parents the split above each, or -1 */

/**
 * Cut a convex polygon by the line w1·x + w2·y = b.
 * @param {number[]} polygon @param {number} w1 @param {number} w2 @param {number} b
 * @returns {{left: Polygon, right: Polygon, line: Polygon}} the part on either side (null
 *   when empty) and the cut itself, [x0, y0, x1, y1]; the right side is where w·x − b > 0
 */
export function cut(polygon, w1, w2, b) {
  const left = [];
  const right = [];
  const line = [];
  const n = polygon.length;
  let x0 = polygon[n - 2];
  let y0 = polygon[n - 1];
  let s0 = w1 * x0 + w2 * y0 - b;
  for (let i = 0; i < n; i += 2) {
    const x1 = polygon[i];
    const y1 = polygon[i + 1];
    const s1 = w1 * x1 + w2 * y1 - b;
    if ((s0 > 0) !== (s1 > 0)) {
      const at = s0 / (s0 - s1);
      const x = x0 + at * (x1 - x0);
      const y = y0 + at * (y1 - y0);
      left.push(x, y);
      right.push(x, y);
      line.push(x, y);
    }
    (s1 > 0 ? right : left).push(x1, y1);
    x0 = x1;
    y0 = y1;
    s0 = s1;
  }
  return {
    left: left.length >= 6 ? left : null,
    right: right.length >= 6 ? right : null,
    line: line.length === 4 ? line : null,
  };
}

/** The corners of the box, counter-clockwise. @param {Box} box */
export function boxPolygon([x0, x1, y0, y1]) {
  return [x0, y0, x1, y0, x1, y1, x0, y1];
}

/**
 * Width and height of a map where there is room for so much: those of a square, for angles are what
 * one looks at. A single feature has none.
 * @param {Partial<Meta>} meta @param {number} wide @param {number} tall
 */
export function sidesOf({ axes, staircase }, wide, tall) {
  const [w, h] = [Math.max(10, wide), Math.max(10, tall)];
  const side = Math.min(w, h);
  return axes?.y && !staircase ? { w: side, h: side } : { w, h };
}

/** @type {(n: number) => Polygon[]} */
const nothing = (n) => new Array(n).fill(null);

/**
 * The regions of all leaves and of all splits, and the visible piece of every split.
 * @param {ArrayLike<number>} split (m, 3) flat: w1, w2, b
 * @param {ArrayLike<number>} children (m, 2) flat: >= 0 a split, < 0 leaf ~c, after their parents
 * @param {Box} box
 * @returns {{leaves: Polygon[], regions: Polygon[], lines: Polygon[], depth: Uint16Array}}
 */
export function partition(split, children, box) {
  const m = children.length >> 1;
  const leaves = nothing(m + 1);
  const lines = nothing(m);
  const depth = new Uint16Array(m);
  const regions = nothing(m);
  if (m === 0) return { leaves: [boxPolygon(box)], regions, lines, depth };
  regions[0] = boxPolygon(box);
  for (let i = 0; i < m; i++) {
    // Depth is known even where nothing of a split is visible: it counts from the root.
    const region = regions[i];
    const parts = region && cut(region, split[3 * i], split[3 * i + 1], split[3 * i + 2]);
    if (parts) lines[i] = parts.line;
    for (let side = 0; side < 2; side++) {
      const child = children[2 * i + side];
      const part = parts && (side ? parts.right : parts.left);
      if (child < 0) leaves[~child] = part;
      else {
        regions[child] = part;
        depth[child] = depth[i] + 1;
      }
    }
  }
  return { leaves, regions, lines, depth };
}

/**
 * The leaf in which the point (x, y) lands; ties go left.
 * @param {ArrayLike<number>} split @param {ArrayLike<number>} children
 * @param {number} x @param {number} y
 */
export function route(split, children, x, y) {
  if (!children.length) return 0;
  let node = 0;
  while (node >= 0) {
    const score = split[3 * node] * x + split[3 * node + 1] * y - split[3 * node + 2];
    node = children[2 * node + (score > 0 ? 1 : 0)];
  }
  return ~node;
}

/** Parent of every split and leaf. @param {ArrayLike<number>} children @returns {Parents} */
export function parents(children) {
  const m = children.length >> 1;
  const found = { split: new Int32Array(m).fill(-1), leaf: new Int32Array(m + 1).fill(-1) };
  for (let i = 0; i < 2 * m; i++) {
    const child = children[i];
    if (child >= 0) found.split[child] = i >> 1;
    else found.leaf[~child] = i >> 1;
  }
  return found;
}

/** The splits above a split, or leaf ~ref, the nearest first. @param {Parents} above @param {number} ref */
export function splitsAbove(above, ref) {
  const found = [];
  for (let at = ref < 0 ? above.leaf[~ref] : above.split[ref]; at >= 0; at = above.split[at]) found.push(at);
  return found;
}

/**
 * The piece of split `node` inside the region of its own node, without cutting all the others.
 * @param {ArrayLike<number>} split @param {ArrayLike<number>} children @param {Parents} above
 * @param {Box} box @param {number} node
 */
export function lineOf(split, children, above, box, node) {
  const path = [node, ...splitsAbove(above, node)];
  /** @type {Polygon} */
  let region = boxPolygon(box);
  for (let i = path.length - 1; i > 0; i--) {
    const at = path[i];
    const parts = cut(region, split[3 * at], split[3 * at + 1], split[3 * at + 2]);
    region = children[2 * at + 1] === path[i - 1] ? parts.right : parts.left;
    if (!region) return null;
  }
  return cut(region, split[3 * node], split[3 * node + 1], split[3 * node + 2]).line;
}

/** From units of a box to pixels of its plot, and back. @param {Box} box @param {Plot} plot @returns {Scales} */
export function scalesOf([x0, x1, y0, y1], plot) {
  const kx = plot.w / (x1 - x0 || 1);
  const ky = plot.h / (y1 - y0 || 1);
  const base = plot.y + plot.h;
  return {
    plot,
    x: (v) => plot.x + (v - x0) * kx,
    y: (v) => base - (v - y0) * ky,
    backX: (v) => x0 + (v - plot.x) / kx,
    backY: (v) => y0 + (base - v) / ky,
  };
}

/** Go round a polygon. @param {Path} path @param {number[]} polygon @param {Scales} s */
export function trace(path, polygon, s) {
  for (let i = 0; i < polygon.length; i += 2) path[i ? "lineTo" : "moveTo"](s.x(polygon[i]), s.y(polygon[i + 1]));
  path.closePath();
}

/** Area of a convex polygon. @param {number[]} polygon */
export function area(polygon) {
  let twice = 0;
  for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
    twice += polygon[j] * polygon[i + 1] - polygon[i] * polygon[j + 1];
  }
  return Math.abs(twice) / 2;
}

/**
 * The nearest place that is within reach; -1 where none is.
 * @param {Array<XY | null>} places null where nothing is @param {number} x @param {number} y
 */
export function nearestOf(places, x, y, reach = Infinity) {
  const far = places.map((place) => (place ? Math.hypot(place[0] - x, place[1] - y) : Infinity));
  const least = Math.min(...far.filter((d) => d <= reach));
  return least < Infinity ? far.indexOf(least) : -1;
}

/** Mean of the corners: inside, since regions are convex. @param {number[]} polygon @returns {XY} */
export function centre(polygon) {
  let x = 0;
  let y = 0;
  for (let i = 0; i < polygon.length; i += 2) {
    x += polygon[i];
    y += polygon[i + 1];
  }
  return [(2 * x) / polygon.length, (2 * y) / polygon.length];
}

/**
 * The part of a polygon where |w1·x + w2·y − b| <= reach.
 * @param {Polygon} polygon @param {number} w1 @param {number} w2 @param {number} b
 * @param {number} reach
 */
export function bandOf(polygon, w1, w2, b, reach) {
  const below = polygon && cut(polygon, w1, w2, b + reach).left;
  return below && cut(below, w1, w2, b - reach).right;
}

/**
 * The line of a linear leaf between two ends: corners where it meets the leaf's range, beyond
 * which it is level.
 * @param {{a: number, c: number, low: number, high: number}} model a·x + c within its range
 * @param {number[]} ends
 */
export function leafLine({ a: slope, c: intercept, low, high }, ends) {
  const [first, last] = ends;
  const bends = [low, high].map((y) => (y - intercept) / slope).filter((x) => x > first && x < last);
  return [first, ...bends.sort((a, b) => a - b), last]
    .map((x) => [x, Math.min(Math.max(intercept + slope * x, low), high)]);
}

/**
 * The leaves below a node, which is a split, or a leaf as `~leaf`.
 * @param {Int16Array} children @param {number} ref
 * @returns {Set<number>}
 */
export function leavesBelow(children, ref) {
  const found = new Set();
  for (const open = [ref]; open.length;) {
    const at = open.pop() ?? 0;
    if (at < 0) found.add(~at);
    else open.push(children[2 * at], children[2 * at + 1]);
  }
  return found;
}
