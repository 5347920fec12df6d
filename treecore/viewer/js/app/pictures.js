// Rows of pixels as small pictures: dark on light, or light on dark, like the page.

import { make } from "./dom.js";
import { mix, penOf } from "./theme.js";

/** @import { Theme } from "./theme.js" */
/** @import { XY } from "../types.d.ts" */

/**
 * A canvas of one pixel each, to be shown or copied larger.
 * @param {ArrayLike<number>} pixels 0 to 255, row by row @param {XY} shape rows, columns
 * @param {Theme} theme @param {HTMLCanvasElement} [canvas]
 */
export function pixelCanvas(pixels, [rows, columns], theme, canvas = make("canvas", "tc-pixels")) {
  if (canvas.width !== columns || canvas.height !== rows) {
    canvas.width = columns;
    canvas.height = rows;
  }
  const pen = penOf(canvas);
  const image = pen.createImageData(columns, rows);
  for (let j = 0; j < pixels.length; j++) {
    const colour = mix(theme.textRgb, theme.backRgb, pixels[j] / 255);
    for (let c = 0; c < 3; c++) image.data[4 * j + c] = colour[c];
    image.data[4 * j + 3] = 255;
  }
  pen.putImageData(image, 0, 0);
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}
