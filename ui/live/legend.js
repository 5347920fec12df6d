// Choosing what the map's colours mean, and saying it: the bar of lenses and the legend.

import { make, setText } from "./dom.js";
import { countFlips, roundBrackets, squareBrackets, strokeBrackets } from "./flips.js";
import {
  findLens, hasBound, legendTicks, lensesFor, POINT_LENSES, rampOf, REGION_LENSES, SIDES, softRamp,
} from "./lenses.js";
import { drawPoint, fit } from "./theme.js";
import { term } from "./tooltip.js";

const SWATCH = 20;

/** Selects for regions, points and side, and the switch of the margins. */
export function buildLensBar(parts, view, word) {
  const bar = make("div", "tc-lenses");
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "What the map shows");
  const select = (key, name) => {
    const label = make("label", "tc-lens");
    const chooser = make("select", "tc-select");
    chooser.dataset.lens = key;
    chooser.addEventListener("change", () => view.setLens({ [key]: chooser.value }));
    label.append(make("span", "tc-sub", name), chooser);
    return label;
  };
  parts.lenses = {
    region: select("region", "Regions"), point: select("point", "Points"), side: select("side", "Show"),
  };
  bar.append(...Object.values(parts.lenses));
  return bar;
}

/** Switches of what is drawn over the regions and about the points. */
export function buildLayerBar(parts, view, word) {
  const bar = make("div", "tc-lenses tc-layers");
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Layers of the map");
  const layer = (key, name, term) => {
    const label = make("label", "tc-lens tc-check");
    parts[key] = make("input");
    parts[key].type = "checkbox";
    parts[key].addEventListener("change", () => view.setLens({ [key]: parts[key].checked }));
    const called = word(name, term);
    // The word explains itself as a button does, which a label does not pass on to its box.
    called.addEventListener("click", () => parts[key].click());
    label.append(parts[key], called);
    return label;
  };
  bar.append(layer("margins", "Margins", "margin"), layer("flips", "Moves", "moves"));
  return bar;
}

/** Bring bar and legend up to date; rebuilt only when what they say is new. */
export function fillLegend(view) {
  const { parts, meta, theme, points, lens } = view;
  if (!theme) return;
  const anyHeld = points?.held?.some((h) => h) ?? false;
  const bounded = hasBound(view);
  const frozen = !!view.player.newest?.used;
  const key = JSON.stringify([theme.key, anyHeld, bounded, frozen, lens, meta.task, meta.classes, meta.range,
    Object.keys(meta.glossary ?? {}).length]);
  if (key !== parts.legendKey) {
    parts.legendKey = key;
    fillSelects(view, bounded, anyHeld);
    // As high as its classes need, and so for the whole run, whatever the lens.
    parts.legend.classList.toggle("many", (meta.classes?.length ?? 0) > 5);
    parts.legend.classList.toggle("full", lens.flips);
    parts.ways.hidden = !lens.flips;
    parts.legend.replaceChildren(
      pointLegend(view, anyHeld),
      regionLegend(view),
      ...(lens.flips ? [flipLegend(view, frozen)] : []),
    );
    fillCounts(view);
  }
  const [shown, all] = meta.shown ?? [0, 0];
  const note = [meta.axes?.note, shown < all ? `${shown} of ${all} points shown.` : ""];
  setText(parts.note, note.filter(Boolean).map((part) => part.replace(/[.\s]*$/, ".")).join(" "));
}

function fillSelects(view, bounded, anyHeld) {
  const { parts, meta, lens } = view;
  const lists = {
    region: lensesFor(REGION_LENSES, meta), point: lensesFor(POINT_LENSES, meta), side: SIDES,
  };
  for (const [key, list] of Object.entries(lists)) {
    const chooser = parts.lenses[key].querySelector("select");
    const options = list.map((entry) => {
      const option = make("option", "", entry.name);
      option.value = entry.key;
      option.disabled = (entry.bounded && !bounded) || (entry.key === "test" && !anyHeld);
      if (entry.bounded && !bounded) option.title = "This method has no bound.";
      return option;
    });
    // An open menu must not be torn away under the pointer for an update that changes nothing.
    const same = chooser.options.length === options.length && options.every((option, i) =>
      option.value === chooser.options[i].value && option.disabled === chooser.options[i].disabled);
    if (!same) chooser.replaceChildren(...options);
    chooser.value = key === "side" ? lens.side : findLens(
      key === "region" ? REGION_LENSES : POINT_LENSES, lens[key], meta).key;
  }
  parts.margins.checked = lens.margins;
  parts.margins.disabled = meta.task === "regression" || !bounded;
  parts.flips.checked = lens.flips;
  parts.flips.disabled = meta.unit === "level"; // a tree that grows has other leaves each time
}

