"""The choice of data, and of what errors count, as parameters of a link."""

from treecore import RunConfig
from treecore.data import GENERATORS, Source
from treecore.losses import LOSSES
from treecore.training import CLASS_WEIGHTS
from ui.language.translate import N_, _
from ui.links.fields import (
    Field,
    Params,
    Reading,
    choice_field,
    number_field,
    read_parts,
    write_parts,
)
from ui.widgets.data.gallery import (
    DRAWN,
    FILES,
    LARGEST_DRAWN,
    UPLOAD,
    USUAL_DATA,
    min_size,
    sample,
)
from ui.widgets.data.points import BROUGHT, MOST_SENT, can_be_sent, decoded, drawing, encoded

DATA_NAMES = ("data", "size", "noise", "test", "seed", "file", "drawing")
"""Parameters of the choice of data."""

ERROR_NAMES = ("loss", "weights")
"""Parameters of what errors count."""

TEST = number_field("test", "test_share", 25, 0, 60, always=True)
SEED = number_field("seed", "seed", 0, 0, 2**32 - 1, always=True)

LOSS = choice_field("loss", "loss", LOSSES.keys())
WEIGHTS = choice_field("weights", "balanced", {word: word == "balanced" for word in CLASS_WEIGHTS})


def data_fields(name: str | None) -> tuple[Field, ...]:
    """What a link says of a dataset besides its name; None where it names none."""
    size, noise = f"size_{name}", f"noise_{name}"
    fields: list[Field] = []
    if name in GENERATORS:
        fields.append(number_field("size", size, 500, 50, LARGEST_DRAWN, always=True))
    elif name in FILES:
        file = sample(name)
        n = file.n_samples
        fields.append(number_field("size", size, n, min_size(file), n, always=True))
    if name in GENERATORS or name == DRAWN:
        fields.append(number_field("noise", noise, 0, 0, 100, always=True))
    return (*fields, TEST, SEED)


def read_data(params: Params, reading: Reading) -> None:
    """The choice of data: :data:`DATA_NAMES`."""
    name = None
    if "data" in params:
        known = (*GENERATORS, *FILES, UPLOAD, DRAWN)
        name = reading.closest("data=", reading.last(params, "data"), known, USUAL_DATA)
    elif "size" in params or "noise" in params:
        name = USUAL_DATA  # a link opens the same page for everybody
    if name is not None:
        reading.state["dataset"] = name
    fields = data_fields(name)
    read_parts(fields, params, reading)
    there = {field.name for field in fields}
    there |= {UPLOAD: {"file"}, DRAWN: {"drawing"}}.get(name or "", set())
    for other in ("size", "noise", "file", "drawing"):
        if other in params and other not in there:
            reading.problem(
                "{other} does not fit data={name}", other=other, name=name or USUAL_DATA
            )
    if name == UPLOAD:
        file = reading.last(params, "file") or _("a file")
        reading.remarks.append(
            _(
                "This link uses data from {file}, which a link cannot contain. Choose the file "
                "again.",
                file=file,
            )
        )
    elif name == DRAWN:
        _read_points(reading.last(params, "drawing"), reading)


def _read_points(text: str, reading: Reading) -> None:
    """Drawn points, which the canvas takes up; where there are none it is said."""
    if not text:
        reading.remarks.append(
            _(
                "This link is for drawn points but contains none, because a link holds at most "
                "{most}. Draw some points.",
                most=MOST_SENT,
            )
        )
        return
    try:
        reading.state[BROUGHT] = decoded(text)
    except ValueError as error:
        reading.problem("its points cannot be read: {error}", error=error)


def data_params(key: tuple, file: str | None = None) -> dict[str, str]:
    """Parameters of a choice of data, from the key of its ``ChosenData``."""
    name = str(key[0])
    *more, size, share, seed = key
    state = {f"size_{name}": size, "test_share": share, "seed": seed}
    fields = data_fields(name)
    if any(one.name == "noise" for one in fields):
        state[f"noise_{name}"] = round(100 * more[-1])
    named = {"data": name, "file": file or ""} if name == UPLOAD else {"data": name}
    said = named | write_parts(fields, state)
    if name == DRAWN and can_be_sent(points := drawing().points):
        said["drawing"] = encoded(points)
    return said


def source_params(source: Source) -> dict[str, str]:
    """The rows of a saved run as a choice of data; nothing where only a file has them."""
    kind, _colon, name = source.name.partition(":")
    if kind not in ("sample", "sklearn") or name not in {*GENERATORS, *FILES}:
        return {}
    share = f"{round(100 * source.held_out)}"
    params = {"data": name, "test": share, "seed": f"{source.seed}"}
    if source.size is not None:
        params["size"] = f"{source.size}"
    if source.noise is not None:
        params["noise"] = f"{round(100 * source.noise)}"
    return params


def read_errors(params: Params, reading: Reading) -> None:
    """What errors count: ``loss`` of numbers, and ``weights`` of classes."""
    task = task_of(reading.state.get("dataset"))
    said = Reading(problems=reading.problems)
    read_parts((LOSS, WEIGHTS), params, said)
    for field in (LOSS, WEIGHTS):
        value, given = said.state.get(field.key), params.get(field.name, [""])[-1]
        usual = not value or (value == "log" and task != "regression")
        if usual or given not in field.setting.choices:
            continue
        fits = LOSSES[given].task if field is LOSS else "classification"
        if task in (None, fits):
            reading.state[field.key] = value
        else:
            what = "classes" if task == "classification" else "numbers"
            message = N_("{name}={given!r} does not fit data of {what}")
            reading.problem(message, name=field.name, given=given, what=what)
    if task == "regression":
        reading.state.setdefault("loss", "squared")


def error_params(config: RunConfig) -> dict[str, str]:
    """The inverse of :func:`read_errors`."""
    state = {"loss": config.loss, "balanced": config.class_weight == "balanced"}
    return write_parts((LOSS, WEIGHTS), state)


def task_of(name: str | None) -> str | None:
    """The task of a dataset; None where only its file knows."""
    if name in GENERATORS:
        return "classification" if GENERATORS[name].n_classes else "regression"
    return sample(name).task if name in FILES else None


def features_of(name: str | None) -> int | None:
    """The features of a dataset; None where only its file knows."""
    if name in GENERATORS or name == DRAWN:
        return 2  # at most
    return sample(name).n_features if name in FILES else None
