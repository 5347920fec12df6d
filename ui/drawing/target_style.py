"""What leaves answer and examples are, in colours and words: classes or numbers, by one door."""

import numpy as np

from treecore import Tree
from treecore.core import leaf_probabilities
from treecore.data import Dataset
from ui.drawing.theme import Paint, faded, rgb, symbol
from ui.language.translate import _, written
from ui.shell.safe_text import in_figure, plain


class Answers:
    """How one dataset's targets look and are told; low, high: ends of colours, no extremes."""

    def __init__(self, data: Dataset, colours: Paint):
        self.data, self.colours = data, colours
        self.numbers = data.task == "regression"
        self.unit = _("squared deviations") if self.numbers else _("nats")
        self.ramp = colours.ramp
        self.low, self.high = 0.0, 1.0
        if self.numbers:
            low, high = np.quantile(data.y.astype(np.float64), [0.02, 0.98])
            self.low, self.high = float(low), float(high if high > low else low + 1.0)

    def shade(self, value: float) -> str:
        share = min(1.0, max(0.0, (float(value) - self.low) / (self.high - self.low)))
        at = share * (len(self.ramp) - 1)
        first = min(len(self.ramp) - 2, int(at))
        ends = [rgb(colour) for colour in self.ramp[first : first + 2]]
        mixed = (round(a + (at - first) * (b - a)) for a, b in zip(*ends, strict=True))
        return "#" + "".join(f"{part:02x}" for part in mixed)

    def regions(self, tree: Tree) -> list[str]:
        """Every leaf's colour: the more certain of its class, the stronger."""
        if self.numbers:
            return [faded(self.shade(value), 0.62) for value in tree.values[:, 0]]
        chances = leaf_probabilities(tree)
        k = max(2, self.data.n_classes)
        sure = np.maximum(0.0, (chances.max(axis=1) - 1 / k) / (1 - 1 / k))
        return [
            faded(self.colours.of(int(label)), float(0.08 + 0.27 * share))
            for label, share in zip(chances.argmax(axis=1), sure, strict=True)
        ]

    def kinds(self) -> list[tuple[str, np.ndarray, dict]]:
        """Groups of examples that look alike: name, rows, and Plotly's marker."""
        y = self.data.y
        if self.numbers:
            scale = [[i / (len(self.ramp) - 1), c] for i, c in enumerate(self.ramp)]
            marker = {
                "color": y.astype(np.float64),
                "colorscale": scale,
                "cmin": self.low,
                "cmax": self.high,
                "line": {"width": 0.6, "color": self.colours.text},
                "showscale": True,
                "colorbar": {
                    "thickness": 10,
                    "title": {"text": in_figure(self.data.target_name, 30)},
                },
            }
            return [(_("examples"), np.arange(len(y)), marker)]
        return [
            (
                str(name),
                np.flatnonzero(y == label),
                {"color": self.colours.of(label), "symbol": symbol(label), "line": {"width": 0}},
            )
            for label, name in enumerate(self.data.class_names)
        ]

    def target(self, row: int) -> str:
        """What an example is, as Markdown."""
        if self.numbers:
            name, value = plain(self.data.target_name, 40), float(self.data.y[row])
            return f"{name} **{written(value, '.4g')}**"
        return _(
            "class **{class_names}**",
            class_names=plain(self.data.class_names[self.data.y[row]], 40),
        )
