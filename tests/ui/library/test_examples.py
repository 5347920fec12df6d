"""The Library's examples: what their cards say is what earlier draws say, and their links open."""

from urllib.parse import parse_qs, urlencode

import pytest

from treecore import RunConfig
from ui.drawing.theme import DARK, LIGHT
from ui.lab.draws import draws_of, learner_text
from ui.lab.link import read_comparison
from ui.lab.verdict import LEVEL, p_value
from ui.library.examples import EXAMPLES
from ui.widgets.data.gallery import gallery_data
from ui.widgets.data.tiles import thumbnail

AHEAD = {"Four squares": "sgd", "Handwritten digits": "sgd", "Where greed wins": "axis"}
"""Who is ahead, of greedy and SGD, as the cards say."""


@pytest.mark.parametrize("title", AHEAD)
def test_a_card_says_who_is_ahead_over_all_draws(title):
    example = next(one for one in EXAMPLES if one.title == title)
    data = gallery_data(example.data)
    configs = [RunConfig("axis", criterion="gini"), RunConfig("sgd")]
    runs = draws_of(data, configs)[example.leaves].runs
    greedy, sgd = (runs[learner_text(config)] for config in configs)
    best, other = (greedy, sgd) if AHEAD[title] == "axis" else (sgd, greedy)
    assert best.mean > other.mean
    share = data.held.n_samples / data.train.n_samples if example.data == "digits" else 0.0
    assert p_value(best.accuracies, other.accuracies, share) < LEVEL


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_a_card_opens_its_learners(example):
    reading = read_comparison(parse_qs(urlencode(example.link(), doseq=True)))
    assert not reading.problems
    methods = [text.split("~")[0] for text in example.runs]
    assert [reading.state[f"lab{i}_method"] for i in range(len(methods))] == methods
    assert thumbnail(example.data, LIGHT) != thumbnail(example.data, DARK)
