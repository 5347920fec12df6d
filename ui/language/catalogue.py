"""Catalogues of translations: ``de.po`` beside this file makes the app speak German.

Babel reads the file and makes of it what ``gettext`` of the standard library looks messages up in,
plural rules included. It does so when the first visitor of that language comes, in half a second;
so nothing compiled is kept in the repository, and a new language is one new file.
"""

from __future__ import annotations

import functools
import io
import json
from gettext import GNUTranslations
from pathlib import Path
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

_COUNTS = 200
"""Plural rules look at no more than a number's last two digits, and at whether it is small."""


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
    plural = "".join(str(int(rule(n))) for n in range(_COUNTS))
    return json.dumps({"lang": code, "plural": plural, "messages": messages}, ensure_ascii=False)
