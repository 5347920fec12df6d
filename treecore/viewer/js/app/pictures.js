// Rows of pixels as small pictures, dark on light or light on dark like the page; and weights of
// pixels, in the colours of what pushes right and left.

import { make } from "./dom.js";
import { mix, penOf } from "./theme.js";

/**
 * A canvas of one pixel each, to be shown or copied larger.
 * @param {ArrayLike<number>} pixels 0 to 255, row by row @param {XY} shape rows, columns
 * @param {Theme} theme @param {HTMLCanvasElement} [canvas]
 */
export function pixelCanvas(pixels, shape, theme, canvas = make("canvas", "tc-pixels")) {
  return paint(canvas, shape, (j) => mix(theme.textRgb, theme.backRgb, pixels[j] / 255));
}

/**
 * The weights of a split on the pixels of an image; white has no weight.
 * @param {ArrayLike<number>} weights row by row @param {XY} shape rows, columns
 * @param {Theme} theme @param {HTMLCanvasElement} [canvas]
 */
export function weightCanvas(weights, shape, theme, canvas = make("canvas", "tc-pixels weights")) {
  const full = fullOf(weights);
  return paint(canvas, shape, (j) => {
    const sign = weights[j] > 0 ? theme.plusRgb : theme.minusRgb;
    return mix(sign, theme.backRgb, Math.min(1, Math.abs(weights[j]) / full));
  });
}

/** The weight from which on a pixel has its full colour: a few extreme ones must not leave the rest white. @param {ArrayLike<number>} weights */
function fullOf(weights) {
  const sizes = Array.from(weights, Math.abs).sort((a, b) => a - b);
  return sizes[Math.floor(0.97 * (sizes.length - 1))] || 1;
}

/** @type {(canvas: HTMLCanvasElement, shape: XY, colourOf: (j: number) => ArrayLike<number>) => HTMLCanvasElement} */
function paint(canvas, [rows, columns], colourOf) {
  if (canvas.width !== columns || canvas.height !== rows) {
    canvas.width = columns;
    canvas.height = rows;
  }
  const pen = penOf(canvas);
  const image = pen.createImageData(columns, rows);
  for (let j = 0; j < rows * columns; j++) {
    const colour = colourOf(j);
    for (let c = 0; c < 3; c++) image.data[4 * j + c] = colour[c];
    image.data[4 * j + 3] = 255;
  }
  pen.putImageData(image, 0, 0);
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}
