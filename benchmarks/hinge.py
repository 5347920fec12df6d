"""How fast random hinge forests learn and predict.

Run with ``python -m benchmarks.hinge``; rows are written into ``hinge_speed.md`` of
``benchmarks/results``. The paper's tables are a command, ``python -m benchmarks.reproduce
hinge-table2`` and ``hinge-table3``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from benchmarks.data import PaperData
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from benchmarks.published import published_values
from treecore import RunConfig, Trainer

SPEED_PAGE = Page(
    RESULTS / "hinge_speed.md",
    "Speed of hinge forests",
    "100 trees of depth 10, 100 inner products, one thread, seconds of the processor. Prediction "
    "of so many rows is the least of 30 runs.\nWritten by `python -m benchmarks.hinge`.",
    (
        *("data", "batch", "batches/s", "authors' C++, two cores", "rows", "ours, ms"),
        "random forest of 100, ms",
    ),
    1,
)


def processor_seconds(run: Callable[[], object]) -> float:
    """Seconds of processor time that one call takes, of all threads together."""
    started = time.process_time()
    run()
    return time.process_time() - started


def main() -> None:
    """Mini-batches a second beside the authors' extension, and prediction beside scikit-learn."""
    measured = {"usps": 165, "letter": 49}
    data = PaperData()
    for name, theirs in measured.items():
        parts = data.load(name)
        if parts is None:
            print(data.why_absent(name))
            continue
        train, test = parts
        batch = published_values("hinge2018_tables")["table3"]["settings"][name]["batch"]
        config = RunConfig("hinge-forest", depth=10, batch=batch, batches=600)
        Trainer(config.replace(batches=2), *train).run()  # compiles what is not yet
        trainer = Trainer(config, *train)
        learning = processor_seconds(trainer.run)
        forest, X = trainer.model, test.X.astype(np.float32)
        other = RandomForestClassifier(100, random_state=0).fit(*train)
        predictions = [partial(model.predict, X) for model in (forest, other)]
        # They take turns, for the machine has other work as well; the first turn warms up.
        turns = [[processor_seconds(run) for run in predictions] for _ in range(31)][1:]
        times = (f"{1000 * min(taken):.1f}" for taken in zip(*turns, strict=True))
        SPEED_PAGE.keep(name, batch, f"{600 / learning:.0f}", theirs, len(X), *times)


if __name__ == "__main__":
    main()
