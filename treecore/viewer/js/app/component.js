// How views come onto a page and leave it.

import { style } from "./style.js";
import { language } from "./words.js";

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);

/** Give a shadow root our style. @param {ShadowRoot} parent */
export function addStyle(parent) {
  parent.adoptedStyleSheets = [sheet];
}

/**
 * What Streamlit calls for views of a kind: one is made with the first call for its place, and anew in
 * another language; it hears with each what the page says, and leaves once its element has left.
 * @template {{root: HTMLElement, dead?: boolean, take: (data: any, report: Tell) => void, leave?: () => void}} V
 * @param {new (parent: ShadowRoot) => V} Kind
 */
export function component(Kind) {
  /** @type {WeakMap<Node, {view: V, spoken: string}>} */
  const mounts = new WeakMap();
  const leave = (/** @type {Node} */ parent) => {
    const view = mounts.get(parent)?.view;
    mounts.delete(parent);
    view?.leave?.();
    view?.root.remove();
  };
  return (/** @type {Mount} */ { parentElement, data, setTriggerValue }) => {
    if (!mounts.has(parentElement)) addStyle(parentElement);
    const known = mounts.get(parentElement);
    if (known?.spoken !== language() || known.view.dead) leave(parentElement);
    const mount = mounts.get(parentElement) ?? { view: new Kind(parentElement), spoken: language() };
    mounts.set(parentElement, mount);
    mount.view.take(data, setTriggerValue);
    return () => {
      if (!mount.view.root.isConnected && mounts.get(parentElement) === mount) leave(parentElement);
    };
  };
}
