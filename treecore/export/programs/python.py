"""A tree or a forest as a Python module that imports nothing but the standard library."""

from __future__ import annotations

from typing import Any

from treecore.export.programs.literals import Lists, python_text
from treecore.export.programs.program import Language, write_program
from treecore.export.tables import ExportTables
from treecore.persistence import Document

_PROGRAM = '''\
"""A decision model, written by treecore {version}. It needs no package.

``outputs(x)`` gives {what}, ``predict(x)`` {answer}.
``x`` is a list of numbers in the order of FEATURES; None or NaN where one is missing.

Numbers are rounded to float32, as in treecore. Only a row within rounding of a split on several
features may reach another leaf.
"""

from array import array
from ctypes import c_float{imports}

FEATURES = {features}
{names_key} = {names}

{tables}
TOTAL = {total}
{spline}{models}

def _float32(number):
    return c_float(number).value


def _product(row, x):
    total = 0.0
    for k in range(START[row], START[row + 1]):
        total = _float32(total + _float32(WEIGHT[k] * x[COLUMN[k]]))
    return total


def _leaf(node, x, known):
    while node >= 0:
        feature = FEATURE[node]
        score = x[feature] if feature >= 0 else _product(ROW[node], x)
        right = score > THRESHOLD[node] if feature < 0 or known[feature] else not MISSING_LEFT[node]
        node = RIGHT[node] if right else LEFT[node]
    return ~node


def {body}(x):
    """{body_title}, a list of {n_outputs}."""
    if len(x) != {n_features}:
        raise ValueError(f"a row has {n_features} numbers, not {{len(x)}}")
    known = [v is not None and v == v for v in x]
    x = [_float32(v) if k else f for v, k, f in zip(x, known, MISSING)]{read}
    sums = [0.0] * {n_outputs}
    for root in ROOTS:
        sums = [a + b for a, b in zip(sums, {said})]
    return [a / TOTAL for a in sums]
{shares}

def predict(x):
    """{answer_title}."""
{predict}
'''

_SPLINE = """

def _spline(x):
    z = [(v - c) / d for v, c, d in zip(x, CENTRE, DEVIATION)]
    return [_float32(v) for v in z + [max(z[j] - t, 0.0) for j, t in zip(KNOT_OF, KNOTS)]]
"""

_MODELS = """

def _predicted(models, x):
    said = []
    for low, high, total, *weights in models:
        for weight, value in zip(weights, x):
            total += weight * value
        said.append(min(max(total, low), high))
    return said
"""

_SHARES = '''

def outputs(x):
    """The shares of the classes, a list of {n_outputs}."""
    said = log_odds(x)
    greatest = max(said)
    odds = [exp(a - greatest) for a in said]
    total = sum(odds)
    return [a / total for a in odds]
'''


def _own(tables: ExportTables) -> dict[str, Any]:
    body = "log_odds" if tables.logistic else "outputs"
    if tables.numeric:
        what, answer = "the predicted numbers", "the same, a single number alone"
        predict = "    said = outputs(x)\n    return said[0] if len(said) == 1 else said"
    else:
        what, answer = "the shares of the classes", "the name of the most probable class"
        predict = f"    said = {body}(x)\n    return CLASSES[said.index(max(said))]"
    leaf = "_leaf(root, x, known)"
    return {
        "what": what,
        "answer": answer,
        "imports": "\nfrom math import exp" if tables.logistic else "",
        "body": body,
        "body_title": "The log-odds of the classes" if tables.logistic else _title(what),
        "shares": _SHARES.format(n_outputs=len(tables.names)) if tables.logistic else "",
        "answer_title": _title(answer),
        "names_key": "OUTPUTS" if tables.numeric else "CLASSES",
        "read": ""
        if tables.spline is None
        else f"\n    x, known = _spline(x), [True] * {tables.n_read}",
        "said": f"VOTES[{leaf}]" if tables.linear is None else f"_predicted(MODELS[{leaf}], x)",
        "predict": predict,
    }


def _title(words: str) -> str:
    return words[0].upper() + words[1:]


_PYTHON = Language(
    "Python source",
    _PROGRAM,
    _SPLINE,
    _MODELS,
    _own,
    {
        "int": '{name} = array("l", {values})',
        "float": '{name} = array("f", {values})',
        "double": "{name} = {values}",
        "rows": "{name} = [\n{values}\n]",
        "blocks": "{name} = [\n{values}\n]",
    },
    "#",
    str.upper,
    Lists(),
    python_text,
)


def write_python(document: Document) -> bytes:
    return write_program(document, _PYTHON)
