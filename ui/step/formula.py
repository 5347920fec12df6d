"""Formulas whose terms mark what they mean in the pictures of the page, and the other way round.

Traces are named (Plotly's ``meta``) by what they show: ``leaf3``, ``split2``, ``example``; what is
after a dot tells apart those of one figure. See ``treecore/viewer/js/pages/formulas.js``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from ui.live.component import browser_component

# MathML, as readers of screens and browsers know it.
W_I = "<msub><mi>w</mi><mi>i</mi></msub>"
S_I = "<msub><mi>s</mi><mi>i</mi></msub>"
V_J = "<msub><mi>v</mi><mi>j</mi></msub>"
X = "<mi>x</mi>"
H_I = '<msub><mover accent="true"><mi>h</mi><mo>^</mo></mover><mi>i</mi></msub>'
G_I = '<msub><mover accent="true"><mi>g</mi><mo>^</mo></mover><mi>i</mi></msub>'
THETA_G = '<msub><mi>θ</mi><mover accent="true"><mi>g</mi><mo>^</mo></mover></msub>'
LOSS_J = "<mi>ℓ</mi><mo>(</mo><msub><mi>θ</mi><mi>j</mi></msub><mo>,</mo><mi>y</mi><mo>)</mo>"
PENALTY = f"<mo>∑</mo><mn>2</mn><mo>|</mo>{S_I}<mo>|</mo>"


@dataclass(frozen=True)
class Term:
    """MathML, or a node's name; a sentence on what it is here; names of it in the pictures."""

    shows: str
    says: str = ""
    marks: tuple[str, ...] = ()


def sign(shows: str) -> Term:
    """A sign between terms, which means nothing alone."""
    return Term(f"<mo>{shows}</mo>")


def node_name(node: int) -> str:
    """The name of a split, or of ``~leaf``, in figures and in the view."""
    return f"split{node}" if node >= 0 else f"leaf{~node}"


def names(nodes: Sequence[int], part: str = "") -> tuple[str, ...]:
    """Names of nodes, wherever they are drawn; with ``part`` of one drawing of them alone."""
    return tuple(node_name(node) + (part and f".{part}") for node in nodes)


def formulas(
    key: str,
    *lines: Sequence[Term],
    nodes: Sequence[Term] = (),
    points: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Formulas, side by side where there is room. *lines: a formula each."""
    mount = browser_component("formulas", "pages/formulas.js")
    data = {
        "lines": [[asdict(term) for term in line] for line in lines],
        "nodes": [asdict(term) for term in nodes],
        "points": {name: list(things) for name, things in (points or {}).items()},
    }
    mount(data=data, key=key, height="content")
