"""Pages in Markdown: that of one reproduction, and ``docs/results.md``, which is made of them."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.marks import marked
from benchmarks.reproduce.figure import Figure
from benchmarks.reproduce.folder import ReproductionError, ReproductionFolder
from treecore.base.atomic_write import replace_file

COMMAND = "python -m benchmarks.reproduce"

HEAD = """\
# Results

The papers' figures, measured again and drawn over the published values where there are any. Ours
are solid, published ones dashed. This page and its pictures are written by

```
{command} results {folder} --out {out}
```

from what these commands have left in that folder, and never by hand:

```
{commands}
```

**Full** is all the data that are at hand and all points; **quick** has fewer rows, points or
steps, and is to be read for the shape only. A full one may be unfinished, and says so.
Seconds are those of the processor named below each figure. Each row has the day on which it was
measured; "earlier version" marks a row whose code has changed since.
"""


def page(figure: Figure, folder: ReproductionFolder, notes: list[str], table: pd.DataFrame) -> str:
    """Write what is said of one reproduction; the picture stands beside it as ``figure.png``.

    notes: how it was measured; table: the columns that are shown.
    """
    record, points, total = folder.record, folder.points, folder.record["n_points"]
    size = "Quick" if record["quick"] else "Full"
    if not folder.finished:
        size += f", {len(points)} of {total} points so far"
        notes = [f"Unfinished: {len(points)} of {total} points have been measured so far.", *notes]
    made_with = dict.fromkeys(
        ", ".join(f"{name} {value}" for name, value in point["made_with"].items())
        for point in points
    )
    facts = {
        "Command": record["command"],
        "Published values": figure.source,
        "Data": "; ".join(f"{name}: SHA-256 {mark}" for name, mark in record["data"].items()),
        "Versions and processor": "; ".join(made_with),
        "Date": max(point["date"] for point in points),
        "Seconds in all": f"{sum(point['seconds'] for point in points):.0f}",
    }
    lines = [
        f"## {folder.section}: {figure.title_of(record['quick'])}",
        "",
        f"**{size}.** {figure.claim}",
        "",
        f"![{figure.title}](figure.png)",
        "",
        *(f"- {note}" for note in notes),
        "",
        *markdown(table, figure),
        "",
        "<details><summary>How it was made</summary>",
        "",
        *(f"- {name}: {value}" for name, value in facts.items()),
        "",
        "</details>",
    ]
    return marked("\n".join(lines) + "\n")


def markdown(table: pd.DataFrame, figure: Figure) -> list[str]:
    """Write a table as lines of Markdown, numbers with the figure's digits."""
    rows = [[figure.titles[name] for name in table], ["---"] * table.shape[1]]
    for values in table.itertuples(index=False):
        cells = zip(values, table, strict=True)
        rows.append([_text(value, figure.digits.get(name, 0)) for value, name in cells])
    return [f"| {' | '.join(cells)} |" for cells in rows]


def _text(value: Any, digits: int) -> str:
    if isinstance(value, str):
        return value.replace("|", "/")
    return "–" if pd.isna(value) else f"{value:.{digits}f}"


def write_results(folder: str | Path, out: str | Path, names: Collection[str]) -> list[Path]:
    """Write the page of all reproductions that were drawn below a folder, and their pictures.

    A figure that the folder does not have stays on the page as it is, as one that was measured
    elsewhere; so a page can be made in pieces. One that is limited to some datasets stands behind
    the whole one, until that is finished. Of a figure that is there several times, a full one
    counts before a quick one, a finished one before an unfinished one, and one of more points
    before one of fewer.

    out: the page; pictures go beside it; names: the figures that can be reproduced, in the order of
    the page. Returns all files that were written. Raises ReproductionError where nothing has been
    drawn.
    """
    out, drawn = Path(out), {}
    for path in sorted(Path(folder).glob("**/page.md")):
        found = ReproductionFolder(path.parent)
        if found.record["figure"] in names:
            drawn.setdefault(found.section, []).append(found)
    chosen = {name: min(found, key=_rank) for name, found in drawn.items()}
    if not chosen:
        raise ReproductionError(f"{folder} holds no reproduction: make one with {COMMAND} FIGURE")
    out.parent.mkdir(parents=True, exist_ok=True)
    written, sections, commands = [out], [], []
    earlier = _sections(out) if out.exists() else {}
    for name in _in_order(names, chosen, earlier):
        if name not in chosen:
            sections.append(earlier[name])
            commands += re.findall(r"^- Command: (.*)$", earlier[name], re.MULTILINE)
            continue
        found = chosen[name]
        commands.append(found.record["command"])
        short = name.replace(" on ", "-").replace(", ", "-").lower()
        picture = out.with_name(f"{out.stem}-{short}.png")
        replace_file(picture, (found.path / "figure.png").read_bytes())
        text = (found.path / "page.md").read_text(encoding="utf-8")
        sections.append(text.replace("](figure.png)", f"]({picture.name})"))
        written.append(picture)
    known = {name.partition(" on ")[0] for name in (*chosen, *earlier)}
    missing = [f"{COMMAND} {name}" for name in names if name not in known]
    if missing:
        sections.append("## Not measured yet\n\n```\n" + "\n".join(missing) + "\n```\n")
    head = HEAD.format(
        command=COMMAND,
        folder=Path(folder).name or ".",
        out="/".join(out.parts[-2:]),  # without what is this machine's own
        commands="\n".join(commands),
    )
    replace_file(out, marked("\n".join([head, *sections])).encode())
    return written


def _in_order(
    names: Collection[str], chosen: dict[str, ReproductionFolder], earlier: dict[str, str]
) -> list[str]:
    """The sections of a page: each figure, then its parts where the whole is not finished."""
    there = {*chosen, *earlier}
    found = []
    for name in names:
        parts = sorted(one for one in there if one.startswith(f"{name} on "))
        entire = [name] * (name in there)
        found += entire if name in chosen and chosen[name].finished else [*entire, *parts]
    return found


def _sections(page: Path) -> dict[str, str]:
    """What a page says of every figure, by the figure's name."""
    parts = re.split(r"^(?=## )", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {part[3:].partition(":")[0]: part.rstrip("\n") + "\n" for part in parts if ":" in part}


def _rank(folder: ReproductionFolder) -> tuple:
    """The least rank is the one to show: a full, finished one of many points."""
    record = folder.record
    return record["quick"], not folder.finished, -record["n_points"], str(folder.path)
