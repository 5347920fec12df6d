// What lights up on the map: a split with its half-planes and its trail, a leaf, the way of a point.

import { frozenLeaf } from "./flips.js";
import { parentsOf, wayTo } from "../app/frame.js";
import { bandOf, centre, cut, leavesBelow, lineOf, trace } from "./geometry.js";
import { leafOf } from "./marks.js";
import { dot, haloed, outlined, typeset } from "../app/ink.js";
import { newPath } from "../app/theme.js";
import { _ } from "../app/words.js";

/** @typedef {(ctx: Context2D, frame: Frame, pieces: Pieces, s: Scales) => void} Draw */
/** @typedef {(...args: [...Parameters<Draw>, node: number]) => void} DrawSplit */

const TRAIL = 14; // earlier positions of the marked split, a third of a second apart

/** @param {Scene & Pick<View, "player">} view */
export function createMapMarks(view) {
  /** @param {Context2D} ctx @param {number[]} line @param {Scales} s */
  function segment(ctx, line, s) {
    ctx.beginPath();
    ctx.moveTo(s.x(line[0]), s.y(line[1]));
    ctx.lineTo(s.x(line[2]), s.y(line[3]));
  }

  /** @type {(frame: Frame, node: number) => [number, number, number]} */
  const lineAt = ({ split }, node) => [split[3 * node], split[3 * node + 1], split[3 * node + 2]];

  /** The two sides of a split, as far as its own region reaches. @param {Frame} frame @param {Pieces} pieces @param {number} node */
  function sidesOf(frame, pieces, node) {
    const region = pieces.regions[node];
    const { left = null, right = null } = region ? cut(region, ...lineAt(frame, node)) : {};
    return [
      { part: left ?? [], name: _("left"), colour: view.theme.minus },
      { part: right ?? [], name: _("right"), colour: view.theme.plus },
    ].filter(({ part }) => part.length);
  }

  /** @type {DrawSplit} */
  function halves(ctx, frame, pieces, s, node) {
    for (const { part, colour } of sidesOf(frame, pieces, node)) {
      ctx.beginPath();
      trace(ctx, part, s);
      Object.assign(ctx, { globalAlpha: view.theme.dark ? 0.34 : 0.26, fillStyle: colour });
      ctx.fill();
      Object.assign(ctx, { globalAlpha: 1, lineWidth: 1.5, strokeStyle: colour });
      ctx.stroke();
    }
  }

  /**
   * Where a split was in an earlier frame, if that tree had the shape of the present one.
   * @param {Frame | null | undefined} past @param {Frame} frame @param {number} node @param {Box} box
   */
  function pastLine(past, frame, node, box) {
    return past?.children === frame.children
      ? lineOf(past.split, past.children, parentsOf(frame), box, node) : null;
  }

  /**
   * Where the split has been: its own motion says more than any number.
   * @param {Context2D} ctx @param {Frame} frame @param {Scales} s @param {number} node
   * @param {Box} box
   */
  function trail(ctx, frame, s, node, box) {
    view.player.before(TRAIL, 0.33).forEach((past, i) => {
      const line = pastLine(past, frame, node, box);
      if (!line) return;
      Object.assign(ctx, { globalAlpha: 0.5 * (1 - i / TRAIL), lineWidth: 1.5, strokeStyle: view.theme.primary });
      segment(ctx, line, s);
      ctx.stroke();
    });
    ctx.globalAlpha = 1;
  }

  /**
   * Where the splits that a step has turned were before it.
   * @param {Context2D} ctx @param {Frame} frame @param {Scales} s @param {Box} box
   */
  function turned(ctx, frame, s, box) {
    const past = frame.between ? view.player.recorded : view.player.before(1, 0)[0];
    for (const node of view.meta.step?.turned ?? []) {
      const line = pastLine(past, frame, node, box);
      if (!line) continue;
      segment(ctx, line, s);
      ctx.setLineDash([7, 5]);
      outlined(ctx, view.theme, 2, view.theme.muted);
      ctx.setLineDash([]);
    }
  }

  /**
   * Below the points: areas and lines.
   * @param {Context2D} ctx @param {Frame} frame @param {Pieces} pieces @param {Scales} s
   * @param {Box} box
   */
  function under(ctx, frame, pieces, s, box) {
    turned(ctx, frame, s, box);
    for (const mark of view.marks.all()) {
      if (mark.split >= 0 && mark.split < pieces.lines.length) {
        halves(ctx, frame, pieces, s, mark.split);
        trail(ctx, frame, s, mark.split, box);
        const line = pieces.lines[mark.split];
        if (line) {
          segment(ctx, line, s);
          outlined(ctx, view.theme, 4);
        }
        continue;
      }
      const leaf = leafOf(mark, frame);
      if (mark.point >= 0 && leaf >= 0) {
        for (const { split } of wayTo(frame, leaf)) {
          const line = pieces.lines[split];
          if (!line) continue;
          segment(ctx, line, s);
          outlined(ctx, view.theme, 2.5);
        }
      }
      const region = pieces.leaves[leaf];
      if (mark.away) ctx.setLineDash([7, 5]);
      if (region) {
        ctx.beginPath();
        trace(ctx, region, s);
        outlined(ctx, view.theme, 3, mark.away ? view.theme.minus : undefined);
      }
      ctx.setLineDash([]);
      const kept = mark.point >= 0 ? pieces.leaves[frozenLeaf(frame, mark.point)] : null;
      if (kept) {
        ctx.beginPath();
        trace(ctx, kept, s);
        ctx.setLineDash([7, 5]);
        outlined(ctx, view.theme, 3);
        ctx.setLineDash([]);
      }
    }
  }

  /**
   * Of a map without regions, the points at what is marked: of a split those that go left and those
   * that go right, of a leaf those in it.
   * @param {Frame} frame @param {number[]} shown
   */
  function parties(frame, shown) {
    const { theme } = view;
    /** @type {(colour: string, ref: number) => {colour: string, points: number[]}} */
    const party = (colour, ref) => {
      const leaves = leavesBelow(frame.children, ref);
      return { colour, points: shown.filter((i) => frame.at && leaves.has(frame.at[i])) };
    };
    return view.marks.all().flatMap((mark) => {
      if (mark.split >= 0 && 2 * mark.split < frame.children.length) {
        const [left, right] = frame.children.subarray(2 * mark.split, 2 * mark.split + 2);
        return [party(theme.minus, left), party(theme.plus, right)];
      }
      const leaf = leafOf(mark, frame);
      return leaf < 0 ? [] : [party(theme.primary, ~leaf)];
    });
  }

  /** Above the points: words and numbers. @type {Draw} */
  function over(ctx, frame, pieces, s) {
    for (const mark of view.marks.all()) {
      if (mark.split >= 0) sideNames(ctx, frame, pieces, s, mark.split);
      const leaf = leafOf(mark, frame);
      if (mark.point < 0 || leaf < 0) continue;
      wayTo(frame, leaf).forEach(({ split }, step) => {
        const line = pieces.lines[split];
        if (line) badge(ctx, step + 1, s.x((line[0] + line[2]) / 2), s.y((line[1] + line[3]) / 2));
      });
    }
  }

  /**
   * The step of the way at which a split is met, as in the panel.
   * @param {Context2D} ctx @param {number} step @param {number} x @param {number} y
   */
  function badge(ctx, step, x, y) {
    const { theme } = view;
    dot(ctx, x, y, 8.5, theme.back, theme.primary);
    ctx.fillStyle = theme.text;
    typeset(ctx, theme, 14, "center", "middle", 600);
    ctx.fillText(String(step), x, y + 0.5);
  }

  /** @type {DrawSplit} */
  function sideNames(ctx, frame, pieces, s, node) {
    typeset(ctx, view.theme, 14, "center", "middle", 600);
    for (const { part, name, colour } of sidesOf(frame, pieces, node)) {
      const [x, y] = centre(part);
      haloed(ctx, view.theme, name, s.x(x), s.y(y), colour, 5);
    }
  }

  /** The margins: strips about the splits within which a bound may exceed its loss. @type {Draw} */
  function margins(ctx, frame, pieces, s) {
    if (!frame.reach) return;
    const { theme, marks } = view;
    const chosen = marks.all().map((mark) => mark.split).filter((split) => split >= 0);
    const way = marks.all().flatMap((mark) => {
      const leaf = mark.point >= 0 ? leafOf(mark, frame) : -1;
      return leaf >= 0 ? wayTo(frame, leaf).map(({ split }) => split) : [];
    });
    const only = [...chosen, ...way];
    // All margins together are one shade: beyond it every bound is its loss. Laid over each other
    // they would be a haze that says nothing.
    const all = newPath(ctx);
    for (let node = pieces.regions.length - 1; node >= 0; node--) {
      if (only.length && !only.includes(node)) continue;
      const size = frame.size ? frame.size[node] : 1;
      const reach = size > 0 ? frame.reach[node] / size : 0;
      if (!pieces.lines[node] || !(reach > 0)) continue;
      const band = bandOf(pieces.regions[node], ...lineAt(frame, node), reach);
      if (!band) continue;
      const path = only.length ? newPath(ctx) : all;
      trace(path, band, s);
      if (!only.length) continue;
      Object.assign(ctx, { globalAlpha: 0.24, fillStyle: theme.text });
      ctx.fill(path);
      Object.assign(ctx, { globalAlpha: 0.8, lineWidth: 1, strokeStyle: theme.text });
      ctx.setLineDash([4, 3]);
      ctx.stroke(path);
      ctx.setLineDash([]);
    }
    Object.assign(ctx, { globalAlpha: 0.16, fillStyle: theme.text });
    if (!only.length) ctx.fill(all);
    ctx.globalAlpha = 1;
  }

  return { under, over, margins, parties, segment };
}
