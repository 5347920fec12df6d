"""The choice of what the map shows of data with more than two features."""

from __future__ import annotations

import streamlit as st

from treecore.datasets import Dataset
from ui.frames import Plane, feature_plane, principal_plane

COMPONENTS = "Principal components"
FEATURES = "Two features"


def plane_control(data: Dataset) -> Plane:
    """The sidebar's choice of a plane; two features leave no choice, and one has its own line."""
    if data.n_features <= 2:
        return feature_plane(data, 0, data.n_features - 1)
    st.subheader("Map")
    kind = st.segmented_control(
        "The map shows",
        [COMPONENTS, FEATURES],
        default=COMPONENTS,
        required=True,
        key="plane",
        width="stretch",
        help="There are more features than a map has sides. The principal components are the "
        "two directions in which the examples differ most.",
    )
    if kind == COMPONENTS:
        return principal_plane(data)
    names = data.feature_names
    left, right = st.columns(2)
    # Keys by dataset: the features of another one have other names.
    first = left.selectbox(
        "Across", range(len(names)), format_func=names.__getitem__, key=f"across_{data.name}"
    )
    others = [i for i in range(len(names)) if i != first]
    second = right.selectbox("Up", others, format_func=names.__getitem__, key=f"up_{data.name}")
    return feature_plane(data, first, second)
