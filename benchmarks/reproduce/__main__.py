"""Measure a figure of a paper again and draw ours over the published values.

    python -m benchmarks.reproduce figure4 --quick
    python -m benchmarks.reproduce figure2 --only connect4 --minutes 20
    python -m benchmarks.reproduce results

Every measured point is kept in a folder, benchmarks/results/papers/FIGURE, or runs/FIGURE-quick for
a quick one, with the picture and the page that are made of them: the same command goes on where it
ended. Data are read where --data or the variable TREECORE_DATA says.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import PaperData

try:
    import matplotlib  # noqa: F401
except ImportError:
    sys.exit("drawing needs matplotlib: pip install 'treecore[figures]'")

from benchmarks.marks import RESULTS
from benchmarks.reproduce import (
    boosting,
    figure2,
    figure3,
    figure4,
    hinge_figure3,
    hinge_table2,
    hinge_table3,
    oc1_forest,
    oc1_tree,
)
from benchmarks.reproduce.figure import Figure
from benchmarks.reproduce.page import COMMAND, write_results
from benchmarks.reproduce.reproduction import Reproduction
from treecore.runs import runs_root

PAPERS = RESULTS / "papers"
"""The folder of what was measured in full."""

MODULES = (
    *(figure2, figure3, figure4, hinge_table2, hinge_table3, hinge_figure3),
    *(boosting, oc1_tree, oc1_forest),
)
FIGURES: dict[str, Figure] = {module.NAME: module for module in MODULES}


class Parser(argparse.ArgumentParser):
    """Refuses in one sentence."""

    def error(self, message: str):
        """End the command; the names that there are stand in the message."""
        self.exit(2, f"Error: {message.replace('argument FIGURE: ', '')}\n")


def minutes(text: str) -> float:
    """Read the value of ``--minutes``."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < math.inf:
        raise argparse.ArgumentTypeError(f"{text}: give a number of minutes above 0")
    return found


def libsvm_files(text: str) -> tuple[str, list[str]]:
    """Read the value of ``--libsvm``."""
    name, _, paths = text.partition("=")
    if not name or not paths:
        raise argparse.ArgumentTypeError(f"{text}: write it as NAME=TRAIN,TEST")
    return name, paths.split(",")


def make_parser() -> argparse.ArgumentParser:
    """The command line: a command for each figure, and one for the page of all."""
    parser = Parser(
        prog=COMMAND, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="FIGURE")
    for figure in FIGURES.values():
        add = commands.add_parser(
            figure.NAME, help=figure.TITLE, description=figure.CLAIM
        ).add_argument
        add("--quick", action="store_true", help="samples of the rows and fewer points: minutes")
        add("--data", metavar="FOLDER", help="where the papers' datasets are (mnist.npz, ...); if "
            "not given, the folder that the variable TREECORE_DATA names")  # fmt: skip
        add("--minutes", type=minutes, help="begin no point after so many")
        add("--libsvm", action="append", default=[], type=libsvm_files,
            metavar="NAME=TRAIN,...,TEST", help="read a dataset (sensit, protein, ...) from files "
            "in LIBSVM's format, the last has the test rows; may be repeated")  # fmt: skip
        add("--only", action="append", default=[], choices=figure.DATASETS,
            help="make it on this dataset only; may be repeated")  # fmt: skip
        add("--out", metavar="FOLDER", help="of the result; if not given, "
            "benchmarks/results/papers/FIGURE, or runs/FIGURE-quick")  # fmt: skip
        add("--so-far", action="store_true", help="measure nothing, draw the points that are there")
    add = commands.add_parser(
        "results", help="write one page, with pictures, of all figures that have been measured"
    ).add_argument
    add("folder", nargs="?", default=PAPERS, help="of the reproductions, if not the one above")
    add("--out", default="docs/results.md", metavar="FILE", help="the page; pictures go beside it")
    return parser


def reproduce(figure: Figure, given: argparse.Namespace) -> None:
    """Measure the points of a figure that are missing, and draw it."""
    path = runs_root() / f"{figure.NAME}-quick" if given.quick else PAPERS / figure.NAME
    path = Path(given.out) if given.out else path
    if unknown := [name for name, _ in given.libsvm if name not in figure.DATASETS]:
        known = ", ".join(figure.DATASETS)
        raise ValueError(f"--libsvm {unknown[0]}: {figure.NAME} is made on {known}")
    data = PaperData(given.data, dict(given.libsvm))
    work = Reproduction(figure, path, data, given.only, given.quick, given.minutes)
    for name in work.absent:
        print(data.why_absent(name), file=sys.stderr)
    for point in () if given.so_far else work.measure():
        print(point, file=sys.stderr, flush=True)
    work.draw()
    print(path / "page.md")


def main(words: Sequence[str] | None = None) -> None:
    given = make_parser().parse_args(words)
    try:
        if given.command == "results":
            print(*write_results(given.folder, given.out, FIGURES), sep="\n")
        else:
            reproduce(FIGURES[given.command], given)
    except (ValueError, OSError) as error:
        sys.exit(f"Error: {error}")
    except KeyboardInterrupt:
        print("interrupted; the same command continues with the next point", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
