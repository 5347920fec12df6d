// A strip of images that the tree takes for another class; each leads to its way through the tree.

import { give, make, makeButton, setText } from "../app/dom.js";
import { guessOf } from "../app/frame.js";
import { markOf } from "./marks.js";
import { pinOrLetGo } from "./pointing.js";
import { pixelCanvas } from "../app/pictures.js";
import { pointStory } from "../app/stories.js";
import { middleOf } from "../app/tooltip.js";
import { _, N_ } from "../app/words.js";

/** @param {View} view */
export function createMisses(view) {
  const { parts } = view;
  /**
   * Kept and filled anew, so that focus and clicks survive an update.
   * @type {Array<{button: HTMLButtonElement, canvas: HTMLCanvasElement, label: HTMLElement,
   *   point: number}>}
   */
  const tiles = [];
  let drawn = "";

  function tile() {
    const canvas = make("canvas", "tc-pixels");
    const label = make("span", "tc-miss-name");
    const tip = () => ({
      mark: markOf("point", entry.point), story: () => pointStory(view, entry.point), at: middleOf(button),
    });
    const button = makeButton("tc-miss", [canvas, label], () => pinOrLetGo(view, tip()));
    const entry = { button, canvas, label, point: -1 };
    const show = () => entry.point >= 0 && view.setHover("misses", tip().mark, tip());
    const leave = () => view.setHover("misses", null);
    button.addEventListener("pointerenter", show);
    button.addEventListener("pointerleave", leave);
    button.addEventListener("focus", () => button.matches(":focus-visible") && show());
    button.addEventListener("blur", leave);
    button.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0;
      if (event.key === "Escape") view.pin(null);
      const next = step && tiles[tiles.indexOf(entry) + step]?.button;
      if (next && !next.hidden) {
        event.preventDefault();
        next.focus();
      }
    });
    tiles.push(entry);
    parts.missList.appendChild(button);
    return entry;
  }

  return {
    draw() {
      const { frame, meta, theme, points } = view;
      const shape = meta.task === "regression" ? null : meta.image;
      parts.missPanel.hidden = !shape;
      if (!shape) return;
      const missed = frame?.detail?.missed ?? [];
      const images = frame?.detail?.missed_images ?? new Uint8Array();
      const key = `${frame?.n}|${theme.key}|${view.marks.pinned.point}`;
      if (key === drawn) return;
      drawn = key;
      const size = shape[0] * shape[1];
      const isMissed = (/** @type {number} */ i) =>
        frame?.at && guessOf(frame, i, meta) !== points.label[i];
      let wrong = 0;
      for (let i = 0; i < points.label.length; i++) if (isMissed(i)) wrong += 1;
      // The pictures may be those of a tree a tick away: what this one gets right is left out.
      const rows = Array.from(missed, (_, row) => row).filter((row) => isMissed(missed[row]));
      const n = rows.length;
      setText(parts.missCount, frame ? _("{n} of {wrong} shown, test examples first", { n, wrong }) : "");
      for (let at = 0; at < Math.max(n, tiles.length); at++) {
        const entry = tiles[at] ?? tile();
        entry.button.hidden = at >= n;
        if (at >= n) continue;
        const row = rows[at];
        const i = missed[row];
        entry.point = i;
        pixelCanvas(images.subarray(row * size, row * size + size), shape, theme, entry.canvas);
        const name = (/** @type {number} */ c) => meta.classes?.[c] ?? String(c);
        const guess = guessOf(frame, i, meta) ?? NaN;
        const short = `${name(points.label[i])}→${name(guess)}`;
        setText(entry.label, short);
        give(entry.button, {
          "aria-pressed": view.marks.pinned.point === i,
          // Who speaks to the page says what stands there; so the name begins with it.
          "aria-label": _(points.held?.[i]
            ? N_("{short}: test point {i}, a {name} taken for {guess}. Shows its path through the tree.")
            : N_("{short}: point {i}, a {name} taken for {guess}. Shows its path through the tree."),
          { short, i, name: name(points.label[i]), guess: name(guess) }),
        });
      }
    },
  };
}
