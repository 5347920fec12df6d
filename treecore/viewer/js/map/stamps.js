// Things drawn once and then copied: the markers of the points, the hatching of sleeping regions, and
// whole layers that stay as they are from picture to picture. A pen that writes shapes down copies none.

import { make } from "../app/dom.js";
import { drawPoint, fit, penOf } from "../app/theme.js";
import { sharpness } from "../app/zoom.js";

/** @typedef {(ctx: Context2D, x: number, y: number) => void} Paint paints about (x, y) */
/** @typedef {ReturnType<typeof createStamps>} Stamps */

const TILE = 7;

/** @param {{theme: Theme}} view colours them; a new theme or size makes new ones */
export function createStamps(view) {
  /** @type {Map<string, {key: string, canvas: HTMLCanvasElement}>} what is drawn already, by its name */
  const known = new Map();
  let { theme } = view;
  let ratio = 0;
  /** @type {{key: string, pen: Context2D, pattern: CanvasPattern | null} | undefined} */
  let hatch;

  /**
   * Copy what was painted under this name, which is painted anew only when its key changes.
   * @param {Context2D} ctx @param {string} name @param {string} key @param {number} x @param {number} y
   * @param {number} width @param {number} height @param {(pen: Context2D) => void} paint
   */
  function copy(ctx, name, key, x, y, width, height, paint) {
    const old = known.get(name);
    const canvas = old?.canvas ?? make("canvas");
    if (old?.key !== key) {
      const pen = fit(canvas, width, height);
      paint(pen);
      known.set(name, { key, canvas });
    }
    ctx.drawImage(canvas, x, y, canvas.width / ratio, canvas.height / ratio);
  }

  return {
    /** To be called before each picture: what is known may be of another theme or size. */
    renew() {
      const now = sharpness(); // not for each point, since the browser brings styles up to date for it
      if (view.theme === theme && now === ratio) return;
      known.clear();
      [theme, ratio] = [view.theme, now];
    },

    /**
     * A point's marker; see `drawPoint`. Hundreds of paths a picture would be too slow.
     * @param {Context2D} ctx @param {number} label @param {boolean} held @param {boolean} wrong
     * @param {number} r @param {number} x @param {number} y @param {string | null} colour
     */
    point(ctx, label, held, wrong, r, x, y, colour) {
      if (ctx.newPath) return drawPoint(ctx, view.theme, label, held, wrong, x, y, r, colour);
      const size = Math.ceil(2 * r + 14);
      const name = `${label * 4 + (held ? 2 : 0) + (wrong ? 1 : 0)}|${colour ?? ""}|${r}`;
      copy(ctx, name, "", x - size / 2, y - size / 2, size, size,
        (pen) => drawPoint(pen, view.theme, label, held, wrong, size / 2, size / 2, r, colour));
    },

    /**
     * What is drawn about a marker of radius r, painted once for each kind.
     * @param {Context2D} ctx @param {string} kind @param {number} r
     * @param {number} x @param {number} y @param {Paint} paint
     */
    about(ctx, kind, r, x, y, paint) {
      if (ctx.newPath) return paint(ctx, x, y);
      const size = Math.ceil(2 * r + 20);
      copy(ctx, `${kind}|${r}`, "", x - size / 2, y - size / 2, size, size, (pen) => paint(pen, size / 2, size / 2));
    },

    /**
     * A layer over the whole canvas.
     * @param {Context2D} ctx @param {string} name @param {string} key
     * @param {number} width @param {number} height
     * @param {(ctx: Context2D) => void} paint
     */
    layer(ctx, name, key, width, height, paint) {
      if (ctx.newPath) paint(ctx);
      else copy(ctx, name, `${width}|${height}|${key}`, 0, 0, width, height, paint);
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
