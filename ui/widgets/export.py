"""Taking a run along: its tree as JSON, its program, and its picture, behind one button."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from treecore import RunConfig
from treecore.persistence import to_json
from treecore.viewer import FIRST, LEARNING, RecordedRun, Stage, living, record, recorded_run
from ui.drawing.run_page import facts_html, run_page
from ui.drawing.theme import paint
from ui.jobs.chosen_data import ChosenData, new_trainer
from ui.jobs.run_title import long_title
from ui.language.translate import N_, _
from ui.live.channel import Channel
from ui.live.comparison import Comparison
from ui.live.forest_source import forest_drawing
from ui.live.train_session import VIEW, SelectedRun
from ui.live.views import picture_buttons
from ui.widgets.data.gallery import DRAWN, UPLOAD
from ui.widgets.export_code import comparison_code, run_code
from ui.widgets.file_download import file_button
from ui.widgets.heading import data_title
from ui.widgets.learnt_model import LearntModel, tree_document, tree_name
from ui.widgets.run_folders import keep_compared_control, keep_control
from ui.widgets.saved_tree import other_formats


def rows_of(data: ChosenData, config: RunConfig) -> list[tuple[str, str]]:
    """What a page tells of a run: data, method, and every setting."""
    held = data.held.n_samples if data.held else 0
    rows = [
        (_("data"), data_title(data)),
        (
            _("examples"),
            _("{n_samples} training, {held} test", n_samples=data.train.n_samples, held=held),
        ),
    ]
    unused = {"validation", "kernel", "components", "gamma"} if config.kernel == "none" else set()
    said = config.as_dict() | {"categorical": ", ".join(config.categorical)}
    unused |= set() if config.categorical else {"categorical"}
    return rows + [(n, str(value)) for n, value in said.items() if n not in unused]


def recording_of(run: SelectedRun, live: bool = False) -> RecordedRun:
    """The run up to the tree on the screen, learnt anew; if that took long, that tree alone."""
    frame, status = run.runner.latest(), run.runner.look()
    assert frame is not None, "the buttons are off until there is a tree"
    train, held, event = run.data.train, run.data.held, frame.event
    again = new_trainer(run.data, run.config, run.start and run.start[1])
    if event.seconds > 20.0:  # seconds: it would take as long again
        seen = [(event, frame.tree, frame.assigned)]
        stage = Stage(train, held, run.plane, run.config)
        learns = living(again, train, held, stage, _) if live else None
        history, state = status.history, status.state
        return recorded_run(stage, train.name, run.config, seen, history, state, _, learns)
    done = event.done if event.stage == run.config.method else 0.0
    return record(again, train, held, plane=run.plane, until=max(done, FIRST), say=_, live=live)


def export_control(run: SelectedRun, channel: Channel) -> None:
    """A run, which ``channel`` shows, as files, pictures, a page and a program."""
    # It must not tell the server when it closes: a click on another page's link closes it, and what
    # it then asks for, a part of a page that is gone, would leave the new page empty.
    with st.popover(_("Export"), icon=":material/ios_share:", key="export", width="stretch"):
        _exports(run, channel)


def _exports(run: SelectedRun, channel: Channel) -> None:
    other_formats(lambda: tree_document(run), tree_name(run), "", run.runner.latest() is None)
    keep_control(run)
    frame = run.runner.latest()

    title = title_of(run.data, run.config)

    def page(live: bool) -> str:
        latest = run.runner.latest()
        assert latest is not None, "the buttons are off until there is a tree"
        facts = facts_html(latest.tree, run.data.train, rows_of(run.data, run.config))
        return run_page(title, [recording_of(run, live)], after=facts)

    name = file_name(run.data, run.config)
    with st.container(horizontal=True, gap="small"):
        picture_buttons(channel, VIEW, "export_picture", title, name, disabled=frame is None)
        page_buttons(page, name, [run.config], disabled=frame is None)
    if frame is None:
        return
    state, started = run.runner.look().state, run.start is not None
    running = state == "running"
    over = running or state == "finished"
    code = run_code(run.data, run.config, None if running else frame.event, over, started)
    more = _("It runs to the end. Pause first to make it stop at the tree on the screen.") * running
    _program(code, run.data, started, more)


def json_buttons(models: Sequence[LearntModel]) -> None:
    """A button for each model on the screen, several behind one; ``hand_over`` has to follow."""
    several = len(models) > 1
    place = st.popover(_("As JSON"), icon=":material/download:") if several else st.container()
    for model in models:
        numeral = model.numeral
        as_tree = _("Tree {numeral} as JSON", numeral=numeral)
        as_forest = _("Forest {numeral} as JSON", numeral=numeral)
        with place:
            file_button(
                as_tree if model.is_tree else as_forest,
                partial(lambda one: to_json(one.document(), indent=1), model),
                f"{numeral}-{file_name(model.data, model.config)}.json",
                "application/json",
                icon=":material/download:",
                key=f"export_json_{numeral}",
                help=_("Saves the trees on the screen as a documented JSON file."),
            )


def comparison_export(comparison: Comparison, link: dict[str, Any]) -> None:
    """Pictures of the models on the screen, the runs as a page, a program and folders."""
    data, contestants = comparison.data, comparison.contestants
    assert data is not None, "the page has data"
    with st.popover(_("Export"), icon=":material/ios_share:", key="lab_export", width="stretch"):
        for i, one in enumerate(contestants):
            title = title_of(data, one.config)
            st.caption(f"**{one.numeral}** · {title}")
            name = f"{one.numeral}-{file_name(data, one.config)}"
            key, none = f"export_picture_{one.numeral}", comparison.snapshot_shown(i) is None
            if one.is_tree:
                with st.container(horizontal=True, gap="small"):
                    picture_buttons(comparison.channel, str(i), key, title, name, none)
            else:
                _forest_button(comparison, i, f"{name}.svg", key, none)

        trees = [i for i, one in enumerate(contestants) if one.is_tree]

        def page(live: bool) -> str:
            title = _("{name}: {runs} runs", name=data_title(data), runs=len(trees))
            return run_page(title, [comparison.recorded(i, live) for i in trees])

        if len(contestants) > 1:
            st.caption(_("**All** · side by side"))
        if trees:
            if forests := [one.numeral for one in contestants if not one.is_tree]:
                said = N_("The page shows trees only: it leaves out {numerals}.")
                st.caption(_(said, numerals=", ".join(forests)))
            ready = all(comparison.snapshot_shown(i) is not None for i in trees)
            configs = [contestants[i].config for i in trees]
            with st.container(horizontal=True, gap="small"):
                page_buttons(page, f"{data.train.name}-compared", configs, disabled=not ready)
        keep_compared_control(comparison, link)
        code = comparison_code(data, [(one.numeral, one.config) for one in contestants])
        _program(code, data, False, _("It trains every model to the end."))


def _forest_button(
    comparison: Comparison, number: int, name: str, key: str, disabled: bool
) -> None:
    colours = paint()

    def picture() -> str:
        shot, data, plane = comparison.snapshot_shown(number), comparison.data, comparison.plane
        assert shot is not None, "the button is off until there is a forest"
        assert data is not None, "the page has data"
        assert plane is not None, "and a plane"
        return forest_drawing(shot.model, data, plane, colours).svg()

    file_button(
        "SVG",
        picture,
        name,
        "image/svg+xml",
        disabled=disabled,
        key=key,
        help=_("Saves the map on the screen, as a drawing for slides and papers."),
    )


def page_buttons(
    page: Callable[[bool], str], name: str, configs: Sequence[RunConfig], disabled: bool
) -> None:
    """Runs as a page that plays, and as one that trains where it can learn one of them."""
    file_button(
        _("HTML page"),
        partial(page, False),
        f"{name}.html",
        "text/html",
        icon=":material/html:",
        disabled=disabled,
        key="export_html",
        help=_(
            "Saves map, curves and tree of every moment as one page. Share it with anyone who "
            "has a browser; it needs no server and no network."
        ),
    )
    if any(config.method in LEARNING for config in configs):
        file_button(
            _("Page that trains"),
            partial(page, True),
            f"{name}-live.html",
            "text/html",
            icon=":material/play_circle:",
            disabled=disabled,
            key="export_live",
            help=_(
                "Saves the same page with the training itself, for other settings and seeds "
                "as well. Share it when others should experiment; it needs no server and no "
                "network."
            ),
        )


def _program(code: str, data: ChosenData, started: bool, more: str) -> None:
    rows = {UPLOAD: _("your file"), DRAWN: _("your points as points.csv")}.get(data.key[0], "")
    files = [rows, _("the saved tree as start.json") if started else ""]
    listed = _(" and ").join(filter(None, files))
    needs = _("Put {files} into the same folder.", files=listed) if listed else ""
    said = _(
        "**Code**: on the same machine with the same versions, this program learns the same model."
    )
    st.caption(" ".join([said, needs, more]))
    st.code(code, language="python", wrap_lines=True)  # what scrolls, no key could reach


def title_of(data: ChosenData, config: RunConfig) -> str:
    return f"{data_title(data)}, {long_title(config.method)}"


def file_name(data: ChosenData, config: RunConfig) -> str:
    return re.sub(r"\W+", "-", f"{data.train.name}-{config.method}-seed-{config.seed}").strip("-")
