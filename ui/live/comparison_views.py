"""Places on the comparison's page that the browser draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ui.live.channel import Channel
from ui.live.component import Heard, browser_component, place

# A run beside others has room for its map and its tree; what is told of all runs together, or
# commands them, is elsewhere on the page, and lenses are for one run at a time.
_FEW_PANELS = """
.tc .tc-grid { grid-template: %s; gap: %s; }
.tc .tc-grid > :not(%s) { display: none; }
.tc .tc-tree-panel .tc-tree-legend, .tc .tc-tree-bar, .tc .tc-view,
.tc .tc-legend-row + .tc-legend-row { display: none; }
.tc .tc-legend { height: auto; min-height: 0; }
"""


def few_panels(template: str, shown: str, gap: str = "6px") -> str:
    """The style of a live view with the panels ``shown`` (a selector) in this ``grid-template``."""
    return _FEW_PANELS % (template, gap, shown)


# About as high as wide, with what stands about the points, and no higher than a low window. That it
# is a map is seen; what its signs mean is said once, above the first one and as wide as it needs.
_MAP_AND_TREE = (
    few_panels(
        '"map" min(330px, 100cqw + 8px, max(222px, 100vh - 518px)) "tree" 150px / minmax(0, 1fr)',
        ".tc-map-panel, .tc-tree-panel",
    )
    + """
.tc .tc-panel > .tc-head, .tc .tc-note:empty { display: none; }
.tc .tc-legend {
  visibility: var(--legend, hidden); order: -1; height: 28px; overflow: var(--flow, clip);
  white-space: nowrap;
}
.tc .tc-legend-row { flex-wrap: nowrap; width: max-content; overflow: visible; }
"""
)
LEGEND = "legend"
"""Key of the container whose view says what the signs of all maps mean."""
_TREE = few_panels('"tree" 320px / minmax(0, 1fr)', ".tc-tree-panel")
_TREE += ".tc .tc-tree-panel .tc-head { height: auto; } .tc .tc-classes { display: flex; }"


_SLOW = few_panels(
    '"map tree" 430px / minmax(0, 1fr) minmax(0, 1fr)', ".tc-map-panel, .tc-tree-panel"
)
_SLOW += """
.tc .tc-panel > .tc-head, .tc .tc-note:empty { display: none; }
@container (max-width: 560px) {
  .tc .tc-grid { grid-template: "map" min(330px, 100cqw) "tree" 170px / minmax(0, 1fr); }
}
"""


def small_view(
    channel: Channel, view: str, key: str, flat: bool, on_step: Callable[[int], None] | None = None
) -> None:
    """One run of several: its map, where the data are ``flat`` (two features), and its tree."""
    name, style = ("live_flat", _MAP_AND_TREE) if flat else ("live_tree", _TREE)
    _few(name, style, channel, view, key, on_step)


def slow_view(channel: Channel, view: str, key: str, on_step: Callable[[int], None]) -> None:
    """Steps of one run in slow motion, see :mod:`ui.live.step_source`: map and tree."""
    _few("live_slow", _SLOW, channel, view, key, on_step)


def _few(name: str, style: str, channel: Channel, view: str, key: str, on_step) -> None:
    key = f"{key}_{name}"

    def requested() -> None:
        if on_step is not None and (which := st.session_state[key].get("step")) is not None:
            on_step(int(which))

    mount = browser_component(name, "app/main.js", style)
    mount(data=place(channel, view), key=key, height="content", on_step_change=requested)


def board_view(
    channel: Heard,
    view: str,
    key: str,
    drawn: str | None = None,
    on_limit: Callable[[int], None] | None = None,
    on_slow: Callable[[], None] | None = None,
) -> None:
    """A part of the board; drawn: the state that the page is drawn for."""

    def moved() -> None:
        most = st.session_state[key].get("most")
        if on_limit is not None and most is not None:
            on_limit(int(most))

    def slowed() -> None:
        if on_slow is not None and st.session_state[key].get("slow"):
            on_slow()

    mount = browser_component("overlay", "charts/overlay.js")
    mount(
        data=place(channel, view, drawn),
        key=key,
        height="content",
        on_state_change=lambda: None,
        on_most_change=moved,
        on_slow_change=slowed,
    )


def picture_view(channel: Channel, view: str, key: str) -> None:
    """A picture that the server draws, in the place of a run."""
    mount = browser_component("picture", "pages/picture.js")
    mount(data=place(channel, view), key=key, height="content")


def strips_view(low: float, high: float, strips: Sequence[dict], key: str) -> None:
    """Accuracies over seeds, a strip a contestant, on one axis from low to high."""
    mount = browser_component("strips", "charts/strips.js")
    data = {"low": low, "high": high, "strips": list(strips)}
    mount(data=data, key=key, height="content")
