// The few helpers that make elements. Text only ever enters through textContent: names of classes
// and features are the user's.

import { style } from "./style.js";

/**
 * Create an element with a class and text.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

/**
 * Set text only when it changed, so that nothing is laid out again for nothing.
 * @param {Node} element @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** What has the focus in the shadow root of an element. @param {Element} element */
export const focusedBeside = (element) =>
  /** @type {ShadowRoot} */ (element.getRootNode()).activeElement;

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);

/** Give a shadow root our style. @param {ShadowRoot} parent */
export function addStyle(parent) {
  parent.adoptedStyleSheets = [sheet];
}
