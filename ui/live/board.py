"""The board of a comparison: curves over the clock and the table, as messages for the browser."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from treecore import Event, RunConfig
from treecore.training import METHODS
from treecore.viewer import News
from ui.drawing.theme import colour_numbers
from ui.jobs.background import waiting_text
from ui.jobs.metrics import Chart, charts_of, columns_of, duration
from ui.jobs.run_title import NUMERALS, run_title
from ui.language.translate import N_, _, ngettext, within, writing, written
from ui.live.clocks import Axis, Clock
from ui.live.comparison import Comparison, ComparisonScene
from ui.live.contestant import RunView

STATES = {
    "waiting": N_("Preparing"),
    "running": N_("Playing"),
    "paused": N_("Paused"),
    "finished": N_("Finished"),
    "failed": N_("Failed"),
}

CURVE_POINTS = 160
"""Points of one curve in a message; a chart is hardly wider in pixels that matter."""


def clock_text(clock: str, value: float, n_runs: int) -> str:
    if clock == "time":
        return _("{duration} of learning", duration=duration(value))
    return share_text(100 * value, n_runs)


def share_text(value: Any, n_runs: int) -> str:
    return ngettext("{value:.0f} % of the run", "{value:.0f} % of each run", n_runs, value=value)


def axis_text(clock: Clock, way: str = "") -> str:
    return _("from left to right: {axis}{way}", axis=_(clock.axis), way=way)


def ticks(clock: str, axis: Axis) -> list[dict]:
    """Round positions on the axis with their texts."""
    text: Callable[[float], str] = duration
    found = _round_numbers(axis.low, axis.high) if clock == "time" else [0, 0.25, 0.5, 0.75, 1]
    if clock == "share":
        text = writing(".0%")
    return [
        {"at": axis.share(value), "text": text(value)}
        for value in found
        if axis.low <= value <= axis.high
    ]


def _round_numbers(low: float, high: float) -> list[float]:
    """Positive round numbers from below ``low`` to above ``high``, in about equal ratios."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps: tuple[float, ...] = (1, 2, 5) if last - first <= 3 else (1,)
    if high < 10 * low:
        steps = (1, 1.5, 2, 3, 4, 5, 7)
    return [float(f"{m}e{e}") for e in range(first, last + 1) for m in steps]


def curve(view: RunView, axis: Axis, charts: Sequence[Chart]) -> np.ndarray:
    """The measured snapshots of a run up to the one on the screen, float32 (n, 1 + charts): the
    share of the axis, then the values of the charts, NaN where there is none.
    """
    rows = []
    for at, snapshot in zip(view.at, view.snapshots[: view.index + 1], strict=False):
        if snapshot.event.complete:
            values = [chart.value(snapshot) for chart in charts]
            rows.append([axis.share(at), *(math.nan if v is None else v for v in values)])
    table = np.array(rows, dtype=np.float32).reshape(-1, 1 + len(charts))
    if len(table) > CURVE_POINTS:  # evenly along the axis, not along the run; the last one stays
        place = np.floor(table[:, 0] * CURVE_POINTS)
        table = table[np.append(place[1:] != place[:-1], True)]
    return table


MeansOver = Sequence[Sequence[tuple[float, float]]]
"""Of every run, pairs of active leaves and a value: means over earlier draws, one a limit."""

LeafLimit = tuple[int, Sequence[int]]
"""The most leaves that trees may have, and all limits that can be chosen in its place."""


def over_leaves(
    scene: ComparisonScene, chart: Chart, means: MeansOver, limit: LeafLimit | None
) -> tuple[dict[str, Any], dict[str, np.ndarray], list[float]]:
    """A chart over leaves in place of the clock: its ticks, and its limit where there is one; a
    trail of every run, as an array (n, 3) of shares of the axis, values and shares of the clock,
    and its means as arrays (n, 2); and all of these values.
    """
    assert chart.over is not None, "it is a chart over something"
    trails: list[list[tuple[float, float]]] = []
    clocks: list[list[float]] = []
    for view in scene.views:
        shown = zip(view.at, view.snapshots[: view.index + 1], strict=False)
        seen = [(chart.over(s), chart.value(s), at) for at, s in shown if s.event.complete]
        known = [(x, y, at) for x, y, at in seen if x is not None and y is not None]
        trails.append([(x, y) for x, y, _ in known])
        clocks.append([scene.axis.share(at) for _, _, at in known])
    points: list[Sequence[tuple[float, float]]] = [*trails, *means]
    largest = max([4.0, *(x for pairs in points for x, _ in pairs)])
    if limit is not None:  # a larger one has room as well, unless trees are far below it
        largest = max(largest, min(2 * limit[0], max(128, 2 * largest)))
    width = math.log2(largest)
    found = [2**power for power in range(int(width) + 1)]
    marks = [{"at": math.log2(n) / width, "text": f"{n}"} for n in found]
    arrays = {}
    names = [f"trail{i}" for i in range(len(trails))] + [f"mean{i}" for i in range(len(means))]
    for name, pairs in zip(names, points, strict=True):
        table = [(math.log2(max(x, 1)) / width, y) for x, y in pairs]
        arrays[name] = np.array(table, dtype=np.float32).reshape(-1, 2)
    for i, clock in enumerate(clocks):
        column = np.array(clock, dtype=np.float32)
        arrays[f"trail{i}"] = np.column_stack([arrays[f"trail{i}"], column])
    own: dict[str, Any] = {"ticks": marks}
    if limit is not None:
        own["limit"] = {"most": limit[0], "values": list(limit[1]), "octaves": width}
    return own, arrays, [y for pairs in points for _, y in pairs]


