"""A reproduction is measured once, continues when interrupted, and is told by its pages."""

from __future__ import annotations

import dataclasses
import importlib
import json
import re
import sys

import pandas as pd
import pytest

from benchmarks.data import PaperData
from benchmarks.reproduce import __main__ as command
from benchmarks.reproduce import reproduction
from benchmarks.reproduce.figure import Figure
from benchmarks.reproduce.folder import ReproductionError, ReproductionFolder
from benchmarks.reproduce.page import write_results
from benchmarks.reproduce.reproduction import Reproduction
from tests.helpers.paths import ROOT


def points(setup):
    keys = [{"step": "choice"}] + [{"depth": depth} for depth in setup.depths]
    return keys if not setup.quick else keys[1:]


def measure(key, setup):
    if "depth" not in key:
        return [{**key, "chosen": 7}]
    chosen = [row["chosen"] for row in setup.rows if "chosen" in row]
    accuracy = 90.123 + key["depth"] + sum(chosen)
    return [{**key, "accuracy": accuracy, "note": "a | b" if key["depth"] == 1 else None}]


def table(rows):
    return rows.assign(published=[12.0 if depth == 1 else None for depth in rows["depth"]])


SMALL = Figure(
    name="small",
    title="Accuracy",
    claim="Deeper is better.",
    source="A paper, figure 1",
    datasets=("iris", "usps", "sensit"),
    points=points,
    measure=measure,
    table=table,
    titles={"depth": "depth", "accuracy": "accuracy, %", "published": "published", "note": "note"},
    digits={"accuracy": 1},
    draw=lambda canvas, rows: canvas.subplots().plot(rows["depth"], rows["accuracy"]),
    notes=lambda setup: ["Measured somehow."],
    depths=(1, 2, 3),
    quick_depths=(1, 2),
)


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Nothing here learns: nothing is to be compiled."""
    monkeypatch.setattr(reproduction, "warm_up", lambda config=None: None)


def make(path, data, figure=SMALL, n_points=None, **options):
    """Measure so many points, all if not told otherwise, and draw."""
    work = Reproduction(figure, path, data, command="do it", **options)
    said = work.measure()
    for _ in range(n_points + 2 if n_points else 99):  # "compiling", then a word before each
        next(said, None)
    said.close()
    work.draw()
    return work


def test_table_and_page_have_every_row_and_what_must_be_known_to_make_them_again(data, tmp_path):
    make(tmp_path, data)
    shown = pd.read_csv(tmp_path / "table.csv")
    assert shown["accuracy"].tolist() == [98.123, 99.123, 100.123], "the choice counts"
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| depth | accuracy, % | published | note |" in page
    assert "| 1 | 98.1 | 12 | a / b |\n| 2 | 99.1 | – | – |\n" in page
    for words in ("## small: Accuracy\n", "**Full.** Deeper is better.", "- Measured somehow.",
                  "- sensit was not at hand and is left out.", "- Command: do it",
                  f"iris: SHA-256 {data.fingerprint('iris')}", "python 3."):  # fmt: skip
        assert words in page
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert str(data.folder) not in page, "a page must not tell of somebody's folders"


def test_what_is_measured_is_not_measured_again_and_is_drawn_the_same(data, tmp_path):
    def never(*_):
        raise AssertionError("a measured point was measured again")

    make(tmp_path, data)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    make(tmp_path, data, dataclasses.replace(SMALL, measure=never))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("cut", [2, 3])
def test_an_interrupted_reproduction_continues_and_gives_the_same(cut, data, tmp_path):
    entire = make(tmp_path / "whole", data)
    make(tmp_path / "cut", data, n_points=cut)
    page = (tmp_path / "cut" / "page.md").read_text(encoding="utf-8")
    assert f"**Full, {cut} of 4 points so far.**" in page
    assert f"- Unfinished: {cut} of 4 points have been measured so far." in page
    with open(tmp_path / "cut" / "points.jsonl", "a") as file:  # killed in the middle of a line
        file.write('{"key": {"depth": 3')
    work = make(tmp_path / "cut", data)
    assert work.folder.rows == entire.folder.rows
    assert "Unfinished" not in (tmp_path / "cut" / "page.md").read_text(encoding="utf-8")


def test_there_is_nothing_to_draw_before_the_first_point_that_is_shown(data, tmp_path):
    with pytest.raises(ReproductionError, match="no measured point yet"):
        make(tmp_path, data, n_points=1)


def test_a_folder_takes_one_reproduction_only(data, tmp_path):
    make(tmp_path, data, datasets=["iris"])
    for other, figure, options in (
        ("figure", dataclasses.replace(SMALL, name="other"), {"datasets": ["iris"]}),
        ("quick", SMALL, {"datasets": ["iris"], "quick": True}),
        ("depths", SMALL, {"datasets": ["iris"], "depths": [3]}),
        ("data", SMALL, {"datasets": ["usps"]}),
    ):
        with pytest.raises(ReproductionError, match=f"with another {other}"):
            Reproduction(figure, tmp_path, data, **options)
    (tmp_path / "reproduction.json").write_text("{")
    with pytest.raises(ReproductionError, match="is damaged"):
        Reproduction(SMALL, tmp_path, data, datasets=["iris"])


def test_no_dataset_at_hand_is_an_error(data, tmp_path):
    with pytest.raises(ReproductionError, match="sensit is left out"):
        Reproduction(SMALL, tmp_path / "out", data, datasets=["sensit"])
    assert not (tmp_path / "out").exists()


# The page of all figures --------------------------------------------------------------------------


def test_results_take_the_full_finished_reproduction_of_most_points(data, tmp_path):
    runs = tmp_path / "runs"
    make(runs / "a", data, quick=True)
    make(runs / "b", data, n_points=2)
    make(runs / "c", data, depths=[3])
    make(runs / "d", data, depths=[2, 3])
    make(runs / "e", data, dataclasses.replace(SMALL, name="other"), quick=True)
    out = tmp_path / "docs" / "results.md"
    names = ["other", "missing", "small"]
    written = write_results(runs, out, names)
    text = out.read_text(encoding="utf-8")
    assert re.findall("^## .*", text, re.M) == [
        "## other: Accuracy (quick)",
        "## small: Accuracy",
        "## Not measured yet",
    ]
    assert "python -m benchmarks.reproduce results runs --out docs/results.md\n" in text
    assert "python -m benchmarks.reproduce missing\n" in text
    assert "| 2 | 99.1 |\n| 3 | 100.1 |\n" in text
    assert "so far" not in text
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)
    assert written == [out, *(out.parent / picture for picture in pictures)]
    assert (out.parent / "results-small.png").read_bytes() == (runs / "d/figure.png").read_bytes()
    assert str(tmp_path) not in text
    write_results(runs, out, names)
    assert out.read_text(encoding="utf-8") == text
    make(tmp_path / "more", data, dataclasses.replace(SMALL, name="missing"))
    write_results(tmp_path / "more", out, names)
    pieces = re.split("^(?=## )", out.read_text(encoding="utf-8"), flags=re.M)
    assert [piece.partition(":")[0] for piece in pieces[1:]] == [f"## {name}" for name in names]
    assert pieces[1] in text, "what was measured elsewhere stays as it is"
    assert pieces[3] in text


def test_a_part_of_a_figure_stands_behind_the_whole_until_that_is_finished(data, tmp_path):
    runs, out = tmp_path / "runs", tmp_path / "results.md"
    make(runs / "whole", data, n_points=2)
    make(runs / "part", data, datasets=["usps"])
    for _ in range(2):  # what is on the page already is not there twice
        write_results(runs, out, ["small"])
        text = out.read_text(encoding="utf-8")
        titles = re.findall("^## (.*):", text, re.M)
        assert titles == ["small", "small on usps"]
    assert (out.parent / "results-small-usps.png").exists()
    make(runs / "whole", data)
    write_results(runs, out, ["small"])
    assert re.findall("^## (.*):", out.read_text(encoding="utf-8"), re.M) == ["small"]


def test_results_of_nothing_are_an_error(tmp_path):
    with pytest.raises(ReproductionError, match="holds no reproduction"):
        write_results(tmp_path, tmp_path / "results.md", ["small"])


def test_the_results_in_the_documentation_are_as_they_would_be_written():
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## ([\w-]+): (.*)$", text, re.M)
    assert sections == [(figure.name, figure.title) for figure in command.FIGURES.values()]
    for name, figure in command.FIGURES.items():
        assert f"\n- Command: python -m benchmarks.reproduce {name}\n" in text
        assert f"\n![{figure.title}](results-{name}.png)\n" in text
        assert f"** {figure.claim}\n" in text
        assert (ROOT / "docs" / f"results-{name}.png").exists()
        titles = [title for title in figure.titles.values() if f"| {title} |" in text]
        assert titles == list(figure.titles.values())


# The command --------------------------------------------------------------------------------------


@pytest.fixture
def shell(monkeypatch, tmp_path, capsys):
    """``shell("small", ...)`` in an empty folder; gives output and messages."""
    monkeypatch.setitem(command.FIGURES, "small", SMALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TREECORE_DATA", raising=False)
    monkeypatch.delenv("TREECORE_RUNS", raising=False)

    def run(*words):
        command.main([str(word) for word in words])
        return capsys.readouterr()

    return run


def test_one_command_measures_and_draws_a_figure(shell, folder, tmp_path):
    said = shell("small", "--data", folder, "--only", "iris", "--only", "sensit", "--depth", 2)
    assert said.out == "runs/small/page.md\n"
    assert "sensit is left out" in said.err
    assert "2 of 2: depth 2\n" in said.err
    page = (tmp_path / "runs/small/page.md").read_text(encoding="utf-8")
    assert (
        "- Command: python -m benchmarks.reproduce small --only=iris --only=sensit --depth=2"
        in page
    )
    same = ("--only", "iris", "--only", "sensit")
    assert shell("small", "--quick", *same).out == "runs/small-quick/page.md\n"
    assert shell("results").out == "docs/results.md\ndocs/results-small-iris-sensit.png\n"
    assert "**Full.**" in (tmp_path / "docs/results.md").read_text(encoding="utf-8")


def test_so_far_draws_without_measuring(shell, data, tmp_path):
    make(tmp_path / "out", PaperData(), datasets=["iris"], n_points=3)
    said = shell("small", "--only", "iris", "--so-far", "--out", "out")
    assert said.err == ""
    assert len(ReproductionFolder(tmp_path / "out").points) == 3


def test_the_command_on_a_page_names_files_without_their_folders(shell, tmp_path):
    for name in ("a", "t"):
        (tmp_path / f"{name}.libsvm").write_text("1 1:1\n2 1:2\n" * 5)
    files = f"usps={tmp_path}/a.libsvm,{tmp_path}/t.libsvm"
    shell("small", "--libsvm", files, "--only", "usps", "--out", "out")
    record = json.loads((tmp_path / "out" / "reproduction.json").read_text())
    assert record["command"].endswith("small --only=usps --libsvm=usps=a.libsvm,t.libsvm")


def test_an_interruption_says_how_to_continue(shell, monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setitem(command.FIGURES, "small", dataclasses.replace(SMALL, measure=interrupted))
    with pytest.raises(SystemExit) as stopped:
        shell("small", "--only", "iris")
    assert stopped.value.code == 130
    assert "the same command continues with the next point" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["figure9"], "figure9"),
        (["figure2", "--only", "iris"], "invalid choice: 'iris'"),
        (["oc1-forest", "--depth", "3"], "--depth"),
        (["figure2", "--libsvm", "protein"], "NAME=TRAIN,TEST"),
        (["figure3", "--data", "."], "Error: mnist is left out: it is read where . holds"),
        (["figure3"], "TREECORE_DATA"),
        (["figure2", "--libsvm", "protein=a,b"], "Error: there is no file a"),
        (["figure4", "--data", "bad"], "is no NumPy archive"),
        (["results", "."], "Error: . holds no reproduction"),
    ],
)
def test_bad_input_gets_one_sentence(words, sentence, shell, tmp_path, capsys):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "connect4.npz").write_bytes(b"PK\x03\x04 not what it says")
    with pytest.raises(SystemExit) as stopped:
        shell(*words)
    assert sentence in capsys.readouterr().err + str(stopped.value.code)


def test_without_matplotlib_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SystemExit, match=r"pip install 'treecore\[figures\]'"):
        importlib.reload(command)
