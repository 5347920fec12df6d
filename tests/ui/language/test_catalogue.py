"""Catalogues say all that is marked, and nothing else; each visitor hears the own language."""

import json
import re
import threading

import pytest

from tests.helpers.messages import messages, of_script, renew
from treecore.base.filled import Filled
from ui.language.catalogue import ENGLISH, catalogue, languages, viewer_words
from ui.language.translate import _, language, ngettext, speaking, within
from ui.shell.languages import of_browser
from ui.shell.safe_text import plain

OTHERS = [code for code in languages() if code != ENGLISH]

PLACES = re.compile(r"(?<!\\text)(?<!\\underbrace)%?\{[^{}\\]*\}|:material/\w+:|`[^`]*`|<br>")
"""Where values stand, and marks that are not words."""


@pytest.fixture(scope="module")
def marked():
    """All that there is to translate."""
    return messages()


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_translates_every_message_and_no_other(code, marked):
    known = {message.id: message for message in catalogue(code) if message.id}
    wanted = {message.id for message in marked if message.id}
    assert wanted - set(known) == set(), "run python -m tests.helpers.messages, and translate"
    assert set(known) - wanted == set(), "run python -m tests.helpers.messages"
    parts = {
        id: m.string if isinstance(m.string, tuple) else (m.string,) for id, m in known.items()
    }
    assert [id for id, strings in parts.items() if not all(strings)] == []
    assert [id for id, m in known.items() if m.fuzzy] == [], "gettext passes those over"


def test_marks_of_a_script_are_found_wherever_they_stand():
    script = """
      // A remark on _("nothing").
      show(_(held ? N_("held out: {i}") : N_("not " + "held out"), { i }));
      const said = `${rows}, ${_("{share} % go right", { share })}`;
      ngettext("{n} \\"leaf\\"",
        "{n} leaves", n);
    """
    assert list(of_script(script)) == [
        "held out: {i}",
        "not held out",
        "{share} % go right",
        ('{n} "leaf"', "{n} leaves"),
    ]


def _places(text: str) -> set:
    return set() if "\\" in text else set(PLACES.findall(text))


@pytest.mark.parametrize("code", OTHERS)
def test_translations_have_the_places_of_their_messages(code):
    for message in catalogue(code):
        if not message.id:
            continue
        ids, strings = message.id, message.string
        ids, strings = [(x,) if isinstance(x, str) else x for x in (ids, strings)]
        wanted = set.union(*map(_places, ids))
        for text in strings:
            found = _places(text)
            assert found <= wanted, text
            assert wanted - found <= ({"{n}"} if len(ids) > 1 else set()), text


@pytest.mark.parametrize("code", OTHERS)
def test_renewing_a_catalogue_twice_is_renewing_it_once(code, marked, monkeypatch, tmp_path):
    (tmp_path / f"{code}.po").write_bytes(renew(code, marked))
    monkeypatch.setattr("ui.language.catalogue.FOLDER", tmp_path)
    assert renew(code, marked) == (tmp_path / f"{code}.po").read_bytes()


def test_two_visitors_at_once_hear_their_own_language():
    said, meet = {}, threading.Barrier(2)

    def visit(code):
        with speaking(code):
            meet.wait()
            said[code] = _("Leaves"), ngettext("{n} feature", "{n} features", 1), language()

    threads = [threading.Thread(target=visit, args=(code,)) for code in ("en", "de")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == {"en": ("Leaves", "1 feature", "en"), "de": ("Blätter", "1 Merkmal", "de")}
    assert language() == "en"


def test_a_sentence_that_is_filled_can_still_be_said_otherwise():
    sentence = Filled("Preparing compiled code, only the first time; parts done: {ready}", ready=3)
    assert within("Test accuracy") == "test accuracy"
    assert sentence == _(sentence) == "Preparing compiled code, only the first time; parts done: 3"
    with speaking("de"):
        assert _(sentence) != sentence
        assert "3" in _(sentence)
        assert within("Testgenauigkeit") == "Testgenauigkeit"


def test_the_viewer_is_told_its_own_messages():
    words = json.loads(viewer_words("de"))
    assert words["messages"]["Glossary"] == "Glossar"
    assert words["messages"]["{n} example"] == ["{n} Beispiel", "{n} Beispiele"]
    assert words["plural"][:4] == "1011"
    assert "Watch decision trees learn" not in words["messages"]
    assert viewer_words("en") == "{}"


@pytest.mark.parametrize(
    ("locale", "code"), [("de-AT", "de"), ("de", "de"), ("en-US", "en"), ("xx", "en"), (None, "en")]
)
def test_a_browser_gets_its_language_or_english(locale, code):
    assert of_browser(locale) == code


@pytest.mark.parametrize("code", languages())
def test_no_line_ends_within_an_equation_or_a_percentage(code):
    with speaking(code):
        said = _("Start again with {symbol} = {value:g}", symbol="ν", value=20)
        share = _("{value:.0f} % of each run", value=95)
    assert "ν\u00a0=\u00a020" in said
    assert "ν\u00a0=\u00a020" in plain(said)
    assert "95\u00a0%" in share
