"""A method has its colour wherever it is drawn."""

import itertools

from treecore.training.registry import METHODS
from treecore.viewer.palette import PALETTE
from ui.drawing.theme import colour_numbers, line_colour, rgb


def test_every_method_has_a_colour_and_an_ensemble_that_of_its_trees():
    own = {name: method.colour for name, method in METHODS.items() if method.base is None}
    assert sorted(own.values()) == list(range(len(PALETTE["methods"]["light"])))
    for name, method in METHODS.items():
        assert colour_numbers([name]) == [own[method.base or name]]


def test_runs_that_are_drawn_together_have_different_colours():
    for methods in itertools.product(["axis", "random-forest", "sgd", "oc1"], repeat=4):
        numbers = colour_numbers(methods)
        assert len(set(numbers)) == 4
        assert numbers[0] == colour_numbers(methods[:1])[0]


def light(colour):
    """Relative luminance, as WCAG 2 has it."""
    shares = [value / 255 for value in rgb(colour)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shares]
    return sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_figures_in_these_colours_can_be_read():
    for shade in ("light", "dark"):
        page = PALETTE["page"][shade]
        for number in range(len(PALETTE["methods"][shade])):
            colour = line_colour(number, shade == "dark")
            dark, bright = sorted((light(colour), light(page["back"])))
            assert (bright + 0.05) / (dark + 0.05) >= 4.5
