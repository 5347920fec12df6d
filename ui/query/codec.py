"""The address of a page: what it shows, as the query of a link, and back.

Pages keep their choices in the session's state. Here those choices become parameters, and
parameters become choices: a copied link opens the same page. Whatever a link says wrongly is told
in one sentence and replaced by the nearest value that makes sense, or else by what is usual.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from treecore import RunConfig
from treecore.base.settings import Setting
from treecore.data.generators import GENERATORS
from treecore.losses import LOSSES
from treecore.training.config import CLASS_WEIGHTS
from treecore.training.registry import METHODS, TREES
from ui.query.view import NAMES as VIEW_NAMES
from ui.query.view import read_view
from ui.shell.class_link import read_hidden
from ui.shell.safe_text import plain
from ui.widgets.canvas import DRAWN, drawing
from ui.widgets.dataset_picker import FILES, LARGEST_DRAWN, UPLOAD, USUAL_DATA, least_size, sample
from ui.widgets.method_settings import DEEPEST_SHOWN, widget_key

VERSION = "1"
"""Of the meaning of parameters; a link of another one is read as far as it goes."""

SECONDS_TO_LOAD = 30.0
"""The longest that a browser may need to show the widgets of a page."""

MOST_TOLD = 5
"""Problems of one link that are told; the others are counted."""

DATA_NAMES = ("data", "size", "noise", "test", "seed", "file")
"""Parameters of the choice of data."""

ERROR_NAMES = ("loss", "weights")
"""Parameters of what errors count."""

Params = Mapping[str, list[str]]
"""Parameters of a link, each perhaps several times."""


@dataclass
class Reading:
    """What a link says.

    Attributes
    ----------
    state : dict
        Entries for the session's state.
    problems : list of str
        What could not be read, a clause each.
    remarks : list of str
        Sentences about what a link cannot carry.
    """

    state: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def number(self, params: Params, name: str, key: str, low, high, default) -> None:
        """Read a number into the state under ``key``; a whole one where its default is one."""
        if name in params:
            known = Setting(name, name, "", default, low, high)
            self.setting(known, params[name][-1], key)

    def setting(self, known: Setting, text: str, key: str) -> None:
        """Read the value of a setting into the state under ``key``, or else the nearest one."""
        try:
            self.state[key] = known.check(_value(known, text))
        except ValueError as error:
            self.state[key] = nearest = known.nearest(text)
            now = f"{nearest:g}" if isinstance(nearest, float) else nearest
            self.problems.append(f"{error}, now {now}")

    def strangers(self, params: Params, known: Iterable[str]) -> None:
        """Tell parameters that this page does not know, and another version's."""
        if params.get("v", [VERSION])[-1] != VERSION:
            self.problems.append(f"it is of version {params['v'][-1]!r} and this is {VERSION}")
        unknown = [name for name in params if name not in (*known, "v")]
        if unknown:
            told = ", ".join(repr(name) for name in unknown[:6])
            more = f" and {len(unknown) - 6} more" if len(unknown) > 6 else ""
            self.problems.append(f"nothing on this page is called {told}{more}")

    def sentence(self) -> str:
        """All problems in one sentence, empty without any."""
        if not self.problems:
            return ""
        told = "; ".join(self.problems[:MOST_TOLD])
        left = len(self.problems) - MOST_TOLD
        more = f"; and {left} more" if left > 0 else ""
        return f"This link was not quite right, and what is nearest is shown: {told}{more}."


def _value(known: Setting, text: str) -> Any:
    if known.choices:
        return text
    try:
        number = float(text)
    except ValueError:
        return text  # which the check refuses, and quotes
    if not math.isfinite(number):
        return text
    return int(number) if isinstance(known.default, int) and number == int(number) else number


def read_data(params: Params, reading: Reading) -> None:
    """The choice of data: ``data``, ``size``, ``noise``, ``test``, ``seed`` and ``file``."""
    names = [*GENERATORS, *FILES, UPLOAD, DRAWN]
    name = None
    if "data" in params:
        name = params["data"][-1]
        if name not in names:
            near = difflib.get_close_matches(name.lower(), names, 1)
            other = near[0] if near else USUAL_DATA
            reading.problems.append(f"there are no data={name!r}, now {other}")
            name = other
        reading.state["dataset"] = name
    reading.number(params, "test", "test_share", 0, 60, 25)
    reading.number(params, "seed", "seed", 0, 2**32 - 1, 0)
    if name in GENERATORS:
        reading.number(params, "size", f"size_{name}", 50, LARGEST_DRAWN, 500)
        reading.number(params, "noise", f"noise_{name}", 0, 100, 0)
    elif name in FILES:
        file = sample(name)
        n_rows = file.n_samples
        reading.number(params, "size", f"size_{name}", least_size(file), n_rows, n_rows)
    elif name == UPLOAD:
        file = params.get("file", ["a file"])[-1]
        reading.remarks.append(
            f"This link is about the data of {file}, which a link does not carry: choose the "
            "file again on the left."
        )
    elif name == DRAWN:
        reading.number(params, "noise", f"noise_{DRAWN}", 0, 100, 0)
        reading.remarks.append(
            "This link is about drawn points, which a link does not carry: draw some on the left."
        )


