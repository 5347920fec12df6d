"""A run as a Python program: on the same machine and versions it learns the same tree."""

from collections.abc import Sequence

from treecore import Event, RunConfig
from treecore.data import Source
from treecore.losses import find_loss
from ui.jobs.chosen_data import ChosenData
from ui.widgets.run_folders import source_of

SAVED = "start.json"
"""What the program calls the tree that was started from."""


def run_code(
    data: ChosenData, config: RunConfig, event: Event | None, finished: bool, started: bool
) -> str:
    """A program for the tree on the screen, that of ``event``; started: from a saved tree."""
    known = ["from treecore import RunConfig, Trainer, evaluate"]
    lines = [*_data(data), "", f"config = {config_code(config)}"]
    lines += _trainer(data, started, bool(config.categorical))
    if event is not None and not finished:
        if not event.complete:
            lines.append("# On the page a pass was under way; here the tree is that before it.")
        done = event.done if event.complete else float(int(event.done))
        lines += [
            "for event in trainer.events():",
            f"    if (event.stage, event.done) == ({event.stage!r}, {done!r}):",
            "        break",
            "tree = trainer.model",
        ]
    else:
        lines.append("tree = trainer.run()")
    lines += _figures(data, config)
    if started:
        known.append("from treecore.persistence import from_json")
        known.append("from pathlib import Path")
    if config.categorical:
        known.append(CATEGORIES)
    if find_loss(config.loss).task == "regression":
        known.append("from treecore.losses import find_loss")
    return "\n".join([*_imports(known), "", *lines]) + "\n"


def comparison_code(data: ChosenData, configs: Sequence[tuple[str, RunConfig]]) -> str:
    """A program for all finished models of a comparison, by their numerals."""
    known = ["from treecore import RunConfig, Trainer"]
    lines = [*_data(data), "", "configs = {"]
    lines += [f"    {numeral!r}: {config_code(config)}," for numeral, config in configs]
    lines += ["}", "models = {}", "for name, config in configs.items():"]
    by_levels = any(config.categorical for _numeral, config in configs)
    lines += [f"    {line}" for line in _trainer(data, False, by_levels)]
    what, figure = _figure(data, configs[0][1])
    figure = figure if data.held is None else f"validation_{figure}"
    lines += ["    *_, last = trainer.events()", "    models[name] = trainer.model"]
    lines += [f'    print(config.method, "{what}:", last.{figure})']
    if by_levels:
        known.append(CATEGORIES)
    return "\n".join([*_imports(known), "", *lines]) + "\n"


def config_code(config: RunConfig) -> str:
    """A config as the call that makes it; only what is not usual."""
    usual = RunConfig(config.method, base=config.base and config.base.method).as_dict()
    parts = [repr(config.method)]
    for name, value in config.as_dict().items():
        if name != "method" and (value != usual.get(name) or name == "seed"):
            parts.append(f"{name}={value!r}")
    return f"RunConfig({', '.join(parts)})"


CATEGORIES = "from treecore.data.readers.columns import categories_of"


def _imports(known: list[str]) -> list[str]:
    known = [*known, "from treecore.data.sources import Source, read_parts"]
    # The standard library first, as everywhere.
    return sorted(known, key=lambda line: ("treecore" in line, line))


def _data(data: ChosenData) -> list[str]:
    """Lines that make ``train`` and ``held``."""
    source = source_of(data)
    if source is None:  # drawn: the file of the button Points
        *_, share, seed = data.key
        source = Source("points.csv", held_out=share / 100, seed=seed)
    usual = Source(source.name).as_dict()
    parts = [f"{n}={v!r}" for n, v in source.as_dict().items() if v != usual.get(n)]
    return [f"train, held = read_parts(Source({', '.join([repr(source.name), *parts])}))"]


def _rows(data: ChosenData) -> str:
    """The attribute of a dataset that trees read."""
    return "X" if data.train.holes is None else "given"


def _trainer(data: ChosenData, started: bool, by_levels: bool) -> list[str]:
    lines = [
        "trainer = Trainer(",
        "    config,",
        f"    train.{_rows(data)},",
        "    train.y,",
        f"    n_classes={data.train.n_classes},",
    ]
    if data.held is not None:
        lines.append(f"    validation=(held.{_rows(data)}, held.y),")
    if by_levels:
        lines.append("    categories=categories_of(train.columns, config.categorical),")
    if started:
        lines.append(
            f'    start=from_json(Path("{SAVED}").read_text()).tree,  # the file you chose'
        )
    return [*lines, ")"]


def _figures(data: ChosenData, config: RunConfig) -> list[str]:
    """Lines that print what the page says of the tree."""
    rows = "train" if data.held is None else "held"
    X = f"{rows}.{_rows(data)}"
    X = f"trainer.feature_map({X})" if config.kernel != "none" else X
    what, figure = _figure(data, config)
    loss = ", loss=find_loss(config.loss)" if figure == "r2" else ""
    return [f'print(config.method, "{what}:", evaluate(tree, {X}, {rows}.y{loss}).{figure})']


def _figure(data: ChosenData, config: RunConfig) -> tuple[str, str]:
    """What the page says of a model, in words and as a field of its figures."""
    what = "training" if data.held is None else "test"
    if find_loss(config.loss).task == "regression":
        return f"{what} R²", "r2"
    return f"{what} accuracy", "accuracy"
