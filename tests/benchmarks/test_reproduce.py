"""A reproduction is measured once, continues when interrupted, and is told by its pages."""

import re
from types import SimpleNamespace

import pytest

from benchmarks.data import PaperData
from benchmarks.reproduce import __main__ as command
from benchmarks.reproduce import reproduction
from benchmarks.reproduce.folder import ReproductionError, ReproductionFolder, commit
from benchmarks.reproduce.page import COMMAND, TABLE, Section, write_results
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
    return rows.assign(
        published=[12.0 if depth == 1 else None for depth in rows["depth"]],
        verdict=["above" if depth == 1 else None for depth in rows["depth"]],
    )


SMALL = SimpleNamespace(
    NAME="small",
    TITLE="Accuracy",
    CLAIM="Deeper is better.",
    SOURCE="A paper, figure 1",
    DATASETS=("iris", "usps", "sensit"),
    DEPTHS=(1, 2, 3),
    QUICK_DEPTHS=(1, 2),
    TITLES={
        "depth": "depth",
        "accuracy": "accuracy, %",
        "published": "published",
        "verdict": "verdict",
        "note": "note",
    },
    DIGITS={"accuracy": 1},
    GRID=None,
    SIZE=(9.0, 6.0),
    points=points,
    measure=measure,
    table=table,
    claims=lambda lines: [f"The deepest has {lines['accuracy'].max():.1f}."],
    draw=lambda canvas, rows: canvas.subplots().plot(rows["depth"], rows["accuracy"]),
    notes=lambda setup: ["Measured somehow."],
)


