"""Accuracy after 1, 5 and 20 seconds of one core: our methods beside other libraries.

    python -m benchmarks.budgets [DATA ...] [--models NAME ...]

Every model learns with rising effort (rounds, trees, depth; :data:`benchmarks.peers.LEARNERS`), at
its defaults otherwise, in a process of its own, after a small fit that loads its code. What counts
at a limit is the greatest effort that ended within it: its accuracy on test rows, in percent.
Rows are written into ``benchmarks/results/budgets.md`` as they come; other rows stay.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from benchmarks.data import PaperData, Part, as_float32
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from benchmarks.peers import LEARNERS, absent_libraries

LIMITS = (1, 5, 20)
"""Seconds of the processor."""

NAMES = ("letter", "connect4", "mnist", "drawn")
SPAWNED = multiprocessing.get_context("spawn")
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}

PAGE = Page(
    RESULTS / "budgets.md",
    "Accuracy after seconds of one core",
    "Accuracy on test rows, in percent, of the greatest effort that ended within so many seconds "
    "of the processor, and in brackets that effort; drawn: 464,000 training rows of 54 features, "
    "ten numbers and two groups of 0 and 1, and seven classes.\n"
    "Written by `python -m benchmarks.budgets`.",
    ("data", "model", *(f"{limit} s" for limit in LIMITS)),
    2,
)


def drawn(n_rows: int = 580_000) -> tuple[Part, Part]:
    """Ten numbers, and groups of 4 and of 40 features of which one is 1; training and test rows.

    Each of seven classes has a score of four parts of equal variance: a linear one, steps at cuts
    of single numbers, what the group of a row adds, and chance. The greatest score decides.
    """
    rng = np.random.default_rng(0)
    X = np.zeros((n_rows, 54), dtype=np.float32)
    X[:, :10] = rng.normal(size=(n_rows, 10)).round(2)
    for first, n_levels in ((10, 4), (14, 40)):
        X[np.arange(n_rows), first + rng.integers(n_levels, size=n_rows)] = 1
    steps = (X[:, :10] > rng.normal(size=10)).astype(np.float32)
    parts = [
        block @ rng.normal(size=(block.shape[1], 7)) for block in (X[:, :10], steps, X[:, 10:])
    ]
    parts.append(rng.gumbel(size=(n_rows, 7)))
    scores = sum(part / part.std() for part in parts)
    X[:, :10] *= 100
    rows = Part(X, np.argmax(scores, axis=1))
    n_train = n_rows * 4 // 5
    return rows.take(slice(None, n_train)), rows.take(slice(n_train, None))


def parts_of(name: str, papers: PaperData) -> tuple[Part, ...] | None:
    """Training and test rows as all libraries take them; None where they are not at hand."""
    parts = drawn() if name == "drawn" else papers.load(name)
    if parts is None:
        return None
    return tuple(Part(np.ascontiguousarray(X), y) for X, y in as_float32(parts))


def ladder(model: str, training: Part, test: Part) -> Iterator[tuple[int, float, float]]:
    """Effort, processor seconds and accuracy of fits of rising effort, up to the last limit.

    A fit that takes longer ends the process. None is begun that would take half as long again, by
    the efforts and the time of the one before.
    """
    learner = LEARNERS[model]
    few = training.sample(300)
    learner.fit(few.X, np.unique(few.y, return_inverse=True)[1], learner.efforts[0])(few.X)
    seconds, before = 0.0, 1
    for effort in learner.efforts:
        if seconds * effort / before > 1.5 * LIMITS[-1]:
            break
        started = time.process_time()
        end = int(started) + LIMITS[-1] + 2
        resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))
        predict = learner.fit(*training, effort)
        seconds, before = time.process_time() - started, effort
        resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY,) * 2)
        if seconds > LIMITS[-1]:
            break
        yield effort, seconds, 100 * float(np.mean(predict(test.X) == test.y))


def cells(found: Iterable[tuple[int, float, float]], unit: str) -> list[str]:
    """What the page says of each limit: the greatest effort within it."""
    rungs = list(found)
    shown = []
    for limit in LIMITS:
        within = [rung for rung in rungs if rung[1] <= limit]
        shown.append(f"{within[-1][2]:.1f} ({within[-1][0]:,} {unit})" if within else "–")
    return shown


def in_a_process(model: str, training: Part, test: Part) -> list[tuple[int, float, float]]:
    """:func:`ladder` in a process of its own, which may be ended."""
    receiver, sender = SPAWNED.Pipe(duplex=False)
    process = SPAWNED.Process(target=_climb, args=(sender, model, training, test))
    process.start()
    sender.close()  # so that the receiver hears of the end
    found = []
    with contextlib.suppress(EOFError):
        while True:
            found.append(receiver.recv())
    process.join()
    if process.exitcode not in (0, -signal.SIGXCPU):
        print(f"{model} failed: {process.exitcode}", flush=True)
    return found


def _climb(sender: Connection, *ladder_of: Any) -> None:
    for rung in ladder(*ladder_of):
        sender.send(rung)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES, metavar="DATA", help=", ".join(NAMES))
    parser.add_argument("--models", nargs="+", choices=LEARNERS, default=list(LEARNERS))
    given = parser.parse_args()
    papers, away = PaperData(), absent_libraries()
    os.environ.update(ONE_THREAD)  # of the processes that are started
    for name in given.names:
        parts = parts_of(name, papers)
        if parts is None:
            print(papers.why_absent(name))
            continue
        for model in given.models:
            learner = LEARNERS[model]
            if learner.library not in away:
                PAGE.keep(name, model, *cells(in_a_process(model, *parts), learner.unit))


if __name__ == "__main__":
    main()
