// What a visitor lets the colours of the map mean: between the clicks here and the page's word.
//
// The page hears of a choice a moment later, and says until then what was so before. It may also
// mount the view anew within that moment:
//
//   first mount    chooses A ───────────── gone, and nobody told it that A was heard
//   second mount            begins with A ── chooses B ── its first message of the run
//
// so of two choices the later one counts, whichever mount it was made in.

import { TOLD_GAP } from "./place.js";

/** @type {Lenses} */
const USUAL = { region: "class", point: "class", side: "both", margins: false, flips: false };

/** What is chosen in one mount of a view. */
export class LensChoice {
  /**
   * @param {() => Placed["lens"]} told what the page says now
   * @param {(lens: Lenses) => void} report tells the page
   */
  constructor(told, report) {
    this.told = told;
    this.report = report;
    this.lens = { ...USUAL };
    /** @type {number | undefined} */
    this.link = undefined; // the link whose lens was taken in last
    this.unheard = false; // something was chosen here of which the page has not said so yet
    this.at = -Infinity; // the time of the last choice
    this.timer = 0;
  }

  /** Something is chosen here. @param {Partial<Lenses>} change */
  choose(change) {
    Object.assign(this.lens, change);
    this.unheard = true;
    this.at = performance.now();
    this.tell();
  }

  /**
   * The page's word counts, but while it has not heard of what was chosen here.
   * @param {Placed["lens"]} told
   * @returns {boolean} whether something else is chosen now
   */
  take(told) {
    if (!told) return false;
    const { link, ...lens } = told;
    const same = this.is(lens);
    if (this.unheard && link === this.link && !same) return false;
    this.link = link;
    this.unheard = false;
    Object.assign(this.lens, lens);
    return !same;
  }

  /** Go on with what was chosen in the mount before this one. @param {LensChoice} before */
  goOnWith(before) {
    // What the page has heard of it has said to this mount as well.
    if (!before.unheard || before.link !== this.link || before.at < this.at) return;
    Object.assign(this.lens, before.lens);
    this.unheard = true;
    this.at = before.at;
    this.remind();
  }

  /** @param {Partial<Lenses>} lens */
  is(lens) {
    const known = new Map(Object.entries(lens));
    return Object.entries(this.lens).every(([name, value]) => known.get(name) === value);
  }

  /** Tell the page, where it asks for it. */
  tell(again = 2) {
    if (!this.told()) return;
    this.report({ ...this.lens });
    this.remind(again);
  }

  /** Tell the page once more what it may not have heard: see Place. */
  remind(again = 2) {
    this.leave();
    if (!again) return;
    this.timer = setTimeout(() => {
      if (!this.is(this.told() ?? {})) this.tell(again - 1);
    }, TOLD_GAP);
  }

  leave() {
    clearTimeout(this.timer);
  }
}
