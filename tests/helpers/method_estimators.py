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
from treecore.estimators.one_method import NO_LIMIT, SQUARED_ERROR, parameter_names
from treecore.learners.hinge.settings import VALIDATION, HingeSettings
from treecore.training.registry import TREES, find_method

PATH = Path(__file__).parents[2] / "treecore" / "estimators" / "methods.py"

HEAD = '''"""One classifier and one regressor a method, with the settings of that method alone.

Written by ``make generate`` from the registry: change the settings there, and run it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from treecore.estimators.hinge import HingeClassifier, HingeRegressor
from treecore.estimators.one_method import OneMethod
from treecore.estimators.one_tree import TreeClassifier, TreeRegressor
from treecore.estimators.parameters import (
    ClassParameters,
    MethodParameters,
    NumberParameters,
)
'''

TASKS = {"Classifier": "classification", "Regressor": "regression"}

Entries = dict[str, tuple[str, object, str]]
"""Parameters: type, default and meaning."""

SHARED: Entries = {
    "categorical_features": (
        "str, or array of str, int or bool, or None",
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
        'dict, "balanced" or None',
        None,
        'What each class weighs; classes that are left out weigh 1. "balanced": all classes '
        "together weigh the same.",
    ),
    "loss": (
        "str",
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
        "list of callables or None",
        None,
        "Each gets the Event of every measured tree; True ends the run.",
    ),
    "random_state": (
        "int, RandomState, Generator or None",
        None,
        "An int is the seed of RunConfig and gives its tree.",
    ),
    "verbose": ("int", 0, "1 prints a line for every measured tree."),
}
"""The parameters that all methods have, whose types stand in the bases of the classes."""

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

ATTRIBUTES = {
    "Classifier": ["classes_ : array, shape (n_classes,)", "n_classes_ : int"],
    "Regressor": ["n_outputs_ : int"],
}
SEVERAL = [
    "classes_ : array, shape (n_classes,), or list with one for each of several outputs",
    "n_classes_ : int or list of int",
    "n_outputs_ : int",
]
"""Of greedy classifiers."""

ROWS = ["n_features_in_ : int", "feature_names_in_ : array of str, where X had names"]

TREE_NOTES = (
    "Weight 0 is the same as no row. ",
    "A weight of two is two rows to constant leaves, up to rounding, but not in means of columns. ",
    "A row of weight two is drawn or visited as one row. ",
    "Missing values (NaN) are sent to the side that is better in training by a split on one "
    "feature, and read as the mean by all others. The tree reads float32.",
)

SHOWN = {
    "max_features": 'int, float, "sqrt" or None',
    "monotonic_cst": "dict, array of int or None",
}
"""What docstrings say in place of a long type."""


def source() -> str:
    """The whole module, formatted."""
    parts = [HEAD]
    parts += [_method(name) for name in TREES]
    parts.append(_hinge())
    for task in TASKS:
        entries = [f"{name!r}: {method.estimator}{task}," for name, method in TREES.items()]
        kind = "dict[str, type[OneMethod]]"
        parts.append(f"{task.upper()}S: {kind} = {{" + "\n".join(entries) + "}")
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(PATH), "-"]
    text = "\n\n".join(parts)
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def _method(name: str) -> str:
    """The classes of a method: its settings, the classifier and the regressor."""
    entry = TREES[name]
    more = MONOTONIC if name in ("axis", "annealed") else {}
    kinds = [_settings(name, numeric) | more for numeric in (False, True)]
    about = [*_wrapped(entry.sentence), ""]
    about += [f"Source: {entry.source}", ""] if entry.source else []
    texts = []
    for settings, kind, foreign in zip(kinds, TASKS, ("loss", "class_weight"), strict=True):
        shared = {key: entry for key, entry in SHARED.items() if key != foreign}
        text = [f"A {TASKS[kind]} tree by the method {entry.title}.", "", *about]
        text += ["Parameters", "----------"]
        text += [*_explained(settings | shared), ""]
        texts.append(text + _learnt(name, kind))
    start = [f'"""{entry.title}."""', "", f"method = {name!r}"]
    return _classes(entry.estimator, "MethodParameters", "OneMethod, Tree", start, kinds, texts)


def _learnt(name: str, kind: str) -> list[str]:
    """Attributes and notes of the estimator of a method."""
    unit = TREES[name].unit
    pieces = ", or of pieces given to partial_fit" if TREES[name].streams else ""
    several = SEVERAL if unit == "level" and kind == "Classifier" else ATTRIBUTES[kind]
    no_row, as_two, as_one, missing = TREE_NOTES
    weights = as_two if name in ("axis", "random-oblique", "oc1") else as_one
    return [
        *("Attributes", "----------", "tree_ : Tree", *several, *ROWS),
        "feature_importances_ : float64 array, shape (n_features,)",
        *("n_iter_ : int", f"    Number of {unit}s{pieces}."),
        *("history_ : list of Event", "    One for every measured tree."),
        "calibration_ : Calibration, after calibrate",
        *("", "Notes", "-----", *_wrapped(no_row + weights + missing)),
    ]


