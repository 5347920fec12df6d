"""A method with its settings as one word of a link: ``sgd~nu~50``, ``samme.oc1~n_trees~30``."""

from collections.abc import Iterable, Mapping
from typing import Any

from treecore import RunConfig
from treecore.base import Setting
from treecore.training import METHODS, TREES, gone_settings
from ui.language.translate import N_, _
from ui.links.fields import Reading
from ui.widgets.method_settings import in_view, widget_key

GREEDY = RunConfig("axis", criterion="gini")
"""The greedy axis-aligned tree of every page, by the criterion that scikit-learn uses."""


def run_name(config: RunConfig) -> str:
    """The method, and of an ensemble over other trees than its usual ones theirs as well."""
    base = config.base.method if config.base else None
    return config.method if base == METHODS[config.method].base else f"{config.method}.{base}"


def definitions_of(name: str) -> tuple[Setting, ...]:
    """The settings of what has that :func:`run_name`."""
    method, _dot, base = name.partition(".")
    return METHODS[method].definitions(TREES[base] if base else None)


def _text(name: str, known: Iterable[Setting], values: Mapping[str, Any]) -> str:
    parts = [name]
    for setting in known:
        value = values.get(setting.name, setting.default)
        if value != setting.default:
            parts += [setting.name, value if setting.choices else f"{value!r}"]
    return "~".join(parts)


def _settings_in(
    text: str, name: str, known: Iterable[Setting], reading: Reading
) -> dict[str, Any]:
    """Those of ``name`` in ``x~setting~value~setting~value``, and what is wrong with them."""
    _method, *parts = text.split("~")
    if len(parts) % 2:
        reading.problem("{text!r} must be a method, and names of settings with values", text=text)
    by_name = {setting.name: setting for setting in known}
    method, _dot, base = name.partition(".")
    gone = gone_settings(method, base or None)
    values = {}
    for setting, value in zip(parts[::2], parts[1::2], strict=False):
        if setting in by_name:
            values[setting] = reading.nearest(by_name[setting], value)
        elif setting in gone:
            message = N_("{setting!r} no longer exists: {instead}")
            reading.problem(message, setting=setting, instead=_(gone[setting]))
        else:
            reading.problem("{name} has no setting {setting!r} here", name=name, setting=setting)
    return values


def run_text(config: RunConfig, leave_out: tuple[str, ...] = ()) -> str:
    """A method and its settings without those to leave out, which the page has for all."""
    name = run_name(config)
    known = [s for s in definitions_of(name) if s.name not in leave_out]
    return _text(name, known, config.as_dict())


def read_run(
    text: str,
    reading: Reading,
    leave_out: tuple[str, ...] = (),
    among: Iterable[str] = TREES,
    usual: RunConfig | None = None,
) -> RunConfig | None:
    """The inverse of :func:`run_text`, among these methods; usual: where none is alike."""
    among = list(among)
    requested, _dot, base = text.split("~")[0].partition(".")
    method = reading.closest(_("method "), requested, among, usual.method if usual else "")
    if not method:
        return None
    trees = base if METHODS[method].family == "ensemble" and base in TREES else None
    if base and not trees:
        message = N_("{method} cannot use trees by {base!r} (using its own)")
        reading.problem(message, method=method, base=base)
    name = f"{method}.{trees}" if trees else method
    known = [s for s in definitions_of(name) if s.name not in leave_out]
    if METHODS[method].family == "tree":
        known = [in_view(s) for s in known]
    values = _settings_in(text, name, known, reading)
    if usual and usual.method == method and requested not in among:
        values = {s.name: usual.as_dict()[s.name] for s in known} | values
    try:
        return RunConfig(method, base=trees, **values)
    except ValueError as error:  # settings that make sense, but not with one another
        reading.problem("{error} (using the default settings)", error=error)
        return RunConfig(method, base=trees)


def settings_state(config: RunConfig, place: str = "") -> dict[str, Any]:
    """Entries of the session's state that make a method's widgets show ``config``."""
    name, values = run_name(config), config.as_dict()
    state = {widget_key(name, s.name, place): values[s.name] for s in definitions_of(name)}
    if config.base:
        state[widget_key(config.method, "base", place)] = config.base.method
    return state
