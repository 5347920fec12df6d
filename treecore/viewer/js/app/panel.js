// What is pinned, told in full where it was clicked until Escape or another click: a split, a leaf,
// or the way of a point through the tree with its score at every split.

import { EDGE, besides } from "./beside.js";
import { focusedBeside, make, makeButton, setText } from "./dom.js";
import { hasTree, scoresOn, wayTo } from "./frame.js";
import { isNothing, markOf } from "../map/marks.js";
import { answerOf, cutOf, flowsOf, leafStory, pointStory, rowsAt, sharesOf, splitStory, total } from "./stories.js";
import { number } from "./theme.js";
import { storyParts } from "./tooltip.js";
import { depthsOf } from "../tree/treewindow.js";
import { _, ngettext } from "./words.js";
import { zoomOf } from "./zoom.js";

const NARROW = "(max-width: 640px)"; // where the card lies along the lower edge, as live.css has it
const REST = 90; // milliseconds between two fillings: a number that changes faster is not read

/** @param {HTMLElement} host positioned: the card follows it when the page is scrolled @param {View} view */
export function createPanel(host, view) {
  const anchor = make("div", "tc-anchor");
  let reach = 0; // of what is told of, about the anchor
  const title = make("h3", "tc-card-title");
  const close = makeButton("tc-card-close", "×", () => view.pin(null), { "aria-label": _("Clear the selection") });
  const body = make("div", "tc-card-body");
  // Beside what is told and not in it: that is filled anew while somebody clicks.
  const apart = makeButton("tc-button tc-card-step", _("Slow motion"),
    () => view.takeApart(view.marks.pinned[view.meta.slow ?? "point"]),
    { title: _("Watch in slow motion what one step of learning does here") });
  const card = make("aside", "tc-card", [make("div", "tc-card-head", [title, close]), body, apart],
    { popover: "manual", "aria-label": _("Selection") });
  // A step of the way under the pointer lights up like any other split. Rows come and go with the
  // frames, so the body listens for them.
  body.addEventListener("pointerover", (event) => {
    const row = /** @type {Element} */ (event.target).closest("tr[data-split]");
    view.setHover("panel", row && markOf("split", Number(row.getAttribute("data-split"))));
  });
  body.addEventListener("pointerleave", () => view.setHover("panel", null));
  host.append(anchor, card);
  const narrow = window.matchMedia(NARROW);
  /** Where the card lies, for the present place of what it tells of in the window. */
  function settle() {
    if (!card.matches(":popover-open")) return;
    if (narrow.matches) return card.removeAttribute("style");
    const { left, top } = anchor.getBoundingClientRect();
    // Where the charts lie right of the map, the card lies over them: it hides nothing that it tells of.
    const { map, curves, treeBar } = view.parts;
    const [free, edge] = [curves.getBoundingClientRect(), map.getBoundingClientRect().right];
    const size = card.getBoundingClientRect();
    const x0 = Math.min(free.left, window.innerWidth - size.width - 2 * EDGE);
    const over = free.width > 0 && free.left >= edge && x0 > left + reach;
    // Below the buttons that act on the split it tells of.
    const { bottom } = treeBar.getBoundingClientRect();
    const below = top < bottom ? top : Math.max(top, bottom + size.height / 3);
    const at = over ? { x: x0, y: below, r: -EDGE } : { x: left, y: below, r: reach };
    const [x, y] = besides(at, size, { width: window.innerWidth, height: window.innerHeight });
    card.style.left = `${x / zoomOf(card)}px`;
    card.style.top = `${y / zoomOf(card)}px`;
  }
  document.addEventListener("scroll", settle, { capture: true, passive: true });
  window.addEventListener("resize", settle);
  const grown = new ResizeObserver(settle); // its buttons come after the card
  grown.observe(view.parts.treeBar);
  /** @type {Element | null} */
  let opener = null; // had the focus when the card came
  let filled = -Infinity;
  let timer = 0;

  /**
   * Steps of a point's way: where it is asked, its score, where it goes.
   * @param {Frame} frame @param {number} i @param {number} leaf
   */
  function wayTable(frame, i, leaf) {
    const way = wayTo(frame, leaf);
    const scores = scoresOn(frame, way, i, view);
    const most = Math.max(...scores.filter(Number.isFinite).map(Math.abs), 1e-12);
    const top = ["", _("Split"), _("Score s"), "", _("Goes")].map((name) => make("th", "", name));
    const lines = way.map(({ split, right }, step) => {
      const share = Number.isFinite(scores[step]) ? (50 * Math.abs(scores[step])) / most : 0;
      const cut = cutOf(frame, split, view.meta);
      const name = cut ? `${cut.name} ${cut.asks}` : split === 0 ? _("Root") : _("Split {split}", { split });
      const fill = make("i", right ? "plus" : "minus", "", { style: `width: ${share}%; left: ${right ? 50 : 50 - share}%` });
      return make("tr", "", [
        make("td", "tc-step", String(step + 1)),
        make("td", "tc-asks", name),
        make("td", "tc-score", number(scores[step])),
        make("td", "", [make("span", "tc-signed", [fill])]),
        make("td", "", right ? _("right") : _("left")),
      ], { "data-split": split });
    });
    return make("table", "tc-way", [make("tr", "", top), ...lines]);
  }

  /** @param {number} i */
  function fillPoint(i) {
    const { frame, meta, theme } = view;
    if (i >= view.points.label.length) return [];
    const held = view.points.held?.[i];
    setText(title, held ? _("Point {i}, test", { i }) : _("Point {i}, training", { i }));
    const parts = storyParts({ ...pointStory(view, i), title: "", note: "" });
    const leaf = frame?.at?.[i];
    if (!frame || leaf === undefined) return parts;
    parts.push(wayTable(frame, i, leaf));
    const rows = sharesOf(frame, leaf, meta, theme);
    const flows = flowsOf(frame);
    const n = flows ? total(rowsAt(flows, ~leaf)) : NaN;
    const arrive = rows.length
      ? ngettext("{n} training example reaches it, by class.", "{n} training examples reach it, by class.", n)
      : ngettext("{n} training example reaches it.", "{n} training examples reach it.", n);
    parts.push(...storyParts({
      title: _("Reaches leaf {leaf}, which predicts {answer}", { leaf, answer: answerOf(frame, leaf, meta) }),
      rows,
      note: rows.length || n > 0 ? arrive : _("No training example reaches it."),
    }));
    return parts;
  }

  /** Take the card away, but not the focus with it. */
  function hide() {
    const lost = card.contains(focusedBeside(card));
    card.hidePopover();
    const back = opener?.isConnected ? opener : view.parts.map.querySelector("canvas");
    if (lost) /** @type {HTMLElement | null} */ (back)?.focus({ preventScroll: true });
  }

  function fill() {
    filled = performance.now();
    const { pinned } = view.marks;
    if (isNothing(pinned)) return;
    const { slow } = view.meta; // nothing is learnt from what is held out
    apart.hidden = !slow || pinned[slow] < 0 || (slow === "point" && !!view.points.held?.[pinned.point]);
    /** @type {HTMLElement[]} */
    let parts = [];
    if (pinned.point >= 0) parts = fillPoint(pinned.point);
    else if (hasTree(view)) {
      const { children } = view.frame;
      const splits = children.length >> 1;
      const there = pinned.split >= 0 ? pinned.split < splits : pinned.leaf <= splits;
      if (!there) parts = [make("div", "tc-tip-note", _("The tree does not have it at this moment."))];
      else {
        const story = pinned.split >= 0
          ? splitStory(view, pinned.split, depthsOf(children)[pinned.split]) : leafStory(view, pinned.leaf);
        setText(title, story.title);
        parts = storyParts({ ...story, title: "" });
      }
    }
    const at = body.scrollTop;
    body.replaceChildren(...parts);
    body.scrollTop = at;
    settle();
  }

  return {
    card,
    /** Tell of the present frame, now or a moment later. @param {boolean} atOnce */
    refresh(atOnce) {
      const { pinned } = view.marks;
      clearTimeout(timer);
      const open = card.matches(":popover-open");
      if (isNothing(pinned)) return open && hide();
      if (!open) {
        opener = focusedBeside(card);
        card.showPopover();
      }
      const wait = filled + REST - performance.now();
      if (atOnce || wait <= 0) fill();
      else timer = setTimeout(fill, wait);
    },
    /** What is told next lies there, in the window. @param {TipPlace} at */
    place({ x, y, r = 0 }) {
      const box = host.getBoundingClientRect();
      anchor.style.left = `${(x - box.left) / zoomOf(host)}px`;
      anchor.style.top = `${(y - box.top) / zoomOf(host)}px`;
      reach = r;
      // The lower edge of a narrow window is the card's.
      if (narrow.matches) anchor.scrollIntoView({ block: "nearest", behavior: view.calm ? "auto" : "smooth" });
    },
    destroy() {
      clearTimeout(timer);
      document.removeEventListener("scroll", settle, { capture: true });
      window.removeEventListener("resize", settle);
      grown.disconnect();
    },
  };
}
