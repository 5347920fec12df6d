"""What every picture that goes home must be: drawn, and said once."""

import re
from xml.etree import ElementTree

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_SVG = "{http://www.w3.org/2000/svg}"


def checked_picture(text: str, n_curves: int) -> list[str]:
    """The texts of an SVG, of which every path is one and whose last parts are curves."""
    assert not re.search("NaN|Infinity|undefined", text)
    picture = ElementTree.fromstring(text)
    assert all(path.get("d") for path in picture.iter(f"{_SVG}path"))
    for chart in list(picture)[len(picture) - n_curves :]:
        rounded = [p for p in chart.iter(f"{_SVG}path") if p.get("stroke-linejoin") == "round"]
        lines = [p.get("d") for p in rounded if "a" not in p.get("d").lower()]  # arcs are dots
        assert lines, "a chart has a line"
        for line in lines:
            numbers = [float(number) for number in _NUMBER.findall(line)]
            assert max(numbers[::2]) - min(numbers[::2]) > 50, "and it is wide"
    return [element.text for element in picture.iter(f"{_SVG}text")]
