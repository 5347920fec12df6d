// A strip of images that the tree takes for another class; each leads to its way through the tree.

import { make, setText } from "./dom.js";
import { guessOf } from "./frame.js";
import { markOf, sameMark } from "./marks.js";
import { pixelCanvas } from "./pictures.js";
import { pointStory } from "./stories.js";

/** @param {object} parts holds the strip's elements @param {object} view what main.js shares */
export function createMisses(parts, view) {
  const tiles = []; // kept and filled anew, so that focus and clicks survive an update
  let drawn = null;

  function tile() {
    const button = make("button", "tc-miss");
    button.type = "button";
    const canvas = make("canvas", "tc-pixels");
    const label = make("span", "tc-miss-name");
    button.append(canvas, label);
    const entry = { button, canvas, label, point: -1 };
    const mark = () => markOf("point", entry.point);
    const show = () => {
      if (entry.point < 0) return;
      const box = button.getBoundingClientRect();
      view.setHover("misses", mark(), {
        story: () => view.points && pointStory(view, entry.point),
        at: { x: box.left + box.width / 2, y: box.top + box.height / 2, r: box.height / 2 },
      });
    };
    const leave = () => view.setHover("misses", null);
    button.addEventListener("pointerenter", show);
    button.addEventListener("pointerleave", leave);
    button.addEventListener("focus", () => button.matches(":focus-visible") && show());
    button.addEventListener("blur", leave);
    button.addEventListener("click", () =>
      view.pin(sameMark(mark(), view.marks.pinned) ? null : mark()));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
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
      parts.missPanel.hidden = !meta.image || meta.task === "regression";
      if (parts.missPanel.hidden || !theme) return;
      const { missed, missed_images: images } = frame?.detail ?? {};
      const key = `${frame?.n}|${theme.key}|${view.marks.pinned.point}`;
      if (key === drawn) return;
      drawn = key;
      const size = meta.image[0] * meta.image[1];
      const isMissed = (i) => frame?.at && guessOf(frame, i, meta) !== points?.label[i];
      let wrong = 0;
      for (let i = 0; i < (points?.label.length ?? 0); i++) if (isMissed(i)) wrong += 1;
      // The pictures may be those of a tree a tick away: what this one gets right is left out.
      const rows = Array.from(missed ?? [], (_, row) => row).filter((row) => isMissed(missed[row]));
      const n = rows.length;
      setText(parts.missCount, frame ? `${n} of ${wrong} shown, held-out ones first` : "");
      for (let at = 0; at < Math.max(n, tiles.length); at++) {
        const entry = tiles[at] ?? tile();
        entry.button.hidden = at >= n;
        if (at >= n) continue;
        const row = rows[at];
        const i = missed[row];
        entry.point = i;
        pixelCanvas(images.subarray(row * size, row * size + size), meta.image, theme, entry.canvas);
        const name = (c) => meta.classes?.[c] ?? String(c);
        const guess = guessOf(frame, i, meta);
        setText(entry.label, `${name(points.label[i])}→${name(guess)}`);
        entry.button.setAttribute("aria-pressed", String(view.marks.pinned.point === i));
        entry.button.setAttribute("aria-label", `Point ${i}: a ${name(points.label[i])} taken for `
          + `${name(guess)}${points.held?.[i] ? ", held out" : ""}. Shows its way through the tree.`);
      }
    },
  };
}
