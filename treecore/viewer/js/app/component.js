// How views come onto a page and leave it.

import { style } from "./style.js";

/** @import { Mount, Report } from "../types.d.ts" */

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);

/** Give a shadow root our style. @param {ShadowRoot} parent */
export function addStyle(parent) {
  parent.adoptedStyleSheets = [sheet];
}

/**
 * What Streamlit calls for views of a kind: one is made with the first call for its place, hears with
 * each what the page says, and leaves once its element has left the page.
 * @template {{root: HTMLElement, take: (data: any, report: Report) => void, leave?: () => void}} V
 * @param {new (parent: ShadowRoot) => V} Kind
 */
export function component(Kind) {
  /** @type {WeakMap<Node, V>} */
  const mounts = new WeakMap();
  return (/** @type {Mount} */ { parentElement, data, setTriggerValue }) => {
    if (!mounts.has(parentElement)) addStyle(parentElement);
    const view = mounts.get(parentElement) ?? new Kind(parentElement);
    mounts.set(parentElement, view);
    view.take(data, setTriggerValue);
    return () => {
      if (view.root.isConnected || mounts.get(parentElement) !== view) return;
      mounts.delete(parentElement);
      view.leave?.();
      view.root.remove();
    };
  };
}
