// The browser's history: an address that a page completes by itself is no step of the visitor's.
// Whoever comes by the menu to `/train` is soon at `/train?v=1&data=…`; without this, going back
// would lead to `/train`, which at once is completed again.
//
// The page also lives on where its session does not: after a long sleep, or a new start of the
// server, it is drawn by a new session, which is told.

import { arrive, watch } from "../app/leaving.js";
import { fitCharts } from "../app/paper.js";

/** @import { Mount } from "../types.d.ts" */

let done = false;
let session = "";
let spoken = "en";
/** Have the page drawn anew. */
let ask = () => {};

/** What Streamlit calls, whenever the page is drawn. @param {Mount} mount */
export default function history({ data, setTriggerValue }) {
  const { session: present = "", page = "", query = "", lang = "en" } =
    /** @type {{session?: string, page?: string, query?: string, lang?: string}} */ (data ?? {});
  arrive(page, query);
  // Whoever reads the page aloud pronounces it by that.
  if (lang !== spoken) document.documentElement.lang = spoken = lang;
  if (session && present !== session) setTriggerValue("renewed", present);
  session = present;
  ask = () => setTriggerValue("asked", Date.now());
  if (done) return;
  done = true;
  fitCharts();
  watch();
  window.addEventListener("tc-unheard", () => ask());
  window.addEventListener("pagehide", foldSidebar);
  const push = window.history.pushState;
  window.history.pushState = function (state, title, url) {
    if (completes(location.href, url ?? null) || redraws(location.href, url ?? null)) this.replaceState(state, title, url);
    else push.call(this, state, title, url);
  };
}

/**
 * Streamlit remembers an open sidebar, and shows it at the next visit: on a narrow screen it would
 * lie over the page that somebody comes to see.
 */
function foldSidebar() {
  if (!matchMedia("(max-width: 768px)").matches) return;
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith("stSidebarCollapsed-")) localStorage.removeItem(name);
  }
}

/**
 * Whether a page goes to the link of what it shows from an address that was none: `v` is in all
 * links that pages make, see `ui/links/visit.py`.
 * @param {string} here @param {string | URL | null} url
 */
export function completes(here, url) {
  const from = new URL(here), to = new URL(url ?? here, here);
  const ours = to.searchParams.has("v") && !from.searchParams.has("v");
  return ours && from.pathname === to.pathname;
}

/**
 * Whether two addresses of a page differ in nothing but the points that were drawn on it: who has
 * drawn sixty of them would have to go back sixty times. See `ui/widgets/data/points_code.py`.
 * @param {string} here @param {string | URL | null} url
 */
export function redraws(here, url) {
  const bare = (/** @type {string | URL} */ address) => {
    const parts = new URL(address, here);
    const had = parts.searchParams.has("drawing");
    parts.searchParams.delete("drawing");
    return { had, address: parts.href };
  };
  if (url === null) return false;
  const from = bare(here), to = bare(url);
  return (from.had || to.had) && from.address === to.address;
}
