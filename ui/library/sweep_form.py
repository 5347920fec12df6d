"""The form of a small sweep: its grid, and how many runs that is."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from treecore.data import GENERATORS
from treecore.sweeps import SweepSpec, digest, read_spec, rows_of
from treecore.training import METHODS, TREES
from ui.jobs.run_title import long_title
from ui.language.translate import N_, _, ngettext, writing
from ui.library.index import data_title, sweeps_root
from ui.links.runs import GREEDY
from ui.shell.safe_text import plain
from ui.widgets.data.gallery import FILES, LARGEST_DRAWN, USUAL_DATA, title_of
from ui.widgets.method_settings import DEEPEST_SHOWN, setting_of

MOST_RUNS = 200
"""More are for the command line, and for the night."""

MOST_SEEDS, MOST_WORKERS = 10, 2

OFFERED = (*TREES, "random-forest", "boosted-tao", "hinge-forest")
"""Methods of the form; a file for the command line may name any."""

GRID: dict[str, tuple[Sequence[float], Sequence[float]]] = {
    "depth": (range(1, DEEPEST_SHOWN + 1), (3, 5, 7)),
    "nu": (
        (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0),
        (1.0, 10.0, 100.0),
    ),
    "eta": ((0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0), ()),
}
"""Settings of the grid: the values on offer, and those that are chosen at first."""


@dataclass(frozen=True)
class SweepPlan:
    """A sweep that may be started; text: as ``treecore sweep`` reads it; name: of its folder."""

    spec: SweepSpec
    text: str
    name: str
    n_runs: int
    n_workers: int

    @property
    def path(self) -> Path:
        return sweeps_root() / self.name


def sweep_form() -> SweepPlan | None:
    """The widgets; None, with a sentence on the page, while what they say cannot be run."""
    first = st.columns([3, 2, 2, 2], vertical_alignment="bottom")
    names = [*GENERATORS, *FILES]
    name = first[0].selectbox(
        _("Data"),
        names,
        index=names.index(USUAL_DATA),
        format_func=title_of,
        key="sweep_data",
        help=_(
            "A quarter of the examples is for the test, a fifth of the others for validation. "
            "For your own tables, use treecore sweep on the command line."
        ),
        persist_state="session",
    )
    size = None
    if name in GENERATORS:
        size = first[1].number_input(
            _("Examples"), 50, LARGEST_DRAWN, 500, 50, key="sweep_size", persist_state="session"
        )
    n_seeds = first[2].number_input(
        _("Seeds"),
        1,
        MOST_SEEDS,
        2,
        key="sweep_seeds",
        help=_(
            "Every combination learns once per seed, always from the same examples, and its mean "
            "counts. Raise the number when results differ between seeds."
        ),
        persist_state="session",
    )
    n_workers = first[3].segmented_control(
        _("Parallel runs"),
        range(1, MOST_WORKERS + 1),
        default=1,
        required=True,
        key="sweep_workers",
        help=_(
            "How many runs learn at the same time. Raise it when the machine has idle processors."
        ),
        persist_state="session",
    )
    methods = st.pills(
        _("Methods"),
        OFFERED,
        default=["axis", "sgd", "stable-sgd"],
        selection_mode="multi",
        format_func=long_title,
        key="sweep_methods",
        persist_state="session",
    )
    grid = {
        name: sorted(_values_control(column, name, offered, usual))
        for column, (name, (offered, usual)) in zip(st.columns(3), GRID.items(), strict=True)
    }
    wanted = {
        "data": {"name": f"sample:{name}"} | ({"size": int(size)} if size else {}),
        "search": {"kind": "grid", "seeds": list(range(int(n_seeds)))},
        "final": {"seeds": list(range(int(n_seeds)))},
        "methods": [_entry(method, grid) for method in OFFERED if method in methods],
    }
    return _plan(wanted, int(n_workers))


def _values_control(
    where: DeltaGenerator, name: str, offered: Sequence[float], usual: Sequence[float]
) -> list[float]:
    known = setting_of("sgd", name)
    common = name == "depth"  # every method has a depth
    return where.multiselect(
        _("Depths") if common else _(known.label).split(" (")[0],
        offered,
        usual,
        format_func=writing("g"),
        key=f"sweep_{name}s" if common else f"sweep_{name}",
        help=_(known.help) + ("" if common else _(" Methods without this setting ignore it.")),
        placeholder=_("Default"),
        persist_state="session",
    )


def _entry(method: str, grid: Mapping[str, list[float]]) -> dict[str, Any]:
    """One method with those of the values that it has a setting for."""
    known = {setting.name for setting in METHODS[method].definitions()}
    values = {name: values for name, values in grid.items() if values and name in known}
    usual = {"criterion": GREEDY.as_dict()["criterion"]} if method == GREEDY.method else {}
    return {"method": method} | usual | values


def _plan(wanted: dict[str, Any], n_workers: int) -> SweepPlan | None:
    if not wanted["methods"]:
        st.info(_("Choose at least one method."), icon=":material/arrow_upward:")
        return None
    try:
        spec = read_spec(wanted)
        candidates = spec.candidates(rows_of(spec.data, "final").train.task)
    except ValueError as error:
        st.error(plain(_("This sweep cannot run: {error}", error=error)), icon=":material/error:")
        return None
    n_seeds = len(spec.search.seeds)
    n_methods = len({candidate.method for candidate in candidates})
    n_runs = len(candidates) * n_seeds + n_methods * len(spec.final_seeds)
    sentence = ngettext(
        "{candidates} settings × {n} seed, then the best of each method again per seed for the "
        "test: **{n_runs} runs**",
        "{candidates} settings × {n} seeds, then the best of each method again per seed for the "
        "test: **{n_runs} runs**",
        n_seeds,
        candidates=len(candidates),
        n_runs=n_runs,
    )
    text = as_toml(wanted)
    if n_runs > MOST_RUNS:
        st.warning(
            _(
                "{sentence}. More than {most_runs} runs are for the command line: remove some "
                "values, or save this as sweep.toml and run `treecore sweep sweep.toml --workers "
                "2`.",
                sentence=sentence,
                most_runs=MOST_RUNS,
            ),
            icon=":material/block:",
        )
        st.code(text, language="toml")
        return None
    st.markdown(f"{sentence}.")
    name = f"{data_title(spec.data.source.name)}-{digest(wanted)[:6]}"
    return SweepPlan(spec, text, name, n_runs, n_workers)


def as_toml(wanted: Mapping[str, Any]) -> str:
    """A sweep as ``treecore sweep`` reads it; values are text, numbers and lists of them."""
    lines = []
    for section in ("data", "search", "final"):
        lines += [f"[{section}]", *(f"{k} = {json.dumps(v)}" for k, v in wanted[section].items())]
        lines.append("")
    for entry in wanted["methods"]:
        lines += ["[[methods]]", *(f"{k} = {json.dumps(v)}" for k, v in entry.items()), ""]
    return "\n".join(lines)


GRID_HELP = N_(
    "Every combination of values learns from the training examples. Of each method, the best one "
    "on the validation examples learns again from both, and is tested once on the test examples."
)
"""What a sweep is, in short."""
