// Which nodes of a tree a text names: by a feature, the label of a leaf, or a number.

import { answerOf, axisOf, nameOf, strongest, weightsOf } from "../app/stories.js";

const HEAVY = 3; // features of a weighted sum by which it is found

/**
 * The nodes that a text names, splits first: a number is that of a split and of a leaf, words are
 * part of the name of a feature that a split asks for above all, or of what a leaf predicts.
 * @param {Frame} frame @param {Meta} meta @param {string} text
 * @returns {number[]} >= 0 a split, < 0 leaf ~ref
 */
export function matchesOf(frame, meta, text) {
  const asked = text.trim().toLowerCase();
  const m = frame.children.length >> 1;
  if (!asked) return [];
  const named = /^(?:(split|leaf)\s*)?(\d+)$/.exec(asked);
  if (named) {
    const i = Number(named[2]);
    const found = [];
    if (named[1] !== "leaf" && i < m) found.push(i);
    if (named[1] !== "split" && i <= m) found.push(~i);
    if (found.length || named[1]) return found;
  }
  const has = (/** @type {string} */ name) => name.toLowerCase().includes(asked);
  const found = [];
  for (let split = 0; split < m; split++) {
    const axis = axisOf(frame, split);
    const values = axis >= 0 ? null : weightsOf(frame, split, meta)?.values;
    const used = axis >= 0 ? [axis] : values ? strongest(values, HEAVY) : [];
    if (used.some((j) => has(nameOf(meta, j)))) found.push(split);
  }
  for (let leaf = 0; leaf <= m; leaf++) if (has(answerOf(frame, leaf, meta))) found.push(~leaf);
  return found;
}
