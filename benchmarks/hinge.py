"""How fast random hinge forests learn and predict.

Run with ``python -m benchmarks.hinge``; rows are written into ``hinge_speed.md`` of
``benchmarks/results``. The paper's tables are a command, ``python -m benchmarks.reproduce
hinge-table2`` and ``hinge-table3``.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from benchmarks.data import PaperData
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from benchmarks.published import published_values
from benchmarks.timing import least_seconds, processor_seconds
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


def main() -> None:
    """Mini-batches a second beside the authors' extension, and prediction beside scikit-learn."""
    measured = {"usps": 165, "letter": 49}
    data = PaperData()
    for name, theirs in measured.items():
        if data.load(name) is None:
            print(data.why_absent(name))
            continue
        train, test = data.require(name)
        batch = published_values("hinge2018_tables")["table3"]["settings"][name]["batch"]
        config = RunConfig("hinge-forest", depth=10, batch=batch, batches=600)
        Trainer(config.replace(batches=2), *train).run()  # compiles what is not yet
        trainer = Trainer(config, *train)
        learning = processor_seconds(trainer.run)
        forest, X = trainer.model, test.X.astype(np.float32)
        other = RandomForestClassifier(100, random_state=0).fit(*train)
        forests = {"ours": forest, "theirs": other}
        predictions = {who: partial(model.predict, X) for who, model in forests.items()}
        smallest = least_seconds(30, **predictions)
        times = (f"{1000 * smallest[who]:.1f}" for who in forests)
        SPEED_PAGE.keep(name, batch, f"{600 / learning:.0f}", theirs, len(X), *times)


if __name__ == "__main__":
    main()
