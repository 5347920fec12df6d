"""One tree on scikit-learn's digits (75/25, random state 0): the greedy start, and SGD from it.

Run with ``python -m benchmarks.digits``; test accuracy over ten seeds and seconds of training.
"""

from __future__ import annotations

import numpy as np

from benchmarks.data import PaperData
from treecore import RunConfig, Trainer, warm_up


def main() -> None:
    warm_up()
    training, test = PaperData().load("digits")
    rows = []
    for seed in range(10):
        config = RunConfig("sgd", depth=8, start="axis", nu=10, epochs=200, seed=seed)
        events = [
            event
            for event in Trainer(config, *training, validation=test).events()
            if event.stage == "sgd"
        ]
        first, last = events[0], events[-1]
        rows.append(
            (first.validation_accuracy, last.validation_accuracy, last.seconds, last.active_leaves)
        )
    start, end, seconds, active = np.array(rows).T
    print(f"{config.replace(seed=0)}, seeds 0 to 9, test accuracy in percent:")
    print(f"greedy start   {100 * start.mean():.1f}")
    spread = f"± {100 * end.std():.1f}, least {100 * end.min():.1f}"
    print(f"after SGD      {100 * end.mean():.1f} {spread}")
    print(f"seconds        {seconds.mean():.2f}, greedy growth included")
    print(f"active leaves  {active.mean():.0f}")


if __name__ == "__main__":
    main()
