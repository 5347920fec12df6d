// Finding nodes of a large tree: a box to write in, and the way from one that is found to the next.

import { make, makeButton, setText } from "../app/dom.js";
import { _ } from "../app/words.js";
import { matchesOf } from "./matches.js";

/**
 * @param {HTMLElement} host
 * @param {View} view
 * @param {{reveal: (ref: number) => void, changed: () => void}} deeds show a node; draw what is found
 */
export function createTreeSearch(host, view, { reveal, changed }) {
  const input = make("input", "tc-select", "", {
    type: "search", placeholder: _("Feature, label or number"),
    "aria-label": _("Find splits and leaves by feature, label or number"),
  });
  const count = make("span", "tc-sub", "", { role: "status" });
  const next = makeButton("tc-button", _("Next"), () => go(1), { hidden: true });
  const box = make("search", "tc-lens tc-search", [input, count, next]);
  host.append(box);
  /** @type {number[]} */
  let refs = [];
  /** @type {ReadonlySet<number>} */
  let set = new Set();
  let at = -1;

  function tell() {
    const text = !input.value.trim() ? "" : !refs.length ? _("none found")
      : at < 0 ? _("{n} found", { n: refs.length })
      : _("{n} of {total}", { n: at + 1, total: refs.length });
    setText(count, text);
    next.hidden = !refs.length;
  }

  function look() {
    refs = view.frame ? matchesOf(view.frame, view.meta, input.value) : [];
    set = new Set(refs);
    at = -1;
    view.setHover("search", null);
    tell();
    changed();
  }

  /** To the next one, or the one before. @param {number} step */
  function go(step) {
    if (!refs.length) return;
    at = at < 0 && step < 0 ? refs.length - 1 : (at + step + refs.length) % refs.length;
    tell();
    reveal(refs[at]);
  }

  input.addEventListener("input", look);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      go(event.shiftKey ? -1 : 1);
    }
    event.stopPropagation(); // Streamlit has keys of its own
  });

  return {
    /** What is found now. */
    found: () => set,
    fill() {
      box.hidden = !view.meta.alone;
    },
    /** Another tree: what was found was in the old one. */
    reset() {
      input.value = "";
      [refs, set, at] = [[], new Set(), -1];
      tell();
    },
  };
}
