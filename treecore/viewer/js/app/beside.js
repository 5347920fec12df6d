// Where a card lies beside what it tells of: pure arithmetic.

export const EDGE = 8; // pixels between the card and the edges of the window
const NEAR = 14; // and between the card and what it tells of

/**
 * Where a card goes: at the right of what it tells of, else at its left, always inside the window.
 * @param {TipPlace} at @param {{width: number, height: number}} card
 * @param {{width: number, height: number}} window
 * @returns {[number, number]} its left and top edge
 */
export function besides(at, card, window) {
  const away = (at.r ?? 0) + NEAR;
  const right = at.x + away;
  const x = right + card.width + EDGE <= window.width ? right : at.x - away - card.width;
  const within = (/** @type {number} */ v, /** @type {number} */ most) =>
    Math.round(Math.max(EDGE, Math.min(most - EDGE, v)));
  return [within(x, window.width - card.width), within(at.y - card.height / 3, window.height - card.height)];
}
