"""Trees learnt as a whole under constraints never fall, at any moment of a run."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from treecore import RunConfig
from treecore.core.routing import predict_values
from treecore.training.tree_trainer import TreeTrainer


def answers(tree, X):
    """Numbers; of classes the log-odds of the second one, which rise with its probability."""
    values = np.asarray(predict_values(tree, X), dtype=np.float64)
    return values[:, 0] if values.shape[1] == 1 else values[:, 1] - values[:, 0]


def n_falls(tree, rng, signs, n=400):
    """Pairs of random rows, moved in constrained features as they may, whose answer falls."""
    lower = rng.normal(size=(n, len(signs))).astype(np.float32)
    moved = np.abs(rng.normal(size=lower.shape)) * (rng.random(lower.shape) < 0.6)
    upper = lower + (10 ** rng.uniform(-6, 1, (n, 1)) * moved * signs).astype(np.float32)
    return int((answers(tree, upper) < answers(tree, lower)).sum())


@settings(deadline=None, max_examples=25)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([("annealed", "random"), ("annealed", "axis"), ("axis", None)]),
    st.sampled_from(["constant", "linear"]),
    st.sampled_from(["log", "squared"]),
    st.lists(st.sampled_from([-1, 0, 1]), min_size=3, max_size=3),
)
def test_the_answer_never_falls_as_constrained_features_move(seed, kind, leaf, loss, signs):
    rng = np.random.default_rng(seed)
    method, start = kind
    X = rng.normal(size=(90, 3)).astype(np.float32)
    y = X @ rng.normal(size=3) + np.sin(3 * X).sum(axis=1) + rng.normal(size=90)
    y = (y > 0).astype(int) if loss == "log" else y
    more = {"start": start, "rounds": 3} if start else {"min_samples_leaf": 5}
    config = RunConfig(method, seed=seed % 1000, loss=loss, depth=4, leaf=leaf, **more)
    given = {"sample_weight": rng.exponential(size=90), "monotonic": np.array(signs, dtype=np.int8)}
    trainer = TreeTrainer(config, X, y, **given)
    while not trainer.finished:
        trainer.step(0.3)  # ends within rounds
        assert n_falls(trainer.model, rng, np.array(signs)) == 0
