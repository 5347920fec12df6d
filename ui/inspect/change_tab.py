"""What would have to change: the nearest point that the tree puts where it is wanted."""

import math
from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np
import streamlit as st

from treecore import Forest, Tree, apply
from treecore.base import DATE, MOMENT, TIME, in_unit
from treecore.core import OBLIQUE
from treecore.data import category_groups
from treecore.inspection.counterfactual import Counterfactual, counterfactual, units_and_range
from treecore.persistence import Document
from treecore.rows.finite import filled
from ui.drawing.map_figure import HAS_MAP, add_arrow, add_ring, base_map, plane_of
from ui.drawing.on_page import show
from ui.drawing.png import picture
from ui.drawing.split_text import limit_digits
from ui.drawing.squares import box_on, grid
from ui.drawing.theme import paint
from ui.inspect.asked_row import (
    answer_text,
    background_of,
    chosen_row,
    leaf_of,
    present_row,
    row_control,
    together,
    with_rows,
)
from ui.inspect.forest.scene import Scene
from ui.inspect.forest.vote_map import vote_figure
from ui.inspect.opened import REQUESTED_WANTED, WANTED
from ui.inspect.overlay import Overlay
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered
from ui.language.translate import N_, _, number
from ui.shell.page_style import picture_columns
from ui.shell.safe_text import plain

NORMS = {"l2": N_("Smallest change"), "l1": N_("Few features")}
"""Distances to be short, and how they are called."""

BACKGROUND = 10_000
"""Rows at most whose regions of a forest are searched."""


def change_tab(document: Document, overlay: Overlay, forest: Forest | None = None) -> None:
    """Choose a row and what is wanted of it, and see the nearest point that has it.

    forest: all trees, where the tree is one of them; it is the forest that is asked then.
    """
    st.header(_("What would have to change?"))
    if overlay.before is not None:
        st.info(
            _(
                "This tree reads several numbers made from one feature, and the nearest example "
                "cannot be computed."
            ),
            icon=":material/block:",
        )
        return
    row_control(overlay)
    state, of = st.session_state, (overlay.rows.name, overlay.rows.target_name)
    if not state.pop(REQUESTED_WANTED, False) and state.get("tree_wanted_of") != of:
        for name in WANTED:  # it was of other data
            state.pop(name, None)
    state.tree_wanted_of = of
    x = present_row(overlay)
    model = forest or overlay.tree
    rest = background_of(overlay, BACKGROUND)
    said = model.values if isinstance(model, Tree) else _scores(model, overlay, rest)
    now = said[leaf_of(model, x)] if isinstance(model, Tree) else model.scores(x[None])[0]
    wanted = wanted_control(document, said, int(now.argmax()))
    if isinstance(wanted, tuple) and wanted[0] > wanted[1]:
        st.info(
            _(
                "No number is at least {low} and at most {high}. Lower the first or raise the "
                "second.",
                low=number(wanted[0]),
                high=number(wanted[1]),
            ),
            icon=":material/block:",
        )
        return
    norm, fixed, integer, within = limits_control(document)
    scale, low, high = units_and_range(overlay.rows.X)
    bounds = (np.fmin(low, x), np.fmax(high, x)) if within else None
    rules = {"norm": norm, "fixed": fixed, "integer": integer}
    key = (overlay.key, id(model), x.tobytes(), wanted, within, *rules.values())

    def search() -> tuple[Tree | Forest, Counterfactual]:
        groups = category_groups(document.columns)
        found = counterfactual(
            model, x, wanted, rest, scale=scale, bounds=bounds, groups=groups, **rules
        )
        return model, found  # whose id is another one's only when it is gone

    try:
        with st.spinner(_("Computing")):
            _kept, found = remembered("tree_change", key, search)
    except ValueError as error:
        st.info(plain(_("There is no such point: {error}.", error=error)), icon=":material/block:")
        return
    st.markdown(sentence(document, model, chosen_row(overlay), x, found))
    draw(overlay, model, x, found)
    how = _("Exact: no nearer point has this prediction.")
    if forest is not None:
        how = together(forest) + _(
            " The search covers the regions, one leaf of each tree, that {n} examples and points "
            "on the way to them reach: no point there is nearer, but one elsewhere may be.",
            n=len(rest),
        )
    distance = _(
        "The distance is {distance}, in standard deviations of the features.",
        distance=number(found.distance),
    )
    st.caption(f"{how} {distance}")


