"""All messages that are marked in the app and its scripts: what a catalogue has to translate.

``python -m tests.helpers.messages`` brings every catalogue of ``ui/language`` up to date: new
messages are added without a translation, those that nobody says any more are dropped. Titles and
help of methods, settings, losses, data and formats are the core's, which marks nothing; they are
taken from its tables.
"""

import ast
import io
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from treecore.base.state_file import write_atomically
from treecore.data.generators import GENERATORS
from treecore.data.readers.settings import KINDS
from treecore.export.formats import FORMATS
from treecore.learners.hinge.settings import VALIDATION
from treecore.losses import LOSSES
from treecore.training.config import REMOVED, REMOVED_FROM
from treecore.training.registry import METHODS
from treecore.viewer.glossary import GLOSSARY, NUMBERS
from treecore.viewer.messages.planes import COMPONENTS
from ui.language.catalogue import ENGLISH, FOLDER, catalogue, languages
from ui.widgets.data.gallery import TITLES
from ui.widgets.method_settings import choice_title

ROOT = Path(__file__).parents[2]

_PASSING = (b'"POT', b'"PO-', b'"Last', b'"Language-Team', b'"Report', b'"Generated')
"""Lines of a catalogue's head that would change with every renewal, or say nothing."""

_STRING = r'"(?:[^"\\]|\\.)*"'
_STRINGS = rf"{_STRING}(?:\s*\+\s*{_STRING})*"
_MARK = re.compile(rf"\b(?:(?:_|N_)\(\s*({_STRINGS})|ngettext\(\s*({_STRINGS})\s*,\s*({_STRINGS}))")
"""A mark of a script, wherever it stands: within another mark, or within a template string."""

_REMARK = re.compile(r"^\s*(?://|/?\*).*$", re.MULTILINE)

MARKED = ("pages/*.py", "ui/**/*.py", "treecore/**/*.py", "treecore/viewer/js/**/*.js")
"""Files that mark messages."""

READERS_TOLD = (
    "cells", "columns", "csv", "encoding", "guesses", "layout", "parquet", "settings", "table",
    "targets", "text", "whole_table", "workbook",
)  # fmt: skip
PERSISTENCE_TOLD = (
    "column_alignment", "columns", "document", "feature_map", "formats", "forest", "tree", "values",
    "written_columns",
)  # fmt: skip
LIBRARY = (
    "treecore/base/bounded_json.py",
    "treecore/base/settings.py",
    "treecore/base/state_file.py",
    "treecore/data/arrays.py",
    *(f"treecore/data/readers/{name}.py" for name in READERS_TOLD),
    "treecore/ensembles/memory.py",
    "treecore/export/readers/*.py",
    "treecore/inspection/counterfactual.py",
    *(f"treecore/persistence/{name}.py" for name in PERSISTENCE_TOLD),
    "treecore/runs/run_directory.py",
)
"""Files whose errors and notes reach pages: the library marks nothing, and they are told by their
text (``ui/language/catalogue.py``)."""

CORE = "treecore/training/registry.py"
VIEWER = "treecore/viewer/glossary.py"
READERS = "treecore/data/readers/settings.py"

Message = str | tuple[str, ...]


def messages() -> Catalog:
    """Everything to be translated, with the files that say it."""
    found: dict[Message, set[str]] = {}
    for place, message in (*_marked(), *_of_tables(), *_of_library()):
        found.setdefault(message, set()).add(place)
    template = Catalog(fuzzy=False)
    for message, places in sorted(found.items(), key=lambda item: min(item[1])):
        template.add(message, locations=[(place, 0) for place in sorted(places)])
    return template


def _marked() -> Iterator[tuple[str, Message]]:
    for pattern in MARKED:
        for path in sorted(ROOT.glob(pattern)):
            found = of_script(path.read_text("utf-8")) if path.suffix == ".js" else _of_module(path)
            yield from ((path.relative_to(ROOT).as_posix(), message) for message in found)


def of_script(text: str) -> Iterator[Message]:
    """What a script of the browser marks."""
    for found in _MARK.finditer(_REMARK.sub("", text)):
        said = ["".join(map(json.loads, re.findall(_STRING, g))) for g in found.groups() if g]
        yield said[0] if len(said) == 1 else tuple(said)


