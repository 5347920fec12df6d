"""Catalogues of translations: ``de.po`` beside this file makes the app speak German.

Babel reads the file and makes of it what ``gettext`` of the standard library looks messages up in,
plural rules included. It does so when the first visitor of that language comes, in half a second;
so nothing compiled is kept in the repository, and a new language is one new file.
"""

import functools
import io
import json
import re
from dataclasses import dataclass
from gettext import GNUTranslations
from pathlib import Path
from string import Formatter
from typing import Any

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ENGLISH = "en"
"""The language of the messages themselves."""

LANGUAGE = "lang"
"""The parameter of links that names a language, as in ``lang=de``."""

FOLDER = Path(__file__).parent

OF_VIEWER = "treecore/viewer/"
"""What scripts of the browser say, and what they are told to say, is marked below it."""


@functools.cache
def languages() -> dict[str, str]:
    """Names of all languages in their own words, by their codes; English is the first."""
    codes = [ENGLISH, *sorted(path.stem for path in FOLDER.glob("*.po"))]
    return {code: (Locale.parse(code).display_name or code).title() for code in codes}


def catalogue(code: str) -> Catalog:
    """The file of a language as it is; ValueError, PoFileError where it cannot be read."""
    with (FOLDER / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code, abort_invalid=True)


@functools.cache
def translations(code: str) -> GNUTranslations:
    """What ``gettext`` looks messages of a language up in."""
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(code))
    compiled.seek(0)
    return GNUTranslations(compiled)


@functools.cache
def viewer_words(code: str) -> str:
    """What the live view says in a language, as JSON for ``app/words.js``."""
    if code == ENGLISH:
        return "{}"
    messages: dict[str, Any] = {}
    for message in catalogue(code):
        if message.id and any(place.startswith(OF_VIEWER) for place, _ in message.locations):
            many = isinstance(message.id, tuple)
            messages[str(message.id[0] if many else message.id)] = message.string
    rule = translations(code).plural  # type: ignore[attr-defined]
    # rules look at no more than the last two digits, and whether it is small
    plural = "".join(str(int(rule(n))) for n in range(200))
    return json.dumps({"lang": code, "plural": plural, "messages": messages}, ensure_ascii=False)


# What the library says, errors and notes, rises in English. It may come from another process, out
# of a file, or within another message, so it is known by its text: by the messages of the
# catalogue, in whose places anything may stand.

OF_LIBRARY = "treecore/"
"""What the library says is marked below it."""

_PLACES = re.compile(r"""(?:['"],?|,|\b\d+) """)
"""What ends the place of a remark: ``split 3: "left" ``, or ``"columns", entry 0, ``."""

_NAME = re.compile("'[^']*' ")
"""A name that a remark follows, which does not belong to its first place."""

_DEEPEST = 6
"""Messages within messages that are looked for."""


@dataclass(frozen=True)
class Pattern:
    """A message with places: the texts about them, their names, and its translation in pairs."""

    pieces: tuple[str, ...]
    names: tuple[str, ...]
    translation: tuple[tuple[str, str], ...]

    def values_in(self, text: str) -> dict[str, str] | None:
        """What stands in the places of a text; None where the text is another message."""
        first, *middle, last = self.pieces
        end = len(text) - len(last)
        if not (text.startswith(first) and text.endswith(last) and len(first) <= end):
            return None
        at, values = len(first), []
        for piece in middle:
            found = text.find(piece, at, end)
            if found < 0:
                return None
            values.append(text[at:found])
            at = found + len(piece)
        values.append(text[at:end])
        if self.is_short and any(" " in value for value in values):
            return None
        return dict(zip(self.names, values, strict=True))

    @property
    def is_short(self) -> bool:
        """Whether it says so little itself that anything might be taken for it."""
        return sum(map(len, self.pieces)) < 8


@functools.cache
def _known(code: str) -> tuple[dict[str, str], tuple[Pattern, ...]]:
    """Messages without places, and those with some, which say the most themselves first."""
    without_places, patterns = {}, []
    for message in catalogue(code):
        source, translation = message.id, message.string
        if not (isinstance(source, str) and isinstance(translation, str) and translation):
            continue
        if not any(place.startswith(OF_LIBRARY) for place, _line in message.locations):
            continue
        parts = _parts(source)
        names = tuple(name for _text, name in parts if name)
        if not names:
            without_places[source] = translation
            continue
        pieces = [text for text, _name in parts]
        if parts[-1][1]:
            pieces.append("")
        patterns.append(Pattern(tuple(pieces), names, _parts(translation)))
    patterns.sort(key=lambda pattern: -sum(map(len, pattern.pieces)))
    return without_places, tuple(patterns)


def _parts(message: str) -> tuple[tuple[str, str], ...]:
    """Texts of a message and the places after them, without how numbers are written there."""
    return tuple((text, name or "") for text, name, *_rest in Formatter().parse(message))


def in_language(text: str, code: str, depth: int = 0) -> str:
    """A text of the library in a language; what the catalogue does not know stays as it is."""
    if depth and "; " in text:  # remarks in a place, before one of them is taken for all
        parts = [in_language(part, code, depth + 1) for part in text.split("; ")]
        if not set(parts) & set(text.split("; ")) - {""}:
            return "; ".join(parts)
    if name := _NAME.match(text):
        remark = _message(text[name.end() :], code, depth + 1)
        if remark not in (None, text[name.end() :]):
            return f"{name[0]}{remark}"
    message = _message(text, code, depth)
    if message is not None or depth >= _DEEPEST:
        return text if message is None else message
    for phrase, translation in _known(code)[0].items():
        if text.startswith(f"{phrase} "):
            rest = text.removeprefix(f"{phrase} ")
            return f"{translation} {in_language(rest, code, depth + 1)}"
    before, bracket, remark = text.partition(" (")
    if bracket and before and text.endswith(")"):
        return in_language(before, code, depth + 1) + in_language(f" ({remark}", code, depth + 1)
    if "; " in text:
        return "; ".join(in_language(part, code, depth + 1) for part in text.split("; "))
    for place in _PLACES.finditer(text):
        message = _message(text[place.end() :], code, depth + 1)
        if message is not None:
            return text[: place.end()] + message
    return text


def _message(text: str, code: str, depth: int) -> str | None:
    """A text that is one message of the catalogue, translated; None where it is none."""
    without_places, patterns = _known(code)
    if text in without_places:
        return without_places[text]
    for pattern in patterns if depth < _DEEPEST else ():
        values = pattern.values_in(text)
        if values is not None:
            translated = {name: in_language(v, code, depth + 1) for name, v in values.items()}
            return "".join(text + translated.get(name, "") for text, name in pattern.translation)
    return None
