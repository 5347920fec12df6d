// The browser's half of treecore/viewer/messages/wire.py: a header of JSON, then aligned arrays.

/** @type {Record<string, any>} the constructor of each kind of numbers */
export const ARRAY_TYPES = {
  f4: Float32Array, f8: Float64Array, i1: Int8Array, i2: Int16Array, i4: Int32Array,
  u1: Uint8Array, u2: Uint16Array, u4: Uint32Array,
};

/** Bytes written as base64. @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function bytesOf(text) {
  const { fromBase64 } = /** @type {any} */ (Uint8Array); // of browsers from 2025
  if (fromBase64) return fromBase64.call(Uint8Array, text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i); // by `from` ten times slower
  return bytes;
}

/**
 * @template [Meta=Record<string, unknown>]
 * @typedef {object} Message
 * @property {Partial<Meta>} meta what Python called `meta`
 * @property {<Numbers extends ArrayLike<number>>(name: string) => Numbers | null} array a copy of
 *   the named array, of the kind that Python gave it, or null
 * @property {(name: string) => number[]} shape its shape, [] when there is none
 */

/**
 * The part of one view in a message for several, see ui/live/channel.py.
 * @template Meta
 * @param {Message<{views: Record<string, object>}>} message @param {string} view
 * @returns {Message<Meta>}
 */
export function partOf({ meta, array, shape }, view) {
  return {
    meta: meta.views?.[view] ?? {},
    array: (name) => array(`${view}/${name}`),
    shape: (name) => shape(`${view}/${name}`),
  };
}

/** @typedef {{name: string, dtype: string, shape: number[], offset: number}} Entry */

/**
 * Read a message. Arrays are copied out one by one and only when asked for: most of a message
 * repeats frames the player already has, and a view would keep the whole message alive.
 * @template Meta
 * @param {Uint8Array | null} bytes
 * @returns {Message<Meta>}
 */
export function unpack(bytes) {
  if (!bytes || bytes.byteLength < 4) return { meta: {}, shape: () => [], array: () => null };
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const start = 4 + length;
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start)));
  /** @type {Map<string, Entry>} */
  const entries = new Map(header.arrays.map((/** @type {Entry} */ entry) => [entry.name, entry]));
  return {
    meta: header.meta || {},
    shape: (name) => entries.get(name)?.shape ?? [],
    array(name) {
      const entry = entries.get(name);
      const Type = entry && ARRAY_TYPES[entry.dtype];
      if (!Type) return null;
      const count = entry.shape.reduce((a, b) => a * b, 1);
      // Streamlit hands out a window of its own buffer at any offset, so alignment is ours to make.
      const from = bytes.byteOffset + start + entry.offset;
      return new Type(bytes.buffer.slice(from, from + count * Type.BYTES_PER_ELEMENT));
    },
  };
}
