"""The page of a reproduction: the figure, the table and how they were made, in one HTML file."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from benchmarks.reproduce.tables import Table

if TYPE_CHECKING:
    from benchmarks.reproduce.figure import Figure

STYLE = """\
body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif;
       color: #1a1a1a; background: #fff; }
svg { width: 100%; height: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
.wide { overflow-x: auto; }
th, td { padding: 0.25rem 0.8rem; text-align: right; border-bottom: 1px solid #ddd; }
th { border-bottom: 2px solid #888; } th:first-child, td:first-child { text-align: left; }
code { background: #f3f3f3; padding: 0.1rem 0.3rem; }
dt { font-weight: 600; } dd { margin: 0 0 0.5rem 0; overflow-wrap: anywhere; }
"""


def page(figure: Figure, record: dict, table: Table, drawn: str) -> str:
    """A complete document; ``drawn`` is an SVG element."""
    from benchmarks.reproduce.figure import headline

    title = escape(headline(figure, record))
    head = "".join(f"<th>{escape(text)}</th>" for text in table.titles)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>\n"
        for cells in table.shown()
    )
    notes = "".join(f"<li>{escape(note)}</li>\n" for note in record["notes"])
    facts = "".join(
        f"<dt>{escape(name)}</dt><dd>{'<br>'.join(map(escape, values))}</dd>\n"
        for name, values in how(figure, record)
    )
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
{STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<p>{escape(figure.sentence)}</p>
<figure role="img" aria-label="{title}">{drawn}</figure>
<h2>Numbers</h2>
<div class="wide"><table>
<thead><tr>{head}</tr></thead>
<tbody>
{body}</tbody>
</table></div>
<h2>How it was made</h2>
<ul>
{notes}</ul>
<dl>
{facts}</dl>
</body>
</html>
"""


def how(figure: Figure, record: dict) -> list[tuple[str, list[str]]]:
    """What must be known to make the figure again, as names with lines."""
    return [
        ("Command", [record["command"]]),
        ("Published values", [figure.source]),
        ("Data", [f"{name}: SHA-256 {mark}" for name, mark in record["data"].items()]),
        (
            "Versions and processor",
            [", ".join(f"{n} {v}" for n, v in used.items()) for used in record["makers"]],
        ),
        ("Date", [record["date"]]),
        ("Seconds in all", [f"{record['seconds']:.0f}"]),
    ]
