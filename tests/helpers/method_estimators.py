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
from treecore.estimators.hinge import PARAMETERS
from treecore.estimators.losses import LOSSES
from treecore.estimators.one_method import SQUARED_ERROR, parameter_default, parameter_names
from treecore.learners.hinge.settings import VALIDATION, HingeSettings
from treecore.training.registry import TREES, find_method

PATH = Path(__file__).parents[2] / "treecore" / "estimators" / "methods.py"

HEAD = '''"""One classifier and one regressor a method, with the settings of that method alone.

Written by ``make generate`` from the registry: change the settings there, and run it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from treecore.estimators.classifier import TreeClassifier
from treecore.estimators.hinge import HingeClassifier, HingeRegressor
from treecore.estimators.one_method import OneMethod
from treecore.estimators.regressor import TreeRegressor
'''

Entries = dict[str, tuple[str, object, str]]
"""Parameters: type, default and meaning."""

SHARED: Entries = {
    "categorical_features": (
        "str | Sequence[str] | Sequence[int] | Sequence[bool] | np.ndarray | None",
        None,
        'Columns of categories: names, places or a mask; "from_dtype": those that a frame holds as '
        "categories or as words. Axis-aligned splits may send any set of their levels to a side, "
        "others weigh each level. None: each level of words is a feature like any other.",
    ),
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
        f"Literal[{', '.join(map(repr, LOSSES))}] | str",
        SQUARED_ERROR,
        'What is made small; "huber" lets far-off targets count less, and with "absolute_error" '
        'it predicts medians, with "quantile:0.9" what nine in ten rows stay below.',
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

MONOTONIC: Entries = {
    "monotonic_cst": (
        "dict[str, int] | Sequence[int] | np.ndarray | None",
        None,
        "1 for a column whose rise must never lower the prediction (the number, or the probability "
        "of the second of two classes), -1 for one whose rise must never raise it, 0 for any "
        "other: a dict by column, or one entry a column. Nothing is promised of missing values.",
    )
}
"""What axis-aligned and annealed trees have besides their settings."""

HINGE: Entries = {
    "kind": ('Literal["forest", "fern"]', "forest", "Trees, or ferns, which ask the same at one "
        "depth whatever was answered before. One of \"forest\", \"fern\"."),
    "batches": ("int | None", None, "Mini-batches of the run. None: forty passes over the rows, "
        "at least 300 and at most 20,000 mini-batches."),
    "validation": ("float", VALIDATION.default, f"{VALIDATION.help} {limits(VALIDATION)}."),
    "warm_start": ("bool", False, "Whether fit goes on from the present forest, with new trees "
        "where n_estimators is more."),
    "n_jobs": ("int | None", None, "Threads that answer; -1: one for every processor. The answers "
        "are the same for any number."),
}  # fmt: skip
"""What hinge forests have besides their settings."""

HINGE_ATTRIBUTES = (
    "Attributes",
    "----------",
    "forest_ : HingeForest",
    "n_iter_ : int",
    "    Mini-batches.",
    "history_ : list of Event",
    "    One for every hundred mini-batches.",
)

TASKS = {"Classifier": "classification tree", "Regressor": "regression tree"}

SHOWN = {
    "max_features": 'int, float, "sqrt" or None',
    "categorical_features": "str, or array of str, int or bool, or None",
    "class_weight": 'dict, "balanced" or None',
    "callbacks": "list of callables or None",
    "monotonic_cst": "dict, array of int or None",
    "random_state": "int, RandomState, Generator or None",
}
"""What docstrings say in place of a long type."""


def source() -> str:
    """The whole module, formatted."""
    parts = [HEAD]
    for method in TREES:
        parts += [_class(method, numeric) for numeric in (False, True)]
    parts += [_hinge(numeric) for numeric in (False, True)]
    for task in ("Classifier", "Regressor"):
        entries = [f"{name!r}: {method.estimator}{task}," for name, method in TREES.items()]
        kind = "dict[str, type[OneMethod]]"
        parts.append(f"{task.upper()}S: {kind} = {{" + "\n".join(entries) + "}")
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(PATH), "-"]
    text = "\n\n".join(parts)
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def _class(method: str, numeric: bool) -> str:
    task = "Regressor" if numeric else "Classifier"
    base, other = f"Tree{task}", "class_weight" if numeric else "loss"
    entry = TREES[method]
    settings = {setting.name: setting for setting in entry.settings.definitions()}
    entries = {
        parameter: _setting(settings[name], parameter, numeric)
        for parameter, name in parameter_names(method).items()
    }
    entries |= MONOTONIC if method in ("axis", "annealed") else {}
    entries |= {name: entry for name, entry in SHARED.items() if name != other}
    lines = [f'"""A {TASKS[task]} by the method {entry.title}.', "", *_wrapped(entry.sentence), ""]
    if entry.source:
        lines += [f"Source: {entry.source}", ""]
    end = ["Notes", "-----", f"Attributes and notes are those of :class:`Oblique{base}`."]
    head = f"class {entry.estimator}{task}(OneMethod, {base}):"
    return _text(head, [*lines, *_explained(entries), "", *end], entries, f"method = {method!r}")


def _hinge(numeric: bool) -> str:
    task, other = ("Regressor", "class_weight") if numeric else ("Classifier", "loss")
    targets = "numbers" if numeric else "classes"
    renamed = {theirs: ours for ours, theirs in PARAMETERS.items()}
    settings = {
        renamed.get(known.name, known.name): _setting(known, known.name, numeric)
        for known in HingeSettings.definitions()
    }
    settings["batches"] = HINGE["batches"]
    left_out = {other, "early_stopping", "min_weight_fraction_leaf", "categorical_features"}
    shared = {name: entry for name, entry in SHARED.items() if name not in left_out}
    entries = {"kind": HINGE["kind"]} | settings | HINGE | shared
    lines = [
        f'"""A random hinge forest, or random hinge ferns, for {targets}.',
        "",
        *_wrapped(find_method("hinge-forest").sentence),
        "",
        "Source: Lay et al., Random Hinge Forest for Differentiable Learning, 2018.",
        "",
        *_explained(entries),
        "",
        *HINGE_ATTRIBUTES,
    ]
    return _text(f"class HingeForest{task}(Hinge{task}):", lines, entries)


def _text(head: str, docstring: list[str], entries: Entries, *attributes: str) -> str:
    """A class with its docstring and its parameters, the first of which may stand alone."""
    signature = [f"{name}: {kind} = {default!r}" for name, (kind, default, _) in entries.items()]
    signature.insert(1, "*")
    assert next(iter(entries)) in ("depth", "max_depth", "kind")
    lines = [
        head,
        textwrap.indent("\n".join([*docstring, '"""', ""]), "    "),
        *(f"    {attribute}\n" for attribute in attributes),
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


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(
        text, 92, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )


def _explained(entries: Entries) -> list[str]:
    """The section of a docstring that explains the parameters."""
    lines = ["Parameters", "----------"]
    for name, (kind, default, text) in entries.items():
        shown = SHOWN.get(name, "str" if kind.startswith("Literal") else kind.replace("|", "or"))
        written = f'"{default}"' if isinstance(default, str) else default
        lines += [f"{name} : {shown}, default {written}", *_wrapped(text, "    ")]
    return lines


if __name__ == "__main__":
    PATH.write_text(source(), encoding="utf-8")
