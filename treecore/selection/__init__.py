"""The choice of a tree: candidates of several methods, judged on rows that they have not seen.

::

    choose_tree ──► folds ──► for each: Lesson(training part) ──► every candidate's tree
        │                                                           └─ measured on the other rows
        ├─ Decision     what was measured, and what it led to
        └─ the chosen candidate learns from all rows

A candidate (:mod:`treecore.selection.candidates`) makes a tree of a ``TeacherLesson``, which holds
some rows and what several candidates need of them: a pruned tree, and a teacher
(:mod:`treecore.selection.teacher`) whose answers on drawn rows a single tree can learn
(:func:`answered_rows`). The pipeline of Norouzi et al. 2015 has its own candidates
(:mod:`treecore.selection.bound_search`).
"""

from typing import TYPE_CHECKING

from treecore.base.public import public_names

if TYPE_CHECKING:
    from treecore.selection.any_teacher import AnyTeacher
    from treecore.selection.bound_search import bound_contest, bound_summary
    from treecore.selection.candidates import CONTESTS
    from treecore.selection.choice import Choice, choose_tree
    from treecore.selection.decision import Decision, Measured
    from treecore.selection.lesson import TeacherQuestion
    from treecore.selection.taught_rows import (
        BETWEEN,
        AnsweredRows,
        answered_rows,
        as_targets,
        n_to_draw,
    )

__all__ = [
    "CONTESTS",
    "AnsweredRows",
    "Choice",
    "Decision",
    "Measured",
    "TeacherQuestion",
    "answered_rows",
    "bound_contest",
    "bound_summary",
    "choose_tree",
]

__getattr__, __dir__ = public_names(__name__)
