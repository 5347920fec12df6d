"""Where greedy trees win and where joint ones: the measured races, each of which can be opened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from benchmarks.marks import is_earlier
from treecore.data.generators import GENERATORS
from ui.compare.luck import COMMAND
from ui.compare.measured_races import (
    ANNEALED,
    FROM_AXIS,
    GINI,
    GREEDY,
    JOINT,
    OC1,
    RIVALS,
    SGD,
    MeasuredRace,
    measured_races,
)
from ui.compare.opening import open_race
from ui.drawing.method_colours import colour_numbers
from ui.language.translate import N_, _, written
from ui.live.component import browser_component
from ui.widgets.data.picker import FILES, title_of

NAMES = {GINI: N_("Greedy, Gini"), OC1: "OC1", SGD: "SGD", ANNEALED: N_("Annealed")}
"""Short names of the rivals."""

CLEAR = 2.0
"""A lead of fewer standard errors is called none."""


def where_control() -> None:
    """The map, what it says where joint learning loses, and why."""
    races = measured_races()
    if not races:
        return
    st.header(_("Where it wins"), anchor="where")
    seeds = sorted({race.n_seeds for race in races.values()})
    st.caption(
        _(
            "Colour: the method with the best mean test accuracy, and its lead in points "
            "over the best of the other kind: greedy trees (I, III) or trees learnt as "
            "a whole (II, IV). A lead of less than {clear:g} standard errors is shown as "
            "none. Usual settings and noise, {str} seeds a cell; written by `{command}`. A "
            "click opens the race of a typical seed.",
            clear=CLEAR,
            str=_(" or ").join(map(str, seeds)),
            command=COMMAND,
        )
    )
    older = {
        race.measured for race in races.values() if is_earlier(" ".join(race.runs), race.measured)
    }
    if older:
        st.caption(_("An earlier version measured some of these runs ({day}).", day=min(older)))
    mount = browser_component("races", "pages/races.js")
    message = {
        "legend": [_(NAMES[run]) for run in RIVALS],
        "colours": colour_numbers([run.split("~")[0] for run in RIVALS]),
        "maps": maps(races.values()),
    }
    mount(data=message, key=PICKED, height="content", on_race_change=_picked)
    for sentence in honest_sentences(races):
        st.markdown(sentence)
    if race := _of_the_papers_start(races):
        st.button(
            _("See the paper's own start"),
            icon=":material/flag:",
            on_click=open_race,
            args=(race, (GINI, FROM_AXIS, SGD)),
            key="papers_start",
            help=_("Opens this race: the greedy tree, SGD that starts from one, SGD from random."),
        )


PICKED = "compare_races"


def _picked() -> None:
    name, size, depth = (st.session_state[PICKED].get("race") or "//").split("/")
    race = measured_races().get((name, int(size or 0), int(depth or 0)))
    if race is not None:
        open_race(race)


def maps(races: Iterable[MeasuredRace]) -> list[dict]:
    """What ``treecore/viewer/js/pages/races.js`` shows: a map for each dataset, rows by depths."""
    by_data: dict[str, list[MeasuredRace]] = {}
    for race in races:
        by_data.setdefault(race.data, []).append(race)
    order = [name for name in (*GENERATORS, *FILES) if name in by_data]
    depths = sorted({race.depth for found in by_data.values() for race in found})
    return [
        {"title": title_of(name), "columns": depths, "rows": _rows(by_data[name], depths)}
        for name in order
    ]


def _rows(races: Sequence[MeasuredRace], depths: Sequence[int]) -> list[dict]:
    """A row for each number of rows; None at depths that were not measured."""
    found = {(race.size, race.depth): _cell(race) for race in races}
    return [
        {
            "title": _("{size} rows", size=size),
            "cells": [found.get((size, depth)) for depth in depths],
        }
        for size in sorted({race.size for race in races})
    ]


def _cell(race: MeasuredRace) -> dict:
    winner, lead, error = race.win()
    clear = lead >= CLEAR * error
    means = ", ".join(
        f"{_(NAMES[run])} {written(100 * race.runs[run].mean, '.1f')} ± "
        f"{written(race.runs[run].deviation, '.1%')}"
        for run in RIVALS
    )
    return {
        "name": f"{race.data}/{race.size}/{race.depth}",
        "winner": RIVALS.index(winner) if clear else -1,
        "lead": round(100 * lead, 1),
        "text": f"+{written(100 * lead, '.0f')}" if clear else "≈",
        "hint": _(
            "{data}, {size} rows, depth {depth}, {n_seeds} seeds: {means}",
            data=title_of(race.data),
            size=race.size,
            depth=race.depth,
            n_seeds=race.n_seeds,
            means=means,
        ),
    }


def honest_sentences(races: dict[tuple[str, int, int], MeasuredRace]) -> list[str]:
    """Where joint learning loses, in figures of the same races, and why."""
    won = {"greedy": 0, "joint": 0}
    for race in races.values():
        winner, lead, error = race.win()
        if lead >= CLEAR * error:
            won["greedy" if winner in GREEDY else "joint"] += 1
    said = [
        _(
            "Of {races} races joint trees win **{joint}** clearly and greedy ones **{greedy}**.",
            races=len(races),
            joint=won["joint"],
            greedy=won["greedy"],
        )
    ]
    stripes = races.get(("stripes", 500, 3))
    if stripes is not None and stripes.best() in GREEDY:
        greedy, joint = stripes.best(GREEDY), stripes.best(JOINT)
        said.append(
            _(
                "**Stripes**: {names} has {stripes}, the best joint tree {stripes2}. All "
                "borders are parallel, so all there is to find is one good slanted split "
                "after another: greed loses nothing, and searches each direction for itself.",
                names=_(NAMES[greedy]),
                stripes=_percent(stripes, greedy),
                stripes2=_percent(stripes, joint),
            )
        )
    if spirals := _of_the_papers_start(races):
        run = spirals.runs[FROM_AXIS]
        assert run.bound is not None, "SGD minimises it"
        assert run.loss is not None, "and it is measured beside it"
        said.append(
            _(
                "**The paper's own start** (SGD from the greedy axis-aligned tree) ends at "
                "{mean:.1f} % on spirals, below the greedy tree's {spirals}; from a random "
                "complete tree it is {spirals2}. The greedy tree has {leaves:.0f} leaves "
                "where a complete one has 64, so there is little to turn. And the bound "
                "begins far above the loss ({bound:.2f} against {loss:.2f}): SGD brings the "
                "bound down to {bound2:.2f} while the loss it stands for goes from "
                "{loss:.2f} to {loss2:.2f}.",
                mean=100 * run.mean,
                spirals=_percent(spirals, GINI),
                spirals2=_percent(spirals, SGD),
                leaves=run.leaves,
                bound=run.bound[0],
                loss=run.loss[0],
                bound2=run.bound[1],
                loss2=run.loss[1],
            )
        )
    return said


def _of_the_papers_start(races: dict[tuple[str, int, int], MeasuredRace]) -> MeasuredRace | None:
    """The race on spirals, where SGD from a greedy tree ends below that; None were it otherwise."""
    race = races.get(("spirals", 500, 6))
    return race if race and race.runs[FROM_AXIS].mean < race.runs[GINI].mean else None


def _percent(race: MeasuredRace, run: str) -> str:
    return written(race.runs[run].mean, ".1%")