def _scores(forest: Forest, overlay: Overlay, rows: np.ndarray) -> np.ndarray:
    key = (overlay.key, id(forest))
    return remembered("tree_change_scores", key, lambda: (forest, forest.scores(rows)))[1]


def wanted_control(document: Document, said: np.ndarray, now: int):
    """A class or a range of numbers, of what the model says, (n, n_outputs); now: of the row."""
    if document.output_names:
        values = said[:, 0].astype(np.float64)
        left, right = picture_columns("change")
        name = plain(document.output_names[0], 40)
        smallest, most = _("{name} at least", name=name), _("{name} at most", name=name)
        st.session_state.setdefault("tree_low", float(np.median(values)))
        st.session_state.setdefault("tree_high", float(values.max()))
        low = left.number_input(smallest, key="tree_low")
        high = right.number_input(most, key="tree_high")
        return float(low), float(high)
    classes = np.unique(said.argmax(axis=1)).tolist()
    usual = next((c for c in classes if c != now), now)
    if st.session_state.get("tree_wanted") not in classes:
        st.session_state.tree_wanted = usual
    return st.selectbox(
        _("Wanted class"),
        classes,
        format_func=lambda c: document.class_names[c],
        key="tree_wanted",
        help=_("Choose the class that the example should get, of those that are predicted."),
    )


def limits_control(document: Document):
    names = document.feature_names
    st.session_state.setdefault("tree_norm", "l2")
    st.session_state.setdefault("tree_within", True)
    with st.expander(_("Rules for changes")):
        norm = st.segmented_control(
            _("Change"),
            list(NORMS),
            format_func=lambda name: _(NORMS[name]),
            required=True,
            key="tree_norm",
            help=_(
                "Finds the nearest point (in ‖·‖₂), or the smallest sum of changes (in ‖·‖₁), "
                "which leaves most features unchanged. Choose few features for advice that "
                "people can follow."
            ),
        )
        fixed = features_control(
            _("Fixed features"),
            "tree_fixed",
            names,
            _("These features stay unchanged. Add features that nobody can change, such as age."),
        )
        integer = features_control(
            _("Whole numbers"),
            "tree_whole",
            names,
            _("These features stay whole numbers. Add counts, such as rooms."),
        )
        within = st.checkbox(
            _("Stay in range"),
            key="tree_within",
            help=_(
                "Keeps each feature within the values among the examples. Switch it off to allow "
                "any value."
            ),
        )
    return norm or "l2", tuple(fixed), tuple(integer), within


def features_control(label: str, key: str, names: Sequence[str], help: str) -> list[int]:
    """Some of the features; those that a link names and these rows lack are let go."""
    if key in st.session_state:
        st.session_state[key] = [j for j in st.session_state[key] if j < len(names)]
    return st.multiselect(
        label,
        range(len(names)),
        format_func=lambda j: names[j],
        key=key,
        help=help,
        placeholder=_("Choose features"),
    )


def sentence(
    document: Document, model: Tree | Forest, row: int, x: np.ndarray, found: Counterfactual
) -> str:
    after = plain(answer_text(document, model, found.x))
    if not len(found.changed):
        return _("Nothing to change: example {row} is **{after}** already.", row=row, after=after)
    told = _(
        "Now: {before}. Smallest change for **{after}**: {listed}.",
        before=answer_text(document, model, x),
        after=after,
        listed=changes_text(document, model, x, found),
    )
    if isinstance(model, Forest):
        return told
    return f"{told} " + _("The example then reaches leaf {leaf}.", leaf=int(found.leaves[0]))


