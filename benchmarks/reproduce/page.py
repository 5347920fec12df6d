"""The section that tells of one reproduction, and ``docs/results.md``, which is made of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.marks import COLUMN, MARK, cells_of, marked
from benchmarks.pages import markdown
from benchmarks.reproduce.drawing import as_png
from benchmarks.reproduce.figure import Figure, Grid, Setup
from benchmarks.reproduce.folder import ReproductionError, ReproductionFolder
from benchmarks.reproduce.verdicts import ABOVE, BELOW, EQUAL, FEWER, MORE, tally
from treecore.base.atomic_write import replace_file

COMMAND = "python -m benchmarks.reproduce"

VERDICT = "verdict"
"""The column of a table that compares ours with the published."""

SIGNS = {ABOVE: "▲", MORE: "▲", BELOW: "▼", FEWER: "▼", EQUAL: "="}
"""What stands for a verdict in a grid."""

TABLE = "table.md"
"""The whole table, beside the points."""

HEAD = """\
# Results

The papers' figures, measured again and drawn over the published values where there are any: ours
solid, published ones dashed. `{command} FIGURE` measures one, `{command} results`
writes this page from `{folder}`. There `FIGURE/table.md` has all columns, and says how
a figure was measured and with what.

In brackets: the published value, with ▲ where ours is better by more than one standard error of the
difference, ▼ where it is worse by more, = otherwise. After ±: the deviation of the runs. The last
column: the day of a row's oldest value; "earlier version" marks a row whose code has changed since.

{contents}
"""

CONTENTS = "figure", "size", "beside the published", "minutes"


class Section:
    """What is said of one reproduction.

    Raises ReproductionError where there is no point yet that could be shown.
    """

    def __init__(self, figure: Figure, folder: ReproductionFolder):
        self.figure, self.folder, self.points = figure, folder, folder.points
        self.quick, data = folder.record["quick"], folder.record["data"]
        depths = figure.QUICK_DEPTHS if self.quick else figure.DEPTHS
        datasets = tuple(name for name in figure.DATASETS if name in data)
        self.setup = Setup(None, datasets, self.quick, depths, folder.rows)  # type: ignore[arg-type]
        self.rows = pd.DataFrame(row for row in folder.rows if row.get("step") != "choice")
        if self.rows.empty:
            raise ReproductionError(f"{folder.path} has no measured point yet to draw")
        self.table = figure.table(self.rows)
        verdict = figure.GRID.verdict if figure.GRID else VERDICT
        if self.quick:  # so little of it can be compared with nothing
            self.table = self.table.drop(columns=verdict, errors="ignore")
        self.verdicts = tally(self.table.get(verdict, ()))
        self.command = f"{COMMAND} {figure.NAME}" + " --quick" * self.quick
        self.title = figure.TITLE + " (quick)" * self.quick
        self.minutes = f"{sum(point['seconds'] for point in self.points) / 60:.1f}"
        self.commits = ", ".join(sorted({str(point.get("commit", "–")) for point in self.points}))

    def picture(self) -> bytes:
        """Draw ours over the published values."""
        draw = self.figure.draw
        return as_png(self.figure.SIZE, self.title, lambda canvas: draw(canvas, self.rows))

    @property
    def size(self) -> str:
        """Whether it is all that was to be measured."""
        said, n = "quick" if self.quick else "full", len(self.points)
        measured = [point["key"] for point in self.points]
        n_missing = sum(key not in measured for key in self.figure.points(self.setup))
        return f"{said}, {n} of {n + n_missing} points" if n_missing else said

    def cells(self) -> list[str]:
        """Its cells in the table of all figures."""
        anchor = "".join(c for c in self.heading.lower() if c.isalnum() or c in " -_")
        link = f"[{self.figure.NAME}](#{anchor.replace(' ', '-')})"
        return [link, self.size, self.verdicts or "nothing to compare", self.minutes]

    @property
    def heading(self) -> str:
        return f"{self.figure.NAME}: {self.title}"

    def text(self, picture: str) -> str:
        """Write the section; ``picture`` is the name of its picture's file."""
        figure = self.figure
        seen = {point["key"].get("dataset") for point in self.points} - {None}
        shown = seen or self.folder.record["data"]
        absent = [name for name in figure.DATASETS if name not in shown]
        notes = [] if self.quick else figure.claims(self.table)
        notes += [f"Not measured: {', '.join(absent)}."] * bool(absent)
        lines = [
            f"## {self.heading}",
            "",
            f"**{self.size[0].upper()}{self.size[1:]}.** {figure.CLAIM}",
            "",
            f"![{figure.TITLE}]({picture})",
            "",
            *(f"- {note}" for note in notes),
            "",
            self._main_table(),
        ]
        return marked("\n".join(lines) + "\n")

    def table_text(self) -> str:
        """Write the whole table, a page of its own, with how it was made."""
        made_with = dict.fromkeys(
            ", ".join(f"{name} {value}" for name, value in point["made_with"].items())
            for point in self.points
        )
        data = self.folder.record["data"]
        facts = {
            "Command": self.command,
            "Minutes": self.minutes,
            "Commit": self.commits,
            "Date": max(point["date"] for point in self.points),
            "Published values": self.figure.SOURCE,
            "Data": "; ".join(f"{name}: SHA-256 {mark}" for name, mark in data.items()),
            "Versions and processor": "; ".join(made_with),
        }
        lines = [
            f"# {self.heading}",
            "",
            *(f"- {name}: {value}" for name, value in facts.items()),
            *(f"- {note}" for note in self.figure.notes(self.setup)),
            "",
            self._whole_table(),
        ]
        return marked("\n".join(lines) + "\n")

    def _whole_table(self) -> str:
        titles, digits = self.figure.TITLES, self.figure.DIGITS
        names = dict.fromkeys((*titles, COLUMN))
        shown = [name for name in names if name in self.table and self.table[name].notna().any()]
        rows = (
            [_text(row[name], digits.get(name, 0)) for name in shown]
            for row in self.table.to_dict("records")
        )
        return markdown([titles.get(name, name) for name in shown], rows)

    def _main_table(self) -> str:
        """The table of the page: the grid, or the whole one where there is none."""
        whole, grid = self._whole_table(), self.figure.GRID
        if grid is None:
            return whole
        header, _, *rows = map(cells_of, marked(whole).split("\n"))
        days = [row[header.index(COLUMN)] for row in rows]
        table = self.table.assign(**{COLUMN: days})
        return f"**{grid.title}**\n\n{folded(table, grid, self.figure)}"


