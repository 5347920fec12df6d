// A pen that writes down as SVG what is drawn with it: the drawers of the screen draw files as well.
// It has what they use of a canvas's context, which `Context2D` in types.d.ts names.

/** @typedef {(font: string, text: string) => number} Ruler how wide a text is, in pixels */

/** What files are set in: they take no font of the page along, and texts are measured as they will be. */
export const FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** What `save` keeps. */
const STATE = /** @type {const} */ (["fillStyle", "strokeStyle", "lineWidth", "globalAlpha", "font", "lineCap",
  "lineJoin", "imageSmoothingEnabled", "textAlign", "textBaseline", "dash", "clips"]);
const ANCHORS = /** @type {Record<string, string>} */ ({ center: "middle", right: "end", end: "end" });
/** How far below its line a text begins, as a share of its size: few programs know baselines. */
const DROPS = /** @type {Record<string, number>} */ ({ middle: 0.35, top: 0.82, bottom: -0.2 });

/** Hundredths of a pixel are enough. @param {number} value */
const n = (value) => String(Math.round(value * 100) / 100);

/** Text for XML: names from files may hold its signs, and characters that it forbids. @param {string} text */
export const escaped = (text) => text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, " ")
  .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Many programs know colours only as #rrggbb. @param {unknown} colour */
export function hex(colour) {
  const found = /^rgb\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*\)$/.exec(String(colour));
  if (!found) return escaped(String(colour));
  return `#${found.slice(1).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}

/** What of Path2D the drawers use. */
export class SvgPath {
  constructor() {
    this.d = "";
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.d += `M${n(x)} ${n(y)}`;
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.d += `${this.d ? "L" : "M"}${n(x)} ${n(y)}`;
  }

  /** @param {number} cx @param {number} cy @param {number} x @param {number} y */
  quadraticCurveTo(cx, cy, x, y) {
    this.d += `Q${n(cx)} ${n(cy)} ${n(x)} ${n(y)}`;
  }

  /** @type {(x: number, y: number, r: number, from: number, to: number, counter?: boolean) => void} */
  arc(x, y, r, from, to, counter = false) {
    const whole = 2 * Math.PI;
    const asked = counter ? from - to : to - from;
    const turn = asked >= whole ? whole : ((asked % whole) + whole) % whole;
    const at = (/** @type {number} */ share) => {
      const angle = from + (counter ? -1 : 1) * turn * share;
      return `${n(x + r * Math.cos(angle))} ${n(y + r * Math.sin(angle))}`;
    };
    this.d += `${this.d ? "L" : "M"}${at(0)}`;
    // Two halves: an arc that ends where it begins is none.
    for (const end of [0.5, 1]) this.d += `A${n(r)} ${n(r)} 0 0 ${counter ? 0 : 1} ${at(end)}`;
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  rect(x, y, w, h) {
    this.d += `M${n(x)} ${n(y)}h${n(w)}v${n(h)}h${n(-w)}Z`;
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h @param {number} radius */
  roundRect(x, y, w, h, radius) {
    const r = Math.max(0, Math.min(radius, w / 2, h / 2));
    const corner = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${n(r)} ${n(r)} 0 0 1 ${n(dx)} ${n(dy)}`;
    this.d += `M${n(x + r)} ${n(y)}h${n(w - 2 * r)}${corner(r, r)}v${n(h - 2 * r)}${corner(-r, r)}`
      + `h${n(2 * r - w)}${corner(-r, -r)}v${n(2 * r - h)}${corner(r, -r)}Z`;
  }

  closePath() {
    this.d += "Z";
  }
}

/** One part of a picture; `part` places it there. @implements {Context2D} */
export class SvgPen extends SvgPath {
  /** @param {string} name unlike that of any other pen of the same file @param {Ruler} ruler */
  constructor(name, ruler) {
    super();
    this.name = name;
    this.ruler = ruler;
    /** @type {string[]} */
    this.defs = [];
    /** @type {string[]} */
    this.shapes = [];
    this.fillStyle = "#000000";
    this.strokeStyle = "#000000";
    this.lineWidth = 1;
    this.globalAlpha = 1;
    this.font = "10px sans-serif";
    /** @type {CanvasLineCap} */
    this.lineCap = "butt";
    /** @type {CanvasLineJoin} */
    this.lineJoin = "miter";
    this.imageSmoothingEnabled = true;
    /** @type {CanvasTextAlign} */
    this.textAlign = "start";
    /** @type {CanvasTextBaseline} */
    this.textBaseline = "alphabetic";
    /** @type {number[]} */
    this.dash = [];
    this.clips = 0; // groups that are open
    /** @type {Array<Partial<SvgPen> & {clips: number}>} */
    this.kept = [];
  }

  newPath() {
    return new SvgPath();
  }

  save() {
    this.kept.push({ ...Object.fromEntries(STATE.map((key) => [key, this[key]])), clips: this.clips });
  }

