// The browser's half of ui/wire.py: a header of JSON, then aligned arrays.

const ARRAY_TYPES = {
  f4: Float32Array, f8: Float64Array, i1: Int8Array, i2: Int16Array, i4: Int32Array,
  u1: Uint8Array, u2: Uint16Array, u4: Uint32Array,
};

/**
 * @typedef {object} Message
 * @property {object} meta what Python called `meta`
 * @property {(name: string) => ?ArrayLike<number>} array a copy of the named array, or null
 * @property {(name: string) => number[]} shape its shape, [] when there is none
 */

/**
 * Read a message. Arrays are copied out one by one and only when asked for: most of a message
 * repeats frames the player already has, and a view would keep the whole message alive.
 * @param {?Uint8Array} bytes
 * @returns {Message}
 */
export function unpack(bytes) {
  if (!bytes || bytes.byteLength < 4) return emptyMessage();
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const start = 4 + length;
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start)));
  const entries = new Map(header.arrays.map((entry) => [entry.name, entry]));
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

function emptyMessage() {
  return { meta: {}, shape: () => [], array: () => null };
}
