"""Colours stand in one file, which Python and the browser's modules read."""

import re
import tomllib
from collections import defaultdict

import pytest

from tests.helpers.paths import ROOT
from treecore.viewer.palette import PALETTE
from ui.drawing.theme import DARK, LIGHT, SYMBOLS

HEX = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})\b")


def files():
    return [
        path
        for top in ("ui", "pages", "treecore/viewer")
        for path in (ROOT / top).rglob("*")
        if path.suffix in {".py", ".js", ".css", ".json"}
    ]


def as_six(colour):
    digits = colour[1:].lower()
    return digits if len(digits) == 6 else "".join(2 * digit for digit in digits[:3])


def test_no_colour_stands_in_two_files_and_none_in_a_style():
    where = defaultdict(set)
    for path in files():
        for colour in HEX.findall(path.read_text("utf-8")):
            where[as_six(colour)].add(path.relative_to(ROOT).as_posix())
    assert len(where) > 80  # the files were read
    assert not [name for names in where.values() for name in names if name.endswith(".css")]
    assert {colour: sorted(names) for colour, names in where.items() if len(names) > 1} == {}


@pytest.mark.parametrize(("shade", "paint"), [("light", LIGHT), ("dark", DARK)])
def test_the_page_has_the_colours_that_streamlit_is_given(shade, paint):
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"][shade]
    assert paint.back == theme["backgroundColor"]
    assert paint.panel == theme["secondaryBackgroundColor"]
    assert paint.text == theme["textColor"]
    assert paint.accent == theme["primaryColor"]
    assert paint.dark == (shade == "dark")


def test_light_and_dark_have_as_many_colours():
    assert len(LIGHT.classes) == len(DARK.classes) == len(SYMBOLS) == len(PALETTE["markers"])
    for pair in (PALETTE["methods"], *PALETTE["ramps"].values()):
        assert len(pair["light"]) == len(pair["dark"])