  restore() {
    const state = this.kept.pop();
    if (!state) return;
    for (; this.clips > state.clips; this.clips -= 1) this.shapes.push("</g>");
    Object.assign(this, state);
  }

  beginPath() {
    this.d = "";
  }

  clip() {
    const id = this.define((name) => `<clipPath id="${name}"><path d="${this.d}"/></clipPath>`);
    this.shapes.push(`<g clip-path="url(#${id})">`);
    this.clips += 1;
  }

  /** @param {(id: string) => string} written */
  define(written) {
    const id = `${this.name}-${this.defs.length}`;
    this.defs.push(written(id));
    return id;
  }

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.dash = dash;
  }

  filled() {
    const share = this.globalAlpha < 1 ? ` fill-opacity="${n(this.globalAlpha)}"` : "";
    return ` fill="${hex(this.fillStyle)}"${share}`;
  }

  stroked() {
    const found = [` fill="none" stroke="${hex(this.strokeStyle)}" stroke-width="${n(this.lineWidth)}"`];
    if (this.globalAlpha < 1) found.push(` stroke-opacity="${n(this.globalAlpha)}"`);
    if (this.lineCap !== "butt") found.push(` stroke-linecap="${this.lineCap}"`);
    if (this.lineJoin !== "miter") found.push(` stroke-linejoin="${this.lineJoin}"`);
    if (this.dash.length) found.push(` stroke-dasharray="${this.dash.join(" ")}"`);
    return found.join("");
  }

  /** @param {Path} [path] one of newPath */
  fill(path = this) {
    const { d } = /** @type {SvgPath} */ (path);
    if (d) this.shapes.push(`<path d="${d}"${this.filled()}/>`);
  }

  /** @param {Path} [path] one of newPath */
  stroke(path = this) {
    const { d } = /** @type {SvgPath} */ (path);
    if (d) this.shapes.push(`<path d="${d}"${this.stroked()}/>`);
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h @param {string} [look] */
  fillRect(x, y, w, h, look = this.filled()) {
    this.shapes.push(`<rect x="${n(Math.min(x, x + w))}" y="${n(Math.min(y, y + h))}" `
      + `width="${n(Math.abs(w))}" height="${n(Math.abs(h))}"${look}/>`);
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  strokeRect(x, y, w, h) {
    this.fillRect(x, y, w, h, this.stroked());
  }

  /** @param {string} text @param {number} x @param {number} y @param {number} [most] */
  fillText(text, x, y, most) {
    this.write(text, x, y, most, this.filled());
  }

  /** @param {string} text @param {number} x @param {number} y @param {number} [most] */
  strokeText(text, x, y, most) {
    this.write(text, x, y, most, this.stroked());
  }

  /** @type {(text: string, x: number, y: number, most: number | undefined, look: string) => void} */
  write(text, x, y, most, look) {
    if (!text) return;
    const [, weight = "400", size = "10"] = /^(?:(\S+) )?([\d.]+)px/.exec(this.font) ?? [];
    const anchor = ANCHORS[this.textAlign];
    const drop = (DROPS[this.textBaseline] ?? 0) * Number(size);
    const bold = weight === "400" ? "" : ` font-weight="${weight}"`;
    const fitted = most !== undefined && this.ruler(this.font, text) > most
      ? ` textLength="${n(most)}" lengthAdjust="spacingAndGlyphs"` : "";
    this.shapes.push(`<text x="${n(x)}" y="${n(y + drop)}" font-size="${size}"${bold}`
      + `${anchor ? ` text-anchor="${anchor}"` : ""}${fitted}${look}>${escaped(text)}</text>`);
  }

  /** @param {string} text */
  measureText(text) {
    return /** @type {TextMetrics} */ ({ width: this.ruler(this.font, text) });
  }

  /** @param {HTMLCanvasElement} image @param {number} x @param {number} y @param {number} w @param {number} h */
  drawImage(image, x, y, w, h) {
    const sharp = this.imageSmoothingEnabled ? "" : ' style="image-rendering:pixelated"';
    const share = this.globalAlpha < 1 ? ` opacity="${n(this.globalAlpha)}"` : "";
    this.shapes.push(`<image x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" `
      + `preserveAspectRatio="none" href="${image.toDataURL()}"${share}${sharp}/>`);
  }

  /** @param {HTMLCanvasElement} tile */
  createPattern(tile) {
    const { width, height } = tile;
    const id = this.define((name) => `<pattern id="${name}" width="${width}" height="${height}" `
      + `patternUnits="userSpaceOnUse"><image width="${width}" height="${height}" href="${tile.toDataURL()}"/></pattern>`);
    return /** @type {CanvasPattern} */ (/** @type {unknown} */ (`url(#${id})`));
  }

  /** What was drawn, with its corner at (x, y). @param {number} [x] @param {number} [y] */
  part(x = 0, y = 0) {
    const defs = this.defs.length ? `<defs>${this.defs.join("")}</defs>` : "";
    return `<g transform="translate(${n(x)} ${n(y)})">${defs}${this.shapes.join("")}</g>`;
  }
}
