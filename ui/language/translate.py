"""Messages in the visitor's language, by the marks that gettext's tools know.

``_("Play")`` and ``ngettext("{n} leaf", "{n} leaves", n)`` are looked up whenever they are said, so
that visitors of several languages may be served at once: each of their threads asks which one is
its own. A constant of a module is only marked, ``N_("Play")``, and looked up where it is shown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from numbers import Real
from string import Formatter
from typing import Any, SupportsFloat

from babel import Locale
from streamlit.runtime.scriptrunner import get_script_run_ctx

from treecore.base import Filled
from ui.language.catalogue import ENGLISH, in_language, translations

KEY = "language"
"""Of the session's state: the code of the visitor's language."""

UNBROKEN = "\u00a0"
"""A space at which no line ends."""

_SPEAKING: ContextVar[str] = ContextVar("language", default="")

_EQUATION = re.compile(r"(?<=\w) = (?=[\d−-])")
"""Between a symbol and its number, as in ν = 20."""

_PERCENT = re.compile(r"(?<=\d) ?%(?![\w}])")
"""Between a number and its sign, as in 95 %; in a template of a figure it is no such sign."""


def language() -> str:
    """The language of this thread: that of :func:`speaking`, of the page's visitor, or English."""
    if said := _SPEAKING.get():
        return said
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or KEY not in context.session_state:
        return ENGLISH
    return context.session_state[KEY]


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language within the block, for a thread that works for a visitor's page."""
    token = _SPEAKING.set(code)
    try:
        yield
    finally:
        _SPEAKING.reset(token)


def N_(message: str) -> str:
    """The message itself, marked for the catalogues and looked up where it is shown."""
    return message


@cache
def _signs(code: str) -> dict[int, str]:
    """What stands for a point within a number, a comma between thousands, and a minus."""
    known = Locale.parse(code).number_symbols
    known = known.get("latn", known)  # by the kind of digits, since Babel 2.14
    return str.maketrans({".": known["decimal"], ",": known["group"], "-": "−"})


class _Filler(Formatter):
    def __init__(self, code: str):
        self._code = code

    def format_field(self, value: Any, format_spec: str) -> str:
        return written(value, format_spec, self._code)


def filled(message: str, values: Mapping[str, Any], code: str) -> str:
    """A message with its values in their places, numbers as a language writes them."""
    return _Filler(code).vformat(message, (), values)


class MultilingualText(str):
    """A text in English that brings its translations along, by language: no catalogue has it."""

    translations: dict[str, str]

    def __new__(cls, english: str, **translations: str) -> MultilingualText:
        text = super().__new__(cls, english)
        text.translations = translations
        return text


def _(message: str, **values: Any) -> str:
    """A message, given in English, in the visitor's language, with values in its places."""
    code = language()
    values = {k: said(v) if isinstance(v, Exception) else v for k, v in values.items()}
    if isinstance(message, MultilingualText):
        return _unbroken(message.translations.get(code, str(message)))
    if code != ENGLISH and message:  # of the empty one gettext gives the head of the catalogue
        if isinstance(message, Filled):
            values = {k: _(v) if isinstance(v, str) else v for k, v in message.values.items()}
            return _unbroken(filled(translations(code).gettext(message.message), values, code))
        message = translations(code).gettext(message)
    return _unbroken(filled(message, values, code) if values else message)


def written(value: Any, spec: str = "", code: str = "") -> str:
    """A number that stands alone, as a language, or the visitor's, writes it: 74,4 % in German.

    A share has a space before its sign; text stays as it is.
    """
    text = format(value, spec)
    if not isinstance(value, Real) or isinstance(value, bool):
        return text
    if not re.search("[a-z1-9]", text):  # nothing is not minus nothing, but inf may be
        text = text.removeprefix("-")
    if spec.endswith("%"):
        text = f"{text[:-1]}{UNBROKEN}%"
    return text.translate(_signs(code or language()))


def number(value: SupportsFloat | None, digits: int = 3, sign: str = "") -> str:
    """Digits that mean something, whole below a million, with true signs: ``+`` where asked."""
    if value is None or not math.isfinite(value):
        return "–"
    is_whole = 10**digits - 0.5 <= abs(float(value)) < 1e6
    form = f"{sign}.0f" if is_whole else f"{sign}.{digits}g"
    return written(float(value), form)


def separators() -> str:
    """The signs within numbers of the visitor's language, as Plotly has them."""
    signs = _signs(language())
    return signs[ord(".")] + signs[ord(",")]


def writing(spec: str) -> Callable[[Any], str]:
    """`written` of values that come later."""
    return lambda value: written(value, spec)


def _unbroken(text: str) -> str:
    """A text whose lines do not end within ν = 20, nor within 95 %."""
    text = _EQUATION.sub("\u00a0=\u00a0", text) if " = " in text else text
    return _PERCENT.sub(f"{UNBROKEN}%", text) if "%" in text else text


def said(message: object) -> str:
    """What the library has told, an error or a note of it, in the visitor's language."""
    code = language()
    return str(message) if code == ENGLISH else in_language(str(message), code)


def ngettext(one: str, many: str, n: float, **values: Any) -> str:
    """A message that counts ``{n}``, a whole number, in the form that the language has for it."""
    code = language()
    if code == ENGLISH:
        message = one if n == 1 else many
    else:
        message = translations(code).ngettext(one, many, int(n))
    return _unbroken(filled(message, {"n": n, **values}, code))


def within(title: str) -> str:
    """A title, as it stands within a sentence: in English it begins small."""
    return title[:1].lower() + title[1:] if language() == ENGLISH else title


def translated(choice: object) -> str:
    """A choice in the visitor's language, for ``format_func`` of a widget."""
    return _(str(choice))
