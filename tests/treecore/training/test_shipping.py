"""What is compiled for a wheel: every method, loss and choice."""

from __future__ import annotations

from treecore.training.registry import METHODS
from treecore.training.shipping import PROCESSORS, every_choice


def test_every_method_runs_with_each_loss_and_each_choice_that_goes_with_its_defaults():
    configs = list(every_choice())
    runs = {(config.method, config.loss) for config in configs}
    assert runs == {(method.name, loss) for method in METHODS.values() for loss in method.losses}
    starts = {config.settings.start for config in configs if config.method == "sgd"}
    (setting,) = (s for s in METHODS["sgd"].definitions() if s.name == "start")
    assert starts == set(setting.choices)


def test_a_processor_is_described_by_what_it_has():
    for name, features in PROCESSORS.values():
        assert name
        assert all(feature.startswith("+") for feature in features.split(","))
