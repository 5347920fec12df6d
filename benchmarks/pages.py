"""Pages of results: Markdown tables in ``benchmarks/results``, of which commands renew some rows.

A long measurement is done in pieces; rows that a piece does not measure stay as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from treecore.base.state_file import write_atomically

RESULTS = Path(__file__).with_name("results")


class Page(NamedTuple):
    """One table in a file of its own.

    Parameters
    ----------
    path : Path
        The file.
    title : str
        Its heading.
    about : str
        What is measured and how, with the command that writes the page.
    columns : tuple of str
    n_keys : int
        So many columns, the first ones, say what is measured: no two rows are equal in all of them.
    """

    path: Path
    title: str
    about: str
    columns: tuple[str, ...]
    n_keys: int

    def rows(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """Cells of every row of the file by its keys; none where there is no file."""
        if not self.path.exists():
            return {}
        lines = self.path.read_text(encoding="utf-8").splitlines()
        table = [line for line in lines if line.startswith("|")][2:]
        cells = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in table]
        return {row[: self.n_keys]: row for row in cells if len(row) == len(self.columns)}

    def text(self, rows: dict[tuple[str, ...], tuple[str, ...]]) -> str:
        """The page with these rows, in their order."""
        lines = [self.columns, ("---",) * len(self.columns), *rows.values()]
        table = "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
        return f"# {self.title}\n\n{self.about}\n\n{table}"

    def keep(self, *cells: object) -> None:
        """Print a row and write it into the file, in the place of the one of its keys."""
        row = tuple(map(str, cells))
        print(f"| {' | '.join(row)} |", flush=True)
        rows = self.rows() | {row[: self.n_keys]: row}  # others may have come meanwhile
        write_atomically(self.path, self.text(rows).encode())
