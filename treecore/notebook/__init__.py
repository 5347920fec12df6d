"""The live view in a notebook: ``watch`` shows a tree, or one that learns.

Needs the extra ``notebook``; without it, everything else works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treecore.notebook.view import NotebookView

__all__ = ["watch"]


def watch(subject: Any, X: Any = None, y: Any = None) -> NotebookView:
    """The live view of a tree that learns, or of one that has learnt, as a widget.

    ``watch(estimator).fit(X, y)`` shows an estimator of this package at work,
    ``watch(trainer).run()`` a :class:`treecore.Trainer`, ``watch(tree, X, y)`` a finished tree, or
    a fitted estimator, with rows.

    Parameters
    ----------
    subject : estimator, Trainer or Tree
    X, y : arrays, or None
        Rows and targets, for a finished tree.

    Returns
    -------
    view : NotebookView
        ``view.picked`` tells what was clicked. Its last line in a cell shows it.

    Raises
    ------
    ImportError
        Where the extra is not installed; the sentence says how to.
    ValueError
        In one sentence, for what cannot be shown.
    """
    try:
        from treecore.notebook.view import NotebookView, show_tree
    except ModuleNotFoundError as error:
        raise ImportError(
            f"watch needs {error.name}, which the extra brings: pip install 'treecore[notebook]'"
        ) from error
    view = NotebookView(subject)
    if X is not None or y is not None:
        show_tree(view, X, y)
    return view
