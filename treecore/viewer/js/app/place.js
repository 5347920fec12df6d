// A view's place on the page: which channel it hears, and when the page is to be drawn anew.

import { isHere, join } from "./channel.js";
import { N_ } from "./words.js";

/** @import { Line, Listener } from "./channel.js" */

/** Milliseconds after which the page is told once more what it may not have heard. */
export const TOLD_GAP = 2000;
const PASSING_GAP = 250; // milliseconds that a passing state must last before the page is told
const LOST = N_("The connection is lost; trying again.");
const BROKEN = N_("Something went wrong. Reload the page to try again; the server's log has the reason.");
const ANEW = N_("The server has restarted. Press Play to learn the same run again.");

/** Joins the channel that the page names, and tells the page when its run comes to rest. */
export class Place {
  /** @param {Omit<Listener, "connected">} view @param {() => void} noticed the notice has changed */
  constructor(view, noticed) {
    this.view = view;
    this.noticed = noticed;
    /** @type {Partial<Placed>} */
    this.told = {};
    /** @type {Line | null} */
    this.line = null;
    this.lost = false;
    this.broken = false;
    this.anew = false; // the server has forgotten the run that was here
    /** @type {string | undefined} */
    this.state = undefined;
    this.passing = false;
    this.since = 0; // when the run came into that state
    /** @type {string | undefined} */
    this.reported = undefined;
    this.reportedAt = 0;
    /** @type {Tell} */
    this.report = () => {};
    this.timer = 0;
  }

  /** What is to be said in place of the run's own message. */
  get notice() {
    return this.broken ? BROKEN : this.lost ? LOST : this.anew ? ANEW : "";
  }

  /** What the page says. @param {Placed} told @param {Tell} report */
  take(told, report) {
    const { wire, view } = this.told;
    this.told = told;
    this.report = report;
    if (told.wire !== wire || told.view !== view) {
      this.line?.leave();
      // A session keeps its channel.
      this.anew = !!wire && told.wire !== wire && !isHere(wire) && !isHere(told.wire);
      const connected = (/** @type {boolean} */ lost, /** @type {boolean} */ broken) => {
        this.lost = lost;
        this.broken = broken;
        this.noticed();
      };
      this.line = join(told.wire, told.view, { ...this.view, connected });
    }
    this.tellPage();
  }

  /**
   * The run is in this state now.
   * @param {string | undefined} state in the words of the page's `drawn`
   * @param {boolean} [passing] whether another state is likely to follow within a moment
   */
  saw(state, passing = false) {
    if (state !== this.state) this.since = performance.now();
    this.state = state;
    this.passing = passing;
    if (state === "running") this.anew = false;
    this.tellPage();
  }

  /**
   * For a run in another state the page has something else to show. It is told once: Streamlit
   * calls a component again before the page has run, with what the page said before.
   */
  tellPage() {
    clearTimeout(this.timer);
    const { drawn } = this.told;
    if (drawn === undefined || !this.state || this.state === "waiting" || this.state === drawn) {
      this.reported = undefined;
      return;
    }
    const now = performance.now();
    const told = this.reported === this.state;
    let wait = this.passing ? this.since + PASSING_GAP - now : 0;
    if (told) wait = this.reportedAt + TOLD_GAP - now; // what it is told may be lost
    if (wait <= 0) {
      this.reported = this.state;
      this.reportedAt = now;
      this.report("state", this.state);
      wait = TOLD_GAP;
    }
    this.timer = setTimeout(() => this.tellPage(), wait);
  }

  /** @param {string} what @param {unknown} [value] */
  command(what, value) {
    this.line?.command(what, value);
  }

  /** Something else is wanted than the last question has said. */
  ask() {
    this.line?.ask();
  }

  leave() {
    clearTimeout(this.timer);
    this.line?.leave();
  }
}
