// What a view shows, as one drawing: map, tree, curves and what their colours mean, in the colours of
// the screen and by the drawers of the screen, at the size of a slide.

import { findLens, legendTicks, POINT_LENSES, rampOf, REGION_LENSES, softRamp } from "../map/lenses.js";
import { pointEntries, REGION_TEXTS } from "../map/legend.js";
import { make } from "../app/dom.js";
import { drawPoint, penOf } from "../app/theme.js";
import { escaped, FONT, hex, SvgPen } from "./svgpen.js";
import { _, said, within } from "../app/words.js";

/** @import { Ruler } from "./svgpen.js" */
/** @typedef {{svg: string, width: number, height: number}} Sheet */

const WIDE = 1280;
const MARGIN = 32;
const TOP = 84; // below the title
const APART = 32; // between map and tree, and between the curves
const STAGE = 520; // height of map and tree
const MAP = 526; // width of a map that is as high: a square with its labels
const CURVES = 176;
const ROW = 24; // of a legend
const SCALE = 40; // and of one with a scale
const SMALL = 19; // of a paragraph below it
const RAMP = 150;

/** @param {View} view with a tree @param {string} title of data and method @returns {Sheet} */
export function pictureOf(view, title) {
  const { theme, curveCharts, parts } = view;
  const right = MARGIN + MAP + APART;
  const rest = WIDE - MARGIN - right;
  const probe = penOf(make("canvas"));
  /** @type {Ruler} */
  const ruler = (font, text) => {
    probe.font = font.replace(/px .*$/, `px ${FONT}`);
    return probe.measureText(text).width;
  };
  const pen = new SvgPen("sheet", ruler);
  /** @type {string[]} */
  const drawn = [];
  /** @type {(name: string, x: number, y: number, draw: (own: SvgPen) => void) => void} */
  const put = (name, x, y, draw) => {
    const own = new SvgPen(name, ruler);
    draw(own);
    drawn.push(own.part(x, y));
  };
  put("map", MARGIN, TOP, (own) => view.map.drawWith(own, MAP, STAGE));
  let remark = "";
  put("tree", right, TOP, (own) => (remark = view.tree.drawWith(own, rest, STAGE)));

  const below = TOP + STAGE + 18;
  const end = Math.max(
    mapLegend(pen, view, MARGIN, below, MAP),
    treeLegend(pen, view, right, below, rest, remark),
  ) + 16;
  const heads = [parts.lossHeads, parts.shareHeads, [parts.charts[2].previousElementSibling]]
    .map((all) => wordsOf(all.find((head) => head && !(/** @type {HTMLElement} */ (head).hidden)) ?? null));
  const third = (WIDE - 2 * MARGIN - 2 * APART) / 3;
  const curves = curveCharts.points() > 0;
  for (let i = 0; curves && i < 3; i++) {
    const x = MARGIN + i * (third + APART);
    const wide = write(pen, heads[i].name, x, end, theme.text, 16, 600);
    write(pen, heads[i].unit, x + wide + 8, end, theme.muted, 14);
    put(`curve${i}`, x, end + 6, (own) => curveCharts.drawWith(i, own, third, CURVES));
  }
  const height = end + (curves ? CURVES + 16 : 0);

  const figures = curves ? `${heads[1].name}: ${curveCharts.read(1).join(", ")}` : "";
  const clock = [parts.unit, parts.epoch, parts.of].map((part) => part.textContent).filter(Boolean).join(" ");
  const told = [clock, figures].filter(Boolean).join(" · ");
  write(pen, title, MARGIN, 40, theme.text, 22, 600, WIDE - 2 * MARGIN);
  write(pen, told, MARGIN, 64, theme.muted, 14, 400, WIDE - 2 * MARGIN);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${WIDE} ${height}" `
    + `width="${WIDE}" height="${height}" font-family="${escaped(FONT)}">`
    + `<title>${escaped(`${title}. ${told}.`)}</title>`
    + `<rect width="${WIDE}" height="${height}" fill="${hex(theme.back)}"/>${pen.part()}${drawn.join("")}</svg>\n`;
  return { svg, width: WIDE, height };
}

/** @type {(pen: SvgPen, text: string, x: number, y: number, colour: string, size: number, weight?: number, most?: number) => number} */
function write(pen, text, x, y, colour, size, weight = 400, most = undefined) {
  pen.font = weight === 400 ? `${size}px sans-serif` : `${weight} ${size}px sans-serif`;
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  pen.fillStyle = colour;
  pen.fillText(text, x, y, most);
  const wide = pen.measureText(text).width;
  return Math.min(wide, most ?? wide);
}

/** How wide a text in small type is. @param {SvgPen} pen @param {string} text */
const wideOf = (pen, text) => pen.ruler("14px sans-serif", text);

/**
 * A paragraph in small type from the line on; returns where the next one may stand.
 * @type {(pen: SvgPen, text: string, x: number, y: number, colour: string, width: number) => number}
 */
function paragraph(pen, text, x, y, colour, width) {
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && wideOf(pen, longer) > width) {
      write(pen, line, x, y, colour, 14);
      y += SMALL;
      line = word;
    } else line = longer;
  }
  write(pen, line, x, y, colour, 14, 400, width);
  return y + SMALL;
}

