// Signs on buttons, drawn: letters of a fallback font stand where that font wants them.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {"play" | "pause" | "step" | "slow" | "reset"} Sign */

/** @type {Record<Sign, string>} outlines in a square of 12, filled by the rule of even and odd */
const OUTLINES = {
  play: "M2.5 1 11 6 2.5 11Z",
  pause: "M2 1h3v10H2Z M7 1h3v10H7Z",
  slow: "M2.5 1 8 6 2.5 11Z M2.5 1h1v10h-1Z M9 1.5h1v2H9Z M9 5h1v2H9Z M9 8.5h1v2H9Z",
  step: "M1 1 8 6 1 11Z M9 1h2v10H9Z",
  // A ring that is open at its left upper side, and the head of an arrow there.
  reset: "M6 1.2A4.9 4.9 0 1 1 1.1 6.1H2.6A3.4 3.4 0 1 0 6 2.7V4.4L2.6 1.95 6 -.5Z",
};

/** A sign in the colour of the text beside it, for eyes alone. @param {Sign} sign */
export function icon(sign) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("class", "tc-icon");
  drawing.setAttribute("viewBox", "0 0 12 12");
  drawing.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  drawing.append(path);
  setIcon(drawing, sign);
  return drawing;
}

/** Show another sign in place of the one that is there. @param {SVGElement} drawing @param {Sign} sign */
export function setIcon(drawing, sign) {
  if (drawing.dataset.sign === sign) return;
  drawing.dataset.sign = sign;
  drawing.firstElementChild?.setAttribute("d", OUTLINES[sign]);
}
