// Things drawn once and then copied: the markers of the points, the hatching of sleeping regions, and
// whole layers that stay as they are from picture to picture.

import { make } from "./dom.js";
import { drawPoint, fit } from "./theme.js";

const TILE = 7;

/** @param {object} view its `theme` colours them; a new theme or size makes new ones */
export function createStamps(view) {
  const markers = new Map();
  let markerKey = "";
  const layers = new Map();
  const frames = new Map();
  let hatch = null;

  return {
    /** A point's marker; see `drawPoint`. Hundreds of paths a picture would be too slow. */
    point(ctx, label, held, wrong, r, x, y, colour) {
      const ratio = Math.min(3, window.devicePixelRatio || 1);
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
     * @param {(ctx: CanvasRenderingContext2D, x: number, y: number) => void} paint
     */
    about(ctx, kind, r, x, y, paint) {
      const ratio = Math.min(3, window.devicePixelRatio || 1);
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
     * @param {(ctx: CanvasRenderingContext2D) => void} paint
     */
    layer(ctx, name, key, width, height, paint) {
      const ratio = Math.min(3, window.devicePixelRatio || 1);
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

    /** A pattern of thin diagonals. */
    hatching(ctx) {
      const { theme } = view;
      if (hatch?.key === theme.key) return hatch.pattern;
      const tile = make("canvas");
      tile.width = tile.height = TILE;
      const pen = tile.getContext("2d");
      pen.strokeStyle = theme.line;
      pen.beginPath();
      for (const shift of [-TILE, 0, TILE]) {
        pen.moveTo(shift, TILE);
        pen.lineTo(shift + TILE, 0);
      }
      pen.stroke();
      hatch = { key: theme.key, pattern: ctx.createPattern(tile, "repeat") };
      return hatch.pattern;
    },
  };
}
