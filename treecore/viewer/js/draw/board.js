// A square to draw on: what is in the hand, where the hand is, and what a pixel is in units of the points.

import { make, setText } from "../app/dom.js";
import { number } from "../app/theme.js";

export class Board {
  tool = ""; // none: it is looked at
  label = 0;
  half = 1; // of its side, in units of the points
  size = 0; // of its side, in pixels
  request = 0;
  /** @type {XY | null} where the pointer is, in units of the points */
  hover = null;
  aim = 0; // how far around it counts
  /** @type {XY | null} where the keyboard is */
  cursor = null;
  said = make("div", "tc-said", "", { "aria-live": "polite" });

  /** A value held within the square. @param {number} value */
  held(value) {
    return Math.max(-this.half, Math.min(this.half, value));
  }

  /** A pixel in units of the points, held within the square. @param {XY} pixel @returns {XY} */
  plane([px, py]) {
    return [this.held(this.length(px) - this.half), this.held(this.half - this.length(py))];
  }

  /** Pixels as a length in units of the points. @param {number} pixels */
  length(pixels) {
    return (pixels * 2 * this.half) / (this.size || 1);
  }

  /** @param {string} text */
  say(text) {
    setText(this.said, text);
  }

  /** @param {ArrayLike<number>} at */
  told({ 0: x, 1: y }) {
    return `${number(x)}, ${number(y)}`;
  }

  /** Pixels of a point. @param {ArrayLike<number>} point @returns {XY} */
  placed({ 0: x, 1: y }) {
    const at = (/** @type {number} */ v) => ((v + this.half) / (2 * this.half)) * this.size;
    return [at(x), this.size - at(y)];
  }
}
