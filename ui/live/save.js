// Saves a file that the server has made because of a click; see ui/handout.py.

import { unpack } from "./wire.js";

const PATIENCE = 60_000; // milliseconds that a browser may take to read what it saves

let saved = null; // the file that was saved last: it is sent until the server knows

/** What Streamlit calls. */
export default function save({ data, setTriggerValue }) {
  const message = unpack(data instanceof Uint8Array ? data : null);
  const { id, name, type } = message.meta;
  if (!id) return;
  if (id !== saved) {
    saved = id;
    const href = URL.createObjectURL(new Blob([message.array("content")], { type }));
    Object.assign(document.createElement("a"), { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), PATIENCE);
  }
  setTriggerValue("got", id);
}
