"""What one picture of a run costs the server, in processor time, without a network.

    python -m benchmarks.load.picture

Two spirals of 500 points and 63 splits, at Normal beside 29 others, as in ``benchmarks.load``.
Processor time of one thread: other programs make it longer, by what they throw out of the caches,
but are not counted. Compare two versions in turns, on one machine.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Any

import numpy as np

from treecore import RunConfig, Trainer, warm_up
from treecore.data.generators import generate
from treecore.viewer.messages.message import Stage
from treecore.viewer.messages.planes import feature_plane
from treecore.viewer.messages.status import Frame, History, Status
from treecore.viewer.messages.wire import pack

PICTURES, FIRST = 1500, 50
A_SECOND, SHARE = 16, 0.5
QUANTILES = 0.02, 0.25, 0.5


def pictures() -> dict[str, np.ndarray]:
    """Seconds of every picture by part: learning, its tree, what is told of it."""
    data = generate("spirals", 500)
    config = RunConfig("stable-sgd", depth=6, epochs=100_000)
    warm_up(config=config)
    trainer = Trainer(config, data.X, data.y, n_classes=data.n_classes)
    stage = Stage(data, None, feature_plane(data, 0, 1), config)
    while trainer.step().stage != config.method:  # the starting tree grows
        pass
    frames: deque[Frame] = deque(maxlen=64)
    history: History = ()
    have: dict[str, Any] = {}
    elapsed = {part: np.empty(PICTURES) for part in ("learning", "tree", "message")}
    for n in range(PICTURES):
        moments = [time.thread_time()]
        event = trainer.step(share=SHARE)
        moments.append(time.thread_time())
        assigned = trainer.learner.assigned
        frames.append(Frame(n, n / A_SECOND, event, trainer.present, assigned))
        moments.append(time.thread_time())
        history += (event,) if event.complete else ()
        status = Status("running", "", event, tuple(frames), history, trainer.counts)
        meta, arrays = stage.news(status, "run", have)
        pack(meta, arrays)
        moments.append(time.thread_time())
        last = float(history[-1].done) if history else 0.0
        have = have | {name: meta[name] for name in ("run", "mark", "detail") if name in meta}
        have |= {"n": n, "curves": [len(history), last]}
        for part, seconds in zip(elapsed, np.diff(moments), strict=True):
            elapsed[part][n] = seconds
    return {part: seconds[FIRST:] for part, seconds in elapsed.items()}


def main() -> None:
    print("| ms of a processor | least | a quarter | half |")
    print("| --- | --- | --- | --- |")
    for part, seconds in pictures().items():
        figures = " | ".join(f"{1e3 * found:.2f}" for found in np.quantile(seconds, QUANTILES))
        print(f"| {part} | {figures} |")


if __name__ == "__main__":
    main()
