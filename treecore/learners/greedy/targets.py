"""The targets of the training rows as greedy growth reads them: a criterion."""

from __future__ import annotations

from treecore.core.impurity import Criterion
from treecore.learners.greedy.class_criterion import ClassCriterion
from treecore.learners.greedy.variance_criterion import VarianceCriterion
from treecore.rows.training_rows import TrainingRows

Criteria = ClassCriterion | VarianceCriterion


def make_criterion(rows: TrainingRows, kind: Criterion) -> Criteria:
    """The criterion of training rows; kind: impurity of classes, as numbers have one."""
    if rows.loss.task == "classification":
        return ClassCriterion.of(rows, kind)
    return VarianceCriterion.of(rows)