def data_params(key: tuple, file: str | None = None) -> dict[str, str]:
    """Parameters of a choice of data, from the key of its ``ChosenData``."""
    *named, size, share, seed = key
    params = {"data": str(named[0])}
    if named[0] == UPLOAD:
        params["file"] = file or ""
    elif named[0] != DRAWN:
        params["size"] = str(size)
    if named[0] in (*GENERATORS, DRAWN):
        params["noise"] = str(round(100 * named[-1]))
    return params | {"test": str(share), "seed": str(seed)}


def run_text(config: RunConfig, leave_out: tuple[str, ...] = ()) -> str:
    """A method and those of its settings that are not the usual ones: ``sgd~nu~50``."""
    parts = [config.method]
    values = config.as_dict()
    for known in METHODS[config.method].definitions():
        value = values[known.name]
        if known.name not in leave_out and value != known.default:
            parts += [known.name, value if known.choices else f"{value!r}"]
    return "~".join(parts)


def read_run(
    text: str, reading: Reading, leave_out: tuple[str, ...] = (), among: Iterable[str] = TREES
) -> RunConfig | None:
    """The inverse of :func:`run_text`; None where there is no such method ``among`` those.

    Settings that make no sense get the nearest values that do, and are told.
    """
    name = text.split("~")[0]
    if name not in among:
        near = difflib.get_close_matches(name.lower(), list(among), 1)
        now = f", now {near[0]}" if near else ""
        reading.problems.append(f"there is no method {name!r}{now}")
        if not near:
            return None
        name = near[0]
    known = [_shown(s) for s in METHODS[name].definitions() if s.name not in leave_out]
    return RunConfig(name, **read_settings(text, name, "a method", known, reading))


def read_settings(
    text: str, name: str, what: str, known: Iterable[Setting], reading: Reading
) -> dict[str, Any]:
    """The settings in ``name~setting~value~setting~value``, and what is wrong with them.

    Parameters
    ----------
    name, what : str
        Who has the settings, perhaps not as the text calls it, and what that is.
    known : iterable of Setting
    """
    _, *parts = text.split("~")
    if len(parts) % 2:
        reading.problems.append(f"{text!r} must be {what}, and names of settings with values")
    by_name = {setting.name: setting for setting in known}
    found = Reading()
    for setting, value in zip(parts[::2], parts[1::2], strict=False):
        if setting in by_name:
            found.setting(by_name[setting], value, setting)
        else:
            found.problems.append(f"{name} has no setting {setting!r} here")
    reading.problems += found.problems
    return found.state


def _shown(known: Setting) -> Setting:
    """A setting within the range that the page's own control offers."""
    if known.name != "depth":
        return known
    return dataclasses.replace(known, high=min(known.high, DEEPEST_SHOWN))


def read_training(params: Params) -> Reading:
    """What a link says of the page that trains one tree: data, ``run``, its method, and the view.

    Who writes a link by hand may also name a setting of the method alone, as in ``depth=5``.
    """
    reading = Reading()
    read_data(params, reading)
    config = read_run(params["run"][-1], reading) if "run" in params else None
    method = TREES[config.method if config else next(iter(TREES))]
    if config is not None:
        reading.state["method"] = config.method
        reading.state |= settings_state(config)
        reading.state["balanced"] = False
    taken = (*DATA_NAMES, *ERROR_NAMES, *VIEW_NAMES, "run")
    own = {s.name: _shown(s) for s in method.settings.definitions() if s.name not in taken}
    for name in [name for name in own if name in params]:
        reading.state["method"] = method.name
        reading.setting(own[name], params[name][-1], widget_key(method, own[name]))
    read_errors(params, reading)
    name = reading.state.get("dataset")
    read_view(params, reading, _task(name), _n_features(name))
    read_hidden("train", params, reading)
    reading.state["folder"] = params["folder"][-1] if "folder" in params else None
    reading.strangers(params, (*taken, *own, "hide", "folder"))
    return reading


