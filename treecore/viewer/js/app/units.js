// What the numbers of a feature count, and how such a number is written: as `treecore/base/units.py`
// has it. Days since 1970 began are a date, "date", or one with the time of day, "moment"; hours
// since midnight are a "time"; any other unit, such as kg, stands behind its number.

import { number, ticks, tickText } from "./theme.js";
import { written } from "./words.js";

const CALENDAR = ["date", "moment", "time"];
/** Is it a date or a time of day? @param {string} unit */
export const isCalendar = (unit) => CALENDAR.includes(unit);

const [FIRST_DAY, LAST_DAY] = [-719162, 2932896]; // of the years 1 and 9999
const ROUNDING = 0.002; // of a day: what lies between two numbers of float32 today
const MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10080];
const MONTHS = [1, 2, 3, 6, ...[1, 10, 100, 1000].flatMap((power) => [1, 2, 5].map((k) => 12 * k * power))];

/** An instant as 2024-05-31T12:30:00.000Z. @param {number} minutes since 1970 began */
const iso = (minutes) => new Date(60000 * minutes).toISOString();

/** @param {number} minutes */
const clock = (minutes) => [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, "0")).join(":");

/** All of up to three decimals, as values beside a threshold have fewer, or three digits. @param {number} value */
function limit(value) {
  const [size, short] = [Math.abs(value), Number(value.toPrecision(7))];
  if (!(size < 1e6) || (size && size < 1e-4)) return number(value);
  const all = Number(short.toFixed(3)) === short && Math.fround(short) === Math.fround(value);
  const digits = all ? 7 : Math.max(3, size.toFixed(0).length);
  return written(String(Number(value.toPrecision(digits))).replace("-", "\u2212"));
}

/**
 * A value of a feature as people write it.
 * @param {number} value @param {string} [unit]
 * @param {boolean} [up] whether a time within a day stands for the next one: days that are less
 *   than 5.5 are less than 6, and those that are more are more than 5
 */
export function inUnit(value, unit = "", up = false) {
  if (!isCalendar(unit)) return limit(value) + (unit && `\u00a0${unit}`);
  if (unit === "time" && Number.isFinite(value)) {
    const minutes = Math.round(60 * Math.abs(value));
    return (value < 0 && minutes ? "\u2212" : "") + clock(minutes);
  }
  if (!(value >= FIRST_DAY && value < LAST_DAY)) return limit(value);
  if (unit === "moment") return iso(Math.round(1440 * value)).slice(0, 16).replace("T", " ");
  const nearest = Math.round(value);
  const whole = Math.abs(value - nearest) < ROUNDING;
  return iso(1440 * (whole ? nearest : up ? Math.ceil(value) : Math.floor(value))).slice(0, 10);
}

/** What an axis of a feature is called. @param {string} [name] @param {string} [unit] */
export const titleOf = (name = "", unit = "") => (unit && !isCalendar(unit) ? `${name} (${unit})` : name);

/**
 * About `count` round values between low and high, each with how it is written on an axis.
 * @param {number} low @param {number} high @param {number} count @param {string} [unit]
 * @returns {{at: number, text: string}[]}
 */
export function axisMarks(low, high, count, unit = "") {
  const raw = (high - low) / Math.max(1, count);
  const hours = unit === "time";
  const inMinutes = hours ? 60 : 1440;
  const most = MINUTES[MINUTES.length - 1];
  const fits = hours ? !(inMinutes * raw > most) : low > FIRST_DAY && high < LAST_DAY;
  if (!isCalendar(unit) || !fits) {
    const values = ticks(low, high, count);
    const texts = tickText(values);
    return values.map((at, i) => ({ at, text: texts[i] }));
  }
  if (!(raw > 0)) return [];
  if (!hours && inMinutes * raw > most) return monthMarks(low, high, raw);
  const least = Math.max(0.999 * inMinutes * raw, unit === "date" ? 1440 : 1);
  const step = (MINUTES.find((m) => m >= least) ?? most) / inMinutes;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high; i++) {
    const at = i * step;
    found.push({ at, text: inUnit(at, hours ? unit : "moment") });
  }
  // The marks of a day tell its hours, and midnight tells the day; so does the first without one.
  const anyDay = found.some(({ text }) => text.endsWith("00:00"));
  return hours ? found : found.map(({ at, text }, i) => (
    { at, text: text.endsWith("00:00") ? text.slice(0, 10) : i || anyDay ? text.slice(11) : text }));
}

/** @param {number} low @param {number} high @param {number} raw days between two marks */
function monthMarks(low, high, raw) {
  const step = MONTHS.find((n) => n >= 0.999 * raw / 30.44) ?? MONTHS[MONTHS.length - 1];
  const first = new Date(86400000 * Math.ceil(low));
  const month = 12 * first.getUTCFullYear() + first.getUTCMonth() + (first.getUTCDate() > 1 ? 1 : 0);
  const found = [];
  for (let m = Math.ceil(month / step) * step; ; m += step) {
    const day = new Date(0);
    day.setUTCFullYear(Math.floor(m / 12), m % 12, 1); // Date.UTC takes the year 70 for 1970
    const at = day.getTime() / 86400000;
    if (m >= 120000 || !(at <= high)) return found;
    found.push({ at, text: day.toISOString().slice(0, step % 12 ? 7 : 4) });
  }
}
