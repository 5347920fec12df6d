"""Runs in folders: settings, events, checkpoints and model of each, from which it is resumed."""

from treecore.runs.driver import begin, go_on, look_into, resume
from treecore.runs.result import document_of
from treecore.runs.run_directory import RunDirectory, RunError, find_runs, runs_root

__all__ = [
    "RunDirectory",
    "RunError",
    "begin",
    "document_of",
    "find_runs",
    "go_on",
    "look_into",
    "resume",
    "runs_root",
]
