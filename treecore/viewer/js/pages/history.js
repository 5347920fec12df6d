// What a page of the app has beside what is drawn on it: whoever leaves is noticed, and its language
// and theme are told.
//
// The page also lives on where its session does not: after a long sleep, or a new start of the
// server, it is drawn by a new session, which is told.

import { arrive, watch } from "../app/leaving.js";
import { keepFocus } from "../app/keepfocus.js";
import { fitCharts } from "../app/paper.js";
import "./address.js";

let done = false;
let session = "";
let shown = "";
let spoken = "en";
/** Have the page drawn anew. */
let ask = () => {};

/** What Streamlit calls, when the page is drawn and with each change of theme. @param {Mount} mount */
export default function history({ data, setTriggerValue }) {
  const { session: present = "", page = "", query = "", lang = "en", mode = 0 } =
    /** @type {{session?: string, page?: string, query?: string, lang?: string, mode?: number}} */ (data ?? {});
  arrive(page, query);
  // Another page, or what takes its place, begins at its beginning, wherever the last one was left.
  const place = `${page} ${mode}`;
  if (shown && place !== shown) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  shown = place;
  // Whoever reads the page aloud pronounces it by that.
  if (lang !== spoken) document.documentElement.lang = spoken = lang;
  // What floats above the page is outside of the app, which alone is told its theme.
  const app = document.querySelector("[data-testid=stApp]");
  if (app) document.body.style.colorScheme = getComputedStyle(app).colorScheme;
  if (session && present !== session) setTriggerValue("renewed", present);
  session = present;
  ask = () => setTriggerValue("asked", Date.now());
  if (done) return;
  done = true;
  fitCharts();
  keepFocus();
  watch();
  window.addEventListener("tc-unheard", () => ask());
  window.addEventListener("pagehide", foldSidebar);
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
