"""What the server keeps for its visitors: so many bytes for one of them, so many for all.

Learning is refused, in one sentence, before it makes room for itself; what is recorded of runs is
thinned to what a session may keep. ``TREECORE_SESSION_MB`` and ``TREECORE_SERVER_MB`` set the
limits, in millions of bytes.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from treecore import RunConfig
from treecore.base import Filled
from treecore.ensembles import forest_bytes
from treecore.learners.hinge.traversal import n_nodes
from treecore.training import METHODS, HingeSettings

SESSION, SERVER = "TREECORE_SESSION_MB", "TREECORE_SERVER_MB"

SESSION_BYTES = 512_000_000
"""For one visitor, where the environment says nothing; for all it is half of the machine."""

RUNS_AT_ONCE = 8
"""Of what a session may keep, the share that one run may record."""

BYTES_A_VALUE, BYTES_A_ROW = 24, 200
"""What learning takes of the training rows at its peak: measured over all methods that learn a
single tree, where CO2 takes the most of a value and TAO of a row. See the tests."""

MODELS = 8
"""Trees that a method holds beside the one that is shown: what it averages, compares and scales."""


@dataclass(frozen=True)
class MemoryLimits:
    """Bytes that are kept. session: for the runs of one visitor; server: for those of all."""

    session: int
    server: int


def read_limits(environment: Mapping[str, str] = os.environ) -> MemoryLimits:
    """What the environment sets. Raises ValueError where a variable is no number of at least 1."""

    def number(name: str, usual: int) -> int:
        text = environment.get(name, "").strip()
        if not text:
            return usual
        if not text.isdecimal() or int(text) < 1:
            raise ValueError(f"{name} is {text!r}; it must be a whole number of megabytes")
        return 1_000_000 * int(text)

    session = number(SESSION, SESSION_BYTES)
    return MemoryLimits(session, number(SERVER, max(session, _machine_bytes() // 2)))


def _machine_bytes() -> int:
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 4 * SESSION_BYTES
    try:
        allowed = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
    except OSError:
        return there
    return min(there, int(allowed)) if allowed.isdecimal() else there


def learning_bytes(config: RunConfig, n_rows: int, n_features: int, n_outputs: int) -> int:
    """What learning takes at most, without the rows; n_outputs: classes, or numbers."""
    rows = n_rows * (BYTES_A_VALUE * n_features + BYTES_A_ROW)
    if METHODS[config.method].family != "tree":
        return rows + _forest_bytes(config, n_rows, n_features, n_outputs)
    leaves = min(2 ** min(config.depth, 40), max(2, n_rows))
    return rows + MODELS * 4 * leaves * (n_features + n_outputs)


def _forest_bytes(config: RunConfig, n_rows: int, n_features: int, n_outputs: int) -> int:
    """What the trees of a forest take at most, while they learn or when they predict."""
    settings, base = config.settings, config.base
    if isinstance(settings, HingeSettings):
        leaves = settings.trees * 2**settings.depth * n_outputs
        nodes = settings.trees * n_nodes(METHODS[config.method].algorithm, settings.depth)
        # The forest itself, two moments of the optimizer, the best one, and the one on the screen.
        return 4 * (5 * leaves + 6 * nodes)
    assert base is not None, "other forests are ensembles of trees"
    most = 2 ** min(base.depth, 60)
    complete = getattr(base.settings, "start", "") in ("random", "auto")
    leaves = most if complete else min(most, n_rows)
    return forest_bytes(config.n_trees, leaves, n_features, n_outputs, base.method != "axis")


class Memory:
    """The memory of a server, and what its sessions hold of it; limits: by default its own."""

    def __init__(self, limits: MemoryLimits | None = None):
        self.limits = limits or read_limits()
        self._lock = threading.Lock()
        self._accounts: weakref.WeakSet[Account] = weakref.WeakSet()

    @property
    def held(self) -> int:
        """Bytes that learning holds, of all sessions together."""
        with self._lock:
            return sum(account._sum() for account in self._accounts)


class Account:
    """What one session holds. memory: none: that of this process."""

    def __init__(self, memory: Memory | None = None):
        self._memory = memory or server_memory()
        self._held: weakref.WeakKeyDictionary[object, int] = weakref.WeakKeyDictionary()
        with self._memory._lock:
            self._memory._accounts.add(self)

    def hold(self, owner: object, n_bytes: int) -> None:
        """Have so many bytes for ``owner`` instead of what it had; ValueError: they do not fit."""
        limits = self._memory.limits
        with self._memory._lock:
            self._held.pop(owner, None)
            together = self._sum() + n_bytes
            of_all = sum(account._sum() for account in self._memory._accounts) + n_bytes
            most, problem = _size(limits.session), None
            if n_bytes > limits.session:
                problem = Filled(
                    "This run needs about {size}, but the server reserves {most} per "
                    "visitor: use fewer rows, columns or trees",
                    size=_size(n_bytes),
                    most=most,
                )
            elif together > limits.session:
                problem = Filled(
                    "Your runs need about {size} together, but the server reserves {most} "
                    "per visitor: use fewer rows or columns, or fewer methods at a time",
                    size=_size(together),
                    most=most,
                )
            elif of_all > limits.server:
                problem = Filled(
                    "The {size} that the server reserves for all visitors are in use: use "
                    "fewer rows or columns, or try again in a few minutes",
                    size=_size(limits.server),
                )
            if problem:
                raise ValueError(problem)
            self._held[owner] = n_bytes

    def release(self, owner: object) -> None:
        with self._memory._lock:
            self._held.pop(owner, None)

    @property
    def run_bytes(self) -> int:
        """What may be recorded of one run: the more visitors there are, the less."""
        limits = self._memory.limits
        with self._memory._lock:
            share = limits.server // max(1, len(self._memory._accounts))
        return min(limits.session, share) // RUNS_AT_ONCE

    def close(self) -> None:
        with self._memory._lock:
            self._held.clear()
            self._memory._accounts.discard(self)

    def _sum(self) -> int:
        return sum(self._held.values())


@cache
def server_memory() -> Memory:
    return Memory()


def _size(n_bytes: float) -> str:
    return f"{n_bytes / 1e6:,.0f} MB" if n_bytes < 9.95e9 else f"{n_bytes / 1e9:,.0f} GB"
