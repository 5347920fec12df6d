"""What a sweep is to do, as a file in TOML says it.

::

    [data]
    name = "sklearn:digits"       # as for treecore train; also target, task, size, noise, part,
                                  # drop, kinds = { zip = "words" }, missing = ["-99"], header
    test = 0.25                   # share of the rows, or the name of another table, or "part"
    validation = 0.2              # share of the others
    seed = 0                      # of both divisions

    [search]
    kind = "grid"                 # or "random", "halving", or "tpe" (Optuna's sampler)
    seeds = [0]                   # of the runs; a candidate's figure is their mean
    count = 20                    # random, tpe: how many candidates; halving: the same, or all
    seed = 0                      # of the drawing of candidates
    keep = 3                      # halving: one candidate in so many goes on
    rungs = 3                     # halving: how often, each time with `keep` times the epochs

    [final]
    seeds = [0, 1, 2, 3, 4]       # of the chosen candidate's runs that see the test rows

    [[methods]]                   # as many as wanted
    method = ["sgd", "stable-sgd"]
    depth = [6, 8]
    nu = [1, 10, 100]
    eta = { low = 0.01, high = 1 }    # drawn: random, tpe and halving only

    [[methods]]
    method = "bagging"            # or another ensemble, or a hinge forest
    base = ["axis", "oc1"]        # what grows its trees; their settings stand beside its own
    n_trees = 50

Whatever is not understood is refused before anything runs.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from treecore.base.settings import Setting
from treecore.data.sources import Source
from treecore.losses import find_loss
from treecore.training.config import RunConfig
from treecore.training.registry import BASES, METHODS, find_method

KINDS = {
    "grid": {"kind", "seeds"},
    "random": {"kind", "seeds", "count", "seed"},
    "halving": {"kind", "seeds", "count", "seed", "keep", "rungs"},
    "tpe": {"kind", "seeds", "count", "seed"},
}
"""The keys of ``[search]`` by its kind."""

NUMBERS = {"count": (1, 1_000_000), "seed": (0, 2**32 - 1), "keep": (2, 100), "rungs": (2, 20)}
"""The least and the greatest of its numbers."""

ENTRY = "methods"
"""The parameter that says which entry of ``[[methods]]`` a candidate is of."""

DRAWS = 20
"""So many times the candidates wanted are drawn at most, to find that many different ones."""

COMMON = ("loss", "class_weight", "categorical", "kernel", "components", "gamma")
"""What a candidate may set besides its method's settings."""


class SweepError(ValueError):
    """A sweep that cannot be understood, begun or gone on with, said in one sentence."""


def import_optuna() -> Any:
    """Optuna, which says no more than warnings; it is slow to import, and an extra."""
    try:
        import optuna
    except ImportError as error:
        raise SweepError("a sweep needs Optuna: pip install 'treecore[sweep]'") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


@dataclass(frozen=True)
class Range:
    """Numbers to be drawn from, both ends allowed.

    log: whether ratios are drawn evenly, in place of differences.
    """

    low: float
    high: float
    log: bool
    integer: bool


@dataclass(frozen=True)
class DataSpec:
    """The rows, and how they are divided.

    source: the table; ``held_out`` is the share of validation rows among those that are no test
    rows, and ``seed`` that of both divisions; test: share of the table's rows that is kept for the
    test, the name of another table, or ``"part"``: the test part of an archive that has one.
    """

    source: Source
    test: float | str

    def test_source(self) -> Source | None:
        """The table of the test rows where that is another one."""
        if not isinstance(self.test, str):
            return None
        source, part = self.source, self.test == "part"
        return Source(
            source.name if part else self.test,
            target=source.target,
            task=source.task,
            part="test" if part else source.part,
            kinds={name: kind for name, kind in source.kinds.items() if kind != "leave out"},
            missing=source.missing,
            header=source.header,
        )


@dataclass(frozen=True)
class SearchSpec:
    """How candidates are found and compared; see the module docstring."""

    kind: str = "grid"
    seeds: tuple[int, ...] = (0,)
    count: int | None = None
    seed: int = 0
    keep: int = 3
    rungs: int = 3


