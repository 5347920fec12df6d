// Choosing what the map's colours mean, and saying it: the lenses and the legend.

import { classSigns, make, offer, setText } from "../app/dom.js";
import { countFlips, roundBrackets, squareBrackets, strokeBrackets } from "./flips.js";
import {
  findLens, hasBound, legendTicks, lensesFor, POINT_LENSES, rampOf, REGION_LENSES, SIDES, softRamp,
} from "./lenses.js";
import { drawPoint, fit, newPath } from "../app/theme.js";
import { _, N_, said, within } from "../app/words.js";

/** @import { Brackets } from "./flips.js" */
/** @import { Word } from "../app/skeleton.js" */

const SWATCH = 20;
const MOST_FIRST = 12; // classes that stand before the marks of points

/**
 * What the map and the charts show: selects, and switches of what is drawn besides.
 * @param {Pick<View, "setLens">} view @param {Word} word
 */
export function buildLenses(view, word) {
  const bar = make("div", "tc-view-map");
  const select = (/** @type {"region" | "point" | "side"} */ key, /** @type {string} */ name) => {
    const chooser = make("select", "tc-select", "", { "data-lens": key });
    chooser.addEventListener("change", () => view.setLens({ [key]: chooser.value }));
    bar.append(make("label", "tc-lens", [make("span", "tc-sub", name), chooser]));
    return chooser;
  };
  /** @type {(called: HTMLElement, tell: (checked: boolean) => void) => HTMLInputElement} */
  const tick = (called, tell) => {
    const box = make("input", "", "", { type: "checkbox" });
    box.addEventListener("change", () => tell(box.checked));
    bar.append(make("label", "tc-lens tc-check", [box, called]));
    return box;
  };
  const lenses = {
    region: select("region", _("Regions")), point: select("point", _("Points")), side: select("side", _("Show")),
  };
  const margins = tick(word(_("Margins"), "margin"), (margins) => view.setLens({ margins }));
  const flips = tick(word(_("Moves"), "moves"), (flips) => view.setLens({ flips }));
  return { bar, lenses, margins, flips };
}

/** Bring bar and legend up to date; rebuilt only when what they say is new. @param {View} view */
export function fillLegend(view) {
  const { parts, meta, theme, points, lens } = view;
  const anyHeld = points.held?.some((h) => h) ?? false;
  const bounded = hasBound(view);
  const frozen = !!view.player.newest?.used;
  const key = JSON.stringify([theme.key, view.frame?.sliced, anyHeld, bounded, frozen, lens, meta.task, meta.classes, meta.range,
    Object.keys(meta.glossary ?? {}).length]);
  if (key !== parts.legendKey) {
    parts.legendKey = key;
    fillSelects(view, bounded, anyHeld);
    // As high as its classes or target need, and so for the whole run, whatever the lens.
    const names = meta.classes?.length ? meta.classes : [meta.target ?? ""];
    const wide = names.reduce((sum, name) => sum + Math.min(name.length, 24) + 5, 0);
    parts.legend.classList.toggle("some", wide > (names.length > 1 ? 20 : 11));
    parts.legend.classList.toggle("many", names.length > 5 || wide > 50);
    parts.legend.classList.toggle("full", lens.flips);
    parts.classes.replaceChildren(...classSigns(meta.classes ?? [], theme.of));
    parts.legend.replaceChildren(
      pointLegend(view),
      regionLegend(view),
      ...(lens.flips ? [flipLegend(view, frozen)] : []),
    );
    // Two lines of signs lie closer together, or what is said below them would be cut.
    if (meta.v && parts.legend.scrollHeight > parts.legend.clientHeight) parts.legend.classList.add("full");
    fillCounts(view);
  }
  parts.menu.tell(view);
  const asked = view.frame?.detail?.feature;
  parts.above.hidden = !asked?.length || asked.some((feature) => feature < 0);
  parts.pushes.hidden = !asked?.some((feature) => feature < 0);
  const [shown, all] = meta.shown ?? [0, 0];
  const sliced = view.frame?.sliced ?? -1;
  const { note = "", regions = "" } = meta.axes ?? {};
  const about = regions.replace(/[.\s]*$/, "");
  const hint = meta.near ? _("click a point to see the slice of the tree through it.")
    : _("click a point to move the slice there.");
  // Only a run that is asked for trees can be asked for another slice.
  const told = about && sliced >= 0 ? _("Regions are the slice of the tree through point {point}.", { point: sliced })
    : about && meta.commands ? `${about}: ${hint}` : about;
  const notes = [note, told, shown < all ? _("{shown} of {all} points shown.", { shown, all }) : ""];
  setText(parts.note, notes.filter(Boolean).map((part) => part.replace(/[.\s]*$/, ".")).join(" "));
}

