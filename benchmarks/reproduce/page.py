"""The section that tells of one reproduction, and ``docs/results.md``, which is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.marks import COLUMN, MARK, cells_of, marked
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

| figure | size | beside the published | minutes | commit |
| --- | --- | --- | --- | --- |
{contents}
"""


class Section:
    """What is said of one reproduction.

    Raises ReproductionError where there is no point yet that could be shown.
    """

    def __init__(self, figure: Figure, folder: ReproductionFolder):
        self.figure, self.folder, self.points = figure, folder, folder.points
        self.record: dict[str, Any] = folder.record
        quick = self.record["quick"]
        depths = figure.quick_depths if quick else figure.depths
        datasets = tuple(name for name in figure.datasets if name in self.record["data"])
        self.setup = Setup(None, datasets, quick, depths, folder.rows)  # type: ignore[arg-type]
        self.rows = pd.DataFrame(row for row in folder.rows if row.get("step") != "choice")
        if self.rows.empty:
            raise ReproductionError(f"{folder.path} has no measured point yet to draw")
        self.table = figure.table(self.rows)
        self._verdict = figure.grid.verdict if figure.grid else VERDICT
        if quick:  # so little of it can be compared with nothing
            self.table = self.table.drop(columns=self._verdict, errors="ignore")
        self.n_missing = sum(
            key not in [point["key"] for point in self.points] for key in figure.points(self.setup)
        )

    def picture(self) -> bytes:
        """Draw ours over the published values."""
        title = self.figure.title_of(self.record["quick"])
        return as_png(self.figure.size, title, lambda canvas: self.figure.draw(canvas, self.rows))

    @property
    def command(self) -> str:
        """The command that measures it."""
        return f"{COMMAND} {self.figure.name}" + " --quick" * self.record["quick"]

    @property
    def size(self) -> str:
        """Whether it is all that was to be measured."""
        said = "quick" if self.record["quick"] else "full"
        n = len(self.points)
        return f"{said}, {n} of {n + self.n_missing} points" if self.n_missing else said

    @property
    def minutes(self) -> str:
        return f"{sum(point['seconds'] for point in self.points) / 60:.1f}"

    @property
    def commits(self) -> str:
        return ", ".join(sorted({str(point.get("commit", "–")) for point in self.points}))

    @property
    def verdicts(self) -> str:
        """The verdicts of all rows, counted."""
        return tally(self.table[self._verdict]) if self._verdict in self.table else ""

    def line(self) -> str:
        """Its line in the table of all figures."""
        name, verdicts = self.figure.name, self.verdicts or "nothing to compare"
        cells = f"[{name}](#{self.anchor})", self.size, verdicts, self.minutes, self.commits
        return f"| {' | '.join(cells)} |"

    @property
    def heading(self) -> str:
        return f"{self.figure.name}: {self.figure.title_of(self.record['quick'])}"

    @property
    def anchor(self) -> str:
        """What a link on the page calls it, as Markdown makes it of a heading."""
        kept = "".join(c for c in self.heading.lower() if c.isalnum() or c in " -_")
        return kept.replace(" ", "-")

    def text(self, picture: str) -> str:
        """Write the section; ``picture`` is the name of its picture's file."""
        figure, quick = self.figure, self.record["quick"]
        seen = {point["key"].get("dataset") for point in self.points} - {None}
        absent = [name for name in figure.datasets if name not in (seen or self.record["data"])]
        notes = [] if quick else figure.claims(self.table)
        notes += [f"Not measured: {', '.join(absent)}."] * bool(absent)
        lines = [
            f"## {self.heading}",
            "",
            f"**{self.size[0].upper()}{self.size[1:]}.** {figure.claim}",
            "",
            f"![{figure.title}]({picture})",
            "",
            *(f"- {note}" for note in notes),
            "",
            *self._main_table(),
        ]
        return marked("\n".join(lines) + "\n")

    def table_text(self) -> str:
        """Write the whole table, a page of its own, with how it was made."""
        made_with = dict.fromkeys(
            ", ".join(f"{name} {value}" for name, value in point["made_with"].items())
            for point in self.points
        )
        facts = {
            "Command": self.command,
            "Minutes": self.minutes,
            "Commit": self.commits,
            "Date": max(point["date"] for point in self.points),
            "Published values": self.figure.source,
            "Data": "; ".join(f"{k}: SHA-256 {mark}" for k, mark in self.record["data"].items()),
            "Versions and processor": "; ".join(made_with),
        }
        lines = [
            f"# {self.heading}",
            "",
            *(f"- {name}: {value}" for name, value in facts.items()),
            *(f"- {note}" for note in self.figure.notes(self.setup)),
            "",
            *self._whole_table(),
        ]
        return marked("\n".join(lines) + "\n")

    def _whole_table(self) -> list[str]:
        table, names = self.table, dict.fromkeys((*self.figure.titles, COLUMN))
        shown = table[[name for name in names if name in table and table[name].notna().any()]]
        return markdown(shown, self.figure)

    def _main_table(self) -> list[str]:
        """The table of the page: the grid, or the whole one where there is none."""
        whole, grid = self._whole_table(), self.figure.grid
        if grid is None:
            return whole
        header, _, *rows = map(cells_of, marked("\n".join(whole)).split("\n"))
        days = [row[header.index(COLUMN)] for row in rows]
        return [f"**{grid.title}**", "", *folded(self.table, grid, self.figure, days)]


