// Things drawn once and then copied: the markers of the points, the hatching of sleeping regions, and
// whole layers that stay as they are from picture to picture. A pen that writes shapes down copies none.

import { make } from "../app/dom.js";
import { drawPoint, fit, penOf } from "../app/theme.js";
import { sharpness } from "../app/zoom.js";

/** @import { Theme } from "../app/theme.js" */
/** @import { Context2D } from "../types.d.ts" */
/** @typedef {(ctx: Context2D, x: number, y: number) => void} Paint paints about (x, y) */
/** @typedef {ReturnType<typeof createStamps>} Stamps */

const TILE = 7;

/** @param {{theme: Theme}} view colours them; a new theme or size makes new ones */
export function createStamps(view) {
  /** @type {Map<string, HTMLCanvasElement>} */
  const markers = new Map();
  let markerKey = "";
  /** @type {Map<string, {key: string, canvas: HTMLCanvasElement}>} */
  const layers = new Map();
  /** @type {Map<string, {key: string, image: HTMLCanvasElement}>} */
  const frames = new Map();
  /** @type {{key: string, pen: Context2D, pattern: CanvasPattern | null} | undefined} */
  let hatch;

  return {
    /**
     * A point's marker; see `drawPoint`. Hundreds of paths a picture would be too slow.
     * @param {Context2D} ctx @param {number} label @param {boolean} held @param {boolean} wrong
     * @param {number} r @param {number} x @param {number} y @param {string | null} colour
     */
    point(ctx, label, held, wrong, r, x, y, colour) {
      if (ctx.newPath) return drawPoint(ctx, view.theme, label, held, wrong, x, y, r, colour);
      const ratio = sharpness();
      const key = `${view.theme.key}|${r}|${ratio}`;
      if (key !== markerKey) {
        markers.clear();
        markerKey = key;
      }
      const kind = `${label * 4 + (held ? 2 : 0) + (wrong ? 1 : 0)}|${colour ?? ""}`;
      const size = Math.ceil(2 * r + 14);
      let image = markers.get(kind);
      if (!image) {
        image = make("canvas");
        drawPoint(fit(image, size, size), view.theme, label, held, wrong, size / 2, size / 2, r, colour);
        markers.set(kind, image);
      }
      ctx.drawImage(image, x - size / 2, y - size / 2, image.width / ratio, image.height / ratio);
    },

    /**
     * What is drawn about a marker of radius r, painted once for each kind.
     * @param {Context2D} ctx @param {string} kind @param {number} r
     * @param {number} x @param {number} y @param {Paint} paint
     */
    about(ctx, kind, r, x, y, paint) {
      if (ctx.newPath) return paint(ctx, x, y);
      const ratio = sharpness();
      const key = `${view.theme.key}|${ratio}|${r}`;
      const size = Math.ceil(2 * r + 20);
      let known = frames.get(kind);
      if (known?.key !== key) {
        known = { key, image: make("canvas") };
        paint(fit(known.image, size, size), size / 2, size / 2);
        frames.set(kind, known);
      }
      ctx.drawImage(known.image, x - size / 2, y - size / 2, known.image.width / ratio, known.image.height / ratio);
    },

    /**
     * A layer over the whole canvas, painted anew only when its key changes.
     * @param {Context2D} ctx @param {string} name @param {string} key
     * @param {number} width @param {number} height
     * @param {(ctx: Context2D) => void} paint
     */
    layer(ctx, name, key, width, height, paint) {
      if (ctx.newPath) return paint(ctx);
      const ratio = sharpness();
      const whole = `${view.theme.key}|${ratio}|${width}|${height}|${key}`;
      let known = layers.get(name);
      if (known?.key !== whole) {
        known = { key: whole, canvas: known?.canvas ?? make("canvas") };
        const pen = fit(known.canvas, width, height);
        pen.clearRect(0, 0, width, height);
        paint(pen);
        layers.set(name, known);
      }
      ctx.drawImage(known.canvas, 0, 0, known.canvas.width / ratio, known.canvas.height / ratio);
    },

    /** A pattern of thin diagonals. @param {Context2D} ctx */
    hatching(ctx) {
      const { theme } = view;
      if (hatch?.key === theme.key && hatch.pen === ctx) return hatch.pattern;
      const tile = make("canvas");
      tile.width = tile.height = TILE;
      const pen = penOf(tile);
      pen.strokeStyle = theme.line;
      pen.beginPath();
      for (const shift of [-TILE, 0, TILE]) {
        pen.moveTo(shift, TILE);
        pen.lineTo(shift + TILE, 0);
      }
      pen.stroke();
      hatch = { key: theme.key, pen: ctx, pattern: ctx.createPattern(tile, "repeat") };
      return hatch.pattern;
    },
  };
}