@dataclass(frozen=True)
class SweepSpec:
    """All of a sweep.

    Attributes
    ----------
    data : DataSpec
    search : SearchSpec
    methods : tuple of dict
        Values, or a Range, by name; ``"method"`` among them.
    final_seeds : tuple of int
    """

    data: DataSpec
    search: SearchSpec
    methods: tuple[dict[str, Any], ...] = field(hash=False)
    final_seeds: tuple[int, ...] = (0, 1, 2, 3, 4)

    def candidates(self, task: str) -> list[RunConfig]:
        """Every different candidate, of seed 0, with the usual loss for the task.

        Candidates of a search by TPE depend on what earlier ones have reached: there are none
        before.

        Raises
        ------
        SweepError
            Where a loss does not fit the task.
        """
        return [config for _, config in self.points(task)]

    def entries(self) -> list[dict[str, Any]]:
        """The methods as a file would hold them, for :func:`methods_of`."""

        def plain(value: Any) -> Any:
            names = ("low", "high", "log")
            return {n: getattr(value, n) for n in names} if isinstance(value, Range) else value

        return [{key: plain(value) for key, value in entry.items()} for entry in self.methods]

    def points(self, task: str) -> list[tuple[dict[str, Any], RunConfig]]:
        """The same, each with its parameters as Optuna names them."""
        search = self.search
        if search.kind == "tpe":
            return []
        found: dict[str, tuple[dict[str, Any], RunConfig]] = {}
        for parameters in self._grid() if search.count is None else self._drawn():
            config = self.config_of(self._settings(parameters), task)
            found.setdefault(repr(config), (parameters, config))
            if len(found) == search.count:
                break
        return list(found.values())

    def config_of(self, settings: Mapping[str, Any], task: str) -> RunConfig:
        """A candidate of some settings. Raises SweepError where its loss does not fit the task."""
        usual = "log" if task == "classification" else "squared"
        config = RunConfig(**{"loss": usual, **settings})
        if find_loss(config.loss).task != task:
            raise SweepError(
                f"the targets are for {task}, and the loss {config.loss!r} is not for them: "
                "leave it out, or set task in [data]"
            )
        return config

    def suggested(self, trial: Any, task: str) -> RunConfig:
        """The candidate that a trial of Optuna suggests."""
        return self.config_of(self._suggest(trial), task)

    def _suggest(self, trial: Any) -> dict[str, Any]:
        number = 0
        if len(self.methods) > 1:
            number = trial.suggest_categorical(ENTRY, list(range(len(self.methods))))
        for key, value in self.methods[number].items():
            name = _parameter(self.methods, number, key)
            if not isinstance(value, Range):
                trial.suggest_categorical(name, list(dict.fromkeys(value)))
            else:
                suggest = trial.suggest_int if value.integer else trial.suggest_float
                suggest(name, value.low, value.high, log=value.log)
        return self._settings(trial.params)

    def _settings(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        number = parameters.get(ENTRY, 0)
        settings = {}
        for key, values in self.methods[number].items():
            value = parameters[_parameter(self.methods, number, key)]
            if isinstance(values, Range) and not values.integer:  # a table of runs can be read
                value = min(max(float(f"{value:.4g}"), values.low), values.high)
            settings[key] = value
        return settings

    def _grid(self) -> Iterator[dict[str, Any]]:
        for number, entry in enumerate(self.methods):
            keys = sorted(entry)
            names = [_parameter(self.methods, number, key) for key in keys]
            first = {ENTRY: number} if len(self.methods) > 1 else {}
            for values in itertools.product(*(dict.fromkeys(entry[key]) for key in keys)):
                yield first | dict(zip(names, values, strict=True))

    def _drawn(self) -> Iterator[dict[str, Any]]:
        """Parameters drawn at random, many times more than are wanted: some may come twice."""
        optuna = import_optuna()
        ranges = any(isinstance(v, Range) for entry in self.methods for v in entry.values())
        wanted = self.search.count or 0
        if not ranges and len(every := list(self._grid())) <= wanted:
            yield from every
            return
        study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=self.search.seed))
        for _ in range(DRAWS * wanted):
            trial = study.ask()
            self._suggest(trial)
            yield trial.params


def _parameter(methods: tuple[dict[str, Any], ...], number: int, key: str) -> str:
    """The name of a setting in Optuna: other entries may have other values for it."""
    return f"{number + 1}.{key}" if len(methods) > 1 else key


