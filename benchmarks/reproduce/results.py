"""``docs/results.md``, written from the folders of finished reproductions and never by hand."""

from __future__ import annotations

from pathlib import Path

from treecore.checkpoints import write_whole
from benchmarks.reproduce.figure import Figure, headline
from benchmarks.reproduce.folder import FigureError, read_points, read_record, rows_of
from benchmarks.reproduce.page import how
from benchmarks.reproduce.registry import FIGURES

HEAD = """\
# Results

The papers' figures, measured again and drawn over the published values where there are any. Ours
are solid, published ones dashed. This page and its pictures are written by

```
treecore results {folder} --out {out}
```

from what these commands have left in that folder, and never by hand:

```
{commands}
```

**Full** is all the data that are at hand and all points; **quick** has fewer rows, points or
steps, and is to be read for the shape only. A full one may be unfinished, and says so.
Seconds are those of the processor named below each figure.
"""

MOST_LINES = 120
"""Longer tables are shortened here; the CSV file in the reproduction's folder has all of them."""


def finished(folder: str | Path) -> list[tuple[Figure, Path, dict]]:
    """The reproductions that were drawn in a folder and the folders in it, as in the registry.

    Of a figure that is there several times, a full one counts before a quick one, a finished one
    before one that was drawn so far, and one on more datasets before one on fewer.

    Raises
    ------
    FigureError
        Where there is none.
    """
    folder = Path(folder)
    found: dict[str, list] = {}
    for path in sorted(folder.glob("**/reproduction.json")):
        record = read_record(path.parent)
        if "command" in record and record["figure"] in FIGURES:
            found.setdefault(record["figure"], []).append((path.parent, record))
    if not found:
        raise FigureError(
            f"{folder} holds no finished reproduction: make one with treecore reproduce FIGURE"
        )
    return [(figure, *min(found[name], key=_rank)) for name, figure in FIGURES.items()
            if name in found]  # fmt: skip


def _rank(candidate: tuple[Path, dict]) -> tuple:
    path, record = candidate
    options = record["options"]
    more = -len(options["datasets"]), options["depths"] is not None, str(path)
    return options["quick"], not record["finished"], *more


def write_results(folder: str | Path, out: str | Path) -> list[Path]:
    """Write the document and, beside it, the pictures; gives the paths of all.

    Raises
    ------
    FigureError
        Where nothing has been reproduced, or a picture is not there.
    CheckpointError
        Where a file cannot be written.
    """
    out, found = Path(out), finished(folder)
    if out.suffix != ".md":
        raise FigureError(f"{out} must end in .md: the page is written in Markdown")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FigureError(f"{out.parent} cannot be made: {error.strerror}") from error
    written, sections = [], []
    for figure, path, record in found:
        picture = out.with_name(f"{out.stem}-{figure.name}.png")
        try:
            write_whole(picture, (path / "figure.png").read_bytes())
        except OSError as error:
            raise FigureError(f"{path} has lost its picture: make it again") from error
        written.append(picture)
        sections.append(section(figure, path, record, picture.name))
    commands = "\n".join(record["command"] for _, _, record in found)
    head = HEAD.format(folder=Path(folder).name or ".", out=_last(out), commands=commands)
    missing = [name for name in FIGURES if name not in {figure.name for figure, _, _ in found}]
    tail = ""
    if missing:
        words = "\n".join(f"treecore reproduce {name}" for name in missing)
        tail = f"\n## Not measured yet\n\n```\n{words}\n```\n"
    write_whole(out, "\n".join([head, *sections, tail]).rstrip().encode() + b"\n")
    return [out, *written]


def _last(out: Path) -> str:
    """The path without what is this machine's own."""
    return "/".join(out.parts[-2:]) if len(out.parts) > 1 else out.name


def section(figure: Figure, path: Path, record: dict, picture: str) -> str:
    """What is said of one figure."""
    table = figure.table(rows_of(read_points(path)))
    lines = table.markdown().splitlines()
    if len(lines) > MOST_LINES + 2:
        more = len(lines) - MOST_LINES - 2
        lines = [*lines[: MOST_LINES + 2], "", f"... and {more} lines more in `table.csv`."]
    size = "quick" if record["options"]["quick"] else "full"
    if not record["finished"]:
        size += ", {} of {} points so far".format(*record["done"])
    facts = [f"- {name}: {'; '.join(values)}" for name, values in how(figure, record)]
    return "\n".join(
        [
            f"## {figure.name}: {headline(figure, record)}",
            "",
            f"**{size.capitalize()}.** {figure.sentence}",
            "",
            f"![{figure.title}]({picture})",
            "",
            *(f"- {note}" for note in record["notes"]),
            "",
            *lines,
            "",
            "<details><summary>How it was made</summary>",
            "",
            *facts,
            "",
            "</details>",
            "",
        ]
    )