def markdown(table: pd.DataFrame, figure: Figure) -> list[str]:
    """Write a table as lines of Markdown, numbers with the figure's digits."""
    rows = [[figure.titles.get(name, name) for name in table], ["---"] * table.shape[1]]
    for values in table.itertuples(index=False):
        cells = zip(values, table, strict=True)
        rows.append([_text(value, figure.digits.get(name, 0)) for value, name in cells])
    return [f"| {' | '.join(cells)} |" for cells in rows]


def folded(table: pd.DataFrame, grid: Grid, figure: Figure, days: list[str]) -> list[str]:
    """Write one column of a table as a grid; days: of the table's rows, with their marks."""
    table = table.assign(**{COLUMN: days})
    across = list(dict.fromkeys(table[grid.across]))
    across = across if isinstance(across[0], str) else sorted(across)
    titles = [figure.titles[name] for name in grid.down]
    titles += [
        one if isinstance(one, str) else f"{figure.titles[grid.across]} {one:g}" for one in across
    ]
    rows = [[*titles, "oldest"], ["---"] * (len(titles) + 1)]
    for key, own in table.groupby(list(grid.down), sort=False):
        cells = {row[grid.across]: _cell(row, grid, figure) for row in own.to_dict("records")}
        rows.append([*map(str, key), *(cells.get(one, "–") for one in across), min(own[COLUMN])])
        rows[-1][-1] += MARK * (
            MARK not in rows[-1][-1] and any(MARK in day for day in own[COLUMN])
        )
    return [f"| {' | '.join(cells)} |" for cells in rows]


def _cell(row: dict[str, Any], grid: Grid, figure: Figure) -> str:
    digits = figure.digits.get(grid.value, 0)
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
    out, sections = Path(out), {}
    for path in sorted(Path(folder).glob("*/reproduction.json")):
        found = ReproductionFolder(path.parent)
        if found.record["figure"] in figures and found.points:
            name = found.record["figure"]
            sections[name] = Section(figures[name], found)
    if not sections:
        raise ReproductionError(f"{folder} holds no reproduction: make one with {COMMAND} FIGURE")
    out.parent.mkdir(parents=True, exist_ok=True)
    written, texts = [out], []
    for name in figures:
        if name not in sections:
            continue
        picture = out.with_name(f"{out.stem}-{name}.png")
        texts.append(sections[name].text(picture.name))
        if pictures:
            replace_file(picture, sections[name].picture())
            sections[name].folder.write(TABLE, sections[name].table_text())
            written.append(picture)
    missing = [f"{COMMAND} {name}" for name in figures if name not in sections]
    if missing:
        texts.append("## Not measured yet\n\n```\n" + "\n".join(missing) + "\n```\n")
    lines = [sections[name].line() for name in figures if name in sections]
    head = HEAD.format(
        command=COMMAND, folder="/".join(Path(folder).parts[-3:]), contents="\n".join(lines)
    )
    replace_file(out, "\n".join([head, *texts]).encode())
    return written
