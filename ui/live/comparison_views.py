"""Places on the comparison's page that the browser draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ui.live.component import browser_component

# A run beside others has room for its map and its tree; what is told of all runs together, or
# commands them, is elsewhere on the page, and lenses are for one run at a time.
_SMALL = """
.tc .tc-grid { grid-template: %s / minmax(0, 1fr); gap: 6px; }
.tc .tc-grid > :not(%s) { display: none; }
.tc .tc-tree-panel .tc-head { height: 20px; flex-wrap: nowrap; }
.tc .tc-tree-panel .tc-tree-legend, .tc .tc-lenses, .tc .tc-legend-row + .tc-legend-row
{ display: none; }
.tc .tc-legend { height: auto; min-height: 0; }
"""
_MAP_AND_TREE = _SMALL % ('"map" 366px "tree" 236px', ".tc-map-panel, .tc-tree-panel")
_TREE = _SMALL % ('"tree" 320px', ".tc-tree-panel")


def small_view(payload: bytes, key: str, flat: bool) -> None:
    """One run of several: its map, where the data are ``flat`` (two features), and its tree.

    Parameters
    ----------
    payload : bytes
        Of :meth:`ui.live.message.Stage.message`.
    """
    name, style = ("live_flat", _MAP_AND_TREE) if flat else ("live_tree", _TREE)
    mount = browser_component(name, "app/main.js", style)
    mount(data=payload, key=f"{key}_{name}", height="content")


def board_view(payload: bytes, key: str, on_seek: Callable[[float], None]) -> None:
    """A part of the board; see :func:`ui.live.board.board`.

    ``on_seek`` is called with the share of the clock's way that the visitor has chosen.
    """
    seen = st.session_state.setdefault(f"{key}_seen", [0])

    def sought() -> None:
        target = st.session_state[key].get("seek")
        # A browser may report the same pull twice; the second time, the hand has moved on.
        if isinstance(target, dict) and target.get("n", 0) > seen[0]:
            seen[0] = target["n"]
            share = target.get("share")
            if isinstance(share, int | float) and 0 <= share <= 1:
                on_seek(float(share))

    mount = browser_component("overlay", "charts/overlay.js")
    mount(data=payload, key=key, height="content", on_seek_change=sought)


def strips_view(low: float, high: float, strips: Sequence[dict], key: str) -> None:
    """Accuracies over seeds, a strip a contestant.

    Parameters
    ----------
    low, high : float
        Range of the axis, which all strips share.
    strips : sequence of dict
        Each with ``numeral``, ``name``, ``values``, ``mean`` and ``deviation`` (None for one run).
    """
    mount = browser_component("strips", "charts/strips.js")
    data = {"low": low, "high": high, "strips": list(strips)}
    mount(data=data, key=key, height="content")
