// A page that is one file and learns by itself; where it cannot, it shows the recording that it has.
// treecore/viewer/pages/page.py writes it.

import { make, makeButton, offer, setText } from "../app/dom.js";
import { receive } from "../app/receive.js";
import { unpack } from "../app/wire.js";
import { _, N_ } from "../app/words.js";
import { Easel } from "../learn/easel.js";
import { Learning } from "../learn/learning.js";
import { verdictOf } from "../learn/verdict.js";
import recorded, { inflate, play } from "./recorded.js";

const FORBIDDEN = N_("This browser has no WebAssembly here, or may not use it. You see the recording instead.");
const DAMAGED = N_("This page's training code is damaged. You see the recording instead.");

const LABELS = { eta: N_("η (learning rate)"), nu: N_("ν (norm limit)") };
const PACES = [0.25, 0.5, 1, 2, 4];

/** Let the runs of the page learn, each where its element stands. @param {Document} page */
export default async function live(page) {
  const places = /** @type {HTMLElement[]} */ ([...page.querySelectorAll(".run")]);
  /** @type {Learning[]} */
  const learnings = [];
  const startOf = (/** @type {HTMLElement} */ place) => place.querySelector(".start")?.textContent;
  /** @type {View[] | undefined} */
  let views;
  let told = FORBIDDEN;
  const verdict = page.querySelector(".verdict");
  const settle = () => verdict && setText(verdict, verdictOf(learnings));
  try {
    if (!globalThis.WebAssembly) throw new TypeError(FORBIDDEN);
    told = DAMAGED;
    const compiled = inflate(page.querySelector("#kernels")?.textContent ?? "").then(async (bytes) =>
      WebAssembly.compile(bytes).catch((error) => {
        if (WebAssembly.validate(bytes)) told = FORBIDDEN;
        throw error;
      }));
    const [module, ...starts] = await Promise.all([compiled, ...places.map(startOf).map((start) => start && inflate(start))]);
    // From here on nothing is waited for, so that the first picture is of trees.
    views = await recorded(page, (place) => !!startOf(place));
    for (const [i, place] of places.entries()) {
      const start = starts[i];
      if (start) learnings.push(begin(place, views[i], module, start, settle));
    }
  } catch (error) {
    console.warn(error);
    if (!views) await recorded(page);
    else for (const [i, place] of places.entries()) if (startOf(place)) await play(place, views[i]);
    page.querySelector(".runs")?.before(make("p", "", _(told)));
    return;
  }
  for (const learning of learnings) {
    // What is done to one is done to all, as with recordings.
    learning.view.command = (what, value) => learnings.forEach((one) => one.command(what, value));
  }
  const [{ given }] = learnings;
  if (learnings.every((one) => one.start.room && String(one.given) === String(given))) draw(learnings);
  Object.assign(globalThis, { learnings }); // for tests and for the curious
}

/**
 * @param {HTMLElement} place @param {View} view @param {WebAssembly.Module} module @param {Uint8Array} start
 * @param {() => void} settle what to do after each picture
 */
function begin(place, view, module, start, settle) {
  view.parts.follow.textContent = _("Live");
  view.parts.follow.setAttribute("aria-label", _("Live: return to the present tree"));
  const learning = new Learning(view, module, unpack(start), (_view, message) => {
    receive(view, message);
    settle();
  });
  place.querySelector("p")?.replaceWith(controls(learning)); // which tells of the recording
  return learning;
}

/** Let points be moved and added, in all runs at once. @param {Learning[]} learnings */
function draw(learnings) {
  const first = new Easel(learnings[0]);
  for (const one of learnings.slice(1)) new Easel(one, first);
  const { easels, classes } = first;
  const erase = classes.length;
  /** @param {number} value */
  const name = (value) => {
    if (value < 0) return _("Look");
    return value < erase ? _("Point: {name}", { name: classes[value] }) : _("Erase");
  };
  const values = [-1, ...classes.keys(), erase];
  const pens = easels.map(({ view }) => {
    const pen = choice("pen", values, -1, (value) => {
      const tool = value < 0 ? "" : value < erase ? "point" : "erase";
      easels.forEach((one) => one.take(tool, Math.max(0, value % erase)));
      pens.forEach((other) => (other.value = String(value)));
    }, name);
    pen.title = _("Click to add a point, drag to move it, right-click to erase it.");
    const undo = makeButton("", _("Undo"), () => first.travel("undo"), { title: _("Undo the last change (Ctrl+Z).") });
    const host = view.root.getRootNode();
    const row = host instanceof ShadowRoot && host.host.closest(".run")?.querySelector(".knobs");
    if (row) row.append(labelled(_("Pointer"), pen), undo);
    host.addEventListener("taken", () => pens.forEach((one) => (one.value = String(first.label))));
    return pen;
  });
}

/** What can be set. @param {Learning} learning */
function controls(learning) {
  const { starts, knobs } = learning.start;
  const root = make("p", "knobs");
  for (const [name, { low, high }] of Object.entries(knobs)) {
    const input = make("input", "", "", { type: "number", name, min: low, max: high, step: "any", value: learning.values[name] });
    input.addEventListener("change", () => {
      if (input.value && input.reportValidity()) learning.set(name, Number(input.value));
    });
    root.append(labelled(_(LABELS[/** @type {"eta" | "nu"} */ (name)]), input));
  }
  const depths = choice("depth", starts.map(({ depth }) => depth), learning.image.depth, choose);
  const seeds = choice("seed", starts.map(({ seed }) => seed), learning.image.seed, choose);
  root.append(labelled(_("Depth"), depths));
  if (seeds.length > 1) root.append(labelled(_("Seed"), seeds)); // greedy growth draws nothing
  root.append(labelled(_("Pace"), choice("pace", PACES, 1, (value) => (learning.pace = value), (value) => `${value}×`)));
  return root;

  /** @param {number} value @param {string} name */
  function choose(value, name) {
    const wanted = { depth: learning.image.depth, seed: learning.image.seed, [name]: value };
    // Not every seed has trees of every depth, where they are large.
    const found = starts.find(({ depth, seed }) => depth === wanted.depth && seed === wanted.seed)
      ?? starts.find((one) => one[/** @type {"depth" | "seed"} */ (name)] === value);
    if (found) learning.image = found;
    depths.value = String(learning.image.depth);
    seeds.value = String(learning.image.seed);
    learning.begin();
  }
}

/** @param {string} text @param {HTMLElement} input */
function labelled(text, input) {
  return make("label", "", [`${text} `, input]);
}

/**
 * @param {string} name @param {number[]} values @param {number} chosen
 * @param {(value: number, name: string) => void} act @param {(value: number) => string} [write]
 */
function choice(name, values, chosen, act, write = String) {
  const select = make("select", "", "", { name });
  offer(select, [...new Set(values)].sort((a, b) => a - b).map((value) => ({ value, text: write(value) })), chosen);
  select.addEventListener("change", () => act(Number(select.value), name));
  return select;
}
