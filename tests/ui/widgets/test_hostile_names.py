"""Names of a stranger's file are text wherever they are shown or written, and never more."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from tests.helpers import hostile
from tests.helpers.same import assert_same
from tests.ui.widgets.test_export_code import executed
from treecore import RunConfig, Trainer
from treecore.core.tree import single_leaf
from treecore.export import FORMATS
from treecore.persistence import Document, from_json
from treecore.viewer.messages.wire import pack, unpack
from ui.drawing.run_page import facts_html
from ui.jobs.chosen_data import new_trainer
from ui.jobs.own_table import Request
from ui.jobs.reading import read_own
from ui.shell.safe_text import in_cell, in_figure, plain
from ui.widgets.data.gallery import UPLOAD, divided
from ui.widgets.export import rows_of
from ui.widgets.export_code import comparison_code, run_code

CONFIG = RunConfig("sgd", depth=3, epochs=3, seed=1)


@pytest.fixture(scope="module")
def data():
    found = read_own(hostile.table(), Request())
    assert not found.problem
    entire = replace(found.dataset, name=hostile.FILE)
    return divided(
        (UPLOAD, "id", Request(kinds=((hostile.NAMES[3], "leave out"),)), 50, 25, 1), entire
    )


@pytest.fixture(scope="module")
def tree(data):
    return new_trainer(data, CONFIG).run()


class Tags(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes = set(), set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def test_pages_hold_names_as_text(data, tree):
    page = facts_html(tree, data.train, rows_of(data, CONFIG))
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    found = Tags(page)
    assert found.tags.isdisjoint({"script", "img", "a", "link", "iframe", "object", "b", "embed"})
    assert not {name for name in found.attributes if name.startswith("on") or name == "src"}
    assert found.tags <= {"h2", "table", "tr", "th", "td", "p"}
    assert page.count("<tr>") == tree.n_splits + 1 + len(rows_of(data, CONFIG))
    leaf = single_leaf([0.0, 1.0], tree.n_features)
    assert "single leaf" in facts_html(leaf, data.train, [])


def test_the_program_reads_the_file_and_learns_the_same_tree(tmp_path, monkeypatch, capsys, tree):
    (tmp_path / hostile.FILE).write_bytes(hostile.table())
    monkeypatch.chdir(tmp_path)
    dropped = tuple((hostile.NAMES[i], "leave out") for i in (3, 10))
    requested = Request("class", kinds=dropped, missing=("?", "-99"))
    entire = read_own(hostile.table(), requested).dataset
    data = divided((UPLOAD, "id", requested, 50, 25, 1), replace(entire, name=hostile.FILE))
    expected = Trainer(CONFIG, data.train.X, data.train.y, n_classes=data.train.n_classes).run()
    for code in (run_code(data, CONFIG, None, True, False), comparison_code(data, [("I", CONFIG)])):
        names = executed(code)
        assert_same(names["tree"] if "tree" in names else names["models"]["I"], expected)
        assert names["train"].class_names == data.train.class_names
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_holds_names_as_text(name, data, tree):
    form = FORMATS[name]
    if not form.available:
        pytest.skip(f"{form.extra} is not installed")
    columns = data.train.columns
    document = Document(tree, data.train.feature_names, data.train.class_names, columns=columns)
    text = form.write(document)
    if name == "py":
        executed(text.decode())
    elif name == "json":
        assert from_json(text).feature_names == data.train.feature_names
    elif name in ("c", "js"):
        outside = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text.decode())
        outside = re.sub(r"/\*.*?\*/|//[^\n]*", "", outside, flags=re.DOTALL)
        assert "abort" not in outside
        assert "alert" not in outside


@pytest.mark.parametrize("name", hostile.NAMES)
def test_text_for_markdown_figures_messages_and_tables_is_text(name):
    shown = plain(name, most=2000)
    assert "\n" not in shown
    assert not re.search(r"[\\`*_{}\[\]#!|$<>~&]", re.sub(r"\\.", "", shown)), "all are escaped"
    letters = " ".join(name.split()).replace("\u202e", "\ufffd")
    assert re.sub(r"\\(.)", r"\1", shown) == letters
    assert not set("<>") & set(in_figure(name))
    assert in_cell(name)[0] not in "=+-@\t\r"
    assert in_cell(name).endswith(name)
    meta, _ = unpack(pack({"name": name}, {}))
    assert meta["name"] == name


def test_no_name_turns_round_the_sentence_that_it_stands_in():
    assert plain("\u202egnp.exe") == in_figure("\u202egnp.exe") == "\ufffdgnp.exe"
    arabic = "\u0639\u0631\u0628\u064a"
    assert plain(arabic) == in_figure(arabic) == arabic
