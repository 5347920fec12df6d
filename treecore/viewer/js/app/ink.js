// How things are drawn again and again: text, dots, and lines that are seen on any ground.

/**
 * How the next texts are set.
 * @param {Context2D} ctx @param {Theme} theme @param {number} size in pixels
 * @param {CanvasTextAlign} [textAlign] @param {CanvasTextBaseline} [textBaseline] @param {number} [weight]
 */
export function typeset(ctx, theme, size, textAlign = "left", textBaseline = "middle", weight = 400) {
  ctx.font = `${weight === 400 ? "" : `${weight} `}${size}px ${theme.font}`;
  ctx.textAlign = textAlign;
  ctx.textBaseline = textBaseline;
}

/**
 * Text over a drawing, which needs the page's colour around it.
 * @param {Context2D} ctx @param {Theme} theme @param {string} text @param {number} x @param {number} y
 * @param {string} ink @param {number} [wide] pixels of its edges
 */
export function haloed(ctx, theme, text, x, y, ink, wide = 4) {
  ctx.lineJoin = "round";
  ctx.lineWidth = wide;
  ctx.strokeStyle = theme.back;
  ctx.fillStyle = ink;
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
}

/**
 * A disc, and a ring about it.
 * @type {(ctx: Context2D, x: number, y: number, r: number, fill: string, ring?: string, wide?: number) => void}
 */
export function dot(ctx, x, y, r, fill, ring, wide = 1.5) {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.fillStyle = fill;
  ctx.fill();
  if (!ring) return;
  ctx.lineWidth = wide;
  ctx.strokeStyle = ring;
  ctx.stroke();
}

/**
 * Stroke what was traced, or a path, over a wider stroke in the page's colour: it is seen on any ground.
 * @param {Context2D} ctx @param {Theme} theme @param {number} wide @param {string} [ink]
 * @param {{edge?: number, share?: number, dash?: number[], path?: Path}} [look] by how much the other is
 *   wider, and how strong; dashes of the upper one alone
 */
export function outlined(ctx, theme, wide, ink = theme.primary, { edge = 3, share = 1, dash, path } = {}) {
  for (const upper of [false, true]) {
    if (dash) ctx.setLineDash(upper ? dash : []);
    ctx.globalAlpha = upper ? 1 : share;
    ctx.lineWidth = upper ? wide : wide + edge;
    ctx.strokeStyle = upper ? ink : theme.back;
    if (path) ctx.stroke(path);
    else ctx.stroke();
  }
  if (dash) ctx.setLineDash([]);
}
