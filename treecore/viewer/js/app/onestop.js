// Maps, trees and the limit's line are one stop of the tab key, however many learners there are:
// Page Down and Page Up go from one to the next.

/**
 * @typedef {object} Picture
 * @property {HTMLElement} host that hears the keys
 * @property {() => unknown} group pictures of one group are one stop
 * @property {() => HTMLElement | undefined} target what of it takes the focus, if anything
 * @property {boolean} [stops] whether the tab key comes to it
 * @property {() => void} [hint] say how to go on
 */

/** @type {Record<string, number>} */
const WAYS = { PageDown: 1, PageUp: -1 };

/** @type {Set<Picture>} */
const pictures = new Set();
/** @type {Map<unknown, Picture>} which had the focus last, of every group */
const last = new Map();

/** The element of the page itself that a picture is in. @param {Picture} picture */
function placeOf({ host }) {
  const root = host.getRootNode();
  return root instanceof ShadowRoot ? root.host : host;
}

/** Pictures of a group that can have the focus, as they stand on the page. @param {unknown} group */
function shown(group) {
  const follows = (/** @type {Picture} */ a, /** @type {Picture} */ b) =>
    (placeOf(a).compareDocumentPosition(placeOf(b)) & Node.DOCUMENT_POSITION_FOLLOWING ? -1
      : placeOf(a) === placeOf(b) ? 0 : 1);
  return [...pictures].filter((one) => one.group() === group && one.target()?.checkVisibility()).sort(follows);
}

/** Have one picture of every group be a stop: another one may have come or gone. */
export function settleStops() {
  for (const group of new Set([...pictures].map((one) => one.group()))) {
    const own = shown(group);
    const stop = own.find((one) => one === last.get(group)) ?? own[0];
    for (const one of own) {
      one.stops = one === stop;
      const target = one.target();
      if (target) target.tabIndex = one.stops ? 0 : -1;
    }
  }
}

/** @param {Picture} picture */
export function addPicture(picture) {
  const { host } = picture;
  pictures.add(picture);
  host.setAttribute("aria-keyshortcuts", Object.keys(WAYS).join(" "));
  host.addEventListener("focusin", (event) => {
    const group = picture.group();
    last.set(group, picture);
    settleStops();
    const byKey = event.target instanceof Element && event.target.matches(":focus-visible");
    if (byKey && shown(group).length > 1) picture.hint?.();
  });
  host.addEventListener("keydown", (event) => {
    const own = shown(picture.group());
    const next = own[own.indexOf(picture) + (WAYS[event.key] ?? NaN)];
    if (!next) return; // the page scrolls
    event.preventDefault();
    next.target()?.focus();
  });
}

/** Forget the pictures in a view that leaves. @param {Element} root */
export function leaveStops(root) {
  for (const picture of pictures) {
    if (!root.contains(picture.host)) continue;
    pictures.delete(picture);
    if (last.get(picture.group()) === picture) last.delete(picture.group());
  }
  settleStops();
}
