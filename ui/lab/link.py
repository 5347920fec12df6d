"""The link of the Lab: data, limit, seed, clock, learners with their settings, view."""

from collections.abc import Sequence
from typing import Any

from treecore import RunConfig
from treecore.training import METHODS, TREES
from ui.inspect.link import IN_THE_LAB, read_inspected
from ui.jobs.chosen_data import ChosenData
from ui.lab.choices import (
    BUDGETS,
    COMPARED,
    FAIR_BY,
    MOST,
    USUAL,
    USUAL_BUDGET,
    USUAL_DEPTH,
    Limit,
    limited,
    place,
)
from ui.language.translate import N_
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
from ui.links.fields import (
    Field,
    Params,
    Part,
    Places,
    Reading,
    choice_field,
    number_field,
    read_parts,
    write_parts,
)
from ui.links.runs import read_run, run_text, settings_state
from ui.links.view import VIEW_NAMES, read_view
from ui.links.visit import class_fields
from ui.live.clocks import CLOCKS
from ui.step.link import FIELDS as SLOW
from ui.step.link import GONE, read_slow
from ui.widgets.method_settings import (
    DEEPEST_SHOWN,
    REQUESTED_LEVELS,
    in_view,
    level_places,
    widget_key,
)

ALONE = RunConfig("sgd")
"""The learner of a link that names only settings."""

OF_FORESTS = ("by", "lens", "margins", "look", "member")
"""What links to the page of forests may name besides, which is chosen in Inspect now."""

FAIR_FIELDS = (
    choice_field("fair", "lab_fair", FAIR_BY.keys(), always=True),
    number_field(
        "most", "lab_most", USUAL_BUDGET, BUDGETS[0], BUDGETS[-1], steps=BUDGETS, always=True
    ),
)

FIELDS = (
    number_field("depth", "lab_depth", USUAL_DEPTH, 1, DEEPEST_SHOWN, always=True),
    choice_field("clock", "lab_clock", CLOCKS.keys(), always=True),
)


LEVELS = Places("levels", "levels", requested=REQUESTED_LEVELS)


def read_comparison(params: Params) -> Reading:
    """What a link says of the Lab, and perhaps of a setting of its one learner, as in ``nu=50``."""
    reading = Reading()
    read_data(params, reading)
    data = reading.state.get("dataset")
    parts: tuple[Part, ...] = (*FIELDS, *FAIR_FIELDS, LEVELS, *class_fields("lab"))
    reading.state[REQUESTED_LEVELS] = []
    read_parts(parts, params, reading)
    reading.state["folder"] = params["folder"][-1] if "folder" in params else None
    if "depth" in params and "fair" not in params:
        reading.state["lab_fair"] = "depth"
    texts = params.get("run", [])
    if texts:
        reading.state["balanced"] = False
        _read_runs(texts, params, reading)
    alone: list[Field] = []
    method = reading.state[f"{place(0)}method"] if texts else ALONE.method
    if len(texts) < 2 and method in TREES:
        alone = _alone(method)
        read_parts(alone, params, reading)
        if not texts and any(field.name in params for field in alone):
            reading.state |= {"lab_n": 1, f"{place(0)}method": ALONE.method}
        parts = (*parts, *alone)
    read_errors(params, reading)
    read_slow(params, reading)
    read_inspected(params, reading)
    read_view(params, reading, task_of(data), features_of(data))
    known = (
        *DATA_NAMES,
        *ERROR_NAMES,
        *VIEW_NAMES,
        *(part.name for part in (*parts, *SLOW, *IN_THE_LAB)),
    )
    if asked := [name for name in OF_FORESTS if name in params and name not in known]:
        message = N_("Forests now learn in the Lab, and Inspect shows what {names} chose")
        reading.problem(message, names=", ".join(asked))
    reading.strangers(params, (*known, *GONE, *OF_FORESTS, "run", "folder"))
    return reading


def _alone(method: str) -> list[Field]:
    """The settings that a link of one learner may name by themselves."""
    others = {*DATA_NAMES, *ERROR_NAMES, *VIEW_NAMES, *(field.name for field in FIELDS)}
    return [
        Field(in_view(s), widget_key(method, s.name, place(0)))
        for s in TREES[method].definitions()
        if s.name not in others
    ]


def _read_runs(texts: Sequence[str], params: Params, reading: Reading) -> None:
    """The learners of a link. One may carry a depth, which then is that of all."""
    # Links without these are of when this was the usual one.
    if "fair" not in params:
        reading.state["lab_fair"] = "depth"
    if "clock" not in params:
        reading.state["lab_clock"] = "time" if len(texts) > 1 else next(iter(CLOCKS))
    if len(texts) > MOST:
        reading.problem("it has {n} learners (using the first {most})", n=len(texts), most=MOST)
    usual_ones = (ALONE,) if len(texts) == 1 else USUAL
    task = task_of(reading.state.get("dataset"))
    configs: list[RunConfig] = []
    depths: list[int] = []
    for text, usual in zip(texts, usual_ones, strict=False):
        own = "~depth~" in text or text.split("~")[0] not in TREES
        config = read_run(text, reading, () if own else ("depth",), COMPARED, usual) or usual
        if task and not METHODS[config.method].accepts(task):
            message = N_("{method} does not learn numbers (using {usual})")
            reading.problem(message, method=config.method, usual=usual.method)
            config = usual
        configs.append(config)
        depths += [config.depth] if own and config.method in TREES else []
    if depths and "depth" not in params:
        reading.state["lab_depth"] = max(depths)
    elif "depth" not in params and reading.state["lab_fair"] == "depth":
        reading.state["lab_depth"] = USUAL_DEPTH
    reading.state["lab_n"] = len(configs)
    for number, config in enumerate(configs):
        reading.state[f"{place(number)}method"] = config.method
        values = settings_state(config, place(number))
        for name in limited(config.method)[:1]:
            values.pop(widget_key(config.method, name, place(number)), None)
        reading.state |= values


def comparison_params(
    data: ChosenData, limit: Limit, clock: str, configs: Sequence[RunConfig]
) -> dict[str, Any]:
    """The inverse of :func:`read_comparison`."""
    size = "lab_depth" if limit.unit == "depth" else "lab_most"
    state = {"lab_fair": limit.unit, size: limit.most, "lab_clock": clock}
    return (
        data_params(data.key, data.train.name)
        | write_parts((*FAIR_FIELDS, *FIELDS), state)
        | error_params(configs[0])
        | LEVELS.write({"levels": level_places(data, configs)})
        | {"run": [run_text(c, leave_out=limited(c.method)[:1]) for c in configs]}
    )
