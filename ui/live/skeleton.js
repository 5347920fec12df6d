// The elements around the drawings: panels, headings with their explained words, legend, strip.

import { addStyle, make, setText } from "./dom.js";
import { drawPoint, fit } from "./theme.js";
import { Tooltip, term } from "./tooltip.js";

/**
 * Build everything that is not drawn.
 * @param {Node} parent
 * @param {object} view its `meta` explains the terms; its `scrub` and `follow` are called
 */
export function buildSkeleton(parent, view) {
  addStyle(parent);
  const tooltip = new Tooltip(parent);
  const root = make("div", "tc");
  root.dataset.testid = "live";
  const grid = make("div", "tc-grid");
  const explain = (key) => () => view.meta.glossary?.[key] ?? "";
  const word = (text, key) => term(text, tooltip, explain(key));
  const parts = { tooltip, root, legendKey: "" };

  grid.append(
    buildStrip(parts, view),
    buildMapPanel(parts, word),
    buildCharts(parts, word),
    buildTreePanel(parts, word),
  );
  root.appendChild(grid);
  parent.appendChild(root);
  return parts;
}

function buildStrip(parts, view) {
  const strip = make("div", "tc-strip");
  const clock = make("div", "tc-clock");
  parts.unit = make("span", "tc-unit", "Epoch");
  parts.epoch = make("span", "tc-epoch", "0");
  parts.of = make("span", "tc-of");
  clock.append(parts.unit, parts.epoch, parts.of);
  const slider = make("input", "tc-slider");
  slider.type = "range";
  slider.min = "0";
  slider.max = "1";
  slider.step = "any";
  slider.value = "0";
  slider.disabled = true;
  slider.setAttribute("aria-label", "Look back: the tree at an earlier time");
  slider.addEventListener("input", () => view.scrub(Number(slider.value)));
  // Arrow keys on a slider without steps move by nothing useful.
  slider.addEventListener("keydown", (event) => {
    const steps = {
      ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10,
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    view.scrub(Math.max(0, Number(slider.value) + (step * Number(slider.max)) / 100));
  });
  parts.slider = slider;
  parts.follow = make("button", "tc-follow", "Latest");
  parts.follow.type = "button";
  parts.follow.hidden = true;
  parts.follow.addEventListener("click", () => view.follow());
  const right = make("div", "tc-status");
  parts.message = make("span", "tc-message");
  parts.message.setAttribute("role", "status");
  parts.state = make("span", "tc-state");
  const slot = make("span", "tc-slot");
  slot.append(parts.follow);
  right.append(parts.message, slot, parts.state);
  strip.append(clock, slider, right);
  return strip;
}

function heading(...content) {
  const head = make("h3", "tc-head");
  const name = make("span");
  name.append(...content);
  head.append(name);
  return head;
}

function buildMapPanel(parts, word) {
  const panel = make("section", "tc-panel tc-map-panel");
  parts.map = make("div", "tc-fill tc-map");
  parts.legend = make("div", "tc-legend");
  parts.note = make("div", "tc-note");
  panel.append(heading(word("Map", "map")), parts.map, parts.legend, parts.note);
  return panel;
}

function buildCharts(parts, word) {
  const panel = make("section", "tc-panel tc-curves-panel");
  const unit = (text) => make("span", "tc-sub", text);
  const heads = [
    heading(word("Bound", "bound"), " and ", word("loss", "loss"), unit("nats")),
    heading(word("Accuracy", "accuracy"), unit("% of points")),
    heading(word("Active leaves", "active"), unit("count")),
  ];
  parts.charts = heads.map(() => make("div", "tc-fill tc-chart"));
  heads.forEach((head, i) => panel.append(head, parts.charts[i]));
  return panel;
}

function buildTreePanel(parts, word) {
  const panel = make("section", "tc-panel tc-tree-panel");
  const head = heading("Tree");
  const legend = make("span", "tc-sub tc-tree-legend");
  const asleep = make("span", "tc-together");
  asleep.append(make("i", "tc-sign asleep"), word("asleep", "asleep"));
  parts.signs = [make("i", "tc-sign plus"), make("i", "tc-sign minus")];
  legend.append(
    word("split", "split"), ": weights push ", parts.signs[0], " right or ", parts.signs[1], " left",
    make("span", "tc-gap"), word("leaf", "leaf"), ": its training rows",
    make("span", "tc-gap"), asleep,
  );
  parts.remark = make("span", "tc-sub tc-remark");
  head.append(legend, parts.remark);
  parts.tree = make("div", "tc-fill tc-tree");
  panel.append(head, parts.tree);
  return panel;
}

const SWATCH = 20;

/** The legend under the map; rebuilt only when the classes or the theme are new. */
export function fillLegend(view) {
  const { parts, meta, theme, points } = view;
  const classes = meta.classes ?? [];
  const anyHeld = points?.held?.some((h) => h) ?? false;
  const key = [theme.key, anyHeld, ...classes].join("\n");
  if (key !== parts.legendKey) {
    parts.legendKey = key;
    const entry = (label, held, wrong, text) => {
      const item = make("span", "tc-entry");
      const swatch = make("canvas", "tc-swatch");
      swatch.setAttribute("aria-hidden", "true");
      drawPoint(fit(swatch, SWATCH, SWATCH), theme, label, held, wrong, SWATCH / 2, SWATCH / 2, 4.4);
      const help = held && meta.glossary?.held;
      const name = help
        ? term(text, parts.tooltip, () => view.meta.glossary?.held ?? "")
        : make("span", "", text);
      name.classList.add("tc-name");
      item.append(swatch, name);
      return item;
    };
    parts.legend.replaceChildren(
      ...classes.map((name, c) => entry(c, false, false, name)),
      ...(classes.length ? [make("span", "tc-bar")] : []),
      ...(anyHeld ? [entry(-1, true, false, "held out")] : []),
      ...(classes.length ? [entry(-1, false, true, "misclassified")] : []),
    );
  }
  const [shown, all] = meta.shown ?? [0, 0];
  const note = [meta.axes?.note, shown < all ? `${shown} of ${all} points shown.` : ""];
  setText(parts.note, note.filter(Boolean).map((part) => part.replace(/[.\s]*$/, ".")).join(" "));
}
