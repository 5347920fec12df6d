"""The documentation site: every method has its page, figures come from files."""

import doctest
import importlib
import inspect
import json
import re
import shutil
import subprocess
import sys
from datetime import date
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from docs.site.app_links import LINKS, RUNS
from docs.site.measured import FigureError, defaults_text, measured_text
from docs.site.methods import methods_text, settings_text, value_text
from docs.site.recorded import write_recorded
from tests.helpers.paths import ROOT
from tests.screenshots import OF_COMMIT, picture_sums
from treecore.training.registry import METHODS
from ui.lab.link import read_comparison
from ui.learn.link import read_lesson

DOCS = ROOT / "docs"
PAGES = {
    path.relative_to(DOCS).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
    for path in DOCS.rglob("*.md")
    if "_build" not in path.parts
}
MEASURED = re.compile(r"```\{measured\} (\S+)\n((?::.*\n)*)```")
PLAYED = re.findall(r"```\{recorded\} (.+)\n", "".join(PAGES.values()))
PARTS = ("Tutorials", "How", "See", "Reference", "Explanation", "Measured")
MODULES = re.findall(r"^   (treecore\S*)$", PAGES["reference/index"], flags=re.MULTILINE)
"""Those of which the reference shows every public name."""

READ = {"learn": read_lesson, "lab": read_comparison}


def test_every_method_has_its_page_and_no_other_has():
    pages = {name.removeprefix("methods/") for name in PAGES if name.startswith("methods/")}
    assert pages - {"index"} == set(METHODS)
    for name in METHODS:
        page = PAGES[f"methods/{name}"]
        made = re.findall(r"```\{(facts|defaults|settings)\} (\S+)", page)
        assert made == [("facts", name), ("defaults", name), ("settings", name)]
        general = name in ("bagging", "adaboost-m1", "samme") or METHODS[name].base is None
        parts = ["What it does", "What it promises"] if general else []
        parts += ["When to use it", "The paper", "Measured", "Settings"]
        assert re.findall(r"^## (.*)", page, flags=re.MULTILINE) == parts
        assert "test accuracy" in defaults_text(name)
        assert f"]({name}.md)" in methods_text()


@pytest.mark.parametrize("name", METHODS)
def test_every_setting_stands_on_the_page_of_its_method(name):
    text = settings_text(METHODS[name])
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", text, flags=re.MULTILINE))
    for setting in METHODS[name].definitions():
        row = rows[setting.name]
        assert setting.label in row
        assert setting.help in row
        assert f"`{value_text(setting.default)}`" in row
        for value in setting.choices or [f"{limit:,.10g}" for limit in setting.limits]:
            assert value in row


@pytest.mark.parametrize("page", [name for name in PAGES if MEASURED.search(PAGES[name])])
def test_figures_are_those_of_files_that_commands_have_written(page):
    for path, lines in MEASURED.findall(PAGES[page]):
        options = dict(re.findall(r"^:(\w+): (.*)$", lines, flags=re.MULTILINE))
        rows, source = measured_text(path, **options).rsplit("\n\n", 1)
        written = (ROOT / path).read_text(encoding="utf-8")
        for row in rows.splitlines()[2:]:
            assert all(cell.strip() in written for cell in row.strip("|").split(" | "))
        assert f"From `{path}`, written by `python -m benchmarks." in source


def test_figures_that_no_file_has_are_refused():
    path = "benchmarks/results/methods.md"
    with pytest.raises(FigureError, match="no row has method = nobody"):
        measured_text(path, "Every method", "method = nobody")
    with pytest.raises(FigureError, match="has no column 'year' there; it has method, data"):
        measured_text(path, "Every method", columns="year")
    with pytest.raises(FigureError, match="no part that begins with 'Some methods'"):
        measured_text(path, "Some methods")


def test_links_into_the_app_are_named_rightly_and_all_of_use():
    named = {
        name
        for page in PAGES.values()
        for name in re.findall(r"\{app\}`[^`<]*<([^>]*)>`", page.replace("\n", " "))
    }
    assert named | set(PLAYED) == set(LINKS)


@pytest.mark.parametrize("name", LINKS)
def test_the_app_reads_every_link_as_it_is_meant(name):
    address = urlsplit(LINKS[name]())
    reading = READ[address.path](parse_qs(address.query))
    assert reading.sentence() == ""
    assert reading.remarks == []
    assert reading.state


@pytest.mark.parametrize("name", PLAYED)
def test_a_recorded_run_is_that_of_its_link(name, tmp_path):
    _data, *configs = RUNS[name]()
    address = write_recorded(name, tmp_path)
    page = (tmp_path / address).read_text(encoding="utf-8")
    assert page.count('class="run"') == len(configs)
    for config in configs:
        assert METHODS[config.method].title in page


