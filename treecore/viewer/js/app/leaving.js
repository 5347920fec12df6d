// Whether the visitor is on the way to another page. Streamlit takes what it is told for the page
// that it knows of, and of the page that a link or Back leads to it knows only when the server has
// begun to draw it: a component of the old page that asks for a run before that undoes the step. So
// whatever components say waits until the page where the visitor wants to be has come.

/**
 * Where somebody wants to be: a page, and by Back a certain address of it.
 * @typedef {{page: string, query: string | null, since: number}} Goal
 */

const LONGEST = 30_000; // milliseconds that a page may take to come; a link may lead to none

const LEADS = "st-key-to_"; // what Streamlit calls a button that is `to_inspect_0` on the server

const GAP = 200; // milliseconds until it is asked again whether it has

/** @type {WeakMap<Node, Map<string, unknown>>} what components have yet to say, by its name */
const unsaid = new WeakMap();
/** @type {Goal | null} */
let goal = null;
let shown = ""; // the page that was drawn last

/** Whether the page that is wanted has yet to come. */
function leaving() {
  if (goal && performance.now() - goal.since > LONGEST) goal = null;
  return goal !== null;
}

/**
 * What a component says to its page, which it says to no other: what still waits when the component
 * is gone is forgotten.
 * @param {Mount} mount @returns {Tell}
 */
export function patient({ parentElement, setTriggerValue }) {
  return (name, value) => {
    const waiting = unsaid.get(parentElement);
    if (waiting) waiting.set(name, value);
    else if (!leaving()) setTriggerValue(name, value);
    else {
      unsaid.set(parentElement, new Map([[name, value]]));
      setTimeout(sayOnceHere, GAP, parentElement, setTriggerValue);
    }
  };
}

/** @param {Node} place @param {Tell} report */
function sayOnceHere(place, report) {
  if (leaving()) return void setTimeout(sayOnceHere, GAP, place, report);
  const waiting = unsaid.get(place) ?? [];
  unsaid.delete(place);
  if (place.isConnected) for (const [name, value] of waiting) report(name, value);
}

/**
 * A page is drawn, because of an address.
 * @param {string} page @param {string} query without its question mark
 */
export function arrive(page, query) {
  shown = page;
  if (goal?.page === page && (goal.query === null || same(goal.query, query))) goal = null;
}

/** Somebody clicks; on what leads to another page, he leaves. @param {MouseEvent} event */
export function noteClick(event) {
  const elsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const path = event.composedPath();
  const page = byButton(path) ?? (elsewhere ? null : byLink(path));
  if (page !== null && page !== shown) goal = { page, query: null, since: performance.now() };
}

/** @param {EventTarget[]} path */
function byLink(path) {
  const link = path.find((node) => node instanceof HTMLAnchorElement);
  if (!link || link.target || link.download || link.origin !== location.origin) return null;
  return pageOf(link.pathname);
}

/** Where a button leads whose key on the server begins with `to_`. @param {EventTarget[]} path */
function byButton(path) {
  if (!path.some((node) => node instanceof HTMLButtonElement && !node.disabled)) return null;
  const names = path.flatMap((node) => (node instanceof Element ? [...node.classList] : []));
  return names.find((name) => name.startsWith(LEADS))?.slice(LEADS.length).split("_")[0] ?? null;
}

/** Somebody has gone back or forward: the address is that of the goal already. */
export function noteStep() {
  goal = { page: pageOf(location.pathname), query: location.search, since: performance.now() };
}

/** Where the app lives: our scripts lie in scripts/NAME/app. */
const root = () => new URL("../../../", import.meta.url).pathname;

/** What a page is called in its address: the first one has no name. @param {string} path */
export function pageOf(path, home = root()) {
  return `${path}/`.slice(home.length).replace(/\/+$/, "");
}

/** @param {string} a @param {string} b */
function same(a, b) {
  const [one, other] = [a, b].map((query) => {
    const parts = new URLSearchParams(query);
    parts.sort();
    return parts.toString();
  });
  return one === other;
}

/**
 * Whether an address would undo a step back or forward. A run of the old page that was asked for
 * before the step begins after it, and Streamlit goes to the address of any page that begins.
 * @param {string | URL | null} url
 */
function undoes(url) {
  if (!leaving() || goal?.query === null || url === null) return false;
  return pageOf(new URL(url, location.href).pathname) !== goal?.page;
}

/** From now on whoever leaves is noticed, and a step that was made stays. */
export function watch() {
  document.addEventListener("click", noteClick, true);
  window.addEventListener("popstate", noteStep);
  const push = window.history.pushState;
  window.history.pushState = function (state, title, url) {
    if (!undoes(url ?? null)) push.call(this, state, title, url);
  };
}
