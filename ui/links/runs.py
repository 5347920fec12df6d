"""A method with its settings as one word of a link: ``sgd~nu~50``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from treecore import RunConfig
from treecore.base.settings import Setting
from treecore.training.registry import METHODS, TREES
from ui.language.translate import _
from ui.links.fields import Reading
from ui.widgets.method_settings import in_view, widget_key


def settings_text(name: str, known: Iterable[Setting], values: Mapping[str, Any]) -> str:
    """A name and those settings that are not the usual ones: ``oc1-forest~depth~5``."""
    parts = [name]
    for setting in known:
        value = values.get(setting.name, setting.default)
        if value != setting.default:
            parts += [setting.name, value if setting.choices else f"{value!r}"]
    return "~".join(parts)


def read_settings(
    text: str, name: str, what: str, known: Iterable[Setting], reading: Reading
) -> dict[str, Any]:
    """The settings in ``name~setting~value~setting~value``, and what is wrong with them.

    name, what: who has the settings, perhaps not as the text calls it, and what that is.
    """
    _method, *parts = text.split("~")
    if len(parts) % 2:
        reading.problems.append(
            _("{text!r} must be {what}, and names of settings with values", text=text, what=what)
        )
    by_name = {setting.name: setting for setting in known}
    values = {}
    for setting, value in zip(parts[::2], parts[1::2], strict=False):
        if setting in by_name:
            values[setting] = reading.nearest(by_name[setting], value)
        else:
            reading.problems.append(
                _("{name} has no setting {setting!r} here", name=name, setting=setting)
            )
    return values


def run_text(config: RunConfig, leave_out: tuple[str, ...] = ()) -> str:
    """A method and its settings without those to leave out, which the page has for all."""
    known = [s for s in METHODS[config.method].definitions() if s.name not in leave_out]
    return settings_text(config.method, known, config.as_dict())


def read_run(
    text: str,
    reading: Reading,
    leave_out: tuple[str, ...] = (),
    among: Iterable[str] = TREES,
    usual: RunConfig | None = None,
) -> RunConfig | None:
    """The inverse of :func:`run_text`.

    Settings that make no sense get the nearest values that do, or where they make none with one
    another the usual ones, and are reported.

    among: the methods that there are; usual: what is run where the text's method is like none of
    those; None without it.
    """
    among = list(among)
    requested = text.split("~")[0]
    name = reading.closest(_("method "), requested, among, usual.method if usual else "")
    if not name:
        return None
    settings = METHODS[name].definitions()
    known = [in_view(s) for s in settings if s.name not in leave_out]
    values = read_settings(text, name, "a method", known, reading)
    if usual and usual.method == name and requested not in among:
        values = {s.name: usual.as_dict()[s.name] for s in known} | values
    try:
        return RunConfig(name, **values)
    except ValueError as error:  # settings that make sense, but not with one another
        reading.problems.append(_("{error}, now the usual settings", error=error))
        return RunConfig(name)


def settings_state(config: RunConfig, place: str = "") -> dict[str, Any]:
    """Entries of the session's state that make a method's widgets show ``config``."""
    name, values = config.method, config.as_dict()
    return {widget_key(name, s.name, place): values[s.name] for s in METHODS[name].definitions()}
