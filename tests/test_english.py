"""One word for one thing: phrases that screens and pages avoid, and words that names avoid.

The phrases are whole ones, since each word of them is an ordinary one elsewhere.
"""

import ast
import re

import pytest
import yaml

from tests.helpers.messages import messages
from tests.helpers.paths import ROOT

INSTEAD = {
    "asleep": "inactive",
    "awake": "active",
    "fall asleep": "become inactive",
    "falls asleep": "becomes inactive",
    "fell asleep": "became inactive",
    "unseen points": "test points",
    "unseen rows": "test rows",
    "right on unseen": "test accuracy",
    "to be measured only": "validation",
    "how sure": "how confident",
    "the surer": "more confident",
    "kept run": "saved run",
    "kept runs": "saved runs",
    "come-to-rest": "finished",
    "the contest": "the model selection",
    "finalist": "candidate",
    "finalists": "candidates",
    "given up": "left out, or eliminated",
    "taught rows": "the teacher's rows",
    "gone on with": "continued",
    "go astray": "are misclassified",
    "No promise": "Not guaranteed",
    "whoever": "anyone who, or who acts",
    "never looks back": "is never revisited",
    "is told": "is shown",
    "put up with": "accept",
    "begin again": "start again",
    "begin anew": "start again",
    "slips": "malformed values",
    "comes again": "is repeated",
    "it is asked": "the split tests",
    "is asked whether": "tests whether",
    "the usual settings": "the default settings",
    "the usual one": "the default",
    "what is nearest": "the closest match",
    "not quite right": "not understood",
    "at work on it": "using it",
    "learnt by heart": "memorised",
    "not a whole one": "not complete",
    "no table that can be read": "not a readable table",
}
"""What screens, lessons and pages do not say, and what they say instead."""

ON_SCREENS = {
    "chosen example": "example",
    "chosen examples": "examples",
    "mean row": "mean example",
    "test rows": "test examples",
    "these rows": "these examples",
    "this row": "this example",
    "training rows": "training examples",
    "validation rows": "validation examples",
    "held out": "test, or validation",
    "held-out": "test, or validation",
    "unseen": "test",
    "anew": "again",
    "by itself": "on its own, or who acts",
    "of which": "a second sentence",
    "passes": "epochs",
    "is kept": "is saved, or stays",
    "alone": "only",
    "come back": "are restored",
    "gave": "returned, or wrote",
    "would take": "needs",
    "turned together": "adjusted together",
}
"""What screens and lessons alone avoid: elsewhere these are ordinary words."""

NAMES = {
    "awake": "active",
    "begun": "started",
    "beside": "what it is",
    "behind": "what it is",
    "come_back": "restore",
    "greatest": "max_",
    "hardly": "a number's unit",
    "mood": "what it bounds",
    "put_up": "save",
    "slip": "malformed, parse_error",
    "slips": "malformed, parse_errors",
    "well_kept": "a number's unit",
    "whoever": "who it is",
    "wild": "malformed",
}
"""Words that names of Python do not have, and what stands in their place."""

WORDS = re.compile(rf"(?:^|_)(?:{'|'.join(NAMES)})(?=_|$)", re.IGNORECASE)


def avoided(text: str, instead: dict[str, str] = INSTEAD) -> list[str]:
    """The phrases to avoid in a text, each with what to say instead."""
    phrases = re.compile(rf"\b(?:{'|'.join(instead)})\b".replace(" ", r"\s+"), re.IGNORECASE)
    text = re.sub(r"\{[^}]*\}|\|[^\]|]*\]\]", " ", text)  # values, and keys of the glossary
    found = (" ".join(phrase.split()).lower() for phrase in phrases.findall(text))
    by_small = {phrase.lower(): better for phrase, better in instead.items()}
    return [f"{phrase!r}: say {by_small[phrase]!r}" for phrase in found]


def prose(page: str) -> str:
    """A page's sentences: neither programs nor names in code."""
    return re.sub(r"`[^`\n]*`", " ", re.sub(r"```.*?```", " ", page, flags=re.DOTALL))


def english(content) -> list[str]:
    """All English texts of a file that has them by language."""
    if isinstance(content, dict):
        own = [content["en"]] if isinstance(content.get("en"), str) else []
        return own + [text for value in content.values() for text in english(value)]
    return (
        [text for value in content for text in english(value)] if isinstance(content, list) else []
    )


def test_screens_use_the_words_of_the_field():
    said = (message.id for message in messages() if message.id)
    texts = [text for one in said for text in ([one] if isinstance(one, str) else one)]
    found = {text: avoided(text, INSTEAD | ON_SCREENS) for text in texts}
    assert {text: phrases for text, phrases in found.items() if phrases} == {}


@pytest.mark.parametrize(
    "path",
    [ROOT / "ui/shell/glossary.yaml", *sorted(ROOT.glob("ui/learn/lessons/*.yaml"))],
    ids=lambda path: path.stem,
)
def test_lessons_use_the_words_of_the_field(path):
    texts = english(yaml.safe_load(path.read_text(encoding="utf-8")))
    assert texts
    found = {text: avoided(text, INSTEAD | ON_SCREENS) for text in texts}
    assert {text: phrases for text, phrases in found.items() if phrases} == {}


def test_pages_use_the_words_of_the_field():
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/[!_]*/*.md")]
    found = {
        page.relative_to(ROOT).as_posix(): avoided(prose(page.read_text(encoding="utf-8")))
        for page in pages
    }
    assert len(found) > 40
    assert {page: phrases for page, phrases in found.items() if phrases} == {}


@pytest.mark.parametrize("folder", ["treecore", "ui", "pages", "benchmarks"])
def test_names_say_what_they_hold(folder):
    found = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.arg):
                found.add(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
    assert found
    assert [name for name in sorted(found) if WORDS.search(name)] == []
