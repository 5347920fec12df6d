"""Text that can be read: contrast with what is behind it, measured in a real browser."""

PALE = r"""
() => {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (text) => {
    if (!known.has(text)) {
      probe.clearRect(0, 0, 1, 1);
      probe.fillStyle = "transparent"; // and stays so where the text is no colour, but "none"
      probe.fillStyle = text;
      probe.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = probe.getImageData(0, 0, 1, 1).data;
      known.set(text, [r, g, b, a / 255]);
    }
    return [...known.get(text)];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3]));
  const light = (c) => {
    const [r, g, b] = c.map((v) => (v <= 10 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const above = (e) => e.parentElement || e.getRootNode().host || null;
  // What all above an element makes of it; asked of a thousand texts, so each element answers once.
  const grounds = new Map();
  const ground = (e) => {
    if (e === null) return { back: [255, 255, 255], opacity: 1, disabled: false };
    if (!grounds.has(e)) {
      const { back, opacity, disabled } = ground(above(e));
      const style = getComputedStyle(e);
      grounds.set(e, {
        back: over(rgba(style.backgroundColor), back),
        opacity: opacity * style.opacity,
        disabled: disabled || e.disabled || e.ariaDisabled === "true",
      });
    }
    return grounds.get(e);
  };
  const found = [];
  const visit = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.shadowRoot) visit(e.shadowRoot);
      const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
      if (!own) continue;
      const { width, height } = e.getBoundingClientRect();
      const style = getComputedStyle(e);
      if (width < 2 || height < 2 || style.visibility === "hidden") continue;
      // Pictures made of letters need no more than 3; numbers in a drawing lie on other drawings;
      // the value of a slider hangs above its thumb, whose colour is not behind it.
      const axes = e.closest("[class*=axislayer], [class*=title], .cbaxis, .legend");
      const drawn = e.closest(".js-plotly-plot") && !axes;
      if (drawn || e.closest("[data-testid=stSlider], [role=slider]")) continue;
      if (e.dataset.testid === "stIconMaterial") continue;
      const { back, opacity, disabled } = ground(e);
      if (disabled) continue;
      const drawing = e instanceof SVGElement;
      const ink = rgba(drawing ? style.fill : style.color);
      ink[3] *= opacity;
      if (drawing) ink[3] *= +style.fillOpacity;
      const [low, high] = [light(over(ink, back)), light(back)].sort((a, b) => a - b);
      const ratio = (high + 0.05) / (low + 0.05);
      if (ink[3] < 0.05 || ratio >= 4.5) continue;
      found.push(`${ratio.toFixed(2)} ${e.textContent.slice(0, 40)}`);
    }
  };
  visit(document);
  return found;
}
"""


def pale(page) -> list[str]:
    """Contrast and beginning of every text on a page that stands out by less than 4.5."""
    return page.evaluate(PALE)
