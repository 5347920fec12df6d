// Two buttons that save what a view shows as a picture. It is drawn here, of what is on the screen at
// the click, be that the newest tree or one that was gone back to. See ui/widgets/export.py.

import { component } from "../app/component.js";
import { make, makeButton } from "../app/dom.js";
import { views } from "../app/main.js";
import { saveFile } from "../app/save.js";
import { penOf } from "../app/theme.js";
import { _, N_ } from "../app/words.js";
import { pictureOf } from "../picture/sheet.js";

/** @import { Sheet } from "../picture/sheet.js" */

/**
 * `of` is what the view's own element has been told.
 * @typedef {{of: {wire: string, view: string}, title: string, name: string, disabled: boolean}} Told
 */
/** @typedef {(sheet: Sheet) => Blob | Promise<Blob>} Write */

const DENSITY = 2; // pixels of a PNG to one of the drawing

/** @type {Array<{name: string, kind: string, write: Write, hint: string}>} */
const FORMS = [
  {
    name: "SVG", kind: "svg", write: ({ svg }) => new Blob([svg], { type: "image/svg+xml" }),
    hint: N_("Saves map, tree and curves as on the screen, as a drawing for slides and papers."),
  },
  { name: "PNG", kind: "png", write: pngOf, hint: N_("Saves the same as pixels, 2560 wide. " +
    "Choose it for programs that read no SVG.") },
];

class SavePicture {
  /** @type {Told | undefined} */
  told = undefined;

  /** @param {ShadowRoot} parent */
  constructor(parent) {
    this.buttons = FORMS.map((form) =>
      makeButton("tc-button", form.name, () => this.save(form), { title: _(form.hint) }));
    this.root = make("div", "tc-save-picture", this.buttons);
    parent.append(this.root);
  }

  /** @param {Told} told */
  take(told) {
    this.told = told;
    for (const button of this.buttons) button.disabled = told.disabled;
  }

  /** @param {typeof FORMS[number]} form */
  async save({ kind, write }) {
    const { told } = this;
    const view = [...views].find(({ page }) =>
      page.told.view === told?.of.view && page.told.wire === told?.of.wire);
    if (!told || !view?.frame) return;
    const moment = `${view.meta.unit ?? "epoch"}-${Number(view.frame.epoch.toFixed(1))}`;
    saveFile(await write(pictureOf(view, told.title)), `${told.name}-${moment}.${kind}`);
  }
}

export default component(SavePicture);

/** @type {Write} */
async function pngOf({ svg, width, height }) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = make("canvas");
  [canvas.width, canvas.height] = [DENSITY * width, DENSITY * height];
  penOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("the picture is too large"))), "image/png");
  });
}
