"""What the README and the pages it leads to promise."""

import re
import sys
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from tests.helpers.exports import random_model
from tests.helpers.paths import ROOT
from treecore.persistence import save

README = ROOT / "README.md"
LIBRARY = ROOT / "docs/library.md"
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


@pytest.fixture(scope="module")
def names():
    """What the README's programs leave behind, run one after another as a reader would."""
    found: dict = {}
    for program in examples(README):
        exec(program, found)
    return found


def test_the_estimator_is_searched_and_written(names):
    assert names["best"].score(names["X_test"], names["y_test"]) >= 0.94
    assert names["best"].get_params()["depth"] == 8
    again = type(names["best"]).from_json(names["text"])
    assert (again.predict(names["X_test"]) == names["best"].predict(names["X_test"])).all()


def test_the_door_opens_and_a_tree_learns(names):
    assert names["event"].done == 200
    assert names["accuracy"] >= 0.94


def test_forests_learn_as_the_library_shows(names):
    boosted, family = examples(LIBRARY)[5:7]
    exec(boosted, names)
    assert names["forest"].score(names["X_test"], names["y_test"]) >= 0.98
    exec(family, names)
    assert names["forest"].n_trees == 20
    assert (names["forest"].predict(names["X_test"]) == names["y_test"]).mean() >= 0.9


def test_the_default_says_why_as_the_library_shows(names, little_time, capsys):
    choice, one_method, *_ = examples(LIBRARY)
    few = {"X": names["X"][:200], "y": names["y"][:200]}
    exec(choice, few)
    said = capsys.readouterr().out
    assert few["tree"].decision_.summary() in said
    assert few["tree"].decision_.chosen in said
    exec(one_method, few)
    assert few["tree"].fit(few["X"], few["y"]).score(few["X"], few["y"]) > 0.9


def test_a_tree_keeps_an_order_as_the_library_shows():
    exec(examples(LIBRARY)[2], {})


def test_callbacks_follow_a_run_as_the_library_shows(names, monkeypatch):
    """MLflow and TensorBoard, which are not installed for this, as far as the page calls them."""
    _, _, _, mlflow_example, tensorboard_example, *_ = examples(LIBRARY)
    mlflow = MagicMock()
    monkeypatch.setitem(sys.modules, "mlflow", mlflow)
    exec(mlflow_example, names)
    logged = [call.args[0] | call.kwargs for call in mlflow.log_metrics.call_args_list]
    assert [entry["step"] for entry in logged] == list(range(21))
    assert all(set(entry) == {"loss", "accuracy", "step"} for entry in logged)
    assert mlflow.log_params.call_args.args[0]["epochs"] == 20
    assert mlflow.log_text.call_args.args == (names["tree"].to_json(), "tree.json")
    mlflow.start_run.return_value.__exit__.assert_called_once()

    tensorboard = MagicMock()
    for module in ("torch", "torch.utils", "torch.utils.tensorboard"):
        monkeypatch.setitem(sys.modules, module, tensorboard)
    exec(tensorboard_example, names)
    writer = tensorboard.SummaryWriter.return_value.__enter__.return_value
    assert [call.args[2] for call in writer.add_scalar.call_args_list[::2]] == list(range(21))
    assert writer.add_scalar.call_args.args[1] == names["tree"].history_[-1].accuracy


def test_models_travel_as_the_library_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(random_model(0, "classes"), "tree.json")
    for example in examples(LIBRARY)[7:]:
        exec(example, {})
    assert "int model_predict" in Path("tree.c").read_text()


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page not in (README, LIBRARY) and examples(page)],
    ids=page_name,
)
def test_the_programs_of_every_other_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found: dict = {}
    for program in examples(page):
        exec(program, found)


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_lead_somewhere(page):
    paths = re.findall(r"\]\((?!http)([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert [path for path in paths if not (page.parent / path).exists()] == []


def test_make_knows_the_targets():
    targets = {
        target
        for page in PAGES
        for target in re.findall(r"`make ([a-z-]+)`", page.read_text(encoding="utf-8"))
    }
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    assert targets
    assert targets <= known
