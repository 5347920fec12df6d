"""The lessons show what they claim, seed after seed, and none of them says so beforehand."""

import dataclasses
import functools

import pytest

from treecore import RunConfig, Trainer
from treecore.data.dataset import split
from treecore.data.generators import GENERATORS, generate
from treecore.viewer.glossary import GLOSSARY
from ui.language.catalogue import ENGLISH, languages
from ui.language.translate import MultilingualText
from ui.learn.lessons import LESSON, LESSONS, PROBLEMS
from ui.learn.outcomes import UNUSUAL
from ui.learn.parts import FIRST, QUESTIONS, TRANSFER, USUAL_NU
from ui.learn.words import terms
from ui.shell.glossary import LESSON_GLOSSARY

CORNERS, BOUND, NU, LEAVES, REPAIR = (LESSON[number] for number in range(2, 7))

SEEDS = range(3)
MANY_SEEDS = range(25)
RARE = 3
"""Of 25 draws of points, those in which runs other than a lesson's first may be out of the way."""

USUAL = {
    "angles": (1, 2),
    "corners": (1, 1),
    "bound": (0, 0),
    "nu": (1, 1),
    "leaves": (1, 2),
    "repair": (1, 1),
    "start": (1, 2),
    "stripes": (0, 2),
    "depth": (1, 0),
    "thirty": (1, 2),
    "boosting": (1, 0),
    "features": (1, 2),
}
"""By lesson, what its first runs and those on other data usually bear out."""


def parts(lesson):
    """Names of all runs of a lesson that have something to tell."""
    against = [f"why{i}" for i, reason in enumerate(lesson.reasons) if reason.against is not None]
    return [FIRST, TRANSFER, *against]


def histories(number, part, seed, nu=USUAL_NU):
    """What the runs of a part measure, learnt by the core without any page."""
    return learnt(LESSONS[number].trial(part), seed, nu)


@functools.cache
def learnt(trial, seed, nu):
    """What the runs of a trial measure."""
    noise = GENERATORS[trial.data].noise if trial.noise is None else trial.noise
    entire = generate(trial.data, trial.n_points, noise, seed)
    train, held = split(entire, trial.test_share / 100, seed)
    found = []
    for config in trial.configs(seed, nu):
        trainer = Trainer(
            config, train.X, train.y, validation=(held.X, held.y), n_classes=entire.n_classes
        )
        events = trainer.events()
        found.append(tuple(e for e in events if e.complete and e.stage == config.method))
    return tuple(found)


def verdict(number, part, seed):
    """What a lesson says of these runs."""
    lesson, runs = LESSONS[number], histories(number, part, seed)
    if part == FIRST:
        return lesson.guess.judge(runs)
    if part == TRANSFER:
        return lesson.transfer.judge(runs)
    return lesson.reasons[int(part[-1])].against.judge(runs)


ALL_PARTS = [(i, part) for i, lesson in enumerate(LESSONS) for part in parts(lesson)]
NAMES = [f"{LESSONS[i].key}-{part}" for i, part in ALL_PARTS]


def is_usual(number, part, seed):
    """Whether these runs bear out what the lesson explains."""
    found, usual = verdict(number, part, seed), USUAL[LESSONS[number].key]
    if part in (FIRST, TRANSFER) and found.right != usual[part == TRANSFER]:
        return False
    return UNUSUAL not in found.explanation


@pytest.mark.parametrize(("number", "part"), ALL_PARTS, ids=NAMES)
def test_runs_bear_out_what_the_lesson_explains(number, part):
    assert is_usual(number, part, seed=0), "the seed of who comes without a link"


@pytest.mark.slow
@pytest.mark.parametrize(("number", "part"), ALL_PARTS, ids=NAMES)
def test_over_many_draws_of_points_as_well(number, part):
    assert all(is_usual(number, part, seed) for seed in SEEDS)
    odd = [seed for seed in MANY_SEEDS if UNUSUAL in verdict(number, part, seed).explanation]
    assert len(odd) <= (0 if part == FIRST else RARE)


