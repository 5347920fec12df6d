"""Controls as thumbs and keyboards meet them: how large targets are, where the focus is seen."""

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
  const called = (e) => [e.localName, e.getAttribute("role") ?? e.type,
    e.dataset.testid ?? e.className, e.ariaLabel || e.labels?.[0]?.innerText || e.innerText]
    .map((part) => String(part ?? "").trim().split("\\n")[0].slice(0, 40)).join(" | ");
"""

_SMALL = """
(thumb) => {
  CONTROLS
  const at = (x, y, root = document) => {
    const e = root.elementFromPoint(x, y), inner = e?.shadowRoot?.elementFromPoint(x, y);
    return inner && inner !== e ? at(x, y, e.shadowRoot) ?? e : e;
  };
  // What stands within a sentence is as high as its line, what a drawing holds as large as that.
  const inline = (e) => e.matches(".term, .tc-term, [role=treeitem], canvas") ||
    (e.matches("a") && getComputedStyle(e).display === "inline");
  // A field answers to its label, and to what stands within its frame.
  const frames = ["[data-testid=stNumberInputContainer]", ".react-aria-ComboBox > [role=group]",
    "[data-testid=stMultiSelect] [role=group]:has(input)"].join();
  const targets = (e) => (e.matches("button") && !e.ariaHasPopup ? [e] :
    [e, e.closest(frames) ?? e, ...(e.labels ?? [])]);
  const found = [];
  for (const e of controls(document)) {
    if (!shown(e) || inline(e)) continue;
    e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = e.getBoundingClientRect(), hit = targets(e);
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    const hits = (dx, dy) => hit.some((one) => within(at(x + dx, y + dy), one));
    if (!hits(0, 0)) continue; // behind something, or never seen
    const reach = (dx, dy) => {
      let n = 0;
      while (n < thumb && hits(dx * (n + 1), dy * (n + 1))) n += 1;
      return n;
    };
    const width = reach(-1, 0) + reach(1, 0) + 1, height = reach(0, -1) + reach(0, 1) + 1;
    if (Math.min(width, height) < thumb - 1) found.push(`${width}x${height} ${called(e)}`);
  }
  return found;
}
""".replace("CONTROLS", _CONTROLS)

_UNMARKED = """
async () => {
  CONTROLS
  const still = document.createElement("style");
  still.textContent = "* { transition: none !important; animation: none !important }";
  document.head.append(still);
  const parts = ["boxShadow", "borderTopColor", "borderTopWidth", "backgroundColor", "opacity",
    "textDecorationLine", "transform", "clip", "clipPath", "outlineStyle"];
  const outline = ["outlineWidth", "outlineColor"];
  const style = (e) => [null, "::before", "::after"].map((pseudo) => {
    const one = getComputedStyle(e, pseudo);
    return [...parts, ...(one.outlineStyle === "none" ? [] : outline)].map((part) => one[part]);
  }).join();
  const look = (e) => {
    const seen = [e, ...e.querySelectorAll("*")].slice(0, 12);
    for (let up = above(e), n = 0; up && n < 4; up = above(up), n += 1) {
      seen.push(up, ...[...up.children].slice(0, 6));
    }
    const { x, y, width, height } = e.getBoundingClientRect(); // some come into view
    return [x, y, width, height, ...seen.filter((one) => one instanceof Element).map(style)].join();
  };
  const drawn = () => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(done)));
  const found = [], known = new Set();
  document.activeElement?.blur();
  for (const e of controls(document)) {
    const kind = [e.localName, e.className, e.getAttribute("role"), e.type].join();
    // One of each kind; a table draws its own focus.
    if (known.has(kind) || !shown(e) || e.tabIndex < 0) continue;
    if (e.closest("[data-testid=stDataFrame]")) continue;
    known.add(kind);
    const before = look(e);
    e.focus({ preventScroll: true, focusVisible: true });
    await drawn(); // some hear of the focus by an event
    if (e.getRootNode().activeElement === e && look(e) === before) found.push(called(e));
    e.blur();
    await drawn();
  }
  still.remove();
  return found;
}
""".replace("CONTROLS", _CONTROLS)


def small(page) -> list[str]:
    """Width, height and name of every control that a thumb has fewer pixels of than it needs.

    What counts is where a touch reaches the control, its label included. Words that explain
    themselves within a sentence and nodes of a drawing are not looked at.
    """
    return page.evaluate(_SMALL, THUMB)


def unmarked(page) -> list[str]:
    """Names of the controls that look the same with the keyboard's focus on them."""
    page.keyboard.press("Tab")  # from now on the focus is the keyboard's
    return page.evaluate(_UNMARKED)


def touch(page) -> None:
    """Let the page be that of a touch screen from now on."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})
    page.wait_for_function("() => matchMedia('(pointer: coarse)').matches")
