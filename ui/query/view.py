"""How a run is looked at, as part of a link: the plane of the map, and what its colours mean.

The map is drawn by the browser, which changes its lens at once and tells the server afterwards.
The server tells a lens back only to a view that is new, or when a link has brought another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from treecore.base.settings import Setting
from ui.drawing.planes import Plane
from ui.widgets.method_settings import (
    COMPONENTS,
    FEATURES,
    PLANE_ASKED,
    USED,
    USED_ASKED,
    feature_keys,
)

PLANES = {"components": COMPONENTS, "features": FEATURES, "used": USED}

REGIONS = {
    "classification": ("class", "confidence", "leaf", "loss", "gap"),
    "regression": ("value", "leaf", "loss", "gap"),
}
POINTS = {"classification": ("class", "loss", "bound"), "regression": ("target", "loss", "bound")}
SIDES = ("both", "train", "test")
LAYERS = {"margins": "margins", "moves": "flips"}
"""Words of a link for the lenses of ``ui/live/js/map/lenses.js``, by task, the usual one first; and
the layers by their names there."""

NAMES = ("plane", "across", "up", "regions", "points", "show", "layers")
"""Parameters of the view."""

MOST = 10**7
"""A number that is surely greater than any feature's."""


@dataclass(frozen=True)
class Lens:
    """What colours and layers of the map show; by default what is usual for the task."""

    region: str = ""
    point: str = ""
    side: str = SIDES[0]
    layers: tuple[str, ...] = ()

    def told(self, link: int) -> dict[str, Any]:
        """For the browser, which takes it in once for every ``link``."""
        layers = {there: name in self.layers for name, there in LAYERS.items()}
        region, point = self.region or "class", self.point or "class"
        return {"link": link, "region": region, "point": point, "side": self.side, **layers}


def lens_of(told: Mapping[str, Any] | None) -> Lens:
    """What the browser has told of its choice; strange values are the usual ones."""
    told = told if isinstance(told, Mapping) else {}

    def one(name: str, lists: Mapping[str, tuple[str, ...]]) -> str:
        known = [word for words in lists.values() for word in words[1:]]
        return told[name] if told.get(name) in known else ""

    side = told.get("side")
    layers = tuple(name for name, there in LAYERS.items() if told.get(there) is True)
    side = side if side in SIDES else SIDES[0]
    return Lens(one("region", REGIONS), one("point", POINTS), side, layers)


def read_view(
    params: Mapping[str, list[str]], reading, task: str | None, n_features: int | None
) -> None:
    """Read plane and lens into a :class:`ui.query.codec.Reading`.

    Parameters
    ----------
    task, n_features : str or None, int or None
        Of the data; None where only their file knows.
    """
    _read_plane(params, reading, n_features)
    found = type(reading)()
    for name, lists in (("regions", REGIONS), ("points", POINTS), ("show", {None: SIDES})):
        if name in params:
            words = lists.get(task) or tuple(
                dict.fromkeys(w for own in lists.values() for w in own)
            )
            found.setting(Setting(name, "", "", words[0], choices=words), params[name][-1], name)
    layers = [name for text in params.get("layers", []) for name in text.split(",") if name]
    if wrong := [name for name in layers if name not in LAYERS]:
        told = ", ".join(repr(name) for name in wrong[:4])
        found.problems.append(f"layers: {told} must be among {', '.join(LAYERS)}")
    reading.problems += found.problems
    told = {"region": found.state.get("regions"), "point": found.state.get("points")}
    told |= {"side": found.state.get("show")}
    reading.state["lens"] = lens_of(
        told | {LAYERS[name]: True for name in layers if name in LAYERS}
    )


def _read_plane(params: Mapping[str, list[str]], reading, n_features: int | None) -> None:
    given = [name for name in ("plane", "across", "up") if name in params]
    if n_features is not None and n_features <= 2:
        if given:
            told = " and ".join(given)
            reading.problems.append(f"{told}: these data have no other plane than their own")
        return
    word = "components"
    if "plane" in params:
        found = type(reading)()
        known = Setting("plane", "", "", "components", choices=tuple(PLANES))
        found.setting(known, params["plane"][-1], "plane")
        reading.problems += found.problems
        word = found.state["plane"]
    reading.state["plane"] = PLANES[word]
    if word == "components":
        if set(given) - {"plane"}:
            reading.problems.append("across and up go with plane=features or plane=used")
        return
    found = type(reading)()
    for name, usual in (("across", 1), ("up", 2)):
        found.number(params, name, name, 1, n_features or MOST, usual)
    reading.problems += found.problems
    if len(found.state) < 2:
        return
    pair = found.state["across"] - 1, found.state["up"] - 1
    name = reading.state.get("dataset")
    if word == "used":
        reading.state[USED_ASKED] = name, pair
    elif n_features is None:
        reading.state[PLANE_ASKED] = pair
    else:
        reading.state |= dict(zip(feature_keys(name, n_features), pair, strict=True))


def view_params(plane: Plane, lens: Lens) -> dict[str, str]:
    """The inverse of :func:`read_view`; only what is not usual."""
    params = {}
    word = next((w for w, kind in PLANES.items() if kind == st.session_state.get("plane")), "")
    if plane.axes.shape[1] > 2 and word not in ("", "components"):
        across, up = (int(np.argmax(axis)) + 1 for axis in plane.axes)
        params = {"plane": word, "across": str(across), "up": str(up)}
    if lens.region:
        params["regions"] = lens.region
    if lens.point:
        params["points"] = lens.point
    if lens.side != SIDES[0]:
        params["show"] = lens.side
    if lens.layers:
        params["layers"] = ",".join(lens.layers)
    return params


def lens_now() -> Lens:
    """The lens of this session's live view."""
    return st.session_state.get("lens", Lens())


def take_lens(told: Mapping[str, Any] | None) -> None:
    """Remember what the visitor has chosen in the live view."""
    st.session_state.lens = lens_of(told)
