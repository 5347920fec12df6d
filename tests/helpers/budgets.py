"""Prints how many lines each folder has beside its budget in `pyproject.toml`; fails above it.

python -m tests.helpers.budgets
"""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def n_lines(folders: str) -> int:
    """The lines of Python, or below a `js` folder of JavaScript, in folders named `a + b`."""
    total = 0
    for name in folders.split(" + "):
        folder = ROOT / name
        if not folder.is_dir():
            raise SystemExit(f"pyproject.toml has a budget for {name}, which is no folder here.")
        suffix = "*.js" if folder.name == "js" else "*.py"
        for path in folder.rglob(suffix):
            if "vendor" not in path.parts:
                total += len(path.read_text(encoding="utf-8").splitlines())
    return total


def main() -> int:
    """Print the table; 1 where a folder is above its budget."""
    budgets = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["treecore"]["budgets"]
    status = 0
    for folders, budget in budgets.items():
        lines = n_lines(folders)
        mark = "" if lines <= budget else "  above its budget"
        status |= bool(mark)
        sys.stdout.write(f"{lines:>7,} of {budget:>6,}  {folders}{mark}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
