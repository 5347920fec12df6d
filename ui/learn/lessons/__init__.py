"""The lessons, in the order of their numbers; each is a YAML file, here or in one's own folder."""

import os
from pathlib import Path

from ui.learn.lesson_file import read_lessons

FOLDER = "TREECORE_LESSONS"
"""The variable that names a folder with further lessons."""

_FOLDERS = [Path(__file__).parent, *(Path(name) for name in [os.environ.get(FOLDER)] if name)]

LESSONS, PROBLEMS = read_lessons(_FOLDERS)
"""All lessons, read when the app starts, and why files are left out."""

LESSON = {lesson.number: lesson for lesson in LESSONS}
"""Lessons by their numbers, which links have."""
