"""What is compiled for a wheel: every method, loss and choice."""

import numpy as np
import pytest

from treecore import RunConfig, Trainer
from treecore.compiling.kernels import KERNELS
from treecore.training.registry import METHODS
from treecore.training.shipping import N_ROWS, PROCESSOR, every_choice


def test_every_method_runs_with_each_loss_and_each_choice_that_goes_with_its_defaults():
    configs = list(every_choice())
    runs = {(config.method, config.loss) for config in configs}
    assert runs == {(method.name, loss) for method in METHODS.values() for loss in method.losses}
    starts = {config.settings.start for config in configs if config.method == "sgd"}
    (setting,) = (s for s in METHODS["sgd"].definitions() if s.name == "start")
    assert starts == set(setting.choices)


@pytest.mark.jit
def test_weights_need_no_code_of_their_own(rng):
    X = rng.standard_normal((N_ROWS, 4)).astype(np.float32)
    y, weight = (X[:, 0] > X[:, 1]).astype(np.int64), 0.5 + rng.random(N_ROWS)
    quick = {"depth": 2, "validation": 0.2}
    configs = [
        RunConfig("sgd", epochs=1, **quick),
        RunConfig("tao", epochs=1, **quick),
        RunConfig("axis", leaf="linear", loss="squared", **quick),
    ]

    def compiled():
        return {name: len(kernel.signatures) for name, kernel in enumerate(KERNELS)}

    for config in configs:
        Trainer(config, X, y).run()
    before = compiled()
    for config in configs:
        Trainer(config, X, y, sample_weight=weight).run()
    assert compiled() == before


def test_a_processor_is_described_by_what_it_has():
    name, features = PROCESSOR
    assert name
    assert all(feature.startswith("+") for feature in features.split(","))
