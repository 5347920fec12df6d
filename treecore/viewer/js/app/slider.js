// A slider without steps, whose track is coloured up to its thumb.

import { make } from "./dom.js";

/**
 * Arrow keys on a slider without steps move by nothing useful: what a key does, `press` does.
 * @param {string} name @param {() => void} pulled
 * @param {(event: KeyboardEvent) => boolean} press whether the key means something here
 */
export function makeSlider(name, pulled, press) {
  const slider = make("input", "tc-slider", "", { type: "range", min: "0", max: "1", step: "any", value: "0", "aria-label": name });
  slider.addEventListener("input", pulled);
  slider.addEventListener("keydown", (event) => {
    if (press(event)) event.preventDefault();
  });
  return slider;
}

/** Colour the track up to a share of it. @param {HTMLElement} slider @param {number} share @param {string} [to] the other end */
export const slide = (slider, share, to = "--at") =>
  slider.style.setProperty(to, `${(100 * Math.min(1, share)).toFixed(2)}%`);