def _range(scene: ComparisonScene, chart: Chart) -> tuple[float, float, bool]:
    """Where a chart's axis begins and ends, and whether there is anything to show."""
    found: list[float] = []
    for view in scene.views:
        drawn = [(at, chart.value(s)) for at, s in zip(view.at, view.snapshots, strict=True)]
        values = [v for _, v in drawn if v is not None]
        late = [v for at, v in drawn if v is not None and scene.axis.share(at) > 0.12]
        # A wild start must not flatten the rest.
        is_late = late and (chart.share or max(values) > 2 * max(late))
        found += late if is_late else values
    if not found:
        return 0.0, 1.0, False
    low, high = min(found), max(found)
    if chart.share:  # R² may be less than nothing; what is far below would flatten the rest
        return max(0.0, min(80.0, 20 * math.floor((low - 2) / 20))), 100.0, True
    high = max(1.05 * high, 1e-9)
    if chart.entire:
        high = max(4.0, high)
    return 0.0, high, True


def table_rows(comparison: Comparison, scene: ComparisonScene) -> list[list[dict]]:
    """The table: a row a run, a cell a column, the best of each column marked."""
    snapshots = [view.measured for view in scene.views]
    rows: list[list[dict]] = [
        [{"text": label(comparison.configs, i)}] for i in range(len(snapshots))
    ]
    learnt = all(view.index > 0 for view in scene.views)  # a stump is best at nothing
    good: list[bool] = []  # rows than which none predicts better
    for column in columns_of(comparison.loss, comparison.methods):
        values = [None if snapshot is None else column.value(snapshot) for snapshot in snapshots]
        texts = ["–" if v is None else column.text(v) for v in values]
        known = [v for v in values if v is not None]
        # What looks equal is equally good.
        top = column.text(column.best(known)) if known else None
        distinct = len(set(texts)) > 1 and learnt
        good = good or [said == top for said in texts]
        for row, said, well in zip(rows, texts, good, strict=True):
            # Small and quick is easy for a tree that predicts worse.
            best = distinct and said == top and (well or not column.of_shape)
            row.append({"text": said, "best": best})
    return rows


def label(configs: Sequence[RunConfig], number: int) -> str:
    """Numeral, method and, where two contestants share it, what sets this one apart."""
    one = configs[number]
    name = f"{NUMERALS[number]} · {run_title(one)}"
    same = [config for config in configs if config.method == one.method]
    if len(same) > 1:
        apart = [
            f"{_(known.label).split(' (')[0]} {_short(one.as_dict()[known.name])}"
            for known in METHODS[one.method].definitions()
            if known.name != "start" and len({config.as_dict()[known.name] for config in same}) > 1
        ]
        name += f" ({', '.join(apart[:2])})" if apart else ""
    return name


def heading(comparison: Comparison, scene: ComparisonScene, number: int) -> tuple[str, ...]:
    """Name of a contestant, how far it is, and how good: the figure, and what it is a figure of."""
    one, view = comparison.contestants[number], scene.views[number]
    status = one.runner.look()
    text = _(status.message) or _("Preparing")
    if status.state != "failed" and view.snapshot is not None:
        text = _progress(comparison, scene, number, view.snapshot.event)
    return label(comparison.configs, number), text, *_score(comparison, view)


