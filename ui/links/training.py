"""The link of the page that trains one tree: data, ``run``, its method, and the view."""

from __future__ import annotations

from treecore import RunConfig
from treecore.training.registry import TREES
from ui.links.data import (
    DATA_NAMES,
    ERROR_NAMES,
    data_params,
    error_params,
    features_of,
    read_data,
    read_errors,
    task_of,
)
from ui.links.fields import Field, Name, Params, Part, Reading, read_parts
from ui.links.runs import read_run, run_text, settings_state
from ui.links.view import VIEW_NAMES, read_view
from ui.links.visit import class_fields
from ui.widgets.data_defaults import usual_settings
from ui.widgets.method_settings import in_view, widget_key


def read_training(params: Params) -> Reading:
    """What a link says of the page, as entries of the session's state.

    Who writes a link by hand may also name a setting of the method alone, as in ``depth=5``.
    """
    reading = Reading()
    read_data(params, reading)
    first = next(iter(TREES))
    config = None
    if "run" in params:
        usual = RunConfig(first, **usual_settings(reading.state.get("dataset", ""), first))
        config = read_run(reading.last(params, "run"), reading, usual=usual)
    method = TREES[config.method if config else first]
    if config is not None:
        reading.state["method"] = config.method
        reading.state |= settings_state(config) | {"balanced": False}
    others = (*DATA_NAMES, *ERROR_NAMES, *VIEW_NAMES, "run")
    alone = [
        Field(in_view(s), widget_key(method.name, s.name))
        for s in method.settings.definitions()
        if s.name not in others
    ]
    if any(field.name in params for field in alone):
        reading.state["method"] = method.name
    reading.state["folder"] = None
    parts: tuple[Part, ...] = (*alone, *class_fields("train"), Name("folder", "folder"))
    read_parts(parts, params, reading)
    if "folder" in params:  # one without a name leads to no run, which is said as of any other
        reading.state["folder"] = params["folder"][-1]
    read_errors(params, reading)
    data = reading.state.get("dataset")
    read_view(params, reading, task_of(data), features_of(data))
    reading.strangers(params, (*others, *(part.name for part in parts)))
    return reading


def training_params(key: tuple, file: str, config: RunConfig) -> dict[str, str]:
    """The inverse of :func:`read_training`, without the view; key and file name are the data's."""
    return data_params(key, file) | {"run": run_text(config)} | error_params(config)