def folded(table: pd.DataFrame, grid: Grid, figure: Figure) -> str:
    """Write one column of a table as a grid; the table's days have their marks."""
    across = list(dict.fromkeys(table[grid.across]))
    head = [figure.TITLES[name] for name in grid.down]
    if isinstance(across[0], str):
        head += across
    else:
        across.sort()
        head += [f"{figure.TITLES[grid.across]} {one:g}" for one in across]
    rows = []
    for key, own in table.groupby(list(grid.down), sort=False):
        cells = {row[grid.across]: _cell(row, grid, figure) for row in own.to_dict("records")}
        mark = MARK * any(MARK in day for day in own[COLUMN])
        oldest = min(own[COLUMN]).removesuffix(MARK) + mark
        rows.append([*map(str, key), *(cells.get(one, "–") for one in across), oldest])
    return markdown([*head, "oldest"], rows)


def _cell(row: dict[Hashable, Any], grid: Grid, figure: Figure) -> str:
    digits = figure.DIGITS.get(grid.value, 0)
    said = _text(row[grid.value], digits)
    if grid.deviation and pd.notna(row[grid.deviation]):
        said += f" ± {_text(row[grid.deviation], digits)}"
    if grid.published and pd.notna(row[grid.published]):
        sign = SIGNS.get(row.get(grid.verdict) or "", "")
        said += f" ({_text(row[grid.published], digits)}{' ' * bool(sign)}{sign})"
    return said


def _text(value: Any, digits: int) -> str:
    if isinstance(value, str):
        return value.replace("|", "/")
    return "–" if pd.isna(value) else f"{value:.{digits}f}"


def write_results(
    folder: str | Path, out: str | Path, figures: Mapping[str, Figure], pictures: bool = True
) -> list[Path]:
    """Write the page of all reproductions below a folder, their pictures and whole tables.

    figures: those that can be reproduced, in the order of the page. Returns all files that were
    written. Raises ReproductionError where nothing has been measured.
    """
    out, measured = Path(out), {}
    for path in Path(folder).glob("*/reproduction.json"):
        found = ReproductionFolder(path.parent)
        if found.points:
            measured[found.record["figure"]] = found
    sections = [Section(figures[name], measured[name]) for name in figures if name in measured]
    if not sections:
        raise ReproductionError(f"{folder} holds no reproduction: make one with {COMMAND} FIGURE")
    out.parent.mkdir(parents=True, exist_ok=True)
    written, texts = [out], []
    for section in sections:
        picture = out.with_name(f"{out.stem}-{section.figure.NAME}.png")
        texts.append(section.text(picture.name))
        if pictures:
            replace_file(picture, section.picture())
            section.folder.write(TABLE, section.table_text())
            written.append(picture)
    missing = [f"{COMMAND} {name}" for name in figures if name not in measured]
    if missing:
        texts.append("## Not measured yet\n\n```\n" + "\n".join(missing) + "\n```\n")
    where = "/".join(Path(folder).parts[-3:])
    contents = markdown(CONTENTS, (section.cells() for section in sections))
    head = HEAD.format(command=COMMAND, folder=where, contents=contents)
    replace_file(out, "\n".join([head, *texts]).encode())
    return written