def _of_module(path: Path) -> Iterator[Message]:
    """Babel would take every word within the brackets of a mark: the key of a table as well."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            n = (
                1
                if name in ("_", "N_", "Filled", "LessonError", "problem")
                else 2 * (name == "ngettext")
            )
            said = [a.value for a in node.args[:n] if isinstance(a, ast.Constant)]
            if n and len(said) == n:
                yield said[0] if n == 1 else tuple(said)


def _of_library() -> Iterator[tuple[str, Message]]:
    """All sentences and parts of sentences: an error may be made of several."""
    for pattern in LIBRARY:
        for path in sorted(ROOT.glob(pattern)):
            place = path.relative_to(ROOT).as_posix()
            tree = ast.parse(path.read_text("utf-8"))
            apart = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}  # docstrings
            for node in ast.walk(tree):
                if isinstance(node, ast.JoinedStr):
                    apart |= {id(part) for part in node.values}
            for node in ast.walk(tree):
                if isinstance(node, ast.JoinedStr):
                    text = _with_places(node)
                elif isinstance(node, ast.Constant) and id(node) not in apart:
                    text = str(node.value)
                else:
                    continue
                if _is_said(text) and not (isinstance(node, ast.Constant) and "{" in text):
                    yield place, text


def _with_places(node: ast.JoinedStr) -> str:
    """A formatted text as a message: places have the names of what stands in them.

    Of places with nothing but a space between them nobody could say where one ends: they are one.
    """
    text, names = "", []
    for part in node.values:
        if isinstance(part, ast.Constant):
            text += str(part.value).replace("{", "{{").replace("}", "}}")
            continue
        assert isinstance(part, ast.FormattedValue), "there is nothing else in one"
        inner = [n for n in ast.walk(part.value) if isinstance(n, ast.Name | ast.Attribute)]
        name = inner[0].attr if inner and isinstance(inner[0], ast.Attribute) else "value"
        name = inner[0].id if inner and isinstance(inner[0], ast.Name) else name
        names.append(name)
        text += f"{{{name}{names.count(name) if names.count(name) > 1 else ''}}}"
    return re.sub(r"(\{\w+\})( \{\w+\})+", r"\1", text)


def _is_said(message: str) -> bool:
    """Whether a text has words of its own."""
    own = re.sub("{.*?}", "", message)
    return " " in own and re.search("[a-z]{3}", own) is not None


def _of_tables() -> Iterator[tuple[str, Message]]:
    """What the core calls its methods and data on the screen."""
    for method in METHODS.values():
        yield from ((CORE, text) for text in (method.title, method.sentence))
        yield from ((CORE, text) for text in (method.short, method.claim) if text)
        yield VIEWER, method.unit
        for setting in (*method.definitions(), VALIDATION):
            yield from ((CORE, text) for text in (setting.label, setting.help))
            yield from ((CORE, choice_title(choice)) for choice in setting.choices)
    for gone in (REMOVED, *REMOVED_FROM.values()):
        yield from ((CORE, instead) for instead in gone.values())
    for known in (*LOSSES.values(), *FORMATS.values()):
        yield from ((CORE, text) for text in (known.title, known.sentence))
    for generator in GENERATORS.values():
        yield CORE, TITLES.get(generator.name, generator.name.capitalize())
        yield from ((CORE, text) for text in (generator.title, generator.sentence))
    yield from ((READERS, word) for word in (*KINDS, "numbers", "dates"))
    for text in (*GLOSSARY.values(), *NUMBERS.values(), *COMPONENTS):
        yield VIEWER, text


def renew(code: str, template: Catalog) -> bytes:
    """The file of a language, with the messages that there are now."""
    known = catalogue(code)
    known.update(template, no_fuzzy_matching=True, update_creation_date=False)
    known.obsolete.clear()
    text = io.BytesIO()
    write_po(text, known, width=100, omit_header=False, include_lineno=False, sort_by_file=True)
    lines = text.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(_PASSING))


if __name__ == "__main__":
    template = messages()
    for code in languages():
        if code != ENGLISH:
            write_atomically(FOLDER / f"{code}.po", renew(code, template))
            missing = sum(not m.string for m in catalogue(code) if m.id)
            sys.stdout.write(f"{code}: {len(template)} messages, {missing} without a translation\n")
