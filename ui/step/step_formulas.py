"""The formulas of one step of SGD, and what each of their terms is for the example at hand."""

from __future__ import annotations

from treecore.inspection.inference import BranchOutcome, Candidate, Search, VisitedNode
from treecore.inspection.sgd_step import SGDStep
from ui.drawing.theme import number
from ui.drawing.tree_figure import node_name
from ui.step.formula import (
    G_I,
    H_I,
    LOSS_J,
    PENALTY,
    S_I,
    THETA_G,
    V_J,
    W_I,
    Term,
    X,
    formulas,
    names,
    sign,
)

DID = {
    BranchOutcome.PATH: "on its way: score computed",
    BranchOutcome.PATH_LEAF: "its own leaf: the first best v",
    BranchOutcome.OPENED: "opened: something better may be below",
    BranchOutcome.DROPPED: "dropped: nothing below can win",
    BranchOutcome.TAKEN: "taken: the new best v",
}
"""What the search did with a node."""

_OPENED, _DROPPED = BranchOutcome.OPENED, BranchOutcome.DROPPED


def the_way(step: SGDStep) -> None:
    """The rule of the way through the tree, and every node that the search has looked at."""
    looks = step.search.visited
    way = [look for look in looks if look.outcome is BranchOutcome.PATH]
    scores = ", ".join(f"{number(look.score)} at split {look.node}" for look in way)
    passed = names([look.node for look in way])
    leaf = node_name(~step.search.h_leaf)
    formulas(
        "step_formula_way",
        (
            Term(S_I, f"The example's scores on its way are {scores}.", passed),
            sign("="),
            Term(W_I, "The weights of a split place its line on the map.", passed),
            sign("·"),
            Term(X, "The features of the example, which is ringed on the map.", ("example",)),
        ),
        (
            Term(H_I, f"The sides it takes lead it to leaf {step.search.h_leaf}.", (*passed, leaf)),
            sign("="),
            sign("sign"),
            Term(S_I, "It goes right where its score is greater than 0.", passed),
        ),
        nodes=[_looked_at(look) for look in looks[:MOST_NODES]],
    )


MOST_NODES = 40
"""Nodes that can be gone through one by one; a deep tree has thousands."""


def _looked_at(look: VisitedNode) -> Term:
    kind = "split" if look.node >= 0 else "leaf"
    i = look.node if look.node >= 0 else ~look.node
    score = "" if look.score is None else f" Its score is {number(look.score)}."
    says = f"{kind.capitalize()} {i}, {DID[look.outcome]}.{score}"
    return Term(f"{kind} {i}", says, names([look.node]))


def value_formula(search: Search, table: list[Candidate]) -> None:
    """The value v of a leaf, shown for the one that makes the bound; ``table`` as the figure's."""
    worst = next(c for c in table if c.leaf == search.g_leaf)
    leaf, passed = names([~worst.leaf]), names(worst.against)
    here = f"leaf {worst.leaf}"
    against = ", ".join(f"split {i}" for i in worst.against) or "none: it is the example's own"
    everywhere = names([~c.leaf for c in table if c.allowed])
    formulas(
        "step_formula_value",
        (
            Term(V_J, f"For {here}, v is {number(worst.value)}: the greatest.", leaf),
            sign("="),
            Term(LOSS_J, f"In {here} the example has a loss of {number(worst.loss)}.", leaf),
            sign("−"),
            Term(
                PENALTY,
                f"The penalty of getting to {here} is {number(worst.penalty)}. Splits that the "
                f"leaf disagrees with: {against}.",
                passed or leaf,
            ),
        ),
        (
            Term(
                "<mtext>bound</mtext>",
                f"The bound of the example is {number(search.bound)}, by {here}.",
                leaf,
            ),
            sign("="),
            Term(
                "<munder><mo>max</mo><mi>j</mi></munder>",
                f"The greatest v of {len(everywhere)} leaves.",
                everywhere,
            ),
            Term(V_J, f"The v of {here} is the greatest.", leaf),
        ),
        points={"values": names([~c.leaf for c in table])},
    )


def search_formula(search: Search) -> None:
    """When branch and bound drops a turning."""
    looks = search.visited
    asked = names([k.node for k in looks if k.outcome in (_OPENED, _DROPPED) and k.node >= 0])
    dropped = names([k.node for k in looks if k.outcome is _DROPPED])
    formulas(
        "step_formula_search",
        (
            Term("<mi>U</mi>", "The greatest loss of a leaf below a turning.", asked),
            sign("−"),
            Term(
                "<mtext>penalty</mtext>",
                "What it costs to force the example to that turning.",
                names([k.node for k in looks if k.outcome is BranchOutcome.PATH]),
            ),
            sign("≤"),
            Term(
                "<mtext>best</mtext>",
                f"The best v in the end is that of leaf {search.g_leaf}.",
                names([~search.g_leaf]),
            ),
            sign("⟹"),
            Term(
                "<mtext>drop</mtext>",
                f"Turnings that were dropped here: {len(dropped)}.",
                dropped,
            ),
        ),
    )


def update_formulas(step: SGDStep) -> None:
    """What a step does to weights and to a leaf."""
    search, turned = step.search, names([turn.split for turn in step.turns])
    which = ", ".join(f"split {turn.split}" for turn in step.turns) or "none"
    cut = [turn.split for turn in step.turns if turn.shortened]
    short = ", ".join(f"split {i}" for i in cut) or "none"
    taught = names([~search.g_leaf])
    formulas(
        "step_formula_update",
        (
            Term(W_I, f"Splits whose weights the step turns: {which}.", turned),
            sign("←"),
            Term(W_I, "Their weights before the step.", turned),
            sign("+ η ("),
            Term(
                H_I,
                f"The side that leads to leaf {search.h_leaf}, where the example is.",
                names([~search.h_leaf]),
            ),
            sign("−"),
            Term(G_I, f"The side that leads to leaf {search.g_leaf}, the worst danger.", taught),
            sign(")"),
            Term(X, "The example: a line gives way along it.", ("example", "arrow")),
            sign(","),
            Term(
                f"<mo>‖</mo>{W_I}<msup><mo>‖</mo><mn>2</mn></msup>",
                f"Splits whose weights had grown too long and were shortened: {short}.",
                names(cut) or turned,
            ),
            sign("≤ ν"),
        ),
        (
            Term(THETA_G, f"The step teaches leaf {search.g_leaf}.", taught),
            sign("←"),
            Term(THETA_G, f"The values of leaf {search.g_leaf} before the step.", taught),
            sign("− η"),
            Term(
                "<mo>∇</mo><mi>ℓ</mi>",
                f"The slope of the loss at the values of leaf {search.g_leaf}.",
                taught,
            ),
        ),
    )
