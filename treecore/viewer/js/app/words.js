// Messages in the language of the page, by the marks that gettext's tools know. English is the
// language of the messages themselves; a page of another one brings a catalogue, which is made of
// the app's own (`ui/language`).
//
// A constant of a module is only marked, `N_("Play")`, and looked up where it is shown: the
// catalogue comes after the module, and another one may follow.

import { kept } from "./memo.js";

/**
 * What a page brings.
 * @typedef {object} Words
 * @property {string} [lang] the language's code
 * @property {Record<string, string | string[]>} [messages] translations, of counts all forms
 * @property {string} [plural] the number of the form for 0, 1, 2, ... as digits
 */

/** @type {Words} */
let words = {};

/** What stands in the place of a number's point. */
let point = ".";

/** @type {Intl.NumberFormat | null} of whole numbers; none in English, whose making takes longer than a tree's first picture */
let groups = null;

/** Speak the language of a catalogue from now on; of an empty one, English. @param {Words} [told] */
export function speak(told = {}) {
  if (told === words) return;
  words = told;
  const { lang } = told;
  groups = lang ? new Intl.NumberFormat(lang, { maximumFractionDigits: 0, useGrouping: "always" }) : null;
  point = lang ? pointOf(lang) : ".";
}

/** @param {string} lang */
const pointOf = (lang) =>
  new Intl.NumberFormat(lang).formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";

/** The language that is spoken now. */
export const language = () => words.lang ?? "en";

/** @type {Map<string, Promise<Words>>} */
const catalogues = new Map();

/**
 * Speak the language of a catalogue of the server, or without one English; so too where it cannot
 * be had.
 * @param {URL} [url]
 */
export async function learn(url) {
  if (!url) return speak();
  const told = kept(catalogues, url.href, () => fetch(url).then((answer) => answer.json()));
  speak(await told.catch(() => ({})));
}

/** Places of counts; other whole numbers are those of nodes and points, which are names. */
const COUNTS = new Set(["all", "most", "n", "none", "shown", "total", "wrong"]);

/** Put values into their places. @param {string} message @param {Record<string, unknown>} [values] */
export const filled = (message, values) => (values ? message.replace(/\{(\w+)\}/g, (all, name) => {
  const value = values[name] ?? all;
  return COUNTS.has(name) && typeof value === "number" ? counted(value) : String(value);
}) : message);

/**
 * A message in the page's language.
 * @param {string} message in English, places of values as `{name}`
 * @param {Record<string, unknown>} [values]
 */
export function _(message, values) {
  const found = words.messages?.[message];
  return filled(typeof found === "string" ? found : message, values);
}

/**
 * A message that counts something, in the form that the language has for this number.
 * @param {string} one @param {string} many @param {number} n its place is `{n}`
 * @param {Record<string, unknown>} [values]
 */
export function ngettext(one, many, n, values) {
  const forms = words.messages?.[one];
  const digits = words.plural ?? "";
  const form = Array.isArray(forms) && forms[Number(digits[n < digits.length ? n : 100 + (n % 100)])];
  return filled(form || (n === 1 ? one : many), { n, ...values });
}

/** A number that is written with a point, as the language has it. @param {string} text */
export const written = (text) => text.replace(".", point);

/** A count, its thousands apart: 1,797 in English is 1.797 in German. @param {number} n */
export const counted = (n) => groups?.format(n) ?? String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");

/** The message itself, marked for the catalogues. @param {string} message */
export const N_ = (message) => message;

/** A title as it stands within a sentence: in English it begins small. @param {string} title */
export const within = (title) => (words.lang ? title : title.toLowerCase());

/** What was marked elsewhere, or told by the server; nothing of nothing. @param {string} [message] */
export const said = (message) => (message ? _(message) : "");
