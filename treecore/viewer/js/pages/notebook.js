// The live view in a notebook: a widget of treecore/notebook/view.py, by anywidget's interface.

import palette from "../palette.json" with { type: "json" };
import { make } from "../app/dom.js";
import { LiveView } from "../app/main.js";
import { receive } from "../app/receive.js";
import { readTheme } from "../app/theme.js";
import { unpack } from "../app/wire.js";
import { split } from "./recorded.js";

/**
 * What the notebook and Python both hold; see anywidget.dev.
 * @typedef {object} Model
 * @property {(name: string) => any} get @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(name: string, heard: () => void) => void} on
 * @property {(name: string, heard: () => void) => void} off
 */

const CLEAR = /^(transparent|rgba\(.*, ?0\))$/;

/** @param {{model: Model, el: HTMLElement}} context */
export function render({ model, el }) {
  const host = make("div");
  el.append(host);
  takeColours(host);
  const view = new LiveView(host.attachShadow({ mode: "open" }));
  view.picked = (mark) => {
    model.set("mark", { ...mark });
    model.save_changes();
  };
  const take = () => {
    for (const bytes of split(bytesOf(model.get("message")))) {
      receive(view, /** @type {Message<Meta>} */ (unpack(bytes)));
    }
  };
  const recolour = () => {
    takeColours(host);
    view.retheme();
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const themes = new MutationObserver(recolour); // notebooks say their theme by attributes
  for (const node of [document.documentElement, document.body]) {
    themes.observe(node, { attributes: true });
  }
  dark.addEventListener("change", recolour);
  model.on("change:message", take);
  take();
  return () => {
    model.off("change:message", take);
    dark.removeEventListener("change", recolour);
    themes.disconnect();
    host.remove();
    view.leave();
  };
}

/** @param {DataView | Uint8Array | null} given */
function bytesOf(given) {
  return given ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength) : new Uint8Array();
}

/** The colours of the notebook about an element, whichever notebook it is. @param {HTMLElement} host */
function takeColours(host) {
  const { style } = host;
  style.setProperty("--st-text-color", getComputedStyle(host).color);
  style.setProperty("--st-background-color", groundOf(host));
  style.setProperty("--st-font", "system-ui, sans-serif");
  style.setProperty("--st-primary-color", palette.page[readTheme(host).dark ? "dark" : "light"].accent);
}

/** The colour that shines through to an element. @param {Element} element */
function groundOf(element) {
  /** @type {Element | null} */
  let node = element;
  while (node) {
    const colour = getComputedStyle(node).backgroundColor;
    if (!CLEAR.test(colour)) return colour;
    const root = node.getRootNode();
    node = node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  return "Canvas";
}
