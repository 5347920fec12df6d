// The whole of a large tree, small in a corner, with the part that is drawn: a click draws another.

import { make } from "../app/dom.js";
import { fit } from "../app/theme.js";
import { _ } from "../app/words.js";
import { nearestOf } from "../map/geometry.js";
import { freeSize, MAP_HIGH, MAP_WIDE, placeIn } from "./layout.js";
import { placesOf } from "./places.js";
import { within } from "../app/zoom.js";

const EDGE = 6;

/**
 * @param {HTMLElement} host of the tree
 * @param {View} view
 * @param {(change: Partial<Wish>) => void} choose told of the split to be on top
 */
export function createMinimap(host, view, choose) {
  const canvas = make("canvas", "tc-minimap", "", {
    role: "img", "aria-label": _("The whole tree, small; the drawn part stands out"),
    title: _("The whole tree; click to draw the part below"),
  });
  let [wide, high] = [MAP_WIDE, MAP_HIGH];
  const x = (/** @type {number} */ share) => EDGE + share * (wide - 2 * EDGE);
  const y = (/** @type {number} */ depth, /** @type {number} */ levels) =>
    EDGE + (depth / Math.max(1, levels)) * (high - 2 * EDGE);

  canvas.addEventListener("click", (event) => {
    if (!view.frame) return;
    const [px, py] = within(canvas, event);
    const { split, depth, levels } = placesOf(view.frame.children);
    /** @type {XY[]} */
    const places = Array.from(split, (share, i) => [x(share), y(depth[i], levels)]);
    choose({ root: Math.max(0, nearestOf(places, px, py)), to: null });
  });

  return {
    /**
     * @param {Plan | null} plan what is drawn of the tree @param {boolean} wanted
     * @param {number} width of the drawing
     */
    draw(plan, wanted, width) {
      const size = wanted && plan ? freeSize(plan.nodes, width) : 0;
      if (!size || !plan || !view.frame) return canvas.remove();
      [wide, high] = [Math.floor(size * MAP_WIDE), Math.floor(size * MAP_HIGH)];
      // Over the tree and not in it: what is clicked here is not a node there.
      if (!canvas.isConnected) host.after(canvas);
      Object.assign(canvas.style, { top: `${host.offsetTop}px`, width: `${wide}px`, height: `${high}px` });
      const { children } = view.frame;
      const { split, leaf, depth, levels } = placesOf(children);
      const ctx = fit(canvas, wide, high);
      ctx.fillStyle = view.theme.back;
      ctx.fillRect(0, 0, wide, high);
      for (const drawn of [false, true]) {
        ctx.beginPath();
        for (let i = 0; i < children.length; i++) {
          const [ref, above] = [children[i], i >> 1];
          const there = placeIn(plan, ref) >= 0 && placeIn(plan, above) >= 0;
          if (there !== drawn) continue;
          ctx.moveTo(x(split[above]), y(depth[above], levels));
          ctx.lineTo(x(ref < 0 ? leaf[~ref] : split[ref]), y(depth[above] + 1, levels));
        }
        Object.assign(ctx, { strokeStyle: drawn ? view.theme.primary : view.theme.muted, lineWidth: drawn ? 1.4 : 0.6 });
        ctx.stroke();
      }
    },
  };
}