def other(**changes):
    """The same figure but for what is given."""
    return SimpleNamespace(**vars(SMALL) | changes)


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Nothing here learns: nothing is to be compiled."""
    monkeypatch.setattr(reproduction, "warm_up", lambda config=None: None)


def make(path, data, figure=SMALL, n_points=None, **options):
    """Measure so many points, all if not told otherwise, and draw."""
    work = Reproduction(figure, path, data, **options)
    said = work.measure()
    for _ in range(n_points + 2 if n_points else 99):  # "compiling", then a word before each
        next(said, None)
    said.close()
    work.draw()
    return work


def test_a_page_has_every_row_and_what_must_be_known_to_make_it_again(data, tmp_path):
    make(tmp_path, data)
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| depth | accuracy, % | published | verdict | note | measured |" in page
    assert "| 1 | 98.1 | 12 | above | a / b | 20" in page, "the choice counts"
    assert "| 2 | 99.1 | – | – | – | 20" in page
    for words in ("## small: Accuracy\n", "**Full.** Deeper is better.",
                  "- The deepest has 100.1.\n- Not measured: sensit.\n"):  # fmt: skip
        assert words in page
    details = (tmp_path / TABLE).read_text(encoding="utf-8")
    for words in ("# small: Accuracy\n", "- Measured somehow.\n", f"- Command: {COMMAND} small\n",
                  f"iris: SHA-256 {data.fingerprint('iris')}", "python 3.",
                  f"- Commit: {commit()}\n", "- Minutes: 0.0\n"):  # fmt: skip
        assert words in details
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert str(data.folder) not in page + details, "a page must not tell of somebody's folders"


def test_what_is_measured_is_not_measured_again_and_is_drawn_the_same(data, tmp_path):
    def never(*_):
        raise AssertionError("a measured point was measured again")

    make(tmp_path, data)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    make(tmp_path, data, other(measure=never))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("cut", [2, 3])
def test_an_interrupted_reproduction_continues_and_gives_the_same(cut, data, tmp_path):
    entire = make(tmp_path / "whole", data)
    make(tmp_path / "cut", data, n_points=cut)
    assert f"**Full, {cut} of 4 points.**" in (tmp_path / "cut/page.md").read_text("utf-8")
    with open(tmp_path / "cut" / "points.jsonl", "a") as file:  # killed in the middle of a line
        file.write('{"key": {"depth": 3')
    work = make(tmp_path / "cut", data)
    assert work.folder.rows == entire.folder.rows
    assert "**Full.**" in (tmp_path / "cut" / "page.md").read_text(encoding="utf-8")


def test_pieces_make_the_same_as_the_whole(data, tmp_path):
    entire = make(tmp_path / "whole", data)
    for name, n_points in (("iris", 2), ("usps", None)):
        pieces = make(tmp_path / "pieces", data, n_points=n_points, datasets=[name])
    assert {str(row) for row in pieces.folder.rows} == {str(row) for row in entire.folder.rows}
    assert pieces.folder.record == entire.folder.record


def test_a_folder_takes_one_reproduction_only(data, tmp_path):
    make(tmp_path, data)
    other_data = PaperData(data.folder)
    other_data._parts["usps"] = (data.entire("iris"),)
    for differs, figure, rows, options in (
        ("figure", other(NAME="other"), data, {}),
        ("quick", SMALL, data, {"quick": True}),
        ("data", SMALL, other_data, {}),
    ):
        with pytest.raises(ReproductionError, match=f"with another {differs}"):
            Reproduction(figure, tmp_path, rows, **options)
    (tmp_path / "reproduction.json").write_text("{")
    with pytest.raises(ReproductionError, match="is damaged"):
        Reproduction(SMALL, tmp_path, data)


# The page of all figures --------------------------------------------------------------------------


def test_the_results_in_the_documentation_are_as_they_would_be_written(tmp_path):
    write_results(command.PAPERS, tmp_path / "results.md", command.FIGURES, pictures=False)
    text = (ROOT / "docs/results.md").read_text(encoding="utf-8")
    assert (tmp_path / "results.md").read_text(encoding="utf-8") == text
    for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text):
        assert (ROOT / "docs" / picture).exists()
    for file in command.PAPERS.glob(f"*/{TABLE}"):
        section = Section(command.FIGURES[file.parent.name], ReproductionFolder(file.parent))
        assert file.read_text(encoding="utf-8") == section.table_text()


# The command --------------------------------------------------------------------------------------


@pytest.fixture
def shell(monkeypatch, tmp_path, capsys):
    """``shell("small", ...)`` in an empty folder; gives output and messages."""
    monkeypatch.setitem(command.FIGURES, "small", SMALL)
    monkeypatch.setattr(command, "PAPERS", tmp_path / "papers")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TREECORE_DATA", raising=False)
    monkeypatch.delenv("TREECORE_RUNS", raising=False)

    def run(*words):
        command.main([str(word) for word in words])
        return capsys.readouterr()

    return run


def test_one_command_measures_and_draws_a_figure(shell, folder, tmp_path):
    said = shell("small", "--data", folder, "--only", "iris", "--only", "sensit")
    assert said.out == f"{tmp_path / 'papers/small/page.md'}\n"
    assert "sensit is left out" in said.err
    assert "4 of 4, 0.0 minutes so far: depth 3\n" in said.err
    assert shell("small", "--quick", "--only", "iris").out == "runs/small-quick/page.md\n"
    assert shell("results", "papers").out == "docs/results.md\ndocs/results-small.png\n"
    text = (tmp_path / "docs/results.md").read_text(encoding="utf-8")
    assert "**Full.**" in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["figure9"], "Error: invalid choice: 'figure9' (choose from"),
        (["figure2", "--only", "iris"], "invalid choice: 'iris'"),
        (["figure2", "--libsvm", "protein"], "NAME=TRAIN,TEST"),
        (["figure2", "--libsvm", "iris=a,b"], "Error: --libsvm iris: figure2 is made on connect4"),
        *((["small", "--minutes", n], f"{n}: give a number") for n in ("-3", "0", "nan", "ten")),
        (["figure3", "--data", "."], "Error: mnist is left out: put mnist.npz into ., or give"),
        (["figure2", "--libsvm", "protein=a,b"], "Error: there is no file a"),
        (["results", "."], "Error: . holds no reproduction"),
    ],
)
def test_bad_input_gets_one_sentence(words, sentence, shell, capsys):
    with pytest.raises(SystemExit) as stopped:
        shell(*words)
    said = capsys.readouterr().err + str(stopped.value.code)
    assert sentence in said
    assert said.count("Error:") == 1
    assert "usage" not in said


def test_a_quick_reproduction_gets_no_verdict(data, tmp_path):
    make(tmp_path, data, quick=True)
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "verdict" not in page
    assert Section(SMALL, ReproductionFolder(tmp_path)).verdicts == ""
    assert "above" not in page
    assert "The deepest" not in page
