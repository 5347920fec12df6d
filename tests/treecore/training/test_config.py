"""A config is a value; what cannot be set gets one sentence."""

import numpy as np
import pytest

from treecore import RunConfig
from treecore.training.registry import METHODS, TREES


def test_a_config_is_a_value():
    config = RunConfig("sgd", depth=3, nu=4)
    assert config == RunConfig(**config.as_dict())
    assert hash(config) == hash(RunConfig(**config.as_dict()))
    assert config.replace(nu=5.0).settings.nu == 5.0
    assert config.settings.nu == 4.0
    assert config.replace(method="axis").settings.depth == 3
    with pytest.raises(AttributeError):
        config.seed = 3


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"method": "id3"}, "there is no method 'id3'; known are"),
        ({"colour": 1}, "there is no setting 'colour'"),
        ({"depth": 0}, "depth=0 must be between 1 and"),
        ({"depth": 2.5}, "whole number"),
        ({"depth": True}, "whole number"),
        ({"nu": "10"}, "must be a number"),
        ({"nu": float("nan")}, "nu=nan"),
        ({"eta": -1}, "between"),
        ({"schedule": "sudden"}, "one of constant, linear, cosine"),
        ({"seed": -1}, "seed"),
        ({"validation": 1.0}, "validation"),
        ({"validation": "x"}, "validation"),
        ({"method": ["sgd"]}, "there is no method"),
        ({"schedule": np.ones(3)}, "one of constant"),
    ],
)
def test_bad_settings_are_refused_with_a_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        RunConfig(**arguments)


def test_every_setting_explains_itself_and_has_a_valid_default():
    for method in TREES.values():
        assert method.sentence.endswith(".")
        for known in method.settings.definitions():
            assert known.check(known.default) == known.default
            assert known.help.endswith(".")
            assert known.choices or known.low < known.high
            for wild in (-(10**9), 10**9, float("nan"), "nonsense", None):
                known.check(known.nearest(wild))


def test_saved_configs_lose_what_their_method_lost_and_nothing_else():
    kept = {"method": "hinge-forest", "loss": "log", "filter_size": 4, "pace": 0.1, "average": 0.5}
    with pytest.warns(
        FutureWarning, match="left out: pace .the value is always 0.03., average"
    ) as said:
        config = RunConfig.of_saved(kept)
    assert len(said) == 1
    assert config.settings.filter_size == 4
    assert "pace" not in config.as_dict()
    old = {"method": "sgd", "loss": "log", "nu": 3.0, "averaging": 0.5, "smoothing": 1.0}
    with pytest.warns(FutureWarning, match="averaging .let the learning rate fall"):
        assert RunConfig.of_saved(old) == RunConfig("sgd", nu=3.0)
    assert RunConfig.of_saved({"method": "axis", "max_features": 3}).settings.max_features == 3
    assert RunConfig.of_saved({"method": "tao", "nodes": "oblique"}) == RunConfig("tao")
    with pytest.warns(FutureWarning, match="left out: nodes .TAO learns oblique splits;"):
        assert RunConfig.of_saved({"method": "tao", "nodes": "axis"}) == RunConfig("tao")
    with pytest.raises(ValueError, match="'pace' is gone: the value is always"):
        RunConfig("hinge-forest", pace=0.1)


@pytest.mark.parametrize("method", [m for m in METHODS.values() if m.paper], ids=lambda m: m.name)
def test_settings_of_a_paper_are_settings_and_not_the_usual_ones(method):
    settings, usual = (method.settings.of(**given) for given in (method.paper, {}))
    for name, value in method.paper.items():
        assert getattr(settings, name) == value != getattr(usual, name)
