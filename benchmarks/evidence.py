"""What the outcomes of :mod:`benchmarks.tables` say: verdicts, and accuracy over size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from scipy.stats import rankdata

from benchmarks.marks import COLUMN
from benchmarks.pages import markdown
from benchmarks.published import published_values
from treecore.viewer.pictures.svg import SvgCanvas

Rows = dict[tuple[str, str], dict[str, Any]]
"""What was measured, by kind/table and model."""

Point = tuple[float, float, int, str]
"""Of a model its mean score, the geometric mean of its numbers, over how many tables, and a day."""

RIVALS = ("histogram boosting", "random forest")
SAFE = ("pruned CART", "linear")
"""Models that the default should be ahead of on average, and nowhere far behind."""

WIDE, HIGH, LEFT, FOOT = 920, 460, 50, 60
LEAST = 3
"""A model has its place where it was measured on at least one of so many tables."""
COLOURS = dict.fromkeys(("auto", "annealed"), "#D55E00") | {
    "CART": "#0072B2",
    "pruned CART": "#0072B2",
}


def paired_error(row: dict[str, Any], other: dict[str, Any]) -> float:
    """Standard error of the mean difference, in percent: over rows for classes, or over folds."""
    if "right" in row:
        ours, theirs = (
            np.unpackbits(np.frombuffer(bytes.fromhex(r["right"]), np.uint8)) for r in (row, other)
        )
        n = 8 * len(bytes.fromhex(row["right"]))
        differ = np.count_nonzero(ours != theirs) / n
        mean = ours.mean() - theirs.mean()
        return float(100 * np.sqrt(max(differ - mean**2, 0.0) / n))
    gap = 100 * (np.array(row["scores"]) - np.array(other["scores"]))
    return float(gap.std(ddof=1) / np.sqrt(len(gap))) if len(gap) > 1 else float("nan")


def score(row: dict[str, Any]) -> float:
    """Mean accuracy in percent, or R² × 100."""
    return float(100 * np.mean(row["scores"]))


def ranks(rows: Rows, tables: Sequence[str], models: Sequence[str]) -> np.ndarray:
    """The rank of each model on each table, (n_tables, n_models); 1 is best, equals share."""
    scores = [[score(rows[table, model]) for model in models] for table in tables]
    return np.array([rankdata(-np.round(row, 6)) for row in scores])


def mean_and_error(values: np.ndarray) -> str:
    """A mean over tables, and its standard error where there are several."""
    if len(values) < 2:
        return f"{values.mean():.2f}"
    return f"{values.mean():.2f} ± {values.std(ddof=1) / np.sqrt(len(values)):.2f}"


def verdicts(rows: Rows, title: str, tables: Sequence[str], models: Sequence[str]) -> list[list]:
    """What is asked of the default on some tables, and whether it is so, where all is measured."""
    if not tables or not {"auto", *SAFE, *RIVALS} <= set(models):
        return []
    broken = []
    for table in tables:
        auto = rows[table, "auto"]
        best = max((rows[table, name] for name in SAFE), key=score)
        gap, error = score(auto) - score(best), paired_error(auto, best)
        if gap < -max(1.0, 2 * error):
            broken.append(f"{auto['table']} {gap:+.1f} ± {error:.1f} against {best['model']}")
    day = min(rows[table, "auto"][COLUMN] for table in tables)
    title = f"{len(tables)} tables of {title}"
    asked = (
        f"never more than one point, and than twice the standard error, behind {' or '.join(SAFE)}"
    )
    found = [[title, asked, "; ".join(broken) or "kept on all", day]]
    of_table = ranks(rows, tables, models)
    ours = of_table[:, models.index("auto")]
    for rival in RIVALS:
        lead = of_table[:, models.index(rival)] - ours
        kept = f"{'yes' if lead.mean() > 0 else 'no'}: by {mean_and_error(lead)}"
        if len(lead) > 1 and abs(lead.mean()) < lead.std(ddof=1) / np.sqrt(len(lead)):
            kept += ", within its error"
        found.append([title, f"mean rank ahead of {rival}", kept, day])
    return found


def over_size(rows: Rows, kind: str, models: Iterable[str]) -> dict[str, Point]:
    """Where each model is placed.

    A model that was not measured on all tables of the default has the default's mean over all, and
    what it differs by on its own tables.
    """
    whole = [table for table, model in rows if model == "auto" and table.startswith(f"{kind}/")]
    found = {}
    for model in models:
        tables = [table for table in whole if (table, model) in rows]
        if not 0 < len(whole) <= LEAST * len(tables):
            continue
        pairs = [(rows[table, model], rows[table, "auto"]) for table in tables]
        mean, size = (
            np.mean([figure(rows[table, "auto"]) for table in whole])
            + np.mean([figure(one) - figure(auto) for one, auto in pairs])
            for figure in (score, log_size)
        )
        day = min(rows[table, model][COLUMN] for table in tables)
        found[model] = float(mean), float(10**size), len(tables), day
    return found


def log_size(row: dict[str, Any]) -> float:
    """Mean logarithm of the numbers in a model, to the base 10."""
    return float(np.mean(np.log10(row["sizes"])))


def size_table(sized: dict[str, dict[str, Point]]) -> str:
    """The points of the picture, from the smallest model on; sized: by the title."""
    head = ["model"]
    for title in sized:
        head += [f"{title}: mean", "numbers in the model", "tables"]
    first = next(iter(sized.values()))
    lines = []
    for model in sorted(first, key=lambda model: first[model][1]):
        points = [found.get(model) for found in sized.values()]
        day = min(point[3] for point in points if point)
        lines.append([model, *(cell for point in points for cell in _point(point)), day])
    return f"![](tables.svg)\n\n{markdown([*head, COLUMN], lines)}"


def _point(point: Point | None) -> list[str]:
    return ["", "", ""] if point is None else [f"{point[0]:.1f}", f"{point[1]:,.0f}", f"{point[2]}"]


def picture(panels: dict[str, dict[str, Point]]) -> str:
    """Mean score over size, a panel for each title, as SVG; sizes of a kind of tree are joined."""
    sheet = SvgCanvas(WIDE, HIGH, "Accuracy over the numbers in a model", "#ffffff")
    wide = WIDE / len(panels)
    for place, (title, points) in enumerate(panels.items()):
        left, right = place * wide + LEFT, (place + 1) * wide - 66
        scores, sizes = (np.array([point[i] for point in points.values()]) for i in (0, 1))
        low, high = np.floor(scores.min() / 5) * 5, np.ceil(scores.max() / 5) * 5
        first, last = np.floor(np.log10(sizes.min())), np.ceil(np.log10(sizes.max()))

        def at(value, size, left=left, right=right, low=low, high=high, first=first, last=last):
            x = left + (np.log10(size) - first) / (last - first) * (right - left)
            return float(x), float(HIGH - FOOT - (value - low) / (high - low) * (HIGH - FOOT - 40))

        for value in np.arange(low, high + 1, 5):
            x, y = at(value, 10**first)
            sheet.line(x, y, right, y, "#e4e4e4")
            sheet.text(x - 6, y + 4, f"{value:g}", "#444444", 11, "end")
        for decade in np.arange(first, last + 1):
            x, y = at(low, 10**decade)
            sheet.line(x, y, x, 40, "#e4e4e4")
            sheet.text(x, y + 16, f"{10**decade:,.0f}", "#444444", 11, "middle")
        sheet.text((left + right) / 2, HIGH - 16, "numbers in the model", "#444444", 12, "middle")
        sheet.text(left, 24, title, "#000000", 13, weight=700)
        places = {model: at(*points[model][:2]) for model in points}
        taken = [(x - 4, x + 4, y) for x, y in places.values()]
        before: dict[str, tuple[float, float]] = {}
        for model in sorted(points, key=lambda model: points[model][1]):
            (x, y), (kind, _, much) = places[model], model.partition(", ")
            colour, ours = COLOURS.get(kind, "#444444"), model == "auto"
            if much and kind in before:
                sheet.line(*before[kind], x, y, colour, 1.6)
            if much:
                before[kind] = x, y
            sheet.circle(x, y, 4.5 if ours else 3.5, colour)
            long = 6.0 * len(model)
            ends = [(x + 7, x + 7 + long), (x - 7 - long, x - 7)]
            boxes = [(*end, y + 6 * k) for k in sorted(range(-13, 14), key=abs) for end in ends]
            free = (box for box in boxes if not any(_meet(box, one) for one in taken))
            box = next((box for box in free if left < box[0] and box[1] < right + 64), boxes[0])
            taken.append(box)
            sheet.text(box[0], box[2] + 4, model, colour, 11, weight=700 if ours else 400)
    return sheet.svg()


def _meet(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    """Whether two labels, from left to right at a height, are in each other's way."""
    return one[0] < other[1] and other[0] < one[1] and abs(one[2] - other[2]) < 11


def compared_with_published(rows: Rows, name: str) -> str:
    """What was published of some tables, and the default by our folds."""
    of = published_values("tables")[name]
    models = list(dict.fromkeys(model for cells in of["tables"].values() for model in cells))
    what = "accuracy, % / leaves" if name == "efti" else "R² × 100 / numbers in the model"
    lines = []
    for table, cells in of["tables"].items():
        measured = [r for (t, m), r in rows.items() if m == "auto" and t.endswith(f"/{table}")]
        for ours in measured[:1]:
            size = float(np.mean(ours["leaves" if name == "efti" else "sizes"]))
            shown = [_with_size(*cells[model]) for model in models]
            auto = _with_size(score(ours), size)
            lines.append([table, *shown, len(ours["scores"]), auto, ours[COLUMN]])
    about = (
        f"{of['source']}, {what}. Theirs: {of['protocol']}. Ours: the first of five folds, "
        f"no setting chosen. Not at hand: {', '.join(of['missing'])}."
    )
    return f"{about}\n\n{markdown(('table', *models, 'our folds', 'auto', COLUMN), lines)}"


def _with_size(value: float, size: float | None) -> str:
    return f"{value:.1f}" + ("" if size is None else f" / {size:,.0f}")