def read_spec(source: str | Path | Mapping[str, Any]) -> SweepSpec:
    """The sweep in a TOML file, or in what such a file would hold.

    Parameters
    ----------
    source : path, or dict
        A table's path in the file is looked for from the file's own folder.

    Raises
    ------
    SweepError
        In one sentence that says where, for whatever is not understood.
    """
    folder = None
    if not isinstance(source, Mapping):
        path = Path(source)
        source, folder = _load(path), path.parent
    _check_keys(source, {"data", "search", "final", "methods"}, "the sweep")
    for name in ("data", "methods"):
        if name not in source:
            raise SweepError(
                f"the sweep lacks the section [{name}]: treecore sweep --help shows how"
            )
    search = _search(_section(source, "search"))
    final = _section(source, "final")
    _check_keys(final, {"seeds"}, "[final]")
    methods = source["methods"]
    if not isinstance(methods, list) or not methods:
        raise SweepError("[[methods]] must be a list of tables, each with a method")
    entries = methods_of(methods, search.count is not None)
    data = _data(_section(source, "data"), folder)
    return SweepSpec(data, search, entries, _seeds(final, "[final]", (0, 1, 2, 3, 4)))


def methods_of(entries: list[Any], drawn: bool) -> tuple[dict[str, Any], ...]:
    """Entries of ``[[methods]]``, checked. drawn: whether ranges are allowed."""
    return tuple(
        _method(entry, f"[[methods]] number {number}", drawn)
        for number, entry in enumerate(entries, 1)
    )