def _settings(name: str, numeric: bool) -> Entries:
    definitions = {setting.name: setting for setting in TREES[name].settings.definitions()}
    names = parameter_names(name).items()
    return {key: _setting(definitions[ours], key, numeric) for key, ours in names}


def _hinge() -> str:
    """The classes of hinge forests."""
    renamed = {theirs: ours for ours, theirs in PARAMETERS.items()}
    settings = {
        renamed.get(known.name, known.name): _setting(known, known.name, False)
        for known in HingeSettings.definitions()
    }
    settings["batches"] = HINGE["batches"]
    entries = {"kind": HINGE["kind"]} | settings | HINGE
    of_trees = {"early_stopping", "min_weight_fraction_leaf", "categorical_features"}
    texts = []
    for kind, foreign in zip(TASKS, ("loss", "class_weight"), strict=True):
        what = "classes" if kind == "Classifier" else "numbers"
        shared = {key: entry for key, entry in SHARED.items() if key not in of_trees | {foreign}}
        text = [f"A random hinge forest, or random hinge ferns, for {what}.", ""]
        text += [*_wrapped(find_method("hinge-forest").sentence), ""]
        text += ["Source: Lay et al., Random Hinge Forest for Differentiable Learning, 2018.", ""]
        text += ["Parameters", "----------", *_explained(entries | shared), ""]
        text += ["Attributes", "----------", "forest_ : HingeForest", *ATTRIBUTES[kind], *ROWS]
        text += ["n_iter_ : int", "    Number of mini-batches.", "history_ : list of Event"]
        texts.append([*text, "    One for every hundred mini-batches."])
    start = ['"""Random hinge forests."""', ""]
    return _classes("HingeForest", "", "Hinge", start, [entries, entries], texts)


def _classes(
    name: str,
    shared: str,
    base: str,
    start: list[str],
    kinds: list[Entries],
    texts: list[list[str]],
) -> str:
    """What both kinds of estimators have, then what one has, and the estimator with its text.

    shared: base of the parameters; base: of the estimators, whose task is left out.
    """
    both = {key: entry for key, entry in kinds[0].items() if entry == kinds[1][key]}
    parts = [_dataclass(f"_{name}", "", [*start, *_fields(both)])]
    for kind, task, entries, text in zip(TASKS, ("Class", "Number"), kinds, texts, strict=True):
        own = {key: entry for key, entry in entries.items() if key not in both}
        bases = f"{task}Parameters, {shared + ', ' if shared else ''}_{name}"
        body = [f'"""Parameters of the {kind.lower()}."""', "", *_fields(own)]
        parts.append(_dataclass(f"_{name}{kind}", bases, body))
        docstring = "\n".join([f'"""{text[0]}', *text[1:], '"""'])
        head = f"class {name}{kind}(_{name}{kind}, {base}{kind}):"
        parts.append(f"{head}\n{textwrap.indent(docstring, '    ')}")
    return "\n\n".join(parts)


def _dataclass(name: str, bases: str, body: list[str]) -> str:
    bases = f"({bases})" if bases else ""
    lines = ["@dataclass(kw_only=True, eq=False, repr=False)", f"class {name}{bases}:"]
    return "\n".join([*lines, textwrap.indent("\n".join(body), "    ")])


def _fields(entries: Entries) -> list[str]:
    """Parameters as fields; a depth or a kind needs no name."""
    fields = [f"{name}: {kind} = {default!r}" for name, (kind, default, _) in entries.items()]
    for name in ("depth", "max_depth", "kind"):
        if name in entries:
            kind, default, _ = entries[name]
            fields[0] = f"{name}: {kind} = field(default={default!r}, kw_only=False)"
    return fields


def _setting(setting: Setting, parameter: str, numeric: bool) -> tuple[str, object, str]:
    """Type, default and meaning of a setting as a parameter."""
    is_unlimited = setting.name in NO_LIMIT and setting.default == 0
    default = None if is_unlimited else setting.default
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
    """Parameters in the section of a docstring that explains them."""
    lines = []
    for name, (kind, default, text) in entries.items():
        shown = SHOWN.get(name, "str" if kind.startswith("Literal") else kind.replace("|", "or"))
        written = f'"{default}"' if isinstance(default, str) else default
        lines += [f"{name} : {shown}, default {written}", *_wrapped(text, "    ")]
    return lines


if __name__ == "__main__":
    PATH.write_text(source(), encoding="utf-8")
