"""What the outcomes of :mod:`benchmarks.tables` say: ranks, verdicts, published tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.stats import rankdata

from benchmarks.marks import COLUMN
from benchmarks.pages import markdown
from benchmarks.published import published_values

Rows = dict[tuple[str, str], dict[str, Any]]
"""What was measured, by kind/table and model."""

RIVALS = ("histogram boosting", "random forest")
SAFE = ("pruned CART", "linear")
"""Models that the default should be ahead of on average, and nowhere far behind."""


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


def compared_with_published(rows: Rows, name: str) -> str:
    """What was published of some tables, and the default by our folds."""
    of = published_values("tables")[name]
    models = list(dict.fromkeys(model for cells in of["tables"].values() for model in cells))
    what = "accuracy, % / leaves" if name == "efti" else "R² × 100"
    lines = []
    for table, cells in of["tables"].items():
        measured = [r for (t, m), r in rows.items() if m == "auto" and t.endswith(f"/{table}")]
        for ours in measured[:1]:
            leaves = [float(np.mean(ours["leaves"]))] * (name == "efti")
            shown = [_with_leaves(*cells[model]) for model in models]
            auto = _with_leaves(score(ours), *leaves)
            lines.append([table, *shown, len(ours["scores"]), auto, ours[COLUMN]])
    about = (
        f"{of['source']}, {what}. Theirs: {of['protocol']}. Ours: the first of five folds, "
        f"no setting chosen. Not at hand: {', '.join(of['missing'])}."
    )
    return f"{about}\n\n{markdown(('table', *models, 'our folds', 'auto', COLUMN), lines)}"


def _with_leaves(value: float, leaves: float | None = None) -> str:
    return f"{value:.1f}" + ("" if leaves is None else f" / {leaves:,.0f}")
