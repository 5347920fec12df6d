"""The formulas of one step of SGD, and what each of their terms is for the example at hand.

Terms mark what they mean in the pictures of the page, and the other way round. Traces are named
(Plotly's ``meta``) by what they show: ``leaf3``, ``split2``, ``example``; what is after a dot tells
apart those of one figure. See ``treecore/viewer/js/pages/formulas.js``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from treecore.data import Dataset
from treecore.inspection import BranchOutcome, Candidate, Search, SGDStep, VisitedNode
from ui.drawing.map_figure import plane_of
from ui.language.translate import N_, _, number
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


DID = {
    BranchOutcome.PATH: N_("on its path: score computed"),
    BranchOutcome.PATH_LEAF: N_("its own leaf: the first best v"),
    BranchOutcome.OPENED: N_("opened: a better leaf may be below"),
    BranchOutcome.DROPPED: N_("dropped: no leaf below can win"),
    BranchOutcome.TAKEN: N_("taken: the new best v"),
}
"""What the search did with a node."""


def the_way(step: SGDStep, data: Dataset) -> None:
    """The rule of the way through the tree, and every node that the search has looked at."""
    weights = N_("A split has a weight for every feature.")
    seen = N_("The features of the example, which stand in the table beside the tree.")
    if data.image_shape:
        seen = N_("The features of the example are the pixels of its picture.")
    if plane_of(data) is not None:
        weights = N_("The weights of a split place its line on the map.")
        seen = N_("The features of the example, which is ringed on the map.")
    looks = step.search.visited
    way = [look for look in looks if look.outcome is BranchOutcome.PATH]
    scores = ", ".join(
        _("{score} at split {node}", score=number(look.score), node=look.node) for look in way
    )
    passed = names([look.node for look in way])
    lines = names([look.node for look in way], "line")
    leaf = node_name(~step.search.h_leaf)
    formulas(
        "step_formula_way",
        (
            Term(S_I, _("The example's scores on its path are {scores}.", scores=scores), passed),
            sign("="),
            Term(W_I, _(weights), lines),
            sign("·"),
            Term(X, _(seen), ("example",)),
        ),
        (
            Term(
                H_I,
                _("Its sides lead it to leaf {leaf}.", leaf=step.search.h_leaf),
                (*passed, leaf),
            ),
            sign("="),
            sign("sign"),
            Term(S_I, _("It goes right where its score is greater than 0."), passed),
        ),
        # a deep tree has thousands
        nodes=[_looked_at(look) for look in looks[:40]],
    )


def _splits(splits: Iterable[int]) -> str:
    """Splits by their numbers, in a sentence; empty for none."""
    return ", ".join(_("split {node}", node=split) for split in splits)


def _text(said: str) -> str:
    return f"<mtext>{said}</mtext>"


def _looked_at(look: VisitedNode) -> Term:
    did = _(DID[look.outcome])
    if look.node >= 0:
        shows = _("split {node}", node=look.node)
        says = _("Split {node}, {did}.", node=look.node, did=did)
    else:
        shows = _("leaf {leaf}", leaf=~look.node)
        says = _("Leaf {leaf}, {did}.", leaf=~look.node, did=did)
    if look.score is not None:
        says += _(" Its score is {score}.", score=number(look.score))
    return Term(shows, says, names([look.node]))


def value_formula(search: Search, table: list[Candidate]) -> None:
    """The value v of a leaf, shown for the one that makes the bound; ``table`` as the figure's."""
    worst = next(c for c in table if c.leaf == search.g_leaf)
    leaf, passed = names([~worst.leaf]), names(worst.against)
    here = _("leaf {leaf}", leaf=worst.leaf)
    against = _splits(worst.against) or _("none: this is the example's own leaf")
    everywhere = names([~c.leaf for c in table if c.allowed])
    formulas(
        "step_formula_value",
        (
            Term(
                V_J,
                _("For {here}, v is {v}: the greatest.", here=here, v=number(worst.value)),
                leaf,
            ),
            sign("="),
            Term(
                LOSS_J,
                _(
                    "In {here} the example has a loss of {loss}.",
                    here=here,
                    loss=number(worst.loss),
                ),
                leaf,
            ),
            sign("−"),
            Term(
                PENALTY,
                _(
                    "The penalty for reaching {here} is {penalty}. The leaf disagrees with these "
                    "splits: {against}.",
                    here=here,
                    penalty=number(worst.penalty),
                    against=against,
                ),
                passed or leaf,
            ),
        ),
        (
            Term(
                _text(_("bound")),
                _(
                    "The bound of the example is {bound}, by {here}.",
                    bound=number(search.bound),
                    here=here,
                ),
                leaf,
            ),
            sign("="),
            Term(
                "<munder><mo>max</mo><mi>j</mi></munder>",
                _("The greatest v of {n} leaves.", n=len(everywhere)),
                everywhere,
            ),
            Term(V_J, _("The v of {here} is the greatest.", here=here), leaf),
        ),
        points={"values": names([~c.leaf for c in table])},
    )


def update_formulas(step: SGDStep, data: Dataset) -> None:
    search, splits = step.search, [turn.split for turn in step.turns]
    turned, before, after = names(splits), names(splits, "before"), names(splits, "after")
    which = _splits([turn.split for turn in step.turns]) or _("none")
    cut = [turn.split for turn in step.turns if turn.shortened]
    short = _splits(cut) or _("none")
    taught = names([~search.g_leaf])
    along = N_("The example: the step turns weights along its features.")
    if plane_of(data) is not None:
        along = N_("The example: the line yields along it.")
    formulas(
        "step_formula_update",
        (
            Term(
                W_I, _("The step turns the weights of these splits: {which}.", which=which), after
            ),
            sign("←"),
            Term(W_I, _("Their weights before the step."), before),
            sign("+ η ("),
            Term(
                H_I,
                _(
                    "The side that leads to leaf {leaf}, the example's own leaf.",
                    leaf=search.h_leaf,
                ),
                names([~search.h_leaf]),
            ),
            sign("−"),
            Term(
                G_I,
                _("The side that leads to leaf {leaf}, the worst leaf nearby.", leaf=search.g_leaf),
                taught,
            ),
            sign(")"),
            Term(X, _(along), ("example", "arrow")),
            sign(","),
            Term(
                f"<mo>‖</mo>{W_I}<msup><mo>‖</mo><mn>2</mn></msup>",
                _(
                    "The weights of these splits had grown too long and were shortened: {short}.",
                    short=short,
                ),
                names(cut) or turned,
            ),
            sign("≤ ν"),
        ),
        (
            Term(THETA_G, _("The step teaches leaf {leaf}.", leaf=search.g_leaf), taught),
            sign("←"),
            Term(
                THETA_G, _("The values of leaf {leaf} before the step.", leaf=search.g_leaf), taught
            ),
            sign("− η"),
            Term(
                "<mo>∇</mo><mi>ℓ</mi>",
                _("The slope of the loss at the values of leaf {leaf}.", leaf=search.g_leaf),
                taught,
            ),
        ),
    )
