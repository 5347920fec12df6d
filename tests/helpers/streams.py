"""Tables that are read in pieces, and runs over them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from treecore.runs.streamed import go_on_stream


def table(n=700, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)) * [1, 10, 0.1] + [0, 500, 3]
    y = (X[:, 0] + (X[:, 1] - 500) / 10 > 0.3).astype(int) + (X[:, 2] > 3.1)
    return pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=y)


@pytest.fixture
def parquet(tmp_path):
    """``parquet(frame)`` writes it in small row groups; gives a path."""

    def write(frame, **more):
        path = str(tmp_path / "t.parquet")
        frame.to_parquet(path, **({"row_group_size": 90} | more))
        return path

    return write


def all_of(stream):
    pieces = list(stream.pieces())
    X = [p.X if isinstance(p.X, np.ndarray) else p.X.toarray() for p in pieces]
    return np.concatenate(X), *(np.concatenate([getattr(p, k) for p in pieces])
                                for k in ("y", "held"))  # fmt: skip


def driven(run, every=1e9):
    return list(go_on_stream(run, every))
