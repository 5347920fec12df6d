"""What the library says is told by its text, and said in another language with its values."""

import string

import pytest

from treecore.base.settings import Setting
from treecore.data.readers.csv import read_csv
from treecore.persistence import TreeFormatError, from_json
from ui.jobs.own_table import Request
from ui.jobs.reading import read_own
from ui.language.catalogue import OF_LIBRARY, catalogue, in_language
from ui.language.translate import _, said, speaking


def filled(message: str) -> str:
    """A message with its places' names in them."""
    return "".join(text + (f"«{name}»" if name else "") for text, name, *_rest in parse(message))


parse = string.Formatter().parse

MESSAGES = [
    message
    for message in catalogue("de")
    if isinstance(message.id, str)
    and len(message.id.split()) > 5
    and all(
        place.startswith(OF_LIBRARY) and place.endswith(".py") for place, _ in message.locations
    )
]


def test_every_sentence_of_the_library_is_told_by_its_text():
    assert len(MESSAGES) > 150
    for message in MESSAGES:
        assert in_language(filled(message.id), "de") == filled(message.string)


@pytest.mark.parametrize(
    ("content", "reported"),
    [
        (b"", "die Datei ist leer"),
        (b"a,b\n1,2\n3\n", "Zeile 3 hat 1 Wert, aber die erste Zeile hat 2"),
        (b"a,b\n1,x\n2,x\n", "das Ziel 'b' hat in allen Zeilen den Wert 'x'"),
        (b"a,b\n1,\n2,\n", "das Ziel 'b' hat nur in 0 Zeilen einen Wert"),
        (
            b"name,b\n" + b"".join(b"who %d,%d\n" % (i, i % 2) for i in range(99)),
            "taugt als Merkmal; 'name' enthält 99 verschiedene Texte",
        ),
        (
            b"a,b\n" + b"".join(b"%d,%d.5\n" % (i, i) for i in range(40)) + b"7,x\n7,y\n",
            "das Ziel 'b' enthält in Zeile 42 (und 1 weitere) den Text 'x'",
        ),
        (b"row of rows,b\n1,x\n1e99,y\n", "'row of rows' enthält Zahlen jenseits von 3.4e38"),
    ],
)
def test_what_is_wrong_with_a_table_is_said_in_german_and_names_stay(content, reported):
    problem = read_own(content, Request()).problem
    assert said(problem) == problem, "nobody's language is English"
    with speaking("de"):
        assert reported in said(problem)


def test_an_error_within_a_sentence_is_said_in_the_same_language():
    with pytest.raises(ValueError, match="between") as caught:
        Setting("nu", "ν", "", 1.0, 0.5, 2.0).check(7.0)
    with speaking("de"):
        assert _("{error} (using {now})", error=caught.value, now=2) == (
            "nu=7.0 geht nicht, nur zwischen 0.5 und 2 (es gilt 2)"
        )
    with pytest.raises(ValueError, match="a number") as caught:
        Setting("nu", "ν", "", 1.0, 0.5, 2.0).check("wide")
    with speaking("de"):
        assert said(caught.value) == "nu='wide' geht nicht, nur eine Zahl zwischen 0.5 und 2"
    with pytest.raises(TreeFormatError) as caught:
        from_json("[]")
    with speaking("de"):
        assert said(caught.value) == "eine Baumdatei enthält ein Objekt, nicht eine Liste"


@pytest.mark.parametrize("text", ["", "rows", "{x}", "a: b, c; d (e)", "x" * 10_000 + ": " * 5_000])
def test_what_nobody_has_translated_stays_as_it_is(text):
    assert in_language(text, "de") == text


def test_remarks_of_several_columns_and_places_are_told_apart():
    assert in_language(
        "Malformed values were read as missing: 'a' has '-' (and 3 more) in line 7; "
        "'b' has 'x' in line 9.",
        "de",
    ) == (
        "Fehlerhafte Werte wurden als fehlend gelesen: 'a' hat '-' (und 3 weitere) "
        "in Zeile 7; 'b' hat 'x' in Zeile 9."
    )
    for text, reported in (
        ('split 3: "threshold" must be a number, not a string', 'Teilung 3: "threshold" muss eine'),
        ('"columns", entry 0, must be a string', '"columns", entry 0, muss Text sein'),
    ):
        assert reported in in_language(text, "de")


def test_why_a_column_was_taken_for_its_kind_is_said_in_german():
    rows = "".join(
        f"{i % 3 + 1}.1.{i % 20:02},{'x' if i % 2 else ''},{'none' if i % 3 else 'full'},"
        f"{i if i % 21 else 'n.d.'},{'None' if i % 2 else 'Apnea'}\n"
        for i in range(60)
    )
    reports = read_csv(f"when,tick,level,size,class\n{rows}".encode()).reports
    with speaking("de"):
        reported = {report.name: said(report.reason) for report in reports}
    assert reported == {
        "class": "2 verschiedene Texte, also Klassen; so häufig, dass es eine Klasse ist: 'None'",
        "when": "Tage wie '1.1.00'; die Jahre sind 2000 bis 2019",
        "tick": "'x' oder nichts",
        "level": "verschiedene Texte: 2; so häufig, dass es eine Kategorie ist: 'none'",
        "size": "die meisten Werte sind Zahlen; 3 von 60 sind keine, wie 'n.d.', und fehlen",
    }
