// Names that are too long for their place, cut so that those of one table are still told apart: of
// "sepal length (cm)" and "sepal width (cm)" little differs, and none of it at the beginning.

const UNIT = /\s*\([^()]*\)$/;
const BETWEEN = /([\s_./-]+)/;
const LEAST = 1; // letters of a word that is cut
const MIDDLE = "…";

/**
 * A name that fits: without its unit where that alone does not tell it from another name, its
 * words cut at their ends, the longest first, or else without its middle.
 * @param {string} name @param {(text: string) => boolean} fits @param {readonly string[]} names of the table
 */
export function shortened(name, fits, names = []) {
  if (fits(name)) return name;
  const rest = name.replace(UNIT, "");
  const alone = rest && !names.some((other) => other !== name && other.replace(UNIT, "") === rest);
  const bare = (/** @type {string} */ text) => (alone ? text.replace(UNIT, "") : text);
  if (fits(bare(name))) return bare(name);
  const others = names.filter((other) => other !== name).map(bare);
  return ofWords(bare(name), fits, others) || withoutMiddle(bare(name), fits);
}

/**
 * A name of several words that are cut until it fits; "" where it never does, or another is cut to
 * the same: from there on, the shorter words are, the more names are alike.
 * @param {string} name @param {(text: string) => boolean} fits @param {readonly string[]} others
 */
function ofWords(name, fits, others) {
  const parts = name.split(BETWEEN);
  if (parts.length === 1) return "";
  for (let most = Math.max(...parts.map((part) => part.length)) - 1; most >= LEAST; most--) {
    const text = capped(parts, most);
    if (fits(text)) return others.some((other) => capped(other.split(BETWEEN), most) === text) ? "" : text;
  }
  return "";
}

/**
 * Words at even places, of so many letters at most, with what stands between them. Numbers stay
 * whole: by them alone names such as `pixel_1_7` differ.
 * @param {string[]} parts @param {number} most
 */
function capped(parts, most) {
  const point = parts.includes(" ") ? "." : "";
  return parts.map((part, i) => (
    i % 2 || /\d/.test(part) || part.length <= most ? part : part.slice(0, most) + point)).join("");
}

/** Its beginning and its end. @param {string} text @param {(text: string) => boolean} fits */
function withoutMiddle(text, fits) {
  for (let n = text.length - 1; n > 2; n--) {
    const short = text.slice(0, Math.ceil(n / 2)) + MIDDLE + text.slice(text.length - Math.floor(n / 2));
    if (fits(short)) return short;
  }
  return text.slice(0, 1) + MIDDLE;
}
