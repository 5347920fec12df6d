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
  const short = alone ? rest : name;
  if (fits(short)) return short;
  const parts = short.split(BETWEEN);
  return (parts.length > 1 && ofWords(parts, fits)) || withoutMiddle(short, fits);
}

/**
 * Words at even places with what stands between them, cut until they fit; "" where they never do.
 * Numbers stay whole: by them alone names such as `pixel_1_7` differ.
 * @param {string[]} parts @param {(text: string) => boolean} fits
 */
function ofWords(parts, fits) {
  const kept = parts.map((part, i) => (i % 2 || /\d/.test(part) ? 0 : part.length));
  const point = parts.includes(" ") ? "." : "";
  for (;;) {
    const most = Math.max(...kept);
    if (most <= LEAST) return "";
    kept.forEach((n, i) => (kept[i] = Math.min(n, most - 1)));
    const text = parts.map((part, i) => {
      const n = kept[i];
      return n && n < part.length ? part.slice(0, n) + point : part;
    }).join("");
    if (fits(text)) return text;
  }
}

/** Its beginning and its end. @param {string} text @param {(text: string) => boolean} fits */
function withoutMiddle(text, fits) {
  for (let n = text.length - 1; n > 2; n--) {
    const short = text.slice(0, Math.ceil(n / 2)) + MIDDLE + text.slice(text.length - Math.floor(n / 2));
    if (fits(short)) return short;
  }
  return text.slice(0, 1) + MIDDLE;
}
