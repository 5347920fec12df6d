"""Boosting: rows that a tree gets wrong weigh more for the next one.

AdaBoost.M1 (Freund and Schapire 1997) and SAMME (Zhu et al. 2009) differ in one number. A tree
whose weighted share of wrong rows is e gets a vote, and wrong rows gain weight, by ::

    AdaBoost.M1     odds = (1 - e) / e                 vote = log odds
    SAMME           odds = (1 - e) / e * (K - 1)       weight of wrong rows *= odds

with K classes, and then all weights are divided by their sum. With two classes they are one
algorithm. Both stop at the first tree whose vote would not be positive, and do not keep it: M1 at
e >= 1/2, SAMME at e >= 1 - 1/K, which is chance. Both stop with a tree of e = 0, which they keep:
its vote is infinite, so here it gets one more than all others together, which decides the same.

Strong trees reach that end soon. So there is another ending, the *restart* (Bauer and Kohavi 1999;
with weights as here, Webb 2000): all rows begin anew, with random weights of exponential
distribution, and a tree without error gets the vote as if half a row of mean weight were wrong.

Both lower an exponential loss, ``mean exp(f)``, where a tree adds to ``f`` of a row ::

    wrong: vote / K        right: -vote (K - 1) / K         (K = 2 for AdaBoost.M1)

and the weights are ``exp(f)`` made to sum to one. So the loss of T trees is the product of what
each leaves of it; for M1 that is 2 sqrt(e (1 - e)), the bound on the training error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

ALGORITHMS = ("adaboost-m1", "samme")


@dataclass(frozen=True)
class BoostingRound:
    """The outcome of one tree: its weighted error and its vote, 0 where it is not accepted.

    note: why boosting stops here, in a sentence; empty where it goes on.
    """

    error: float
    vote: float
    accepted: bool
    note: str


class Boosting:
    """The weights of the rows for the next tree, and a round for every tree.

    weights: float64 (n_samples,), of sum 1; restart: begin anew where boosting would end.
    """

    def __init__(self, algorithm: str, weight: np.ndarray, n_classes: int, restart: bool = False):
        if algorithm not in ALGORITHMS:
            raise ValueError(f"algorithm={algorithm!r} must be one of {', '.join(ALGORITHMS)}")
        self._title = {"adaboost-m1": "AdaBoost.M1", "samme": "SAMME"}[algorithm]
        self._classes = 2 if algorithm == "adaboost-m1" else n_classes
        total = math.fsum(weight)
        even = (weight == weight[0]).all()  # no array of equal numbers
        first = np.broadcast_to(weight[0] / total, len(weight)) if even else weight / total
        self._first = first if restart else None  # what is drawn anew is drawn from these
        self.weights = first
        self._restart = restart
        self.rounds: list[BoostingRound] = []

    @property
    def chance(self) -> float:
        """The error that a tree must stay below."""
        return 1.0 - 1.0 / self._classes

    @property
    def stopped(self) -> bool:
        """Whether the last tree has ended the boosting."""
        return bool(self.rounds and self.rounds[-1].note)

    def add(self, wrong: np.ndarray, rng: np.random.Generator | None = None) -> BoostingRound:
        """Judge a tree by its errors at the present weights, and change these.

        They stay as they are where boosting stops, and are drawn anew where it restarts.
        """
        # Correctly rounded sums: the same weights on every machine, in whatever order it adds.
        weights = self.weights
        error = math.fsum(weights[wrong])
        number = len(self.rounds) + 1
        # (1 - e) (K - 1) > e, in a form in which e = 1 - 1/K rounds to no vote at all.
        odds = math.inf if error == 0 else (1.0 - error) / error * (self._classes - 1)
        if error >= self.chance or odds <= 1.0:
            note = "" if self._restart else self._too_weak(number, error)
            now = BoostingRound(error, 0.0, False, note)
        elif error == 0:
            vote = 1.0 + math.fsum(one.vote for one in self.rounds)
            if self._first is not None:
                # Of a single row, half is chance.
                n_rows = max(2, int(np.count_nonzero(self._first)))
                vote = math.log((2 * n_rows - 1) * (self._classes - 1))
            now = BoostingRound(error, vote, True, "" if self._restart else self._perfect(number))
        else:
            now = BoostingRound(error, math.log(odds), True, "")
            weights = weights.copy()
            weights[wrong] *= odds
            weights /= math.fsum(weights)
        if self._first is not None and (error == 0 or not now.accepted):
            assert rng is not None, "a restart draws weights"
            drawn = self._first * rng.standard_exponential(len(wrong))
            weights = drawn / math.fsum(drawn)
        self.weights = weights
        self.rounds.append(now)
        return now

    def add_exponents(self, exponents: np.ndarray, wrong: np.ndarray, vote: float) -> None:
        """Add an accepted tree to the exponents ``f`` (n_rows,), see the module docstring."""
        k = self._classes
        exponents += np.where(wrong, vote / k, -vote * (k - 1) / k)

    def _too_weak(self, number: int, error: float) -> str:
        what = f"tree {number} gets {100 * error:.4g} % of the weight wrong"
        limit = f"{100 * self.chance:.4g} %"
        if number > 1:
            return f"{what}, and {self._title} stops at {limit}: the {number - 1} before it stay"
        advice = "grow deeper trees or take another method"
        if self._title != "SAMME":
            advice += ", or SAMME, which allows more error with more than two classes"
        return f"{what}, and {self._title} needs less than {limit} from the start: {advice}"

    def _perfect(self, number: int) -> str:
        what = f"tree {number} gets no row wrong"
        if number == 1:
            return f"{what}, so boosting adds no trees: grow shallower trees to get more of them"
        return f"{what}, so its vote is infinite and decides every prediction: {self._title} stops"
