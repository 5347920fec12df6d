// A tree that stands for itself, without a run, a map or points: treecore/viewer/messages/standing_tree.py
// writes it. What is picked on it is told to the page.

import { mounted } from "../app/main.js";

/** @import { Mount } from "../types.d.ts" */

/** What Streamlit calls, with a whole message. @param {Mount} mount */
export default function standing({ parentElement, data, setTriggerValue }) {
  const view = mounted(parentElement);
  view.root.classList.add("tc-alone");
  view.parts.treeHead.append(view.parts.menu.root);
  view.picked = ({ leaf, split }) => {
    if (leaf >= 0 || split >= 0) setTriggerValue("picked", { leaf, split });
  };
  view.place(data, setTriggerValue);
  return () => view.leaveIfGone();
}
