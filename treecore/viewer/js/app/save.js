// Saves a file that the server has made because of a click; see ui/widgets/file_download.py.

import { unpack } from "./wire.js";

/** @typedef {{id: string, name: string, type: string}} Told */

const PATIENCE = 60_000; // milliseconds that a browser may take to read what it saves

/** @type {string | null} the file that was saved last: it is sent until the server knows */
let saved = null;

/** What Streamlit calls. @param {Mount} mount */
export default function save({ data, setTriggerValue }) {
  /** @type {Message<Told>} */
  const message = unpack(data instanceof Uint8Array ? data : null);
  const { id, name = "", type } = message.meta;
  if (!id) return;
  if (id !== saved) {
    saved = id;
    /** @type {Uint8Array<ArrayBuffer> | null} */
    const content = message.array("content");
    saveFile(new Blob(content ? [content] : [], { type }), name);
  }
  setTriggerValue("got", id);
}

/** Give a file to the visitor. @param {Blob} file @param {string} name */
export function saveFile(file, name) {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), PATIENCE);
}
