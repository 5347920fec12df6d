// Which learner of a comparison is pointed at: its card (map and tree) and its lines in the charts
// tell each other, by the address of their channel.

/** @import { Place } from "./place.js" */

/**
 * A card or a board of charts. It hears the number of a learner, -1 for none, and its colour.
 * @typedef {object} Party
 * @property {Element} root
 * @property {Pick<Place, "told">} place
 * @property {(run: number, colour: string) => void} hear
 * @property {(run: number) => string | undefined} [colour] known to boards
 * @property {(point: number) => void} [mark] a point of the map, -1 for none; known to maps
 */

/** @type {Set<Party>} */
const parties = new Set();

/**
 * Point at a learner that has others beside it, and charts.
 * @param {string | undefined} wire @param {number} run -1 for none
 */
export function light(wire, run) {
  const near = [...parties].filter(({ root, place }) => root.isConnected && place.told.wire === wire);
  const cards = near.filter(({ colour }) => !colour).length;
  if (!wire || (run >= 0 && (cards < 2 || cards === near.length))) return;
  const colour = near.map((party) => party.colour?.(run)).find(Boolean) ?? "";
  for (const party of near) party.hear(run, colour);
}

/**
 * Mark a point of one map on those beside it.
 * @param {string | undefined} wire @param {Element} from the card of that map
 * @param {number} point -1 for none
 */
export function lightPoint(wire, from, point) {
  if (!wire) return;
  for (const { root, place, mark } of parties) {
    if (root !== from && root.isConnected && place.told.wire === wire) mark?.(point);
  }
}

/** Take part until the function that comes back is called. @param {Party} party */
export function takePart(party) {
  parties.add(party);
  return () => void parties.delete(party);
}

/**
 * A card lights its learner while the pointer or the focus is in it; it is outlined while that is lit.
 * @param {HTMLElement} root @param {Party["place"]} place @param {Party["mark"]} [mark]
 */
export function addCard(root, place, mark) {
  const say = (/** @type {boolean} */ lit) => light(place.told.wire, lit ? Number(place.told.view) : -1);
  for (const name of ["pointerenter", "focusin"]) root.addEventListener(name, () => say(true));
  for (const name of ["pointerleave", "focusout"]) root.addEventListener(name, () => say(false));
  return takePart({ root, place, mark, hear: (run, colour) => {
    root.classList.toggle("tc-lit", run === Number(place.told.view));
    root.style.outlineColor = colour;
  } });
}
