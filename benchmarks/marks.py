"""Mark the rows of results that an earlier version of the code has measured.

    python -m benchmarks.marks

Every table of results has a column ``measured`` with the day of each row. The file
``benchmarks/results/changes.toml`` lists the changes of code that changed results. A row is marked
where it is older than such a change of what it measures. The commands that write results write the
marks too; this one renews them on all pages, after a change was added to the list.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from treecore.base.atomic_write import replace_file

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).with_name("results")
COLUMN = "measured"
MARK = " (earlier version)"


@cache
def changes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the first day whose results are new, and a pattern of the rows, of every change."""
    found = tomllib.loads((RESULTS / "changes.toml").read_text(encoding="utf-8"))["change"]
    return tuple(
        (one["since"].isoformat(), re.compile(one["rows"], re.IGNORECASE)) for one in found
    )


def is_earlier(what: str, day: str) -> bool:
    """Tell whether code that ``what`` names has changed after a day, written as 2026-11-23."""
    return any(day < since and rows.search(what) for since, rows in changes())


def cells_of(line: str) -> list[str]:
    """Split a line of a Markdown table into its cells."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def marked(text: str) -> str:
    """Write the marks of all tables of a page anew; a table without days stays as it is."""
    lines, header = [], ""
    for line in text.split("\n"):
        if not line.startswith("|"):
            header = ""
        elif not header:
            header = line
        elif COLUMN in (names := cells_of(header)) and not set(line) <= set("|- "):
            cells, at = cells_of(line), names.index(COLUMN)
            day = cells[at].removesuffix(MARK)
            plain = " | ".join(cells[:at] + cells[at + 1 :])
            cells[at] = day + MARK * is_earlier(f"{header}\n{plain}", day)
            line = f"| {' | '.join(cells)} |"
        lines.append(line)
    return "\n".join(lines)


def pages() -> list[Path]:
    """List the pages that show results, those of ``benchmarks/results`` included."""
    docs = [path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts]
    tables = (*RESULTS.glob("*.md"), *RESULTS.glob("papers/*/table.md"))
    return [ROOT / "README.md", *sorted(docs), *sorted(tables)]


def main() -> None:
    for path in pages():
        text = path.read_text(encoding="utf-8")
        if (new := marked(text)) != text:
            replace_file(path, new.encode())
            print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