def _score(comparison: Comparison, view: RunView) -> tuple[str, ...]:
    """Held-out figure of the last measured tree up to the one on the screen, where there is one."""
    good = columns_of(comparison.loss, ())[0]
    value = None if view.measured is None else good.value(view.measured)
    if view.measured is None or value is None:
        return ()
    detail = within(good.title)
    n_leaves = view.measured.event.active_leaves
    if n_leaves is not None:
        detail += ngettext(", {n} leaf", ", {n} leaves", n_leaves)
    return good.text(value), detail


def _progress(comparison: Comparison, scene: ComparisonScene, number: int, event: Event) -> str:
    one, view = comparison.contestants[number], scene.views[number]
    unit = METHODS[event.stage].unit
    digits = 0 if unit in ("tree", "batch") or float(event.done).is_integer() else 1
    caption = f"{_(unit)} {written(event.done, f'.{digits}f')}"
    if event.n_leaves and getattr(one.config.settings, "max_leaf_nodes", 0):
        # Growth best first makes one at a time, on any level.
        caption = ngettext("{n} split", "{n} splits", event.n_leaves - 1)
    if event.stage != one.config.method:
        return _("starting tree, {caption}", caption=caption)
    if view.index < len(view.snapshots) - 1 or not view.finished:
        return caption
    return _("{caption}, finished", caption=caption)


def _short(value) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def board(
    comparison: Comparison,
    scene: ComparisonScene,
    parts: Sequence[str],
    means: MeansOver = (),
    limit: LeafLimit | None = None,
    only: str = "",
) -> News:
    """The ``parts`` that ``charts/overlay.js`` shows: ``"strip"``, ``"charts"``, ``"table"``.

    only: the title of the one chart that is wanted, over the clock.
    """
    clock, axis = scene.clock.name, scene.axis
    # Before anything has been learnt the axis is no more than a guess.
    has_learnt = scene.started and any(len(view.snapshots) > 1 for view in scene.views)
    colours = colour_numbers(comparison.methods)
    meta: dict[str, Any] = {
        "v": 1,
        "parts": list(parts),
        "state": comparison.state(scene),
        "message": _state_text(comparison, scene),
        "hand": {
            "share": axis.share(scene.hand),
            "text": clock_text(clock, scene.hand, len(comparison.contestants))
            if has_learnt
            else _("Start"),
        },
        "runs": [
            {"numeral": one.numeral, "colour": colour}
            for one, colour in zip(comparison.contestants, colours, strict=True)
        ],
    }
    arrays: dict[str, np.ndarray] = {}
    if "charts" in parts:
        meta["ticks"] = ticks(clock, axis) if has_learnt else []
        wide = axis.log and axis.high > 100 * axis.low
        way = _(", ten times larger at each step") if wide else ""
        meta["axis"] = axis_text(scene.clock, way)
        meta["charts"] = []
        started = all(view.snapshots for view in scene.views)
        charts = charts_of(comparison.loss, comparison.methods, by_clock=bool(only))
        charts = tuple(chart for chart in charts if not only or chart.title == _(only))
        for chart in charts:
            low, high, some = _range(scene, chart)
            own: dict[str, Any] = {}
            if chart.over is not None:
                own, arrays, values = over_leaves(scene, chart, means, limit)
                if values:
                    low = max(0.0, min(80.0, 10 * math.floor((min(values) - 2) / 10)))
                    high, some = 100.0, True
            meta["charts"].append(
                {
                    "title": chart.title,
                    "unit": chart.unit,
                    "help": chart.help,
                    "low": float(low),
                    "high": float(high),
                    "whole": chart.entire,
                    "some": some,
                    "none": _("there are no test examples")
                    if started
                    else _("from the first tree on"),
                    **own,
                }
            )
        arrays |= {f"run{i}": curve(view, axis, charts) for i, view in enumerate(scene.views)}
    if "table" in parts:
        first = {"title": _("Method"), "help": _("The line is the same as in the charts.")}
        meta["columns"] = [
            first,
            *(
                {"title": c.title, "help": c.help}
                for c in columns_of(comparison.loss, comparison.methods)
            ),
        ]
        meta["rows"] = table_rows(comparison, scene)
    return meta, arrays


def _state_text(comparison: Comparison, scene: ComparisonScene) -> str:
    state = comparison.state(scene)
    learning = state == "running" and not scene.finished
    if learning and (waiting := waiting_text(comparison.client.wait_for_others())):
        return waiting
    if learning and scene.hand >= scene.farthest:
        after = [
            f"{one.numeral} {written(view.snapshots[-1].share, '.0%')}"
            for one, view in zip(comparison.contestants, scene.views, strict=True)
            if not view.finished
        ]
        return _("Learning {behind}", behind=", ".join(after))
    return _(STATES[state])