@pytest.mark.parametrize("number", range(len(LESSONS)))
def test_another_outcome_is_told_as_one(number):
    lesson = LESSONS[number]
    runs = histories(number, FIRST, 0)
    if lesson is BOUND:  # which is above the loss at any time
        (events,) = runs
        broken = (*events[:-1], dataclasses.replace(events[-1], loss=2 * events[-1].bound))
        found = lesson.guess.judge((broken,))
        assert found.right == 1
        assert "once above" in found.explanation
        return
    # The same runs the other way round in place, or in time.
    turned = tuple(reversed(runs)) if len(runs) > 1 else (tuple(reversed(runs[0])),)
    found = lesson.guess.judge(turned)
    if lesson.key != "depth":  # best in between, whichever end comes first
        assert found.right != USUAL[lesson.key][0]
        assert UNUSUAL in found.explanation


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_a_lesson_has_its_parts_changes_one_thing_and_keeps_the_answer_to_itself(lesson):
    for guess in (lesson.guess, lesson.transfer):
        assert len(guess.choices) == 3
        assert guess.question.endswith("?")
        assert guess.trial.changed
        assert guess.trial.held
        runs = guess.trial.configs(3, USUAL_NU)
        assert {config.seed for config in runs} == {3}
        assert len({config.depth for config in runs}) == 1
    assert lesson.why.startswith("Why")
    assert len(lesson.reasons) == 3, "a mechanism and the two usual misconceptions"
    assert lesson.transfer.trial.data != lesson.guess.trial.data, "data not seen before"
    for part in parts(lesson):
        names = [run.name for run in lesson.trial(part).runs]
        assert all(names) or not any(names), "all runs have names, or none has"
    assert lesson.claim not in " ".join(lesson.text)
    assert not lesson.title.startswith(("Why", "How"))
    for word in ("enough", "better", "worse", "fail", "never", "always"):
        assert word not in f"{lesson.title} {lesson.short}".lower()


def test_the_order_of_answers_is_of_the_link_and_tells_nothing():
    places = []
    for lesson in LESSONS:
        for question in QUESTIONS:
            order = lesson.order(question, 0)
            assert order == lesson.order(question, 0)
            assert sorted(order) == list(range(len(lesson.choices(question))))
        places.append(lesson.order("guess", 0).index(USUAL[lesson.key][0]))
    assert max(places.count(place) for place in set(places)) <= len(LESSONS) // 2
    assert {tuple(LESSONS[0].order("guess", seed)) for seed in range(30)} > {(0, 1, 2)}


def test_all_lessons_that_ship_are_read_and_explain_every_word_once():
    assert PROBLEMS == ()
    assert list(LESSON) == list(range(1, 13))
    assert [lesson.key for lesson in LESSONS] == list(USUAL)
    known = GLOSSARY | LESSON_GLOSSARY
    assert not GLOSSARY.keys() & LESSON_GLOSSARY.keys()
    used = set()
    for lesson in LESSONS:
        found = terms(" ".join([*lesson.text, lesson.other, lesson.afterword]))
        assert len(found) == len(set(found)), lesson.title
        assert set(found) <= known.keys()
        used |= set(found)
    assert used >= LESSON_GLOSSARY.keys(), "no entry without a place"


@pytest.mark.parametrize("code", languages())
def test_every_text_is_there_in_every_language(code):
    for lesson in LESSONS:
        for text in texts(lesson):
            assert code == ENGLISH or text.translations[code]
            if code != ENGLISH:
                assert set(terms(text.translations[code])) == set(terms(text)), text


def texts(part):
    """All texts of a part of a lesson."""
    if isinstance(part, MultilingualText):
        return [part] if part else []
    if isinstance(part, tuple):
        return [text for one in part for text in texts(one)]
    if dataclasses.is_dataclass(part) and not isinstance(part, RunConfig):
        return [t for field in dataclasses.fields(part) for t in texts(getattr(part, field.name))]
    return []