/** A heading of the screen: its words, and the unit first of what stands behind them. @param {Element | null} head */
function wordsOf(head) {
  const unit = head?.querySelector(".tc-sub")?.textContent ?? "";
  const own = /** @type {Element | undefined} */ (head?.cloneNode(true));
  for (const sub of own?.querySelectorAll(".tc-sub") ?? []) sub.remove();
  return { name: own?.textContent ?? "", unit };
}

/** Puts one thing behind the other, and below where there is no more room. */
class Line {
  /** @param {number} left @param {number} y @param {number} width */
  constructor(left, y, width) {
    this.left = left;
    this.width = width;
    this.x = left;
    this.y = y;
  }

  /** A place for something so wide. @param {number} wide @param {number} [gap] */
  place(wide, gap = 14) {
    if (this.x > this.left && this.x + wide > this.left + this.width) this.next();
    const { x, y } = this;
    this.x += wide + gap;
    return [x, y];
  }

  next(high = ROW) {
    this.x = this.left;
    this.y += high;
  }
}

/**
 * Markers and scales, and the note below the map; returns where it ends.
 * @param {SvgPen} pen @param {View} view @param {number} left @param {number} y @param {number} width
 */
function mapLegend(pen, view, left, y, width) {
  const { theme, lens, meta, parts } = view;
  const line = new Line(left, y, width);
  const point = findLens(POINT_LENSES, lens.point, meta);
  const region = findLens(REGION_LENSES, lens.region, meta);
  const { classes, others } = pointEntries(view);
  const scale = point.scale(meta);
  if (scale) drawScale(pen, view, line, _("Points"), point, scale, rampOf(theme, scale.ramp));
  for (const { label, held, wrong, text } of scale ? others : [...classes, ...others]) {
    const [x, at] = line.place(22 + wideOf(pen, text));
    drawPoint(pen, theme, label, held, wrong, x + 8, at - 4, 4.4);
    write(pen, text, x + 20, at, theme.text, 14);
  }
  line.next(scale ? SCALE : ROW);
  const shades = region.scale(meta);
  if (shades) {
    drawScale(pen, view, line, _("Regions"), region, shades, softRamp(theme, shades));
    line.next(SCALE);
  } else line.y = paragraph(pen, said(REGION_TEXTS[region.key]), left, line.y, theme.muted, width);
  const note = parts.note.textContent;
  return note ? paragraph(pen, note, left, line.y, theme.muted, width) : line.y;
}

/** @type {(pen: SvgPen, view: View, line: Line, what: string, lens: Lens<any>, scale: Scale, colours: string[]) => void} */
function drawScale(pen, { theme }, line, what, lens, scale, colours) {
  const name = `${what}: ${within(_(lens.name))}${scale.unit ? `, ${scale.unit}` : ""}`;
  const named = wideOf(pen, name);
  const [x, y] = line.place(named + 10 + RAMP, 24);
  write(pen, name, x, y, theme.text, 14);
  const from = x + named + 10;
  const step = RAMP / colours.length;
  colours.forEach((colour, i) => {
    pen.fillStyle = colour;
    pen.fillRect(from + i * step, y - 10, step + 0.3, 12);
  });
  for (const { at, text } of legendTicks(scale)) {
    const share = (at - scale.low) / (scale.high - scale.low || 1);
    const wide = wideOf(pen, text);
    write(pen, text, from + share * (RAMP - wide), y + 16, theme.muted, 14);
  }
}

/**
 * What the tree's colours mean, and what of it is not drawn; returns where it ends.
 * @type {(pen: SvgPen, view: View, left: number, y: number, width: number, remark: string) => number}
 */
function treeLegend(pen, { theme, parts }, left, y, width, remark) {
  const line = new Line(left, y, width);
  /** @type {Record<string, string>} */
  const signs = { plus: theme.plus, minus: theme.minus };
  // The words stand above the tree on the screen, with small signs between them.
  const legend = parts.tree.parentElement?.querySelector(".tc-tree-legend")?.childNodes ?? [];
  const whole = (/** @type {Node} */ part) => part instanceof HTMLElement && part.classList.contains("tc-item");
  const shown = [...legend].filter((part) => !(/** @type {HTMLElement} */ (part).hidden));
  for (const part of shown.flatMap((one) => (whole(one) ? [...one.childNodes] : [one]))) {
    const element = /** @type {HTMLElement} */ (part);
    const colour = Object.entries(signs).find(([name]) => element.classList?.contains(name))?.[1];
    if (colour) {
      const [x, at] = line.place(10, 4);
      pen.fillStyle = colour;
      pen.fillRect(x, at - 9, 10, 10);
    } else if (element.classList?.contains("tc-gap")) line.place(14, 0);
    else if (element.textContent) {
      if (element.querySelector?.(".asleep")) {
        const [x, at] = line.place(10, 5);
        pen.strokeStyle = theme.muted;
        pen.setLineDash([3, 3]);
        pen.strokeRect(x + 0.5, at - 9.5, 9, 10);
        pen.setLineDash([]);
      }
      const text = element.textContent.trim();
      if (/^[:,]/.test(text)) line.x -= 5;
      const [x, at] = line.place(wideOf(pen, text), 5);
      write(pen, text, x, at, theme.muted, 14);
    }
  }
  line.next();
  return remark ? paragraph(pen, remark, left, line.y, theme.muted, width) : line.y;
}
