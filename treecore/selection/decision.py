"""What was decided, and on what evidence."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Measured:
    """One candidate, and what was measured; seconds: of the processor, for learning, in all folds.

    gain: the mean of :func:`treecore.selection.scoring.gains`; error: standard error of its
    difference to the chosen one's.
    """

    name: str
    title: str
    method: str
    score: float | None = None
    gain: float | None = None
    error: float = 0.0
    seconds: float = 0.0
    chosen: bool = False


@dataclass(frozen=True)
class Decision:
    """The candidates, the simplest first, and the chosen one.

    n_folds: 0 if no rows were held out, reason: why not; share: of all rows, what the chosen tree
    has learnt from.
    """

    candidates: tuple[Measured, ...]
    n_folds: int
    task: str
    reason: str = ""
    share: float = 1.0

    @property
    def best(self) -> Measured:
        """The candidate that was chosen."""
        return next(candidate for candidate in self.candidates if candidate.chosen)

    @property
    def chosen(self) -> str:
        """The name of the candidate that was chosen."""
        return self.best.name

    def table(self) -> list[dict[str, Any]]:
        """One dictionary of JSON values for every candidate."""
        return [dataclasses.asdict(candidate) for candidate in self.candidates]

    def summary(self) -> str:
        """One sentence: what was chosen, and why; a second if not all rows have been learnt."""
        return self._why() + (
            f" It has learnt from {self.share:.0%} of the rows." if self.share < 1 else ""
        )

    def _why(self) -> str:
        best = self.best
        title = best.title[:1].upper() + best.title[1:]
        if self.n_folds == 0:
            return f"{title}: {self.reason}."
        others = [one for one in self.candidates if not one.chosen and one.score is not None]
        if not others:
            return f"{title}: there was no time to measure others."
        beaten = ", ".join(f"{self.score_text(other)} for {other.title}" for other in others)
        rows = "a validation part of the rows" if self.n_folds == 1 else f"{self.n_folds} folds"
        why = "no other one is clearly better"
        if all((best.gain or 0.0) >= (other.gain or 0.0) for other in others):
            sure = " by accuracy and Brier score together"
            why = "it is the best" + (sure if self.task == "classification" else "")
        figure = self.score_text(best)
        return f"{title}: {figure} on {rows}, against {beaten}; {why}."

    def score_text(self, candidate: Measured) -> str:
        """The score of a candidate that was measured, in words."""
        score = candidate.score
        assert score is not None, "there are folds"
        return f"{score:.1%}" if self.task == "classification" else f"R² {score:.3f}"
