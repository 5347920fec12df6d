"""Measure a figure of a paper again and draw ours over the published values.

    python -m benchmarks.reproduce figure4 --quick --data FOLDER
    python -m benchmarks.reproduce figure2 --only protein --libsvm protein=TRAIN,VALIDATION,TEST
    python -m benchmarks.reproduce results runs --out docs/results.md

The folder of the result has the figure (figure.png), its page (page.md, with the table and how it
was made), the table with all digits (table.csv) and every measured point: after an interruption the
same command continues with the points that are missing, and only draws where none is.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import PaperData

try:
    import matplotlib  # noqa: F401
except ImportError:
    sys.exit("drawing needs matplotlib: pip install 'treecore[figures]'")

from benchmarks.reproduce import (
    boosting,
    figure2,
    figure3,
    figure4,
    hinge_table2,
    hinge_table3,
    oc1_forest,
)
from benchmarks.reproduce.figure import Figure
from benchmarks.reproduce.page import COMMAND, write_results
from benchmarks.reproduce.reproduction import Reproduction
from treecore.runs import runs_root

FIGURES: dict[str, Figure] = {
    module.FIGURE.name: module.FIGURE
    for module in (figure2, figure3, figure4, hinge_table2, hinge_table3, boosting, oc1_forest)
}


def libsvm_files(text: str) -> tuple[str, list[str]]:
    """Read the value of ``--libsvm``."""
    name, _, paths = text.partition("=")
    if not name or not paths:
        raise argparse.ArgumentTypeError(f"{text}: write it as NAME=TRAIN,TEST")
    return name, paths.split(",")


def make_parser() -> argparse.ArgumentParser:
    """The command line: a command for each figure, and one for the page of all."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="FIGURE")
    for figure in FIGURES.values():
        add = commands.add_parser(
            figure.name, help=figure.title, description=figure.claim
        ).add_argument
        add("--quick", action="store_true", help="samples of the rows and fewer points: minutes")
        add("--data", metavar="FOLDER", help="where the papers' datasets are (mnist.npz, ...); if "
            "not given, the folder that the variable TREECORE_DATA names")  # fmt: skip
        add("--libsvm", action="append", default=[], type=libsvm_files,
            metavar="NAME=TRAIN,...,TEST", help="read a dataset (sensit, protein, ...) from files "
            "in LIBSVM's format, the last has the test rows; may be repeated")  # fmt: skip
        add("--only", action="append", default=[], choices=figure.datasets,
            help="make it on this dataset only; may be repeated")  # fmt: skip
        if figure.depths:
            add("--depth", action="append", default=[], type=int, choices=range(1, 21),
                metavar="DEPTH", help="only this depth; may be repeated")  # fmt: skip
        add("--out", metavar="FOLDER", help="of the result; if not given, one in ./runs that is "
            "named after the figure")  # fmt: skip
        add("--so-far", action="store_true", help="measure nothing, draw the points that are there")
    add = commands.add_parser(
        "results",
        help="write one page, with pictures, of all figures that have been reproduced",
        description="Of a figure that is there both quick and full, the full one is taken.",
    ).add_argument
    add("folder", nargs="?", default=runs_root(), help="of the reproductions, ./runs if not given")
    add("--out", default="docs/results.md", metavar="FILE", help="the page; pictures go beside it")
    return parser


def reproduce(figure: Figure, given: argparse.Namespace) -> None:
    """Measure the points of a figure that are missing, and draw it."""
    depths = tuple(getattr(given, "depth", ()))
    words = [*COMMAND.split(), figure.name, *["--quick"] * given.quick]
    words += [f"--only={name}" for name in given.only] + [f"--depth={depth}" for depth in depths]
    for name, paths in given.libsvm:  # folders are everybody's own
        words.append(f"--libsvm={name}={','.join(Path(path).name for path in paths)}")
    path = Path(given.out) if given.out else runs_root() / (figure.name + "-quick" * given.quick)
    data = PaperData(given.data, dict(given.libsvm))
    work = Reproduction(figure, path, data, given.only, given.quick, depths, shlex.join(words))
    for name in work.absent:
        print(data.why_absent(name), file=sys.stderr)
    for point in () if given.so_far else work.measure():
        print(point, file=sys.stderr)
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