const help = (view, text, key) => (view.meta.glossary?.[key]
  ? term(text, view.parts.tooltip, () => view.meta.glossary?.[key] ?? "") : make("span", "", text));

function pointLegend(view, anyHeld) {
  const { meta, theme, lens } = view;
  const row = make("div", "tc-legend-row");
  const entry = (label, held, wrong, text, key = "") => {
    const item = make("span", "tc-entry");
    const swatch = make("canvas", "tc-swatch");
    swatch.setAttribute("aria-hidden", "true");
    const pen = fit(swatch, SWATCH, SWATCH);
    drawPoint(pen, theme, label, held, wrong, SWATCH / 2, SWATCH / 2, 4.4);
    const name = key ? help(view, text, key) : make("span", "", text);
    name.classList.add("tc-name");
    item.append(swatch, name);
    return item;
  };
  const own = findLens(POINT_LENSES, lens.point, meta);
  const scale = own.scale(meta);
  const classes = meta.classes ?? [];
  if (scale) row.append(scaleOf(view, "Points", own, scale, rampOf(theme, scale.ramp)));
  else row.append(...classes.map((name, c) => entry(c, false, false, name)));
  row.append(make("span", "tc-bar"));
  if (anyHeld) row.append(entry(-1, true, false, "held out", "held"));
  if (classes.length) row.append(entry(-1, false, true, "misclassified"));
  return row;
}

/** What the brackets mean, and how many points wear them now. */
function flipLegend(view, frozen) {
  const { parts, meta, theme } = view;
  const row = make("div", "tc-legend-row");
  const entry = (draw, text, key) => {
    const item = make("span", "tc-entry");
    const swatch = make("canvas", "tc-swatch");
    swatch.setAttribute("aria-hidden", "true");
    swatch.style.width = `${SWATCH + 4}px`;
    const pen = fit(swatch, SWATCH + 4, SWATCH);
    const path = new Path2D();
    drawPoint(pen, theme, -1, false, false, SWATCH / 2 + 2, SWATCH / 2, 3);
    draw(path, SWATCH / 2 + 2, SWATCH / 2, 3);
    strokeBrackets(pen, theme, path);
    const count = make("b", "tc-count");
    item.append(swatch, help(view, text, key), count);
    row.append(item);
    return count;
  };
  parts.flipCounts = { moved: entry(roundBrackets, `moved in the last ${meta.unit}:`, "moved") };
  if (frozen) parts.flipCounts.frozen = entry(squareBrackets, "assigned elsewhere:", "frozen");
  return row;
}

/** Bring the numbers behind the brackets up to date. */
export function fillCounts(view) {
  const { flipCounts } = view.parts;
  if (!view.lens.flips || !flipCounts || !view.points) return;
  const found = countFlips(view);
  for (const [key, element] of Object.entries(flipCounts)) setText(element, String(found[key]));
}

function regionLegend(view) {
  const { meta, theme, lens } = view;
  const row = make("div", "tc-legend-row");
  const own = findLens(REGION_LENSES, lens.region, meta);
  const scale = own.scale(meta);
  if (scale) row.append(scaleOf(view, "Regions", own, scale, softRamp(theme, scale)));
  else {
    const texts = {
      class: "Regions: the class that the leaf predicts, the stronger the surer.",
      leaf: "Regions: one tint a leaf, only to tell neighbours apart.",
    };
    row.append(make("span", "tc-sub", texts[own.key]));
  }
  if (lens.margins) {
    const item = make("span", "tc-entry");
    item.append(make("i", "tc-sign margin"), help(view, "margin of a split", "margin"));
    row.append(item);
  }
  return row;
}

/** A bar of colours with its name, its unit and numbers at what matters. */
function scaleOf(view, what, lens, scale, colours) {
  const item = make("span", "tc-scale");
  const name = make("span", "tc-scale-name");
  name.append(`${what}: `, help(view, lens.name.toLowerCase(), lens.term), scale.unit ? `, ${scale.unit}` : "");
  const bar = make("span", "tc-ramp");
  bar.style.background = `linear-gradient(to right, ${colours.join(",")})`;
  const ticks = make("span", "tc-ramp-box");
  ticks.append(bar);
  for (const { at, text } of legendTicks(scale)) {
    const share = (at - scale.low) / (scale.high - scale.low);
    const tick = make("span", "tc-tick", text);
    tick.style.left = `${100 * share}%`;
    tick.style.transform = `translateX(${-100 * share}%)`;
    if (at === scale.mark) tick.title = `as much as ${scale.markText}`;
    ticks.append(tick);
  }
  item.append(name, ticks);
  return item;
}
