// A page that is one file: recorded runs that it carries along, shown without server or network.
// treecore/viewer/pages/page.py writes it.

import { make } from "../app/dom.js";
import { LiveView } from "../app/main.js";
import { receive } from "../app/receive.js";
import { bytesOf, unpack } from "../app/wire.js";
import { _, N_, speak } from "../app/words.js";

/** What is done to one run of a comparison is done to all; looking back besides, see `join`. */
const TOGETHER = /** @type {const} */ (["nudge", "toggleReplay", "follow"]);
const LAST = N_("End: the last tree of the recording");

/**
 * Show the runs of the page, each where its element stands.
 * @param {Document} page @param {(place: HTMLElement) => boolean} [otherwise] whose recording is not played
 */
export default async function recorded(page, otherwise = () => false) {
  speak(JSON.parse(page.querySelector("#words")?.textContent || "{}"));
  /** @type {View[]} */
  const views = [];
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll(".run"))) {
    const host = make("div");
    place.append(host);
    const view = new LiveView(host.attachShadow({ mode: "open" }));
    views.push(view);
    if (!otherwise(place)) await play(place, view);
  }
  if (views.length > 1) join(views);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", () => views.forEach((view) => view.retheme()));
  return views;
}

/** Bytes that Python has deflated and written as base64. @param {string} text */
export async function inflate(text) {
  const stream = new Blob([bytesOf(text.trim())]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Messages, each after four bytes that say how long it is. @param {Uint8Array} bytes */
export function split(bytes) {
  const lengths = new DataView(bytes.buffer, bytes.byteOffset);
  const messages = [];
  for (let at = 0; at < bytes.byteLength;) {
    const end = at + 4 + lengths.getUint32(at, true);
    messages.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return messages;
}

/** Have a view play the recording of its place. @param {HTMLElement} place @param {View} view */
export async function play(place, view) {
  const packed = place.querySelector("script")?.textContent ?? "";
  for (const bytes of split(await inflate(packed))) receive(view, /** @type {Message<Meta>} */ (unpack(bytes)));
  view.parts.follow.textContent = _("End"); // nothing is learnt here
  view.parts.follow.setAttribute("aria-label", _(LAST));
}

/** @param {View[]} views */
function join(views) {
  for (const name of TOGETHER) {
    const deeds = views.map((view) => /** @type {Function} */ (view[name]).bind(view));
    for (const view of views) {
      Object.assign(view, { [name]: (/** @type {unknown} */ value) => deeds.forEach((d) => d(value)) });
    }
  }
  for (const view of views) {
    view.scrub = (epoch) => {
      for (const other of views) LiveView.prototype.scrub.call(other, momentOf(other, view, epoch));
    };
    view.setRate = (rate) => {
      for (const other of views) {
        LiveView.prototype.setRate.call(other, rate);
        other.parts.rate.value = String(rate);
      }
    };
  }
}

/**
 * The moment of one run at an epoch of another: the same one, or where they count other things the
 * same share of the run.
 * @param {View} one @param {View} other @param {number} epoch
 */
function momentOf(one, other, epoch) {
  if (one.meta.unit === other.meta.unit) return epoch;
  return (epoch / (other.meta.n_epochs || 1)) * (one.meta.n_epochs || 1);
}
