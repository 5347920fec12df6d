"""What the README and the pages it leads to promise."""

import re
import shlex
import shutil
import sys
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from tests.helpers.paths import ROOT, SAMPLES

README = ROOT / "README.md"
NOTEBOOK = ROOT / "docs/howto/notebook.md"
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(path for path in ROOT.glob("docs/**/*.md") if "_build" not in path.parts),
    ]
)


def page_name(page: Path) -> str:
    """Where a page lies, from the root."""
    return page.relative_to(ROOT).as_posix()


def examples(path: Path) -> list[str]:
    """The programs that a page shows."""
    return re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_the_estimator_is_searched_and_written():
    names: dict = {}
    for program in examples(README):
        exec(program, names)
    assert names["best"].score(names["X_test"], names["y_test"]) >= 0.94
    assert names["best"].get_params()["depth"] == 6
    again = type(names["best"]).from_json(names["text"])
    assert (again.predict(names["X_test"]) == names["best"].predict(names["X_test"])).all()


@pytest.mark.parametrize(("name", "most"), [("README.md", 600), ("ARCHITECTURE.md", 900)])
def test_what_is_read_first_is_short(name, most):
    assert len((ROOT / name).read_text(encoding="utf-8").split()) <= most


def test_callbacks_follow_a_run_as_shown(monkeypatch):
    """MLflow and TensorBoard, which are not installed for this, as far as the page calls them."""
    mlflow, tensorboard = MagicMock(), MagicMock()
    monkeypatch.setitem(sys.modules, "mlflow", mlflow)
    for module in ("torch", "torch.utils", "torch.utils.tensorboard"):
        monkeypatch.setitem(sys.modules, module, tensorboard)
    names: dict = {}
    for program in examples(NOTEBOOK):
        exec(program, names)
    logged = [call.args[0] | call.kwargs for call in mlflow.log_metrics.call_args_list]
    assert [entry["step"] for entry in logged] == list(range(21))
    assert all(set(entry) == {"loss", "accuracy", "step"} for entry in logged)
    assert mlflow.log_params.call_args.args[0]["epochs"] == 20
    mlflow.start_run.return_value.__exit__.assert_called_once()
    writer = tensorboard.SummaryWriter.return_value.__enter__.return_value
    assert [call.args[2] for call in writer.add_scalar.call_args_list[::2]] == list(range(21))
    assert writer.add_scalar.call_args.args[1] == names["tree"].history_[-1].accuracy
    assert names["forest"].n_trees == 20


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page not in (README, NOTEBOOK) and examples(page)],
    ids=page_name,
)
def test_the_programs_of_every_other_page_run(page, tmp_path, monkeypatch, little_time):
    monkeypatch.chdir(tmp_path)
    found: dict = {}
    for program in examples(page):
        exec(program, found)


SWEEP = """
data = { name = "sample:spirals" }
final = { seeds = [0] }
methods = [{ method = "axis", depth = [2, 3] }]
"""


def commands(page: Path) -> list[str]:
    """The lines of a page that call ``treecore``."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\S*).*?\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    lines = (line for kind, block in blocks if kind in ("", "sh") for line in block.splitlines())
    return [line for line in lines if line.startswith("treecore ")]


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "docs/tutorials/python.md",
        "docs/howto/export.md",
        "docs/howto/share.md",
        pytest.param("docs/reference/command-line.md", marks=pytest.mark.slow),
    ],
)
def test_the_commands_of_a_page_run(name, shell, little_time):
    """In a folder with the files that a reader has: tables, a sweep, and a run."""
    page = ROOT / name
    shutil.copy(SAMPLES / "iris.csv", "iris.csv")
    shell("train", "sample:spirals", "-m", "axis", "-o", "tree.json", "--run", "runs/first")
    shell("train", "sample:spirals", "-m", "stable-sgd", "--epochs", 2, "--depth", 3)
    points = SAMPLES / "spirals.csv"
    for table in ("new.csv", "table.csv"):
        shutil.copy(points, table)
    Path("sweep.toml").write_text(SWEEP)
    if page.name == "python.md":
        names: dict = {}
        for program in examples(page):
            exec(program, names)
        shutil.copy("wine.csv", "new.csv")
    assert commands(page)
    for line in commands(page):
        words = shlex.split(line.partition(" > ")[0])[1:]
        said = shell(*words)
        if " > " in line:
            Path(line.partition(" > ")[2]).write_text(said.stdout)
            assert said.stdout.count("\n") > 1


def test_a_page_shows_only_figures_that_its_programs_save():
    shown = 0
    for page in PAGES:
        figures = re.findall(r"^```\{plotted\} (\S+)", page.read_text("utf-8"), flags=re.MULTILINE)
        saved = re.findall(r'savefig\("([^"]+)"', "".join(examples(page)))
        assert set(figures) <= set(saved)
        shown += len(figures)
    assert shown >= 3


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_lead_somewhere_and_named_files_are_there(page):
    text = page.read_text(encoding="utf-8")
    paths = re.findall(r"\]\((?!http)([^)#]+)\)", text)
    assert [path for path in paths if not (page.parent / path).exists()] == []
    text = re.sub(r"`[^`\n]*(?:NAME|fr\.po)[^`\n]*`", "", text)  # files to add
    named = re.findall(r"`((?:benchmarks|docs|pages|tests|treecore|ui)/[\w/.*-]+)`", text)
    assert [path for path in named if not any(ROOT.glob(path))] == []


def test_make_knows_the_targets():
    targets = {
        target
        for page in PAGES
        for target in re.findall(
            r"(?:`|^)make ([a-z-]+)(?:`|(?: +#.*)?$)",
            page.read_text(encoding="utf-8"),
            flags=re.MULTILINE,
        )
    }
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert targets
    assert targets <= known
