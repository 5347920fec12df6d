"""The screen of ``treecore train --stream`` while a file is scanned and learnt from."""

from __future__ import annotations

import contextlib

from rich.console import Console

from treecore.cli.progress import ProgressReport
from treecore.data.sources import Source
from treecore.data.stream import Stream
from treecore.runs.streamed import StreamRun, go_on_stream, peak_bytes, resume_stream

_SCANNING = "Looking the file over: classes, means and deviations"


def scan_source(source: Source, console: Console) -> Stream:
    """Scan the file of a stream: classes, means and deviations.

    Parameters
    ----------
    source : Source
    console : Console
        For what was found.

    Raises
    ------
    ValueError
        In one sentence, for a file that cannot be streamed.
    """
    with ProgressReport(console) as progress:
        progress.update(_SCANNING)
        stream = Stream(source)
    _print_summary(stream, console)
    return stream


def open_run(path: str, source: Source | None, console: Console) -> StreamRun:
    """The run in a folder, with its file scanned once more.

    Parameters
    ----------
    path : path
    source : Source or None
        Where the rows are now, if they have moved.
    console : Console

    Raises
    ------
    ValueError
        In one sentence, where the run cannot go on.
    """
    with ProgressReport(console) as progress:
        progress.update(_SCANNING)
        run = resume_stream(path, source)
    _print_summary(run.stream, console)
    return run


def drive(run: StreamRun, every: float, console: Console) -> None:
    """Drive a run to its end with a progress bar.

    Parameters
    ----------
    run : StreamRun
    every : float
        Seconds between checkpoints.
    console : Console
    """
    with ProgressReport(console) as progress:
        progress.update("Preparing")
        recent = None
        with contextlib.closing(go_on_stream(run, every)) as steps:
            for step in steps:
                recent = step.recent if step.recent is not None else recent
                parts = [f"{step.n_rows:,} rows".replace(",", " "), f"peak {_mib(peak_bytes())}"]
                if recent is not None:
                    classes = bool(run.stream.class_names)
                    score = f"{100 * recent:.1f} %" if classes else f"R² {recent:.3f}"
                    parts.insert(1, f"new rows {score}")
                stage = "Measuring" if step.measuring else "Learning"
                progress.update(stage, step.progress, figures="  ".join(parts))


def print_peak(console: Console) -> None:
    """Print the greatest memory of the process so far."""
    console.print(f"Peak memory: {_mib(peak_bytes())}")


def _print_summary(stream: Stream, console: Console) -> None:
    names = [*map(repr, stream.class_names[:12]), *["..."][: len(stream.class_names) > 12]]
    kind = f"{len(stream.class_names)} classes, {', '.join(names)}" if names else "numbers"
    console.print(f"Predicts {stream.target_name!r}: {kind}.", markup=False, highlight=False)
    text = f"{stream.n_rows} rows, {stream.n_train} of them to learn from, {stream.n_pieces} pieces"
    if stream.n_dropped:
        text += f"; {stream.n_dropped} rows without a target were left out"
    console.print(f"[dim]{text}[/dim]")
    for note in stream.notes:
        console.print(note, style="dim", markup=False)


def _mib(n_bytes: int) -> str:
    return f"{n_bytes / 2**20:.0f} MiB"
