"""How a run is looked at, as part of a link: the plane of the map, and what its colours mean.

The map is drawn by the browser, which changes its lens at once and tells the server afterwards.
The server tells a lens back only to a view that is new, or when a link has brought another one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from treecore.viewer import Plane
from ui.language.translate import _
from ui.links.fields import (
    Field,
    Params,
    Part,
    Reading,
    Words,
    choice_field,
    number_field,
    read_parts,
    write_parts,
)
from ui.widgets.method_settings import COMPONENTS, FEATURES, REQUESTED_PLANE, feature_keys

PLANES = {"components": COMPONENTS, "features": FEATURES}

REGIONS = {
    "classification": ("class", "confidence", "leaf", "loss", "gap"),
    "regression": ("value", "leaf", "loss", "gap"),
}
POINTS = {"classification": ("class", "loss", "bound"), "regression": ("target", "loss", "bound")}
SIDES = ("both", "train", "test")
LAYERS = {"margins": "margins", "moves": "flips"}
"""Words of a link for the lenses of ``treecore/viewer/js/map/lenses.js``, by task, the usual one
first; and the layers by their names there."""

VIEW_NAMES = ("plane", "across", "up", "regions", "points", "show", "layers")
"""Parameters of the view."""

MOST = 10**7
"""A number that is surely greater than any feature's."""

PLANE = choice_field("plane", "plane", PLANES)


@dataclass(frozen=True)
class Lens:
    """What colours and layers of the map show; by default what is usual for the task."""

    region: str = ""
    point: str = ""
    side: str = SIDES[0]
    layers: tuple[str, ...] = ()

    def message(self, link: int) -> dict[str, Any]:
        """For the browser, which takes it in once for every ``link``."""
        layers = {there: name in self.layers for name, there in LAYERS.items()}
        region, point = self.region or "class", self.point or "class"
        return {"link": link, "region": region, "point": point, "side": self.side, **layers}


def lens_of(chosen: Mapping[str, Any] | None) -> Lens:
    """What the browser says of its choice; strange values are the usual ones."""
    chosen = chosen if isinstance(chosen, Mapping) else {}

    def one(name: str, known: Iterable[str]) -> str:
        return chosen[name] if chosen.get(name) in list(known) else ""

    layers = tuple(name for name, there in LAYERS.items() if chosen.get(there) is True)
    region, point = one("region", _unusual(REGIONS)), one("point", _unusual(POINTS))
    return Lens(region, point, one("side", SIDES) or SIDES[0], layers)


def _unusual(by_task: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [word for words in by_task.values() for word in words[1:]]


def lens_fields(task: str | None = None) -> tuple[Part, ...]:
    """What a link says of a :class:`Lens`; for no task the words of all."""

    def colours(name: str, key: str, by_task: Mapping[str, tuple[str, ...]]) -> Field:
        words = (
            by_task[task] if task else [word for of_task in by_task.values() for word in of_task]
        )
        unusual = _unusual(by_task)
        return choice_field(name, key, {word: word if word in unusual else "" for word in words})

    regions, points = colours("regions", "region", REGIONS), colours("points", "point", POINTS)
    show, layers = choice_field("show", "side", SIDES), Words("layers", "layers", tuple(LAYERS))
    return regions, points, show, layers


def feature_fields(n_features: int | None = None) -> tuple[Field, Field]:
    """The two features of a plane, counted from one."""
    across, up = (
        number_field(name, name, usual, 1, n_features or MOST, always=True)
        for name, usual in (("across", 1), ("up", 2))
    )
    return across, up


def read_view(params: Params, reading: Reading, task: str | None, n_features: int | None) -> None:
    _read_plane(params, reading, n_features)
    lens = Reading(problems=reading.problems)
    read_parts(lens_fields(task), params, lens)
    reading.state["lens"] = Lens(**lens.state)


def _read_plane(params: Params, reading: Reading, n_features: int | None) -> None:
    given = [name for name in ("plane", "across", "up") if name in params]
    if n_features is not None and n_features <= 2:
        if given:
            names = _(" and ").join(given)
            reading.problem("{names}: these data have only one plane", names=names)
        return
    reading.state["plane"] = COMPONENTS
    PLANE.read(params, reading)
    if reading.state["plane"] == COMPONENTS:
        if set(given) - {"plane"}:
            reading.problem("across and up need plane=features")
        return
    features = Reading(problems=reading.problems)
    read_parts(feature_fields(n_features), params, features)
    if len(features.state) < 2:
        return
    pair = features.state["across"] - 1, features.state["up"] - 1
    name = reading.state.get("dataset")
    if n_features is None or name is None:
        reading.state[REQUESTED_PLANE] = pair
    else:
        reading.state |= dict(zip(feature_keys(name, n_features), pair, strict=True))


def view_params(plane: Plane, lens: Lens) -> dict[str, str]:
    """The inverse of :func:`read_view`; only what is not usual."""
    params = PLANE.write(st.session_state) if plane.axes.shape[1] > 2 else {}
    if params:
        across, up = (int(np.argmax(axis)) + 1 for axis in plane.axes)
        params |= write_parts(feature_fields(), {"across": across, "up": up})
    return params | write_parts(lens_fields(), vars(lens))


def lens_now() -> Lens:
    return st.session_state.get("lens", Lens())


def take_lens(chosen: Mapping[str, Any] | None) -> None:
    st.session_state.lens = lens_of(chosen)
