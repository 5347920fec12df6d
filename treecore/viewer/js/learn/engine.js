// Kernels of numba's in WebAssembly, and one run in their memory: arrays and calls as
// treecore/wasm/tab.py has written them down. Nothing is known here of what they do.

import { ARRAY_TYPES } from "../app/wire.js";

/** @type {Record<string, any>} */
const TYPES = { ...ARRAY_TYPES, b1: Uint8Array, i8: BigInt64Array, u8: BigUint64Array };
const LINE = 64; // bytes at whose multiples arrays begin, as in Python
const PAGE = 65536; // bytes by which memory grows

/** @typedef {number | boolean | string | null | number[]} Given a number (of 64 bits a text), nothing, or an
 *   array: its place and shape */
/** @typedef {[string, Given[]]} Call what is exported, and its arguments */

/**
 * @typedef {object} Image
 * @property {number} seed @property {number} depth @property {number} units rows, or values, of a pass
 * @property {Record<string, Call>} calls @property {number} clock
 * @property {Record<string, number[]>} picture
 * @property {Record<string, Array<[number, number, number, number]>>} knobs
 * @property {Array<[string, number, number, number]>} arrays type, size, the number of the content, and by
 *   how much each further row is more
 * @property {number} rows that are learnt from @property {number} least that have to stay
 * @property {boolean} grows whether it begins again where rows are moved
 */

/** Bytes of a number, or of a record. @param {string} type */
const bytesOf = (type) => TYPES[type]?.BYTES_PER_ELEMENT ?? Number(type.slice(1));

/** A run, from its start on. */
export class Engine {
  /**
   * @param {WebAssembly.Module} module @param {Image} image @param {Uint8Array[]} contents
   * @param {number} room rows that there may be one day
   */
  constructor(module, image, contents, room) {
    const code = /** @type {Record<string, any>} */ (new WebAssembly.Instance(module).exports);
    this.code = code;
    this.image = image;
    this.more = 0; // rows than at first
    const most = Math.max(0, room - this.rows);
    this.result = code.__heap_base.value + LINE - (code.__heap_base.value % LINE);
    let top = this.result + 2 * LINE;
    this.at = image.arrays.map(([type], place) => {
      const at = top;
      top += Math.ceil((this.size(place, most) * bytesOf(type)) / LINE) * LINE;
      return at;
    });
    const more = top - code.memory.buffer.byteLength;
    if (more > 0) code.memory.grow(Math.ceil(more / PAGE));
    image.arrays.forEach(([, , content], i) => {
      if (content >= 0) new Uint8Array(code.memory.buffer).set(contents[content], this.at[i]);
    });
    this.resize(this.rows);
  }

  /** Rows learnt from. */
  get rows() {
    return this.image.rows + this.more;
  }

  /** Tell kernels of so many rows. @param {number} rows */
  resize(rows) {
    const { code } = this;
    this.more += rows - this.rows;
    /** @type {Record<string, (...more: Array<number | bigint>) => void>} */
    this.call = Object.fromEntries(Object.entries(this.image.calls).map(([name, [exported, given]]) => {
      const flat = given.flatMap((one) => this.handed(one));
      return [name, (...more) => {
        const status = code[exported](this.result, this.result + LINE, ...flat, ...more);
        if (status) throw new Error(`${exported} failed: ${status}`);
      }];
    }));
  }

  /** Numbers of an array, where there are more rows. @param {number} place */
  size(place, more = this.more) {
    const [, size, , each] = this.image.arrays[place];
    return size + more * each;
  }

  /** An argument as numba hands it on; an array is nobody's, and has its sizes. @param {Given} one */
  handed(one) {
    if (!Array.isArray(one)) return [typeof one === "string" ? BigInt(one) : Number(one ?? 0)];
    const [place, ...shape] = one;
    const [type, first, , each] = this.image.arrays[place];
    if (each) shape[shape.findIndex((n) => n * each === first)] += this.more;
    const bytes = bytesOf(type);
    const strides = shape.map((_, d) => shape.slice(d + 1).reduce((a, b) => a * b, bytes));
    const size = shape.reduce((a, b) => a * b, 1);
    return [0, 0, BigInt(size), BigInt(bytes), this.at[place], ...shape.map(BigInt), ...strides.map(BigInt)];
  }

  /** What an array holds; lives as long as the memory does. @param {number} place */
  array(place) {
    const [type] = this.image.arrays[place];
    return new TYPES[type](this.code.memory.buffer, this.at[place], this.size(place));
  }

  /** Turn a knob. @param {string} name @param {number} value */
  set(name, value) {
    for (const [place, i, times, over] of this.image.knobs[name]) {
      this.array(place)[i] = (value * times) / over;
    }
  }

  /** Passes done, and in all. @returns {[number, number]} */
  get clock() {
    return this.array(this.image.clock);
  }
}
