"""Runs in folders: settings, events, checkpoints and model of each, from which it is resumed."""

from typing import TYPE_CHECKING

from treecore.base.public import public_names

if TYPE_CHECKING:
    from treecore.runs.driver import RunSession, begin, go_on, look_into, make_trainer, resume
    from treecore.runs.result import (
        FIGURES,
        data_of,
        document_of,
        figures_of,
        print_of,
        trained_document,
    )
    from treecore.runs.run_directory import (
        RunDirectory,
        RunError,
        find_runs,
        new_run_path,
        runs_root,
    )

__all__ = [
    "FIGURES",
    "RunDirectory",
    "RunError",
    "RunSession",
    "begin",
    "data_of",
    "document_of",
    "figures_of",
    "find_runs",
    "go_on",
    "look_into",
    "make_trainer",
    "new_run_path",
    "print_of",
    "resume",
    "runs_root",
    "trained_document",
]

__getattr__, __dir__ = public_names(__name__)
