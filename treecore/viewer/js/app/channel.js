// The browser's half of ui/live/channel.py: one wire for all views of a page.
//
// The views say what they have, and once there is news, one answer comes. They are asked again when
// they have drawn it, so that a slow browser never has messages waiting for it. After a break the
// next question says all that is needed to go on.

import { kept } from "./memo.js";
import { partOf, unpack } from "./wire.js";

/**
 * A view on the wire.
 * @typedef {object} Listener
 * @property {() => Record<string, unknown>} have what it has, in the words of its source
 * @property {(message: Message<any>) => boolean | void} receive gives false where there is nothing
 *   to draw, so that more can be asked for at once
 * @property {(lost: boolean, broken: boolean) => void} connected told when the wire breaks, whether
 *   by a defect of the server, and when it is back
 */

/**
 * @typedef {object} Line
 * @property {(what: string, value?: unknown) => void} command
 * @property {() => void} ask anew, with what the view has and wants now
 * @property {() => void} leave
 */

const FIRST_RETRY = 300; // milliseconds until a broken wire is tried again, doubled each time
const LONGEST_RETRY = 5000;
const HIDDEN_GAP = 1000; // between questions of a tab that nobody sees
const CALM_GAP = 500; // and for those who asked for less motion
const DEFECT = 1011; // of the server, as ui/server/live.py closes a wire
const LINGER = 1000; // a view that is taken away and put back finds the wire as it was

/** @type {Map<string, Channel | Here>} */
const channels = new Map();

/**
 * Show news of a channel from now on.
 * @param {string} address relative to the app's @param {string} view its name in the channel
 * @param {Listener} listener
 * @returns {Line}
 */
export function join(address, view, listener) {
  return kept(channels, address, () => (isHere(address) ? new Here() : new Channel(address))).join(view, listener);
}

/** Whether runs of this address learn in this tab. @param {string} address */
export const isHere = (address) => address.startsWith("tab/");

/** Where runs tell their views what is new that learn in this tab. @param {string} address */
export const here = (address) => /** @type {Here} */ (kept(channels, address, () => new Here()));

/** What a channel is to views, without a wire: runs say by themselves what is new. */
export class Here {
  /** @type {Map<string, Listener>} */
  listeners = new Map();
  /** @type {(view: string) => void} a view has come, and knows nothing yet */
  joined = () => {};
  /** @type {(what: string, value?: unknown) => void} */
  commanded = () => {};

  /** @param {string} view @param {Listener} listener @returns {Line} */
  join(view, listener) {
    this.listeners.set(view, listener);
    listener.connected(false, false);
    this.joined(view);
    return {
      command: (what, value) => this.commanded(what, value),
      ask() {},
      leave: () => {
        if (this.listeners.get(view) === listener) this.listeners.delete(view);
      },
    };
  }

  /** @param {string} view @param {Message<any>} message */
  tell(view, message) {
    this.listeners.get(view)?.receive(message);
  }
}

class Channel {
  /** @param {string} address */
  constructor(address) {
    this.address = address;
    const home = new URL("../../../", import.meta.url); // scripts lie in scripts/NAME/app
    this.url = new URL(address, home);
    this.url.protocol = this.url.protocol === "https:" ? "wss:" : "ws:";
    /** @type {Map<string, Listener>} */
    this.listeners = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.lost = false;
    this.broken = false;
    this.failed = 0;
    this.retry = FIRST_RETRY;
    this.request = 0;
    this.timer = 0;
    this.motion = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.hurry = () => {
      if (!this.socket) this.connect();
      else if (this.request || this.timer) this.askSoon();
    };
    document.addEventListener("visibilitychange", this.hurry);
    window.addEventListener("online", this.hurry);
    this.connect();
  }

  /** @param {string} view @param {Listener} listener @returns {Line} */
  join(view, listener) {
    this.listeners.set(view, listener);
    listener.connected(this.lost, this.broken);
    this.ask();
    return {
      command: (what, value) => this.send({ do: what, view, value }),
      ask: () => this.askSoon(),
      leave: () => {
        if (this.listeners.get(view) === listener) this.listeners.delete(view);
        setTimeout(() => this.closeIfLeft(), LINGER);
      },
    };
  }

  connect() {
    clearTimeout(this.timer);
    this.timer = 0;
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.retry = FIRST_RETRY;
      this.failed = 0;
      this.tell(false);
      this.ask();
    };
    socket.onmessage = ({ data }) => this.deliver(unpack(new Uint8Array(data)));
    socket.onclose = ({ code }) => {
      if (this.socket !== socket) return;
      this.socket = null;
      if (!channels.has(this.address)) return;
      this.broken = code === DEFECT;
      this.tell(true);
      if (this.broken) return; // it would break again
      // Its session may be gone: a page that is drawn anew gets another wire.
      if (++this.failed > 4) window.dispatchEvent(new Event("tc-unheard"));
      // Not all at the same moment, when a server comes back.
      this.timer = setTimeout(() => this.connect(), this.retry * (0.7 + 0.6 * Math.random()));
      this.retry = Math.min(LONGEST_RETRY, 2 * this.retry);
    };
  }

  /** @param {boolean} lost */
  tell(lost) {
    if (lost === this.lost) return;
    this.lost = lost;
    for (const listener of this.listeners.values()) listener.connected(lost, this.broken);
  }

  /** @param {Message<{views: Record<string, object>}>} message */
  deliver(message) {
    let drawing = false;
    for (const view of Object.keys(message.meta.views ?? {})) {
      try {
        if (this.listeners.get(view)?.receive(partOf(message, view)) !== false) drawing = true;
      } catch (error) {
        drawing = true;
        reportError(error); // the other views go on
      }
    }
    // After a click the first answer says that the run goes on, and the next one has the picture.
    this.askSoon(!drawing);
  }

  /** Ask once all has been drawn, or at once. @param {boolean} [now] */
  askSoon(now = false) {
    cancelAnimationFrame(this.request);
    clearTimeout(this.timer);
    this.request = 0;
    this.timer = 0;
    const gap = document.hidden ? HIDDEN_GAP : this.motion.matches ? CALM_GAP : 0;
    if (gap) this.timer = setTimeout(() => this.ask(), gap);
    else if (now) this.ask();
    else this.request = requestAnimationFrame(() => this.ask());
  }

  ask() {
    this.request = 0;
    const have = Object.fromEntries([...this.listeners].map(([view, one]) => [view, one.have()]));
    if (this.listeners.size) this.send({ have });
  }

  /** @param {unknown} said */
  send(said) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(said));
  }

  closeIfLeft() {
    if (this.listeners.size || !channels.has(this.address)) return;
    channels.delete(this.address);
    clearTimeout(this.timer);
    cancelAnimationFrame(this.request);
    document.removeEventListener("visibilitychange", this.hurry);
    window.removeEventListener("online", this.hurry);
    this.socket?.close();
  }
}
