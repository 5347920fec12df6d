"""Taking a run along: its tree as JSON, its program, and its picture, behind one button."""

from __future__ import annotations

import re
from collections.abc import Callable

import streamlit as st

from treecore import RunConfig, Tree, evaluate
from treecore.core.tree import tree_depth
from treecore.losses import LOSSES
from treecore.persistence import to_json
from treecore.viewer.planes import Plane
from treecore.viewer.status import Frame
from ui.drawing.picture import Subject, picture_html, picture_svg
from ui.jobs.chosen_data import ChosenData
from ui.live.session import SelectedRun
from ui.widgets.dataset_picker import DRAWN, UPLOAD
from ui.widgets.export_code import comparison_code, run_code, title_of
from ui.widgets.file_download import file_button, hand_over
from ui.widgets.run_folders import keep_control
from ui.widgets.saved_tree import download_control, frame_document


def subject_of(data: ChosenData, config: RunConfig, plane: Plane, tree: Tree) -> Subject:
    """What a picture of this tree is of, with its figures taken anew."""
    facts = [f"seed {config.seed}"]
    for part, name in ((data.held, "test"), (data.train, "training")):
        if part is not None:
            found = evaluate(tree, part.X, part.y, loss=LOSSES[config.loss])
            good, what = found.accuracy, "accuracy"
            if good is None:
                good, what = found.r2, "R²"
            facts.append(f"{name} {what} {good:.1%}")
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
    facts += [f"depth {tree_depth(tree)}, {leaves}"]
    if data.train.n_features > 2:
        facts.append("the map is a slice")
    return Subject(tree, data.train, data.held, plane, title_of(data, config), " · ".join(facts))


def rows_of(data: ChosenData, config: RunConfig) -> list[tuple[str, str]]:
    """What a page tells of a run: data, method, and every setting."""
    held = data.held.n_samples if data.held else 0
    rows = [
        ("data", data.train.name),
        ("examples", f"{data.train.n_samples} learnt from, {held} held out"),
    ]
    unused = {"validation", "kernel", "components", "gamma"} if config.kernel == "none" else set()
    return rows + [(n, str(value)) for n, value in config.as_dict().items() if n not in unused]


def export_control(run: SelectedRun) -> None:
    """The button on the page of one run, and all that it hands out."""
    # It must not tell the server when it closes: a click on another page's link closes it, and what
    # it then asks for, a part of a page that is gone, would leave the new page empty.
    with st.popover(
        "Export",
        icon=":material/ios_share:",
        key="export",
        help="The tree that is on the screen as a file, a picture or a program.",
    ):
        _exports(run)


def _exports(run: SelectedRun) -> None:
    download_control(run)
    keep_control(run)
    frame = run.runner.latest()

    def subject() -> Subject:
        latest = run.runner.latest()
        assert latest is not None, "the buttons are off until there is a tree"
        return subject_of(run.data, run.config, run.plane, latest.tree)

    picture_controls(
        "",
        subject,
        lambda: rows_of(run.data, run.config),
        file_name(run.data, run.config),
        disabled=frame is None,
    )
    if frame is None:
        return
    state, started = run.runner.look().state, run.start is not None
    running = state == "running"
    over = running or state == "finished"
    code = run_code(run.data, run.config, None if running else frame.event, over, started)
    more = "It runs to the end; pause, and it stops where the tree on the screen is." * running
    _program(code, run.data, started, more)


@st.fragment
def comparison_export(
    data: ChosenData, plane: Plane, runs: list[tuple[str, RunConfig, Callable[[], Frame | None]]]
) -> None:
    """The button on the page that compares; ``runs`` are (numeral, config, callable -> Frame)."""
    with st.popover(
        "Export",
        icon=":material/ios_share:",
        key="compare_export",
        help="The trees that are on the screen as files and pictures, the comparison as a program.",
    ):
        for numeral, config, frame_of in runs:
            st.caption(f"**{numeral}** · {title_of(data, config)}")
            _comparison_files(numeral, data, config, plane, frame_of)
        code = comparison_code(data, [(numeral, config) for numeral, config, _ in runs])
        _program(code, data, False, "It learns every tree to its end.")
    hand_over()


def _comparison_files(
    numeral: str,
    data: ChosenData,
    config: RunConfig,
    plane: Plane,
    frame_of: Callable[[], Frame | None],
) -> None:
    name, disabled = f"{numeral}-{file_name(data, config)}", frame_of() is None

    def shown() -> Frame:
        frame = frame_of()
        assert frame is not None, "the buttons are off until there is a tree"
        return frame

    def subject() -> Subject:
        return subject_of(data, config, plane, shown().tree)

    with st.container(horizontal=True, gap="small"):
        file_button(
            "JSON",
            lambda: to_json(frame_document(data, config, shown()), indent=1),
            f"{name}.json",
            "application/json",
            icon=":material/download:",
            disabled=disabled,
            key=f"export_json_{numeral}",
            help="The tree that is on the screen, as a documented JSON file; Train starts from it.",
        )
        picture_controls(
            f"_{numeral}", subject, lambda: rows_of(data, config), name, disabled=disabled
        )


def picture_controls(key: str, subject, rows, name: str, disabled: bool) -> None:
    """Downloads of the picture, made when they are clicked: of the tree of that moment."""
    with st.container(horizontal=True, gap="small"):
        file_button(
            "SVG",
            lambda: picture_svg(subject()),
            f"{name}.svg",
            "image/svg+xml",
            icon=":material/image:",
            disabled=disabled,
            key=f"export_svg{key}",
            help="Map and tree as a drawing, for slides and papers.",
        )
        file_button(
            "HTML page",
            lambda: picture_html(subject(), rows()),
            f"{name}.html",
            "text/html",
            icon=":material/html:",
            disabled=disabled,
            key=f"export_html{key}",
            help="The same picture with all settings and every split in words; it opens alone, "
            "without a network.",
        )


def _program(code: str, data: ChosenData, started: bool, more: str) -> None:
    needs = {UPLOAD: "your file", DRAWN: "your points as points.csv"}.get(data.key[0], "")
    needs = " and ".join(filter(None, (needs, "the saved tree as start.json" * started)))
    said = f" It needs {needs} beside it." if needs else ""
    st.caption(f"**Code**: this program learns the same tree, bit for bit.{said} {more}")
    st.code(code, language="python", height=220)


def file_name(data: ChosenData, config: RunConfig) -> str:
    """A name for files of a run."""
    return re.sub(r"\W+", "-", f"{data.train.name}-{config.method}-{config.seed}").strip("-")
