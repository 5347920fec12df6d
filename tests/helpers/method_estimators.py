"""Writes `treecore/estimators/methods.py` from the registry of methods.

python -m tests.helpers.method_estimators
"""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

from treecore.base.setting_docs import limits
from treecore.base.settings import Setting
from treecore.estimators.one_method import SQUARED_ERROR, parameter_default, parameter_names
from treecore.estimators.regressor import LOSSES
from treecore.training.registry import find_tree

PATH = Path(__file__).parents[2] / "treecore" / "estimators" / "methods.py"

CLASSES = {
    "sgd": "SGDTree",
    "stable-sgd": "StableSGDTree",
    "annealed": "AnnealedTree",
    "tao": "TAOTree",
    "oc1": "OC1Tree",
    "co2": "CO2Tree",
    "random-oblique": "RandomObliqueTree",
    "axis": "AxisTree",
}
"""What the estimators of each method are called, without their task."""

SOURCES = {
    "sgd": "Norouzi et al., Efficient Non-greedy Optimization of Decision Trees, 2015.",
    "stable-sgd": "Norouzi et al., Efficient Non-greedy Optimization of Decision Trees, 2015.",
    "tao": "Carreira-Perpiñán and Tavallali, Alternating Optimization of Decision Trees, 2018.",
    "oc1": "Murthy, Kasif and Salzberg, A System for Induction of Oblique Decision Trees, 1994.",
    "co2": "Norouzi et al., CO2 Forest, 2015.",
}

HEAD = '''"""One classifier and one regressor a method, with the settings of that method alone.

Written by ``make generate`` from the registry: change the settings there, and run it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from treecore.estimators.classifier import TreeClassifier
from treecore.estimators.one_method import OneMethod
from treecore.estimators.regressor import TreeRegressor
'''

SHARED = {
    "min_weight_fraction_leaf": (
        "float",
        0.0,
        "Share of the weight of all training rows that must stand behind every leaf. Splits that "
        "leave a side with less are taken out of the finished tree. From 0 to 0.5.",
    ),
    "class_weight": (
        'dict[Any, float] | Literal["balanced"] | None',
        None,
        'What each class weighs; classes that are left out weigh 1. "balanced": all classes '
        "together weigh the same.",
    ),
    "loss": (
        f"Literal[{', '.join(map(repr, LOSSES))}]",
        SQUARED_ERROR,
        'What is made small; "huber" lets far-off targets count less.',
    ),
    "early_stopping": (
        "bool",
        False,
        "Hold out a tenth of the rows, end the run when their loss falls no more, and keep the "
        "tree with the least.",
    ),
    "callbacks": (
        "Sequence[Callable[..., Any]] | None",
        None,
        "Each gets the Event of every measured tree; True ends the run.",
    ),
    "random_state": (
        "int | np.random.RandomState | np.random.Generator | None",
        None,
        "An int is the seed of RunConfig and gives its tree.",
    ),
    "verbose": ("int", 0, "1 prints a line for every measured tree."),
}
"""The parameters that all methods have: type, default, and what they mean."""

SHOWN = {
    "max_features": 'int, float, "sqrt" or None',
    "class_weight": 'dict, "balanced" or None',
    "callbacks": "list of callables or None",
    "random_state": "int, RandomState, Generator or None",
}
"""What docstrings say in place of a long type."""


def source() -> str:
    """The whole module, formatted."""
    parts = [HEAD]
    for method in CLASSES:
        parts += [_class(method, numeric) for numeric in (False, True)]
    for task in ("Classifier", "Regressor"):
        entries = [f"{method!r}: {name}{task}," for method, name in CLASSES.items()]
        kind = "dict[str, type[OneMethod]]"
        parts.append(f"{task.upper()}S: {kind} = {{" + "\n".join(entries) + "}")
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(PATH), "-"]
    text = "\n\n".join(parts)
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def _class(method: str, numeric: bool) -> str:
    task = "Regressor" if numeric else "Classifier"
    base, other = f"Tree{task}", "class_weight" if numeric else "loss"
    settings = {setting.name: setting for setting in find_tree(method).settings.definitions()}
    entries = {
        parameter: _setting(settings[name], parameter, numeric)
        for parameter, name in parameter_names(method).items()
    } | {name: entry for name, entry in SHARED.items() if name != other}
    first = next(iter(entries))
    signature = [f"{name}: {kind} = {default!r}" for name, (kind, default, _) in entries.items()]
    signature.insert(1, "*")
    assert first in ("depth", "max_depth")
    lines = [
        f"class {CLASSES[method]}{task}(OneMethod, {base}):",
        textwrap.indent(_docstring(method, base, entries), "    "),
        f"    method = {method!r}",
        "",
        "    def __init__(self, " + ", ".join(signature) + ",) -> None:",
        *(f"        self.{name} = {name}" for name in entries),
    ]
    return "\n".join(lines)


def _setting(setting: Setting, parameter: str, numeric: bool) -> tuple[str, object, str]:
    """Type, default and meaning of a setting as a parameter."""
    default = parameter_default(setting)
    if setting.name == "criterion" and numeric:
        return f'Literal["{SQUARED_ERROR}"]', SQUARED_ERROR, "What a split makes small."
    if setting.name == "max_features":
        kind = 'int | float | Literal["sqrt"] | None'
    elif setting.choices:
        kind = f"Literal[{', '.join(map(repr, setting.choices))}]"
    else:
        may_be_none = default is None or parameter == "max_depth"
        kind = type(setting.default).__name__ + " | None" * may_be_none
    help = f"{setting.help} {limits(setting)}"
    if setting.name == "max_features":
        help += ', "sqrt", or a share of all as a float'
    if parameter == "max_depth":
        help += "; None is the greatest"
    return kind, default, help + ("; None is 0." if default is None else ".")


def _docstring(method: str, base: str, entries: dict[str, tuple[str, object, str]]) -> str:
    entry = find_tree(method)
    task = "regression tree" if base.endswith("Regressor") else "classification tree"
    lines = [f'"""A {task} by the method {entry.title}.', ""]
    lines += [*textwrap.wrap(entry.sentence, 92), ""]
    if method in SOURCES:
        lines += [f"Source: {SOURCES[method]}", ""]
    lines += ["Parameters", "----------"]
    for name, (kind, default, text) in entries.items():
        shown = SHOWN.get(name, "str" if kind.startswith("Literal") else kind.replace("|", "or"))
        written = f'"{default}"' if isinstance(default, str) else default
        lines.append(f"{name} : {shown}, default {written}")
        lines += textwrap.wrap(
            text, 92, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
        )
    lines += ["", f"Attributes and notes are those of :class:`Oblique{base}`.", '"""', ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PATH.write_text(source(), encoding="utf-8")