/** @param {View} view @param {boolean} bounded @param {boolean} anyHeld */
function fillSelects(view, bounded, anyHeld) {
  const { parts, meta, lens } = view;
  /** @type {Array<[HTMLSelectElement, Array<Pick<Lens, "key" | "name" | "bounded">>, string]>} */
  const lists = [
    [parts.lenses.region, lensesFor(REGION_LENSES, meta),
      findLens(REGION_LENSES, lens.region, meta).key],
    [parts.lenses.point, lensesFor(POINT_LENSES, meta),
      findLens(POINT_LENSES, lens.point, meta).key],
    [parts.lenses.side, SIDES, lens.side],
  ];
  for (const [chooser, list, chosen] of lists) {
    offer(chooser, list.map((entry) => {
      const unbounded = !!entry.bounded && !bounded;
      return {
        value: entry.key, text: _(entry.name), disabled: unbounded || (entry.key === "test" && !anyHeld),
        title: unbounded ? _("This method has no bound.") : "",
      };
    }), chosen);
  }
  // Where there are no regions, nothing of them can be chosen.
  parts.margins.checked = lens.margins;
  // Where places are told by their nearest points, splits have no strips about them.
  const loose = !!meta.near && (view.frame?.sliced ?? -1) < 0;
  parts.margins.disabled = meta.task === "regression" || !bounded || loose;
  parts.flips.checked = lens.flips;
  parts.flips.disabled = meta.unit === "level"; // a tree that grows has other leaves each time
}

/** @type {(view: View, text: string, key: string) => HTMLElement} */
const help = (view, text, key) => (view.meta.glossary?.[key] ? view.parts.word(text, key) : make("span", "", text));

/**
 * What the markers of the points mean, those of classes first.
 * @typedef {{label: number, held: boolean, wrong: boolean, text: string, key?: string}} Entry
 * @param {View} view @returns {{classes: Entry[], others: Entry[]}}
 */
export function pointEntries({ meta, points }) {
  const classes = (meta.classes ?? []).map((text, label) => ({ label, held: false, wrong: false, text }));
  const others = [];
  if (points.held?.some((h) => h)) others.push({ label: -1, held: true, wrong: false, text: _("test"), key: "held" });
  if (classes.length) others.push({ label: -1, held: false, wrong: true, text: _("misclassified") });
  return { classes, others };
}

/** @param {View} view */
function pointLegend(view) {
  const { meta, theme, lens } = view;
  const entry = (/** @type {Entry} */ { label, held, wrong, text, key }) => {
    const swatch = make("canvas", "tc-swatch", "", { "aria-hidden": true });
    drawPoint(fit(swatch, SWATCH, SWATCH), theme, label, held, wrong, SWATCH / 2, SWATCH / 2, 4.4);
    const name = key ? help(view, text, key) : make("span", "", text);
    name.classList.add("tc-name");
    return make("span", "tc-entry", [swatch, name]);
  };
  const own = findLens(POINT_LENSES, lens.point, meta);
  const scale = own.scale(meta);
  const { classes, others } = pointEntries(view);
  const marks = others.map(entry), known = classes.map(entry);
  // Of many classes the legend shows some, and the others when it is scrolled.
  const leading = scale ? [scaleOf(view, _("Points"), own, scale, rampOf(theme, scale.ramp))] : known;
  const parts = !scale && classes.length > MOST_FIRST ? [marks, known] : [leading, marks];
  parts[1]?.[0]?.classList.add("tc-next");
  return make("div", "tc-legend-row", parts.flat());
}

