// Where splits and leaves stand in a drawing of the whole tree, whatever its size.

import { kept } from "../app/memo.js";

/** @typedef {{split: Float64Array, leaf: Float64Array, depth: Int16Array}} Places */

/** @type {WeakMap<Int16Array, Places>} by children */
const known = new WeakMap();

/** How far to the right every split and leaf stands, 0 to 1, and the level of every split. @param {Int16Array} children */
export const placesOf = (children) => kept(known, children, () => placed(children));

/** @param {Int16Array} children @returns {Places} */
function placed(children) {
  const m = children.length >> 1;
  const found = { split: new Float64Array(m), leaf: new Float64Array(m + 1), depth: new Int16Array(m) };
  const { split, leaf, depth } = found;
  for (let i = 0; i < children.length; i++) if (children[i] >= 0) depth[children[i]] = depth[i >> 1] + 1;
  let next = 0;
  const stack = [m ? 0 : ~0];
  for (let ref = stack.pop(); ref !== undefined; ref = stack.pop()) {
    if (ref < 0) leaf[~ref] = (next++ + 0.5) / (m + 1);
    else stack.push(children[2 * ref + 1], children[2 * ref]);
  }
  const at = (/** @type {number} */ ref) => (ref < 0 ? leaf[~ref] : split[ref]);
  for (let i = m - 1; i >= 0; i--) split[i] = (at(children[2 * i]) + at(children[2 * i + 1])) / 2;
  return found;
}
