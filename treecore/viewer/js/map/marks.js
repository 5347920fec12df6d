// What is marked: a leaf, a split or a point, for as long as the pointer is on it, or pinned until
// Escape. Every panel draws both; none has marks of its own.

/** What can be marked. */
export const KINDS = /** @type {const} */ (["leaf", "split", "point"]);

/** @typedef {typeof KINDS[number]} Kind */
/**
 * Each -1 for none; `away`: it is where a step pushes a point away from.
 * @typedef {{leaf: number, split: number, point: number, away?: boolean}} Mark
 */

/** The mark that marks nothing. @type {Readonly<Mark>} */
export const NOTHING = Object.freeze({ leaf: -1, split: -1, point: -1 });

/** A mark of one thing. @type {(kind: Kind, i: number) => Mark} */
export const markOf = (kind, i) => ({ ...NOTHING, [kind]: i });

/** @param {Mark} mark */
export const isNothing = (mark) => KINDS.every((kind) => mark[kind] < 0);

/** @param {Mark} a @param {Mark} b */
export const sameMark = (a, b) => KINDS.every((kind) => a[kind] === b[kind]);

/**
 * The leaf a mark leads to: its own, or that of its point; -1 for none.
 * @param {Mark} mark @param {Pick<Frame, "leaf" | "at">} frame
 */
export function leafOf(mark, frame) {
  if (mark.leaf >= 0 && mark.leaf < frame.leaf.length) return mark.leaf;
  return mark.point >= 0 ? frame.at?.[mark.point] ?? -1 : -1;
}

/** What is under the pointer, what is pinned, what the page marks, and who has said so. */
export class Marks {
  constructor() {
    this.hover = NOTHING;
    this.pinned = NOTHING;
    this.beside = NOTHING; // the point under the pointer on the map of another learner
    /** @type {Mark[]} */
    this.told = [];
    /** @type {Mark[]} by a term of a formula */
    this.meant = [];
    this.source = "";
    /** @type {Uint8Array | null} the side that each point wants: 1 left, 2 right, 0 either */
    this.sides = null;
  }

  /** @returns {Mark[]} from the quieter to the louder */
  all() {
    const found = [...this.told, ...this.meant, this.pinned, this.beside, this.hover].filter((mark) => !isNothing(mark));
    return found.filter((mark, i) => !found.slice(0, i).some((other) => sameMark(mark, other)));
  }

  /**
   * Mark what the pointer or the keyboard is on.
   * @param {string} source only the same source, or another mark, takes it away
   * @param {Mark | null} what
   * @returns {boolean | null} whether anything changed; null when that was not for it to say
   */
  on(source, what) {
    if (!what && source !== this.source) return null;
    const next = what ?? NOTHING;
    const changed = !sameMark(this.hover, next);
    this.hover = next;
    this.source = source;
    return changed;
  }
}