/** What the brackets mean, and how many points wear them now. @param {View} view @param {boolean} frozen */
function flipLegend(view, frozen) {
  const { parts, meta, theme } = view;
  const row = make("div", "tc-legend-row");
  /** @type {(draw: Brackets, text: string, key: string) => HTMLElement} */
  const entry = (draw, text, key) => {
    const swatch = make("canvas", "tc-swatch", "", { "aria-hidden": true, style: `width: ${SWATCH + 4}px` });
    const pen = fit(swatch, SWATCH + 4, SWATCH);
    const path = newPath(pen);
    drawPoint(pen, theme, -1, false, false, SWATCH / 2 + 2, SWATCH / 2, 3);
    draw(path, SWATCH / 2 + 2, SWATCH / 2, 3);
    strokeBrackets(pen, theme, path);
    const count = make("b", "tc-count");
    row.append(make("span", "tc-entry", [swatch, help(view, text, key), count]));
    return count;
  };
  parts.flipCounts = { moved: entry(roundBrackets, _("moved in the last {unit}:", { unit: _(meta.unit ?? "epoch") }), "moved") };
  if (frozen) parts.flipCounts.frozen = entry(squareBrackets, _("assigned elsewhere:"), "frozen");
  return row;
}

/** Bring the numbers behind the brackets up to date. @param {View} view */
export function fillCounts(view) {
  const { flipCounts } = view.parts;
  if (!view.lens.flips || !flipCounts) return;
  const { moved, frozen } = countFlips(view);
  if (flipCounts.moved) setText(flipCounts.moved, String(moved));
  if (flipCounts.frozen) setText(flipCounts.frozen, String(frozen));
}

/** @type {Record<string, string>} */
export const REGION_TEXTS = {
  class: N_("Regions: the predicted class; stronger means more confident."),
  leaf: N_("Regions: one tint per leaf, to tell neighbours apart."),
};

/** @param {View} view */
function regionLegend(view) {
  const { meta, theme, lens } = view;
  const own = findLens(REGION_LENSES, lens.region, meta);
  const scale = own.scale(meta);
  const margin = () => make("span", "tc-entry", [make("i", "tc-sign margin"), help(view, _("margin of a split"), "margin")]);
  return make("div", "tc-legend-row", [
    scale ? scaleOf(view, _("Regions"), own, scale, softRamp(theme, scale))
      : make("span", "tc-sub", said(REGION_TEXTS[own.key])),
    ...(lens.margins ? [margin()] : []),
  ]);
}

/**
 * A bar of colours with its name, its unit and numbers at what matters.
 * @param {View} view @param {string} what @param {Lens<any>} lens @param {Scale} scale
 * @param {string[]} colours
 */
function scaleOf(view, what, lens, scale, colours) {
  const word = help(view, within(_(lens.name)), lens.term ?? "");
  const name = make("span", "tc-scale-name", [`${what}: `, word, scale.unit ? `, ${scale.unit}` : ""]);
  const bar = make("span", "tc-ramp", "", { style: `background: linear-gradient(to right, ${colours.join(",")})` });
  const ticks = legendTicks(scale).map(({ at, text }) => {
    const share = (at - scale.low) / (scale.high - scale.low);
    return make("span", "tc-tick", text, {
      style: `left: ${100 * share}%; transform: translateX(${-100 * share}%)`,
      title: at === scale.mark ? _("as much as {what}", { what: scale.markText }) : "",
    });
  });
  return make("span", "tc-scale", [name, make("span", "tc-ramp-box", [bar, ...ticks])]);
}