def test_the_pages_can_be_read_by_one_person():
    """Words of sentences: neither programs, tables that commands have written, nor marks."""
    texts = [text for name, text in PAGES.items() if name != "results"]
    prose = " ".join(re.sub(r"```.*?```", " ", text, flags=re.DOTALL) for text in texts)
    assert len(re.findall(r"\S*\w\S*", prose)) <= 14_500


def test_every_page_is_in_the_contents():
    reached, waiting = set(), ["index"]
    while waiting:
        name = waiting.pop()
        reached.add(name)
        for body in re.findall(r"```\{toctree\}\n(.*?)```", PAGES[name], flags=re.DOTALL):
            entries = [line for line in body.split() if not line.startswith(":")]
            folder = name.rpartition("/")[0]
            known = [f"{folder}/{entry}".lstrip("/") for entry in entries]
            waiting += [entry for entry in known if entry in PAGES and entry not in reached]
            words = {"to", *PARTS}  # of captions
            assert {e for e, k in zip(entries, known) if k not in PAGES} <= words
    assert reached == set(PAGES)


def test_examples_in_docstrings_give_what_they_say():
    """The API has them as they stand."""
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    for module in map(importlib.import_module, MODULES):
        for name in getattr(module, "__all__", ()):
            for example in finder.find(getattr(module, name), name, module=False):
                runner.run(example)
    failed, attempted = runner.summarize()
    assert failed == 0
    assert attempted >= 5


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_needs_no_other(tmp_path):
    """Sphinx checks links between pages, their anchors and every name of the API."""
    pytest.importorskip("sphinx", reason="the extra 'docs' is not installed")
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "-b", "html"]
    doctrees = ["-d", str(tmp_path / "doctrees")]
    done = subprocess.run(
        [*command, *doctrees, str(DOCS), str(tmp_path / "site")],
        cwd=ROOT, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for name in PAGES:
        html = (tmp_path / f"site/{name}.html").read_text(encoding="utf-8")
        assert _broken(tmp_path / f"site/{name}.html", html) == []
        assert re.findall(r'<(?:script|link|img)[^>]* (?:src|href)="(?:https?:)?//', html) == []
        if name.removeprefix("methods/") in METHODS:
            method = METHODS[name.removeprefix("methods/")]
            known = method.definitions()
            plain = html.replace("&#39;", "'").replace("’", "'")
            assert f"<p>{method.sentence}</p>" in plain
            assert [s.name for s in known if f'<span class="pre">{s.name}</span>' not in html] == []
    page = (tmp_path / "site/reference/generated/treecore.SGDTreeRegressor.html").read_text("utf-8")
    for name in ("fit", "predict", "score", "get_params", "predict_interval", "calibrate"):
        assert f'id="treecore.SGDTreeRegressor.{name}"' in page
    for name in ("tree_", "history_", "n_features_in_", "n_outputs_"):
        assert f"<strong>{name}</strong>" in page
    for name in ("classes_", "decision_"):
        assert f"<strong>{name}</strong>" not in page
    assert "[source]" in page


def test_pictures_of_the_app_are_those_that_a_command_took_of_a_commit():
    """``make screenshots`` writes which; a picture that is changed by hand, or new, fails."""
    written = json.loads((DOCS / OF_COMMIT).read_text(encoding="utf-8"))
    assert written["pictures"] == picture_sums(DOCS)
    text = "".join(PAGES.values()).replace("THEME", "light")
    assert {*re.findall(r"[\w-]+-(?:light|dark)\.png", text)} <= {*written["pictures"]}
    date.fromisoformat(written["day"])
    command = ["git", "merge-base", "--is-ancestor", written["commit"], "HEAD"]
    shallow = not (ROOT / ".git").exists() or (ROOT / ".git/shallow").exists()
    if not shallow and shutil.which("git"):
        assert subprocess.run(command, cwd=ROOT).returncode == 0


def _broken(page, html):
    """Addresses of a page that lead nowhere, where the site is opened from a disk."""
    addresses = re.findall(r'(?:href|src)="([^":#?]+)(?:[#?][^":]*)?"', html)
    assert addresses
    return [address for address in addresses if not (page.parent / unquote(address)).exists()]


@pytest.mark.parametrize("name", MODULES)
def test_every_name_of_the_reference_says_what_it_is(name):
    """The names of ``__all__``, or else what a module defines without an underscore."""
    module = importlib.import_module(name)
    own = [n for n, v in vars(module).items() if getattr(v, "__module__", "") == name]
    public = getattr(module, "__all__", [n for n in own if not n.startswith("_")])
    assert public
    assert [n for n in public if not inspect.getdoc(getattr(module, n))] == []