def changes_text(
    document: Document, model: Tree | Forest, x: np.ndarray, found: Counterfactual
) -> str:
    """Eight or nine features that move furthest: ``width from 1 to **2** and height from 3 ...``.

    With all digits of the new value, and as many as tell the old one from it.
    """
    after, parts = as_told(model, document.units, x, found), []
    for j in found.changed[: 8 + (len(found.changed) == 9)]:
        told = (d for d in range(3, 15) if float(f"{after[j]:.{d}g}") == after[j])
        differ = (d for d in told if number(x[j], d) != number(after[j], d))
        write = partial(number, digits=next(differ, 15))
        now, then = (in_unit(values[j], document.units[j], write) for values in (x, after))
        name = plain(document.feature_names[j], 40)
        parts.append(_("{name} from {before} to **{after}**", name=name, before=now, after=then))
    if more := len(found.changed) - len(parts):
        parts.append(_("{more} other features by less", more=more))
    if len(parts) == 1:
        return parts[0]
    return _("{first} and {last}", first=", ".join(parts[:-1]), last=parts[-1])


def as_told(
    model: Tree | Forest, units: Sequence[str], x: np.ndarray, found: Counterfactual
) -> np.ndarray:
    """The point in few digits, (n_features,), in its leaves; by splits as written if one is."""
    trees = (model,) if isinstance(model, Tree) else tuple(model.trees)
    written = tuple(tree._replace(threshold=_as_read(tree)) for tree in trees)
    steps = {DATE: 1.0, MOMENT: 1 / 1440, TIME: 1 / 60}
    at = [j for j in found.changed if found.x[j] % 1]  # a whole number is what it should be
    for these, digits, further in product((trees + written, trees), range(3, 12), range(3)):
        told = found.x.copy()
        for j in at:
            power = math.floor(math.log10(abs(told[j]))) + 1 - digits
            step = steps.get(units[j], 10.0 ** min(power, 0))
            way = further * math.copysign(1, told[j] - x[j])
            told[j] = float(f"{step * (round(told[j] / step) + way):.12g}")
        leaves = np.array([apply(tree, told[None])[0] for tree in these])
        reached = (leaves.reshape(-1, len(trees)) == found.leaves).all()
        if reached and (told != x)[found.changed].all():
            return told
    return found.x


def _as_read(tree: Tree) -> np.ndarray:
    """Thresholds as they are written; of sums, whose terms are rounded as well, as they are."""
    digits = (max(limit_digits(t), len(f"{abs(t):.0f}")) for t in tree.threshold)
    written = [float(f"{t:.{d}g}") for t, d in zip(tree.threshold, digits, strict=True)]
    return np.where(tree.feature == OBLIQUE, tree.threshold, np.array(written, np.float32))


def draw(overlay: Overlay, model: Tree | Forest, x: np.ndarray, found: Counterfactual) -> None:
    """An arrow on the map of two features; before and after of an image."""
    rows = overlay.rows
    if rows.image_shape:
        top = with_rows(rows, x)
        columns = st.columns(3)
        columns[0].image(picture(top, 0, 16), width=160, caption=_("now"))
        after = with_rows(rows, np.clip(found.x, 0, None))
        columns[1].image(picture(after, 0, 16), width=160, caption=_("needed"))
    elif rows.n_features <= HAS_MAP:
        colours, plane = paint(), plane_of(rows)
        assert plane is not None, "there are two features at most"
        if isinstance(model, Tree):
            figure = base_map(rows, model, colours)
        else:
            scene, box = Scene(ChosenData(rows, None, overlay.key), model), box_on(plane, rows.X)
            figure = vote_figure(scene, plane, scene.scores(grid(plane, box)), box, colours)
        both = filled(np.stack([x, found.x]), overlay.tree.missing)
        start, end = plane.points(both)
        add_ring(figure, start, colours)
        if len(found.changed):
            add_arrow(figure, start, end, colours.text)
        alt = _("The map, with an arrow from the example to the nearest point")
        show(figure, "tree_change_map", alt)
