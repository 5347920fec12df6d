// A run that pages of the app learn in the tab: how far, and all its pictures.

import { Learning } from "./learning.js";

const KERNELS = new URL("../kernels.wasm", import.meta.url);
/** @type {Promise<WebAssembly.Module> | undefined} */
let kernels;

/** The kernels that lie beside the scripts. */
export const fetched = () => (kernels ??= WebAssembly.compileStreaming(fetch(KERNELS)));

/** A run, and every picture of it so far. */
export class Run {
  /** @type {Array<Message<Meta>>} */
  pictures = [];

  /** @param {WebAssembly.Module} module @param {Message<any>} start */
  constructor(module, start) {
    const view = /** @type {View} */ ({});
    this.learning = new Learning(view, module, start, (_, message) => this.pictures.push(message));
  }

  get epochs() {
    return this.learning.engine.clock[1];
  }

  get share() {
    return this.learning.epoch / this.epochs;
  }

  /**
   * Learn up to a share of the run, as far as there is time, with a picture of every pass at least.
   * @param {number} share @param {number} end milliseconds
   */
  reach(share, end) {
    const { learning, epochs } = this;
    while (learning.epoch < share * epochs && !learning.finished && performance.now() < end) {
      learning.work(Math.min(share * epochs, Math.floor(learning.epoch) + 1), end);
      learning.tell();
    }
  }

  /** The last picture up to there. @param {number} share */
  at(share) {
    const most = share * this.epochs;
    return this.pictures.findLast(({ meta }) => (meta.epoch ?? 0) <= most) ?? this.pictures[0];
  }

  /** What was measured up to there. @param {number} share */
  measured(share) {
    return this.learning.history.filter(([epoch]) => epoch <= share * this.epochs);
  }
}
