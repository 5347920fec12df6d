"""``treecore record`` writes runs as one page."""

from pathlib import Path


def test_one_run_or_two_become_a_page(shell):
    for method in ("axis", "sgd"):
        epochs = ("--epochs", 3) if method == "sgd" else ()
        shell("train", "sample:spirals", "-m", method, "--depth", 2, "--run", method, *epochs)
    before = {path: path.read_bytes() for path in Path("axis").iterdir()}
    assert "axis.html" in shell("record", "axis").output
    assert {path: path.read_bytes() for path in Path("axis").iterdir()} == before
    shell("record", "axis", "sgd", "--out", "two.html")
    one, two = (Path(name).read_text("utf-8") for name in ("axis.html", "two.html"))
    assert [page.count('class="run"') for page in (one, two)] == [1, 2]


def test_what_is_no_run_is_one_sentence(shell):
    assert "nowhere/run.json cannot be read" in shell("record", "nowhere", code=1).stderr
    assert "2 runs at most" in shell("record", "a", "b", "c", code=1).stderr
    assert not list(Path().glob("*.html"))