def read_errors(params: Params, reading: Reading) -> None:
    """What errors count: ``loss`` of numbers, and ``weights`` of classes."""
    task = _task(reading.state.get("dataset"))
    if "loss" in params:
        name = params["loss"][-1]
        if name not in LOSSES:
            reading.problems.append(f"loss={name!r} must be one of {', '.join(LOSSES)}")
        elif task not in (None, LOSSES[name].task):
            what = "classes" if task == "classification" else "numbers"
            reading.problems.append(f"loss={name!r} does not fit data of {what}")
        elif LOSSES[name].task == "regression":
            reading.state["loss"] = name
    elif task == "regression":
        reading.state["loss"] = "squared"
    if "weights" in params:
        known = Setting("weights", "", "", "none", choices=CLASS_WEIGHTS)
        found = Reading()
        found.setting(known, params["weights"][-1], "weights")
        reading.problems += found.problems
        if found.state.get("weights") == "balanced":
            if task == "regression":
                reading.problems.append("weights='balanced' does not fit data of numbers")
            else:
                reading.state["balanced"] = True


def _task(name: str | None) -> str | None:
    """The task of a dataset; None where only its file knows."""
    if name in GENERATORS:
        return "classification" if GENERATORS[name].n_classes else "regression"
    return sample(name).task if name in FILES else None


def _n_features(name: str | None) -> int | None:
    """The features of a dataset; None where only its file knows."""
    if name in GENERATORS or name == DRAWN:
        return 2  # at most
    return sample(name).n_features if name in FILES else None


def training_params(key: tuple, file: str, config: RunConfig) -> dict[str, str]:
    """The inverse of :func:`read_training`, without the view; key and file name are the data's."""
    return data_params(key, file) | {"run": run_text(config)} | error_params(config)


def error_params(config: RunConfig) -> dict[str, str]:
    """The inverse of :func:`read_errors`."""
    if LOSSES[config.loss].task == "regression":
        return {"loss": config.loss}
    return {} if config.class_weight == "none" else {"weights": config.class_weight}


def settings_state(config: RunConfig, place: str = "") -> dict[str, Any]:
    """Entries of the session's state that make a method's widgets show ``config``."""
    method, values = METHODS[config.method], config.as_dict()
    return {widget_key(method, known, place): values[known.name] for known in method.definitions()}


def take_in(page: str, read) -> Reading | None:
    """Read the present link into the session's state, once for every new link.

    Parameters
    ----------
    page : str
        Name of the page, to tell its links from those of others.
    read : callable (Params) -> Reading

    Returns
    -------
    Reading or None
        None where there is nothing new.
    """
    params = {name: st.query_params.get_all(name) for name in st.query_params}
    seen = _seen(page)
    query = _frozen(params)
    if not params or query in seen:
        _repeat(page)
        return None
    seen.add(query)
    reading = read(params)
    for key, value in reading.state.items():
        st.session_state[key] = value
    st.session_state[f"address_repeat_{page}"] = time.monotonic(), reading.state
    return reading


def _repeat(page: str) -> None:
    """Give the widgets the values of the last link once more, while nobody has changed one.

    Streamlit tells the browser only once that a value was set. A browser that is still loading
    skips that message when a newer one has come, and would show, and send back, what is usual.
    """
    key = f"address_repeat_{page}"
    taken, said = st.session_state.get(key, (0.0, {}))
    state = {name: value for name, value in said.items() if name in st.session_state}
    changed = any(st.session_state[name] != value for name, value in state.items())
    if changed or time.monotonic() - taken > SECONDS_TO_LOAD:
        st.session_state.pop(key, None)
        return
    for name, value in state.items():
        st.session_state[name] = value


def tell(page: str, reading: Reading | None) -> None:
    """Say what the last link said wrongly, until another one comes, and what it cannot carry.

    Parameters
    ----------
    reading : Reading or None
        Of :func:`take_in`.
    """
    key = f"address_said_{page}"
    if reading is not None:
        st.session_state[key] = reading.sentence(), reading.remarks
    sentence, remarks = st.session_state.get(key, ("", []))
    if sentence:
        st.warning(plain(sentence, most=600), icon=":material/link_off:")
    chosen, file = st.session_state.get("dataset"), st.session_state.get("csv")
    if (chosen == UPLOAD and file is None) or (chosen == DRAWN and not len(drawing().points)):
        for remark in remarks:
            st.info(plain(remark), icon=":material/upload_file:")


def put_up(page: str, params: Mapping[str, Any]) -> None:
    """Show the link of what is on the page. Nothing is sent while it stays the same."""
    params = {"v": VERSION, **params}
    lists = {n: list(v) if isinstance(v, list | tuple) else [str(v)] for n, v in params.items()}
    # A browser may ask again with an older address before it has seen this one: addresses that
    # were ours once are never read back.
    _seen(page).add(_frozen(lists))
    if {name: st.query_params.get_all(name) for name in st.query_params} != lists:
        st.query_params.from_dict(params)


def _seen(page: str) -> set:
    return st.session_state.setdefault(f"address_seen_{page}", set())


def _frozen(params: Params) -> tuple:
    return tuple(sorted((name, tuple(values)) for name, values in params.items()))