def _load(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SweepError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:  # TOML's and UTF-8's errors are of this kind
        raise SweepError(f"{path} is not TOML: {error}") from error


def _section(source: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = source.get(name, {})
    if not isinstance(section, Mapping):
        raise SweepError(f"[{name}] must be a table of names and values")
    return section


def _check_keys(section: Mapping[str, Any], allowed, where: str) -> None:
    for name in section:
        if name not in allowed:
            raise SweepError(f"{where} has no {name!r}; it has {', '.join(sorted(allowed))}")


def _data(section: Mapping[str, Any], folder: Path | None) -> DataSpec:
    allowed = {"name", "test", "validation", *(f.name for f in fields(Source))} - {"held_out"}
    _check_keys(section, allowed, "[data]")
    values = dict(section)
    name, test = values.pop("name", None), values.pop("test", 0.25)
    if not isinstance(name, str) or not name:
        raise SweepError('[data] needs a name, such as name = "sklearn:digits"')
    share = values.pop("validation", 0.2)
    for what, value in (("validation", share), ("test", test)):
        is_name = what == "test" and isinstance(value, str) and value
        if not is_name and not (_is_number(value) and 0 < value < 1):
            raise SweepError(f"[data]: {what}={value!r} must be a share between 0 and 1")
    seed = _integer(values.pop("seed", 0), "[data]: seed", *NUMBERS["seed"])
    if "size" in values:
        values["size"] = _integer(values["size"], "[data]: size", 2, 2**62)
    noise = values.get("noise", 0.0)
    if not _is_number(noise) or not 0 <= noise <= 1:
        raise SweepError(f"[data]: noise={noise!r} must be a number between 0 and 1")
    for what in ("target", "task", "part"):
        if not isinstance(values.get(what, ""), str):
            raise SweepError(f"[data]: {what}={values[what]!r} must be text")
    try:
        source = Source(_found(name, folder), held_out=float(share), seed=seed, **values)
    except ValueError as error:
        raise SweepError(f"[data]: {error}") from error
    if isinstance(test, str) and test != "part":
        test = _found(test, folder)
    return DataSpec(source, test)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _found(name: str, folder: Path | None) -> str:
    """A file's whole path, which every process on this machine can read; a name as it is."""
    kind, colon, _ = name.partition(":")
    if colon and kind in ("sample", "sklearn", "openml"):
        return name
    path = Path(name)
    return str((path if folder is None else folder / path).resolve())


def _search(section: Mapping[str, Any]) -> SearchSpec:
    kind = section.get("kind", "grid")
    if kind not in [*KINDS]:  # which may be a list
        raise SweepError(f"[search]: kind={kind!r} must be one of {', '.join(KINDS)}")
    _check_keys(section, KINDS[kind], f"[search] of kind {kind!r}")
    if kind in ("random", "tpe") and "count" not in section:
        raise SweepError(f"[search]: a {kind} search needs count, how many candidates to draw")
    numbers = {"rungs": 3 if kind == "halving" else 1}
    for key in NUMBERS.keys() & section.keys():
        numbers[key] = _integer(section[key], f"[search]: {key}", *NUMBERS[key])
    return SearchSpec(kind, _seeds(section, "[search]", (0,)), **numbers)


def _method(entry: Any, where: str, drawn: bool) -> dict[str, Any]:
    """An entry with lists of checked values, or ranges, by name."""
    if not isinstance(entry, Mapping) or "method" not in entry:
        raise SweepError(f'{where} needs a method, such as method = "sgd"')
    names = _listed(entry["method"])
    for name in names:
        if not isinstance(name, str) or name not in METHODS:
            raise SweepError(f"{where}: there is no method {name!r}; known: {', '.join(METHODS)}")
    entries: dict[str, Any] = {"method": names}
    others = {key: value for key, value in entry.items() if key != "method"}
    for name, base in itertools.product(names, _listed(entry.get("base"))):
        for key, value in others.items():
            entries[key] = _values(name, base, key, value, where, drawn)
    return entries


def _values(
    method: str, base: str | None, key: str, value: Any, where: str, drawn: bool
) -> list[Any] | Range:
    if base is not None and (base not in BASES or find_method(method).family != "ensemble"):
        raise SweepError(f"{where}: base={base!r} is a method that grows the trees of an ensemble")
    if key == "base":
        return _listed(value)
    if key in ("seed", "validation"):
        raise SweepError(f"{where}: {key} is set for all runs alike, in [search] or [data]")
    definitions = find_method(method).definitions(None if base is None else find_method(base))
    settings = {definition.name: definition for definition in definitions}
    if key not in settings and key not in COMMON:
        raise SweepError(
            f"{where}: the method {method} has no {key!r}; it has {', '.join([*settings, *COMMON])}"
        )
    try:
        if key in COMMON:
            for one in _listed(value):
                RunConfig(method, **{key: one})
            return _listed(value)
        if isinstance(value, Mapping):
            return _range(settings[key], value, drawn)
        return [settings[key].check(one) for one in _listed(value)]
    except (ValueError, TypeError) as error:
        raise SweepError(f"{where}: {error}") from error


def _range(definition: Setting, bounds: Mapping[str, Any], drawn: bool) -> Range:
    if definition.choices:
        raise SweepError(
            f"{definition.name} is chosen from {', '.join(definition.choices)}: give a list"
        )
    if not drawn:
        raise SweepError(
            f"{definition.name} is a range, and all of a range cannot be tried: give a list, or "
            "draw candidates by count in a random search or halving"
        )
    _check_keys(bounds, {"low", "high", "log"}, f"the range of {definition.name}")
    if not {"low", "high"} <= set(bounds):
        raise SweepError(f"the range of {definition.name} needs low and high")
    low, high = definition.check(bounds["low"]), definition.check(bounds["high"])
    log = bounds.get("log", definition.log)
    if not low < high or not isinstance(log, bool) or (log and low <= 0):
        raise SweepError(
            f"the range of {definition.name} must go from low to a greater high, both positive if "
            "log is true"
        )
    return Range(low, high, log, isinstance(definition.default, int))


def _listed(value: Any) -> list[Any]:
    if isinstance(value, list) and not value:
        raise SweepError("an empty list has no value to try: give at least one")
    return list(value) if isinstance(value, list) else [value]


def _seeds(section: Mapping[str, Any], where: str, default: tuple[int, ...]) -> tuple[int, ...]:
    listed = _listed(section.get("seeds", list(default)))
    seeds = tuple(_integer(seed, f"{where}: seed", *NUMBERS["seed"]) for seed in listed)
    if len(set(seeds)) < len(seeds):
        raise SweepError(f"{where}: seeds holds a seed twice, and it would count twice")
    return seeds


def _integer(value: Any, what: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise SweepError(f"{what}={value!r} must be a whole number from {low} to {high}")
    return value
