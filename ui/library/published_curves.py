"""Published curves, to be laid under our own: which there are for a plot, and of which data."""

from dataclasses import dataclass

from benchmarks.published import published_values
from ui.language.translate import _

NOROUZI = "Norouzi et al. 2015"
ANCHORS = "DTSemNet, ECAI 2024, table 3"


@dataclass(frozen=True)
class Curve:
    """Values from a paper. name: method, or depth."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    source: str


def published(plot: str) -> dict[str, tuple[Curve, ...]]:
    """Curves for a plot by dataset; empty where the papers have none."""
    return _KNOWN[plot]() if plot in _KNOWN else {}


def _figure(n: int) -> str:
    return _("{norouzi}, figure {n}", norouzi=NOROUZI, n=n)


def _depth() -> dict[str, tuple[Curve, ...]]:
    figure = published_values("norouzi2015_figures")["figure2"]
    found = {
        dataset: [
            Curve(method, tuple(figure["depth"]), tuple(values), _figure(2))
            for method, values in curves.items()
        ]
        for dataset, curves in figure["test_accuracy"].items()
    }
    table = published_values("single_tree_anchors")
    columns = table["columns"]
    titles = {name.lower(): name for name in found}
    for dataset, values in table.items():
        if not (isinstance(values, list) and len(values) == len(columns) and dataset != "columns"):
            continue
        row = dict(zip(columns, values, strict=True))
        points = [
            Curve(method, (row["height"],), (row[method] / 100,), ANCHORS)
            for method in ("DTSemNet", "DGT", "TAO")
        ]
        found.setdefault(titles.get(dataset, dataset.capitalize()), []).extend(points)
    return {dataset: tuple(curves) for dataset, curves in found.items()}


def _nu() -> dict[str, tuple[Curve, ...]]:
    figure = published_values("norouzi2015_figures")["figure3"]
    nu = tuple(figure["nu"])
    curves = []
    for depth, leaves in figure["active_leaves"].items():
        start = figure["axis_aligned_leaves"][depth]
        began = _("depth {depth}, its start", depth=depth)
        curves += [
            Curve(_("depth {depth}", depth=depth), nu, tuple(leaves), _figure(3)),
            Curve(began, (nu[0], nu[-1]), (start, start), _figure(3)),
        ]
    return {figure["dataset"]: tuple(curves)}


def _time() -> dict[str, tuple[Curve, ...]]:
    figure = published_values("norouzi2015_figures")["figure4"]
    curves = tuple(
        Curve(
            _("{kind} inference, {epochs} epochs", kind=kind, epochs=figure["epochs"]),
            tuple(figure["depth"]),
            tuple(seconds),
            _figure(4),
        )
        for kind, seconds in figure["seconds"].items()
    )
    return {figure["dataset"].split(",")[0]: curves}


_KNOWN = {"depth": _depth, "nu": _nu, "time": _time}


def fitting(plot: str, data: str) -> str | None:
    """The dataset whose published curves are of the same data, by its name."""
    plain = "".join(c for c in data.lower() if c.isalnum())
    return next((name for name in published(plot) if plain.startswith(name.lower())), None)
