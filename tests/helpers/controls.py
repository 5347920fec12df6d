"""Controls as thumbs and keyboards meet them: how large their targets are, where the focus shows."""

from __future__ import annotations

THUMB = 44
"""Pixels that a target should have in both directions (WCAG 2.5.5)."""

_CONTROLS = """
const kinds = "button, a[href], input:not([type=file]), select, textarea, summary, " +
  "[role=slider], [role=button], [role=treeitem], [tabindex='0']";
const controls = (root) => [...root.querySelectorAll("*")].flatMap((e) => [
  ...(e.matches(kinds) ? [e] : []), ...(e.shadowRoot ? controls(e.shadowRoot) : [])]);
const above = (e) => e.assignedSlot ?? e.parentElement ?? e.getRootNode().host ?? null;
const within = (e, outer) => e !== null && (e === outer || within(above(e), outer));
const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled &&
  !e.closest("[inert], [aria-hidden=true]") && e.getClientRects().length > 0;
const named = (e) => [e.localName, e.getAttribute("role") ?? e.type, e.dataset.testid ?? e.className,
  e.ariaLabel || e.labels?.[0]?.innerText || e.innerText || e.title || ""]
  .map((part) => String(part ?? "").trim().split("\\n")[0].slice(0, 40)).join(" | ");
"""

_SMALL = (
    """
(thumb) => {
%s
  const at = (x, y, root = document) => {
    const e = root.elementFromPoint(x, y);
    return e?.shadowRoot && e.shadowRoot.elementFromPoint(x, y) !== e ? at(x, y, e.shadowRoot) ?? e : e;
  };
  // What stands within a sentence is as high as its line, and what a drawing holds as large as that.
  const inline = (e) => e.matches(".term, .tc-term, [role=treeitem], canvas") ||
    (e.matches("a") && getComputedStyle(e).display === "inline");
  const found = [];
  for (const e of controls(document)) {
    if (!shown(e) || inline(e)) continue;
    e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    // A field answers to its label, and to what stands within its frame.
    const frame = e.closest("[data-testid=stNumberInputContainer], .react-aria-ComboBox > [role=group], " +
      "[data-testid=stMultiSelect] [role=group]:has(input)");
    const targets = e.matches("button") && !e.ariaHasPopup ? [e] :
      [e, frame ?? e, ...(e.labels ?? [])];
    const box = e.getBoundingClientRect();
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    const hits = (dx, dy) => { const h = at(x + dx, y + dy); return targets.some((t) => within(h, t)); };
    if (!hits(0, 0)) continue; // behind something, or never seen
    const reach = (dx, dy) => {
      let n = 0;
      while (n < thumb && hits(dx * (n + 1), dy * (n + 1))) n += 1;
      return n;
    };
    const width = reach(-1, 0) + reach(1, 0) + 1, height = reach(0, -1) + reach(0, 1) + 1;
    if (width < thumb - 1 || height < thumb - 1) found.push(`${width}x${height} ${named(e)}`);
  }
  return found;
}
"""
    % _CONTROLS
)

_RINGLESS = (
    """
async () => {
%s
  const still = document.createElement("style");
  still.textContent = "* { transition: none !important; animation: none !important }";
  document.head.append(still);
  const parts = ["outlineStyle", "outlineWidth", "outlineColor", "boxShadow", "borderTopColor",
    "borderTopWidth", "backgroundColor", "textDecorationLine", "opacity", "transform", "clipPath"];
  const style = (e) => [null, "::before", "::after", ...(e.matches("input[type=range]") ?
    ["::-webkit-slider-thumb"] : [])].map((pseudo) => {
      const one = getComputedStyle(e, pseudo);
      return one.outlineStyle === "none" ? parts.slice(3).map((p) => one[p]).join() :
        parts.map((p) => one[p]).join();
    }).join(";");
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const look = (e) => {
    const seen = [e, ...e.querySelectorAll("*")].slice(0, 12);
    for (let up = above(e), n = 0; up && n < 4; up = above(up), n += 1) {
      seen.push(up, ...[...up.children].slice(0, 6));
    }
    const { x, y, width, height } = e.getBoundingClientRect(); // some come into view
    return [x, y, width, height, ...seen.filter((one) => one instanceof Element).map(style)].join("|");
  };
  const found = [], kinds_seen = new Set();
  for (const e of controls(document)) {
    const kind = [e.localName, e.className, e.getAttribute("role"), e.type].join();
    // One of each kind; a table draws its own focus.
    if (!shown(e) || e.tabIndex < 0 || kinds_seen.has(kind) || e.closest("[data-testid=stDataFrame]")) continue;
    kinds_seen.add(kind);
    const before = look(e);
    e.focus({ preventScroll: true, focusVisible: true });
    await frame(); // some hear of the focus by an event
    if (e.getRootNode().activeElement === e && look(e) === before) found.push(named(e));
    e.blur();
    await frame();
  }
  still.remove();
  return found;
}
"""
    % _CONTROLS
)


def small(page) -> list[str]:
    """Width, height and name of every control that a thumb has fewer pixels of than it needs.

    What counts is where a touch reaches the control, its label included. Words that explain
    themselves within a sentence and nodes of a drawing are not looked at.
    """
    return page.evaluate(_SMALL, THUMB)


def unmarked(page) -> list[str]:
    """Names of the controls that look the same with the keyboard's focus on them."""
    page.keyboard.press("Tab")  # from now on the focus is the keyboard's
    return page.evaluate(_RINGLESS)


def touch(page) -> None:
    """Let the page be that of a touch screen from now on."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})
    page.wait_for_function("() => matchMedia('(pointer: coarse)').matches")
