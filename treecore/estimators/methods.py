"""One classifier and one regressor a method, with the settings of that method alone.

Written by ``make generate`` from the registry: change the settings there, and run it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from treecore.estimators.hinge import HingeClassifier, HingeRegressor
from treecore.estimators.one_method import OneMethod
from treecore.estimators.one_tree import TreeClassifier, TreeRegressor
from treecore.estimators.parameters import (
    ClassParameters,
    MethodParameters,
    NumberParameters,
)


@dataclass(kw_only=True, eq=False, repr=False)
class _SGDTree:
    """Non-greedy SGD."""

    method = "sgd"
    depth: int = field(default=6, kw_only=False)
    start: Literal["random", "axis", "random-oblique", "oc1", "co2", "tao"] = "random"
    shape: Literal["grown", "complete"] = "grown"
    nu: float = 20.0
    eta: float = 0.1
    schedule: Literal["constant", "linear", "cosine"] = "linear"
    inference: Literal["exact", "fast"] = "exact"
    epochs: int = 100
    batch: int = 1
    momentum: float = 0.0
    sparsity: float = 0.0


@dataclass(kw_only=True, eq=False, repr=False)
class _SGDTreeClassifier(ClassParameters, MethodParameters, _SGDTree):
    """Parameters of the classifier."""


class SGDTreeClassifier(_SGDTreeClassifier, OneMethod, TreeClassifier):
    """A classification tree by the method Non-greedy SGD.

    Adjusts every split at once, one example at a time, to lower a bound on the whole tree's
    loss.

    Source: Norouzi et al., Efficient Non-greedy Optimization of Decision Trees, 2015.

    Parameters
    ----------
    depth : int, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 20.
    start : str, default "random"
        The tree at the start of learning: a complete tree of random oblique splits, or a tree
        grown by another method. The paper uses CO2. Choose a grown start on large data, where a
        random one takes many epochs. One of "random", "axis", "random-oblique", "oc1", "co2",
        "tao".
    shape : str, default "grown"
        A grown start stays as it is, or random splits fill it up to a complete tree. Choose
        complete when the start has few leaves, because learning adds none. The paper's trees
        are complete. One of "grown", "complete".
    nu : float, default 20.0
        Limit on every split's weights: ‖w‖² ≤ ν. A small ν forces wide margins and leaves more
        leaves inactive; with a large ν the bound follows the loss and splits hardly move. Lower
        it when test accuracy falls behind training accuracy. From 0.01 to 10,000.
    eta : float, default 0.1
        How far one example moves the splits. Lower it when the bound jumps up and down; raise
        it when the bound falls too slowly. From 1e-05 to 10.
    schedule : str, default "linear"
        How the learning rate falls over the run: not at all, in a straight line to zero, or
        along half a cosine to zero. Choose constant to watch steps of equal size. One of
        "constant", "linear", "cosine".
    inference : str, default "exact"
        Which leaves compete with the leaf that an example reaches: all of them (exact), or
        those one changed decision away (fast). Exact takes little longer here; choose fast to
        follow the paper. One of "exact", "fast".
    epochs : int, default 100
        How often learning goes through all training examples. Raise it while the bound still
        falls at the end. From 1 to 100,000.
    batch : int, default 1
        The number of examples whose mean gradient makes one step. Raise it, and η with it, for
        a smoother path. From 1 to 1,024.
    momentum : float, default 0.0
        The share of its last step that a split repeats in the next one. Raise it with small
        batches; at 0.9 steps add up to ten times η, so lower η too. From 0 to 0.99.
    sparsity : float, default 0.0
        Pulls weights towards zero, which makes splits use fewer features. Raise it when few of
        many features matter; 0.001 is a gentle pull. From 0 to 1.
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    class_weight : dict, "balanced" or None, default None
        What each class weighs; classes that are left out weigh 1. "balanced": all classes
        together weigh the same.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    classes_ : array, shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of epochs, or of pieces given to partial_fit.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A row of weight two is drawn or visited as one row. Missing
    values (NaN) are sent to the side that is better in training by a split on one feature, and
    read as the mean by all others. The tree reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _SGDTreeRegressor(NumberParameters, MethodParameters, _SGDTree):
    """Parameters of the regressor."""


class SGDTreeRegressor(_SGDTreeRegressor, OneMethod, TreeRegressor):
    """A regression tree by the method Non-greedy SGD.

    Adjusts every split at once, one example at a time, to lower a bound on the whole tree's
    loss.

    Source: Norouzi et al., Efficient Non-greedy Optimization of Decision Trees, 2015.

    Parameters
    ----------
    depth : int, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 20.
    start : str, default "random"
        The tree at the start of learning: a complete tree of random oblique splits, or a tree
        grown by another method. The paper uses CO2. Choose a grown start on large data, where a
        random one takes many epochs. One of "random", "axis", "random-oblique", "oc1", "co2",
        "tao".
    shape : str, default "grown"
        A grown start stays as it is, or random splits fill it up to a complete tree. Choose
        complete when the start has few leaves, because learning adds none. The paper's trees
        are complete. One of "grown", "complete".
    nu : float, default 20.0
        Limit on every split's weights: ‖w‖² ≤ ν. A small ν forces wide margins and leaves more
        leaves inactive; with a large ν the bound follows the loss and splits hardly move. Lower
        it when test accuracy falls behind training accuracy. From 0.01 to 10,000.
    eta : float, default 0.1
        How far one example moves the splits. Lower it when the bound jumps up and down; raise
        it when the bound falls too slowly. From 1e-05 to 10.
    schedule : str, default "linear"
        How the learning rate falls over the run: not at all, in a straight line to zero, or
        along half a cosine to zero. Choose constant to watch steps of equal size. One of
        "constant", "linear", "cosine".
    inference : str, default "exact"
        Which leaves compete with the leaf that an example reaches: all of them (exact), or
        those one changed decision away (fast). Exact takes little longer here; choose fast to
        follow the paper. One of "exact", "fast".
    epochs : int, default 100
        How often learning goes through all training examples. Raise it while the bound still
        falls at the end. From 1 to 100,000.
    batch : int, default 1
        The number of examples whose mean gradient makes one step. Raise it, and η with it, for
        a smoother path. From 1 to 1,024.
    momentum : float, default 0.0
        The share of its last step that a split repeats in the next one. Raise it with small
        batches; at 0.9 steps add up to ten times η, so lower η too. From 0 to 0.99.
    sparsity : float, default 0.0
        Pulls weights towards zero, which makes splits use fewer features. Raise it when few of
        many features matter; 0.001 is a gentle pull. From 0 to 1.
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    loss : str, default "squared_error"
        What is made small; "huber" lets far-off targets count less, and with "absolute_error"
        it predicts medians, with "quantile:0.9" what nine in ten rows stay below.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of epochs, or of pieces given to partial_fit.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A row of weight two is drawn or visited as one row. Missing
    values (NaN) are sent to the side that is better in training by a split on one feature, and
    read as the mean by all others. The tree reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _StableSGDTree:
    """Non-greedy Stable SGD."""

    method = "stable-sgd"
    depth: int = field(default=6, kw_only=False)
    start: Literal["random", "axis", "random-oblique", "oc1", "co2", "tao"] = "random"
    shape: Literal["grown", "complete"] = "grown"
    nu: float = 20.0
    eta: float = 0.1
    schedule: Literal["constant", "linear", "cosine"] = "linear"
    inference: Literal["exact", "fast"] = "exact"
    epochs: int = 100
    batch: int = 1
    momentum: float = 0.0
    sparsity: float = 0.0
    tolerance: float = 0.01


@dataclass(kw_only=True, eq=False, repr=False)
class _StableSGDTreeClassifier(ClassParameters, MethodParameters, _StableSGDTree):
    """Parameters of the classifier."""


class StableSGDTreeClassifier(_StableSGDTreeClassifier, OneMethod, TreeClassifier):
    """A classification tree by the method Non-greedy Stable SGD.

    Like SGD, but each example keeps its leaf until the bound stops falling, and fewer leaves
    become inactive.

    Source: Norouzi et al., Efficient Non-greedy Optimization of Decision Trees, 2015.

    Parameters
    ----------
    depth : int, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 20.
    start : str, default "random"
        The tree at the start of learning: a complete tree of random oblique splits, or a tree
        grown by another method. The paper uses CO2. Choose a grown start on large data, where a
        random one takes many epochs. One of "random", "axis", "random-oblique", "oc1", "co2",
        "tao".
    shape : str, default "grown"
        A grown start stays as it is, or random splits fill it up to a complete tree. Choose
        complete when the start has few leaves, because learning adds none. The paper's trees
        are complete. One of "grown", "complete".
    nu : float, default 20.0
        Limit on every split's weights: ‖w‖² ≤ ν. A small ν forces wide margins and leaves more
        leaves inactive; with a large ν the bound follows the loss and splits hardly move. Lower
        it when test accuracy falls behind training accuracy. From 0.01 to 10,000.
    eta : float, default 0.1
        How far one example moves the splits. Lower it when the bound jumps up and down; raise
        it when the bound falls too slowly. From 1e-05 to 10.
    schedule : str, default "linear"
        How the learning rate falls over the run: not at all, in a straight line to zero, or
        along half a cosine to zero. Choose constant to watch steps of equal size. One of
        "constant", "linear", "cosine".
    inference : str, default "exact"
        Which leaves compete with the leaf that an example reaches: all of them (exact), or
        those one changed decision away (fast). Exact takes little longer here; choose fast to
        follow the paper. One of "exact", "fast".
    epochs : int, default 100
        How often learning goes through all training examples. Raise it while the bound still
        falls at the end. From 1 to 100,000.
    batch : int, default 1
        The number of examples whose mean gradient makes one step. Raise it, and η with it, for
        a smoother path. From 1 to 1,024.
    momentum : float, default 0.0
        The share of its last step that a split repeats in the next one. Raise it with small
        batches; at 0.9 steps add up to ten times η, so lower η too. From 0 to 0.99.
    sparsity : float, default 0.0
        Pulls weights towards zero, which makes splits use fewer features. Raise it when few of
        many features matter; 0.001 is a gentle pull. From 0 to 1.
    tolerance : float, default 0.01
        Examples are assigned to leaves again after an epoch that lowered the bound by less than
        this share. Lower it to keep assignments longer. From 0 to 1.
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    class_weight : dict, "balanced" or None, default None
        What each class weighs; classes that are left out weigh 1. "balanced": all classes
        together weigh the same.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    classes_ : array, shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of epochs, or of pieces given to partial_fit.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A row of weight two is drawn or visited as one row. Missing
    values (NaN) are sent to the side that is better in training by a split on one feature, and
    read as the mean by all others. The tree reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _StableSGDTreeRegressor(NumberParameters, MethodParameters, _StableSGDTree):
    """Parameters of the regressor."""


class StableSGDTreeRegressor(_StableSGDTreeRegressor, OneMethod, TreeRegressor):
    """A regression tree by the method Non-greedy Stable SGD.

    Like SGD, but each example keeps its leaf until the bound stops falling, and fewer leaves
    become inactive.

    Source: Norouzi et al., Efficient Non-greedy Optimization of Decision Trees, 2015.

    Parameters
    ----------
    depth : int, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 20.
    start : str, default "random"
        The tree at the start of learning: a complete tree of random oblique splits, or a tree
        grown by another method. The paper uses CO2. Choose a grown start on large data, where a
        random one takes many epochs. One of "random", "axis", "random-oblique", "oc1", "co2",
        "tao".
    shape : str, default "grown"
        A grown start stays as it is, or random splits fill it up to a complete tree. Choose
        complete when the start has few leaves, because learning adds none. The paper's trees
        are complete. One of "grown", "complete".
    nu : float, default 20.0
        Limit on every split's weights: ‖w‖² ≤ ν. A small ν forces wide margins and leaves more
        leaves inactive; with a large ν the bound follows the loss and splits hardly move. Lower
        it when test accuracy falls behind training accuracy. From 0.01 to 10,000.
    eta : float, default 0.1
        How far one example moves the splits. Lower it when the bound jumps up and down; raise
        it when the bound falls too slowly. From 1e-05 to 10.
    schedule : str, default "linear"
        How the learning rate falls over the run: not at all, in a straight line to zero, or
        along half a cosine to zero. Choose constant to watch steps of equal size. One of
        "constant", "linear", "cosine".
    inference : str, default "exact"
        Which leaves compete with the leaf that an example reaches: all of them (exact), or
        those one changed decision away (fast). Exact takes little longer here; choose fast to
        follow the paper. One of "exact", "fast".
    epochs : int, default 100
        How often learning goes through all training examples. Raise it while the bound still
        falls at the end. From 1 to 100,000.
    batch : int, default 1
        The number of examples whose mean gradient makes one step. Raise it, and η with it, for
        a smoother path. From 1 to 1,024.
    momentum : float, default 0.0
        The share of its last step that a split repeats in the next one. Raise it with small
        batches; at 0.9 steps add up to ten times η, so lower η too. From 0 to 0.99.
    sparsity : float, default 0.0
        Pulls weights towards zero, which makes splits use fewer features. Raise it when few of
        many features matter; 0.001 is a gentle pull. From 0 to 1.
    tolerance : float, default 0.01
        Examples are assigned to leaves again after an epoch that lowered the bound by less than
        this share. Lower it to keep assignments longer. From 0 to 1.
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    loss : str, default "squared_error"
        What is made small; "huber" lets far-off targets count less, and with "absolute_error"
        it predicts medians, with "quantile:0.9" what nine in ten rows stay below.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of epochs, or of pieces given to partial_fit.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A row of weight two is drawn or visited as one row. Missing
    values (NaN) are sent to the side that is better in training by a split on one feature, and
    read as the mean by all others. The tree reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _AnnealedTree:
    """Annealed (soft to hard)."""

    method = "annealed"
    depth: int = field(default=6, kw_only=False)
    start: Literal["auto", "random", "axis", "oc1", "co2", "tao"] = "auto"
    decay: float = 0.3
    eta: float = 0.03
    power: float = 0.7
    sharpness: float = 3.0
    scaling: Literal["auto", "each", "together"] = "auto"
    rounds: int = 100
    batch: int = 256
    smoothing: float = 1.0
    leaf: Literal["constant", "linear"] = "constant"
    monotonic_cst: dict[str, int] | Sequence[int] | np.ndarray | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class _AnnealedTreeClassifier(ClassParameters, MethodParameters, _AnnealedTree):
    """Parameters of the classifier."""


class AnnealedTreeClassifier(_AnnealedTreeClassifier, OneMethod, TreeClassifier):
    """A classification tree by the method Annealed (soft to hard).

    Adjusts every split at once; at first each example goes partly down both branches, by the
    end down only one.

    Parameters
    ----------
    depth : int, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 20.
    start : str, default "auto"
        The tree at the start of learning: a complete tree of random oblique splits, or a tree
        grown by another method. Automatic chooses complete when there are enough examples for
        its leaves. Choose a grown start for deep trees on small data. One of "auto", "random",
        "axis", "oc1", "co2", "tao".
    decay : float, default 0.3
        How strongly weights are pulled to zero. Raise it when the tree overfits; lower it when
        the tree misses the training examples. From 0 to 10.
    eta : float, default 0.03
        The largest change that one mini-batch makes to a split's weights. Lower it when the
        loss jumps; raise it when few rounds are left. From 1e-05 to 1.
    power : float, default 0.7
        Which loss is used for classes: near 0 the log loss, at 1 the probability of an error.
        Raise it when some labels are wrong, because it makes hopeless examples count less. From
        0.01 to 1.
    sharpness : float, default 3.0
        Examples go right with probability 1 / (1 + exp(-β s)). β rises from 1 to this value
        over the run, which makes decisions hard. Raise it when the final tree is worse than the
        soft one was. From 1 to 100.
    scaling : str, default "auto"
        Divides each feature by its own standard deviation, or all features by one, which keeps
        their proportions. Automatic chooses one when most features have about the same range.
        Choose one yourself when all features have the same unit, as pixels do. One of "auto",
        "each", "together".
    rounds : int, default 100
        Rounds of 50 mini-batches, fewer on small data. Raise it while accuracy still rises at
        the end. From 1 to 100,000.
    batch : int, default 256
        Examples in a mini-batch. Lower it on small data; raise it when the loss is noisy. From
        1 to 65,536.
    smoothing : float, default 1.0
        Imaginary examples added to every leaf, shared equally by the classes, or with the mean
        number. Raise it when small leaves are too confident. From 0.001 to 1,000.
    leaf : str, default "constant"
        A leaf predicts the same for all its examples (constant), or by a linear model of their
        features (for classes, a logistic regression), learnt together with the splits. Choose
        linear for small trees on smooth data. One of "constant", "linear".
    monotonic_cst : dict, array of int or None, default None
        1 for a column whose rise must never lower the prediction (the number, or the
        probability of the second of two classes), -1 for one whose rise must never raise it, 0
        for any other: a dict by column, or one entry a column. Nothing is promised of missing
        values.
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    class_weight : dict, "balanced" or None, default None
        What each class weighs; classes that are left out weigh 1. "balanced": all classes
        together weigh the same.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    classes_ : array, shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of rounds, or of pieces given to partial_fit.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A row of weight two is drawn or visited as one row. Missing
    values (NaN) are sent to the side that is better in training by a split on one feature, and
    read as the mean by all others. The tree reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _AnnealedTreeRegressor(NumberParameters, MethodParameters, _AnnealedTree):
    """Parameters of the regressor."""


class AnnealedTreeRegressor(_AnnealedTreeRegressor, OneMethod, TreeRegressor):
    """A regression tree by the method Annealed (soft to hard).

    Adjusts every split at once; at first each example goes partly down both branches, by the
    end down only one.

    Parameters
    ----------
    depth : int, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 20.
    start : str, default "auto"
        The tree at the start of learning: a complete tree of random oblique splits, or a tree
        grown by another method. Automatic chooses complete when there are enough examples for
        its leaves. Choose a grown start for deep trees on small data. One of "auto", "random",
        "axis", "oc1", "co2", "tao".
    decay : float, default 0.3
        How strongly weights are pulled to zero. Raise it when the tree overfits; lower it when
        the tree misses the training examples. From 0 to 10.
    eta : float, default 0.03
        The largest change that one mini-batch makes to a split's weights. Lower it when the
        loss jumps; raise it when few rounds are left. From 1e-05 to 1.
    power : float, default 0.7
        Which loss is used for classes: near 0 the log loss, at 1 the probability of an error.
        Raise it when some labels are wrong, because it makes hopeless examples count less. From
        0.01 to 1.
    sharpness : float, default 3.0
        Examples go right with probability 1 / (1 + exp(-β s)). β rises from 1 to this value
        over the run, which makes decisions hard. Raise it when the final tree is worse than the
        soft one was. From 1 to 100.
    scaling : str, default "auto"
        Divides each feature by its own standard deviation, or all features by one, which keeps
        their proportions. Automatic chooses one when most features have about the same range.
        Choose one yourself when all features have the same unit, as pixels do. One of "auto",
        "each", "together".
    rounds : int, default 100
        Rounds of 50 mini-batches, fewer on small data. Raise it while accuracy still rises at
        the end. From 1 to 100,000.
    batch : int, default 256
        Examples in a mini-batch. Lower it on small data; raise it when the loss is noisy. From
        1 to 65,536.
    smoothing : float, default 1.0
        Imaginary examples added to every leaf, shared equally by the classes, or with the mean
        number. Raise it when small leaves are too confident. From 0.001 to 1,000.
    leaf : str, default "constant"
        A leaf predicts the same for all its examples (constant), or by a linear model of their
        features (for classes, a logistic regression), learnt together with the splits. Choose
        linear for small trees on smooth data. One of "constant", "linear".
    monotonic_cst : dict, array of int or None, default None
        1 for a column whose rise must never lower the prediction (the number, or the
        probability of the second of two classes), -1 for one whose rise must never raise it, 0
        for any other: a dict by column, or one entry a column. Nothing is promised of missing
        values.
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    loss : str, default "squared_error"
        What is made small; "huber" lets far-off targets count less, and with "absolute_error"
        it predicts medians, with "quantile:0.9" what nine in ten rows stay below.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of rounds, or of pieces given to partial_fit.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A row of weight two is drawn or visited as one row. Missing
    values (NaN) are sent to the side that is better in training by a split on one feature, and
    read as the mean by all others. The tree reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _TAOTree:
    """Alternating (TAO)."""

    method = "tao"
    depth: int = field(default=6, kw_only=False)
    start: Literal["axis", "co2", "random"] = "axis"
    C: float = 10.0
    path: float = 1.0
    epochs: int = 20
    newton_steps: int = 5
    ridge: float = 0.0
    scaling: Literal["auto", "each", "together"] = "each"
    smoothing: float = 1.0
    leaf: Literal["constant", "linear"] = "constant"


@dataclass(kw_only=True, eq=False, repr=False)
class _TAOTreeClassifier(ClassParameters, MethodParameters, _TAOTree):
    """Parameters of the classifier."""


class TAOTreeClassifier(_TAOTreeClassifier, OneMethod, TreeClassifier):
    """A classification tree by the method Alternating (TAO).

    Improves one split at a time from the leaves to the root; the training error never rises,
    and splits use few features.

    Source: Carreira-Perpiñán and Tavallali, Alternating Optimization of Decision Trees, 2018.

    Parameters
    ----------
    depth : int, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 20.
    start : str, default "axis"
        The tree at the start of learning: a tree grown by a greedy method, or a complete tree
        of random oblique splits. Choose random when a grown start leaves almost nothing to
        improve. One of "axis", "co2", "random".
    C : float, default 10.0
        How much an error counts against the sum of a split's weights. Lower it for splits that
        use few features; raise it when the training error stays high. From 0.001 to 10,000.
    path : float, default 1.0
        The first iteration divides C by this number; C then rises to its value over half of the
        run. Raise it when features are many and splits should stay sparse. From 1 to 10,000.
    epochs : int, default 20
        Visits to every split, from the deepest to the root. The run ends earlier when an
        iteration changes nothing. Raise it when the last iteration still changes splits. From 1
        to 1,000.
    newton_steps : int, default 5
        The largest number of solver steps at one split. Raise it for more exact weights, which
        take longer. From 1 to 10,000.
    ridge : float, default 0.0
        A second penalty, on squared weights, which makes similar features share their weight.
        Raise it for pixels: 10 with C at 1. From 0 to 10,000.
    scaling : str, default "each"
        Divides each feature by its own standard deviation, or all features by one, which keeps
        their proportions. Automatic chooses one when most features have about the same range.
        Choose one yourself when all features have the same unit, as pixels do. One of "auto",
        "each", "together".
    smoothing : float, default 1.0
        Imaginary examples added to every leaf, shared equally by the classes, or with the mean
        number. Raise it when small leaves are too confident. From 0.001 to 1,000.
    leaf : str, default "constant"
        A leaf predicts the same for all its examples (constant), or by a linear model of their
        features (for classes, a logistic regression), learnt together with the splits. Choose
        linear for small trees on smooth data. One of "constant", "linear".
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    class_weight : dict, "balanced" or None, default None
        What each class weighs; classes that are left out weigh 1. "balanced": all classes
        together weigh the same.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    classes_ : array, shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of epochs.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A row of weight two is drawn or visited as one row. Missing
    values (NaN) are sent to the side that is better in training by a split on one feature, and
    read as the mean by all others. The tree reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _TAOTreeRegressor(NumberParameters, MethodParameters, _TAOTree):
    """Parameters of the regressor."""


class TAOTreeRegressor(_TAOTreeRegressor, OneMethod, TreeRegressor):
    """A regression tree by the method Alternating (TAO).

    Improves one split at a time from the leaves to the root; the training error never rises,
    and splits use few features.

    Source: Carreira-Perpiñán and Tavallali, Alternating Optimization of Decision Trees, 2018.

    Parameters
    ----------
    depth : int, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 20.
    start : str, default "axis"
        The tree at the start of learning: a tree grown by a greedy method, or a complete tree
        of random oblique splits. Choose random when a grown start leaves almost nothing to
        improve. One of "axis", "co2", "random".
    C : float, default 10.0
        How much an error counts against the sum of a split's weights. Lower it for splits that
        use few features; raise it when the training error stays high. From 0.001 to 10,000.
    path : float, default 1.0
        The first iteration divides C by this number; C then rises to its value over half of the
        run. Raise it when features are many and splits should stay sparse. From 1 to 10,000.
    epochs : int, default 20
        Visits to every split, from the deepest to the root. The run ends earlier when an
        iteration changes nothing. Raise it when the last iteration still changes splits. From 1
        to 1,000.
    newton_steps : int, default 5
        The largest number of solver steps at one split. Raise it for more exact weights, which
        take longer. From 1 to 10,000.
    ridge : float, default 0.0
        A second penalty, on squared weights, which makes similar features share their weight.
        Raise it for pixels: 10 with C at 1. From 0 to 10,000.
    scaling : str, default "each"
        Divides each feature by its own standard deviation, or all features by one, which keeps
        their proportions. Automatic chooses one when most features have about the same range.
        Choose one yourself when all features have the same unit, as pixels do. One of "auto",
        "each", "together".
    smoothing : float, default 1.0
        Imaginary examples added to every leaf, shared equally by the classes, or with the mean
        number. Raise it when small leaves are too confident. From 0.001 to 1,000.
    leaf : str, default "constant"
        A leaf predicts the same for all its examples (constant), or by a linear model of their
        features (for classes, a logistic regression), learnt together with the splits. Choose
        linear for small trees on smooth data. One of "constant", "linear".
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    loss : str, default "squared_error"
        What is made small; "huber" lets far-off targets count less, and with "absolute_error"
        it predicts medians, with "quantile:0.9" what nine in ten rows stay below.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of epochs.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A row of weight two is drawn or visited as one row. Missing
    values (NaN) are sent to the side that is better in training by a split on one feature, and
    read as the mean by all others. The tree reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _AxisTree:
    """Greedy axis-aligned."""

    method = "axis"
    max_depth: int | None = field(default=6, kw_only=False)
    min_samples_leaf: int = 1
    min_gain: float = 0.0
    min_impurity: float = 0.0
    significance: float = 0.0
    smoothing: float = 1.0
    max_leaf_nodes: int | None = None
    max_features: int | float | Literal["sqrt"] | None = None
    leaf: Literal["constant", "linear"] = "constant"
    leaf_price: float = 2.0
    monotonic_cst: dict[str, int] | Sequence[int] | np.ndarray | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class _AxisTreeClassifier(ClassParameters, MethodParameters, _AxisTree):
    """Parameters of the classifier."""

    criterion: Literal["entropy", "gini", "gain ratio"] = "entropy"


class AxisTreeClassifier(_AxisTreeClassifier, OneMethod, TreeClassifier):
    """A classification tree by the method Greedy axis-aligned.

    Grows the tree from the root; each node takes the best split on one feature and never
    revisits it.

    Parameters
    ----------
    max_depth : int or None, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 512; None is the greatest.
    criterion : str, default "entropy"
        The measure that a split lowers: the entropy of the classes or their Gini impurity; for
        numbers always the squared error. Gain ratio divides the fall of entropy by how evenly
        the split divides the examples. Gini is scikit-learn's default; choose gain ratio to
        follow C4.5. One of "entropy", "gini", "gain ratio".
    min_samples_leaf : int, default 1
        A split must leave this many examples on each side. Raise it against overfitting, above
        all with noisy numbers. From 1 to 1,000,000.
    min_gain : float, default 0.0
        A split must lower the impurity by this much, weighted by the node's share of the
        examples. Raise it to stop growth where splits gain little. From 0 to 1.
    min_impurity : float, default 0.0
        A purer node becomes a leaf. Impurity is the entropy in bits, the Gini impurity, or the
        variance of the numbers (1 for all examples). Raise it to prune as OC1 does. From 0 to
        100.
    significance : float, default 0.0
        The largest p-value of a split: how probable it is that chance divides the targets as
        well (chi-squared test of classes, F-test of numbers). Lower it to stop growth on noise,
        0.01 for example; 0 makes every split. From 0 to 1.
    smoothing : float, default 1.0
        Imaginary examples added to every leaf, shared equally by the classes, or with the mean
        number. Raise it when small leaves are too confident. From 0.001 to 1,000.
    max_leaf_nodes : int or None, default None
        With a limit, the split that lowers the impurity most is made next, up to this number of
        leaves. Set it to compare trees of one size; 0 means no limit. From 0 to 1,000,000; None
        is 0.
    max_features : int, float, "sqrt" or None, default None
        How many features compete at a node, drawn for each node; 0 means all. Lower it for the
        trees of a random forest, which should differ. From 0 to 1,000,000, "sqrt", or a share
        of all as a float; None is 0.
    leaf : str, default "constant"
        A leaf predicts the same for all its examples (constant), or by a linear model of their
        features (for classes, a logistic regression). With linear leaves, the error of the two
        regressions decides on a split. Choose linear for small trees on smooth data. One of
        "constant", "linear".
    leaf_price : float, default 2.0
        A split with linear leaves must save this much for every number of a leaf's model, in
        mean squared errors of the node. 2 is Akaike's criterion; raise it to 5 for fewer
        splits. From 0 to 1,000.
    monotonic_cst : dict, array of int or None, default None
        1 for a column whose rise must never lower the prediction (the number, or the
        probability of the second of two classes), -1 for one whose rise must never raise it, 0
        for any other: a dict by column, or one entry a column. Nothing is promised of missing
        values.
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    class_weight : dict, "balanced" or None, default None
        What each class weighs; classes that are left out weigh 1. "balanced": all classes
        together weigh the same.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    classes_ : array, shape (n_classes,), or list with one for each of several outputs
    n_classes_ : int or list of int
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of levels.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A weight of two is two rows to constant leaves, up to
    rounding, but not in means of columns. Missing values (NaN) are sent to the side that is
    better in training by a split on one feature, and read as the mean by all others. The tree
    reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _AxisTreeRegressor(NumberParameters, MethodParameters, _AxisTree):
    """Parameters of the regressor."""

    criterion: Literal["squared_error"] = "squared_error"


class AxisTreeRegressor(_AxisTreeRegressor, OneMethod, TreeRegressor):
    """A regression tree by the method Greedy axis-aligned.

    Grows the tree from the root; each node takes the best split on one feature and never
    revisits it.

    Parameters
    ----------
    max_depth : int or None, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 512; None is the greatest.
    criterion : str, default "squared_error"
        What a split makes small.
    min_samples_leaf : int, default 1
        A split must leave this many examples on each side. Raise it against overfitting, above
        all with noisy numbers. From 1 to 1,000,000.
    min_gain : float, default 0.0
        A split must lower the impurity by this much, weighted by the node's share of the
        examples. Raise it to stop growth where splits gain little. From 0 to 1.
    min_impurity : float, default 0.0
        A purer node becomes a leaf. Impurity is the entropy in bits, the Gini impurity, or the
        variance of the numbers (1 for all examples). Raise it to prune as OC1 does. From 0 to
        100.
    significance : float, default 0.0
        The largest p-value of a split: how probable it is that chance divides the targets as
        well (chi-squared test of classes, F-test of numbers). Lower it to stop growth on noise,
        0.01 for example; 0 makes every split. From 0 to 1.
    smoothing : float, default 1.0
        Imaginary examples added to every leaf, shared equally by the classes, or with the mean
        number. Raise it when small leaves are too confident. From 0.001 to 1,000.
    max_leaf_nodes : int or None, default None
        With a limit, the split that lowers the impurity most is made next, up to this number of
        leaves. Set it to compare trees of one size; 0 means no limit. From 0 to 1,000,000; None
        is 0.
    max_features : int, float, "sqrt" or None, default None
        How many features compete at a node, drawn for each node; 0 means all. Lower it for the
        trees of a random forest, which should differ. From 0 to 1,000,000, "sqrt", or a share
        of all as a float; None is 0.
    leaf : str, default "constant"
        A leaf predicts the same for all its examples (constant), or by a linear model of their
        features (for classes, a logistic regression). With linear leaves, the error of the two
        regressions decides on a split. Choose linear for small trees on smooth data. One of
        "constant", "linear".
    leaf_price : float, default 2.0
        A split with linear leaves must save this much for every number of a leaf's model, in
        mean squared errors of the node. 2 is Akaike's criterion; raise it to 5 for fewer
        splits. From 0 to 1,000.
    monotonic_cst : dict, array of int or None, default None
        1 for a column whose rise must never lower the prediction (the number, or the
        probability of the second of two classes), -1 for one whose rise must never raise it, 0
        for any other: a dict by column, or one entry a column. Nothing is promised of missing
        values.
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    loss : str, default "squared_error"
        What is made small; "huber" lets far-off targets count less, and with "absolute_error"
        it predicts medians, with "quantile:0.9" what nine in ten rows stay below.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of levels.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A weight of two is two rows to constant leaves, up to
    rounding, but not in means of columns. Missing values (NaN) are sent to the side that is
    better in training by a split on one feature, and read as the mean by all others. The tree
    reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _RandomObliqueTree:
    """Greedy random oblique."""

    method = "random-oblique"
    max_depth: int | None = field(default=6, kw_only=False)
    min_samples_leaf: int = 1
    min_gain: float = 0.0
    min_impurity: float = 0.0
    significance: float = 0.0
    smoothing: float = 1.0
    max_leaf_nodes: int | None = None
    n_directions: int = 64
    scaling: Literal["auto", "each", "together"] = "each"


@dataclass(kw_only=True, eq=False, repr=False)
class _RandomObliqueTreeClassifier(ClassParameters, MethodParameters, _RandomObliqueTree):
    """Parameters of the classifier."""

    criterion: Literal["entropy", "gini"] = "entropy"


class RandomObliqueTreeClassifier(_RandomObliqueTreeClassifier, OneMethod, TreeClassifier):
    """A classification tree by the method Greedy random oblique.

    Grows the tree from the root; each node draws random oblique splits and takes the best of
    them.

    Parameters
    ----------
    max_depth : int or None, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 512; None is the greatest.
    criterion : str, default "entropy"
        The measure that a split lowers: the entropy of the classes or their Gini impurity; for
        numbers always the squared error. The two seldom differ; choose Gini as in scikit-learn.
        One of "entropy", "gini".
    min_samples_leaf : int, default 1
        A split must leave this many examples on each side. Raise it against overfitting, above
        all with noisy numbers. From 1 to 1,000,000.
    min_gain : float, default 0.0
        A split must lower the impurity by this much, weighted by the node's share of the
        examples. Raise it to stop growth where splits gain little. From 0 to 1.
    min_impurity : float, default 0.0
        A purer node becomes a leaf. Impurity is the entropy in bits, the Gini impurity, or the
        variance of the numbers (1 for all examples). Raise it to prune as OC1 does. From 0 to
        100.
    significance : float, default 0.0
        The largest p-value of a split: how probable it is that chance divides the targets as
        well (chi-squared test of classes, F-test of numbers). Lower it to stop growth on noise,
        0.01 for example; 0 makes every split. From 0 to 1.
    smoothing : float, default 1.0
        Imaginary examples added to every leaf, shared equally by the classes, or with the mean
        number. Raise it when small leaves are too confident. From 0.001 to 1,000.
    max_leaf_nodes : int or None, default None
        With a limit, the split that lowers the impurity most is made next, up to this number of
        leaves. Set it to compare trees of one size; 0 means no limit. From 0 to 1,000,000; None
        is 0.
    n_directions : int, default 64
        Random directions tried at every node; the node takes the best split along any of them.
        Raise it with the number of features. From 1 to 10,000.
    scaling : str, default "each"
        Divides each feature by its own standard deviation, or all features by one, which keeps
        their proportions. Automatic chooses one when most features have about the same range.
        Choose one yourself when all features have the same unit, as pixels do. One of "auto",
        "each", "together".
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    class_weight : dict, "balanced" or None, default None
        What each class weighs; classes that are left out weigh 1. "balanced": all classes
        together weigh the same.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    classes_ : array, shape (n_classes,), or list with one for each of several outputs
    n_classes_ : int or list of int
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of levels.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A weight of two is two rows to constant leaves, up to
    rounding, but not in means of columns. Missing values (NaN) are sent to the side that is
    better in training by a split on one feature, and read as the mean by all others. The tree
    reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _RandomObliqueTreeRegressor(NumberParameters, MethodParameters, _RandomObliqueTree):
    """Parameters of the regressor."""

    criterion: Literal["squared_error"] = "squared_error"


class RandomObliqueTreeRegressor(_RandomObliqueTreeRegressor, OneMethod, TreeRegressor):
    """A regression tree by the method Greedy random oblique.

    Grows the tree from the root; each node draws random oblique splits and takes the best of
    them.

    Parameters
    ----------
    max_depth : int or None, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 512; None is the greatest.
    criterion : str, default "squared_error"
        What a split makes small.
    min_samples_leaf : int, default 1
        A split must leave this many examples on each side. Raise it against overfitting, above
        all with noisy numbers. From 1 to 1,000,000.
    min_gain : float, default 0.0
        A split must lower the impurity by this much, weighted by the node's share of the
        examples. Raise it to stop growth where splits gain little. From 0 to 1.
    min_impurity : float, default 0.0
        A purer node becomes a leaf. Impurity is the entropy in bits, the Gini impurity, or the
        variance of the numbers (1 for all examples). Raise it to prune as OC1 does. From 0 to
        100.
    significance : float, default 0.0
        The largest p-value of a split: how probable it is that chance divides the targets as
        well (chi-squared test of classes, F-test of numbers). Lower it to stop growth on noise,
        0.01 for example; 0 makes every split. From 0 to 1.
    smoothing : float, default 1.0
        Imaginary examples added to every leaf, shared equally by the classes, or with the mean
        number. Raise it when small leaves are too confident. From 0.001 to 1,000.
    max_leaf_nodes : int or None, default None
        With a limit, the split that lowers the impurity most is made next, up to this number of
        leaves. Set it to compare trees of one size; 0 means no limit. From 0 to 1,000,000; None
        is 0.
    n_directions : int, default 64
        Random directions tried at every node; the node takes the best split along any of them.
        Raise it with the number of features. From 1 to 10,000.
    scaling : str, default "each"
        Divides each feature by its own standard deviation, or all features by one, which keeps
        their proportions. Automatic chooses one when most features have about the same range.
        Choose one yourself when all features have the same unit, as pixels do. One of "auto",
        "each", "together".
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    loss : str, default "squared_error"
        What is made small; "huber" lets far-off targets count less, and with "absolute_error"
        it predicts medians, with "quantile:0.9" what nine in ten rows stay below.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of levels.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A weight of two is two rows to constant leaves, up to
    rounding, but not in means of columns. Missing values (NaN) are sent to the side that is
    better in training by a split on one feature, and read as the mean by all others. The tree
    reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _OC1Tree:
    """Greedy oblique (OC1)."""

    method = "oc1"
    max_depth: int | None = field(default=6, kw_only=False)
    min_samples_leaf: int = 1
    min_gain: float = 0.0
    min_impurity: float = 0.0
    significance: float = 0.0
    smoothing: float = 1.0
    max_leaf_nodes: int | None = None
    order: Literal["sequential", "random"] = "sequential"
    restarts: int = 2
    jumps: int = 5
    start: Literal["axis", "random"] = "axis"


@dataclass(kw_only=True, eq=False, repr=False)
class _OC1TreeClassifier(ClassParameters, MethodParameters, _OC1Tree):
    """Parameters of the classifier."""

    criterion: Literal["entropy", "gini"] = "entropy"


class OC1TreeClassifier(_OC1TreeClassifier, OneMethod, TreeClassifier):
    """A classification tree by the method Greedy oblique (OC1).

    Grows the tree from the root; each node tunes one coefficient at a time, keeps what helps,
    and tries several starts.

    Source: Murthy, Kasif and Salzberg, A System for Induction of Oblique Decision Trees, 1994.

    Parameters
    ----------
    max_depth : int or None, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 512; None is the greatest.
    criterion : str, default "entropy"
        The measure that a split lowers: the entropy of the classes or their Gini impurity; for
        numbers always the squared error. The two seldom differ; choose Gini as in scikit-learn.
        One of "entropy", "gini".
    min_samples_leaf : int, default 1
        A split must leave this many examples on each side. Raise it against overfitting, above
        all with noisy numbers. From 1 to 1,000,000.
    min_gain : float, default 0.0
        A split must lower the impurity by this much, weighted by the node's share of the
        examples. Raise it to stop growth where splits gain little. From 0 to 1.
    min_impurity : float, default 0.0
        A purer node becomes a leaf. Impurity is the entropy in bits, the Gini impurity, or the
        variance of the numbers (1 for all examples). Raise it to prune as OC1 does. From 0 to
        100.
    significance : float, default 0.0
        The largest p-value of a split: how probable it is that chance divides the targets as
        well (chi-squared test of classes, F-test of numbers). Lower it to stop growth on noise,
        0.01 for example; 0 makes every split. From 0 to 1.
    smoothing : float, default 1.0
        Imaginary examples added to every leaf, shared equally by the classes, or with the mean
        number. Raise it when small leaves are too confident. From 0.001 to 1,000.
    max_leaf_nodes : int or None, default None
        With a limit, the split that lowers the impurity most is made next, up to this number of
        leaves. Set it to compare trees of one size; 0 means no limit. From 0 to 1,000,000; None
        is 0.
    order : str, default "sequential"
        Which coefficients are changed: one after another until none moves, or 50 drawn at
        random. Choose random with many features, where going through all of them takes long.
        One of "sequential", "random".
    restarts : int, default 2
        Random hyperplanes to start from at every node, besides the best axis-aligned split.
        Raise it for better splits, which take longer. From 0 to 100.
    jumps : int, default 5
        Random directions tried when changing one coefficient no longer helps. Raise it to
        escape more local optima. From 0 to 100.
    start : str, default "axis"
        The first split to perturb at every node: the best axis-aligned split, which stays
        unless another gains more, or one more random hyperplane. Choose random to see how far
        perturbation gets without help. One of "axis", "random".
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    class_weight : dict, "balanced" or None, default None
        What each class weighs; classes that are left out weigh 1. "balanced": all classes
        together weigh the same.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    classes_ : array, shape (n_classes,), or list with one for each of several outputs
    n_classes_ : int or list of int
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of levels.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A weight of two is two rows to constant leaves, up to
    rounding, but not in means of columns. Missing values (NaN) are sent to the side that is
    better in training by a split on one feature, and read as the mean by all others. The tree
    reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _OC1TreeRegressor(NumberParameters, MethodParameters, _OC1Tree):
    """Parameters of the regressor."""

    criterion: Literal["squared_error"] = "squared_error"


class OC1TreeRegressor(_OC1TreeRegressor, OneMethod, TreeRegressor):
    """A regression tree by the method Greedy oblique (OC1).

    Grows the tree from the root; each node tunes one coefficient at a time, keeps what helps,
    and tries several starts.

    Source: Murthy, Kasif and Salzberg, A System for Induction of Oblique Decision Trees, 1994.

    Parameters
    ----------
    max_depth : int or None, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 512; None is the greatest.
    criterion : str, default "squared_error"
        What a split makes small.
    min_samples_leaf : int, default 1
        A split must leave this many examples on each side. Raise it against overfitting, above
        all with noisy numbers. From 1 to 1,000,000.
    min_gain : float, default 0.0
        A split must lower the impurity by this much, weighted by the node's share of the
        examples. Raise it to stop growth where splits gain little. From 0 to 1.
    min_impurity : float, default 0.0
        A purer node becomes a leaf. Impurity is the entropy in bits, the Gini impurity, or the
        variance of the numbers (1 for all examples). Raise it to prune as OC1 does. From 0 to
        100.
    significance : float, default 0.0
        The largest p-value of a split: how probable it is that chance divides the targets as
        well (chi-squared test of classes, F-test of numbers). Lower it to stop growth on noise,
        0.01 for example; 0 makes every split. From 0 to 1.
    smoothing : float, default 1.0
        Imaginary examples added to every leaf, shared equally by the classes, or with the mean
        number. Raise it when small leaves are too confident. From 0.001 to 1,000.
    max_leaf_nodes : int or None, default None
        With a limit, the split that lowers the impurity most is made next, up to this number of
        leaves. Set it to compare trees of one size; 0 means no limit. From 0 to 1,000,000; None
        is 0.
    order : str, default "sequential"
        Which coefficients are changed: one after another until none moves, or 50 drawn at
        random. Choose random with many features, where going through all of them takes long.
        One of "sequential", "random".
    restarts : int, default 2
        Random hyperplanes to start from at every node, besides the best axis-aligned split.
        Raise it for better splits, which take longer. From 0 to 100.
    jumps : int, default 5
        Random directions tried when changing one coefficient no longer helps. Raise it to
        escape more local optima. From 0 to 100.
    start : str, default "axis"
        The first split to perturb at every node: the best axis-aligned split, which stays
        unless another gains more, or one more random hyperplane. Choose random to see how far
        perturbation gets without help. One of "axis", "random".
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    loss : str, default "squared_error"
        What is made small; "huber" lets far-off targets count less, and with "absolute_error"
        it predicts medians, with "quantile:0.9" what nine in ten rows stay below.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of levels.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A weight of two is two rows to constant leaves, up to
    rounding, but not in means of columns. Missing values (NaN) are sent to the side that is
    better in training by a split on one feature, and read as the mean by all others. The tree
    reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _CO2Tree:
    """Greedy oblique (CO2)."""

    method = "co2"
    max_depth: int | None = field(default=6, kw_only=False)
    min_samples_leaf: int = 1
    min_gain: float = 0.0
    min_impurity: float = 0.0
    significance: float = 0.0
    smoothing: float = 1.0
    max_leaf_nodes: int | None = None
    nu: float = 3.0
    eta: float = 0.03
    epochs: int = 30


@dataclass(kw_only=True, eq=False, repr=False)
class _CO2TreeClassifier(ClassParameters, MethodParameters, _CO2Tree):
    """Parameters of the classifier."""

    criterion: Literal["entropy", "gini"] = "entropy"


class CO2TreeClassifier(_CO2TreeClassifier, OneMethod, TreeClassifier):
    """A classification tree by the method Greedy oblique (CO2).

    Grows the tree from the root; each node takes the best split on one feature and adjusts it
    by SGD to lower a bound on its own loss.

    Source: Norouzi et al., CO2 Forest, 2015.

    Parameters
    ----------
    max_depth : int or None, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 512; None is the greatest.
    criterion : str, default "entropy"
        The measure that a split lowers: the entropy of the classes or their Gini impurity; for
        numbers always the squared error. The two seldom differ; choose Gini as in scikit-learn.
        One of "entropy", "gini".
    min_samples_leaf : int, default 1
        A split must leave this many examples on each side. Raise it against overfitting, above
        all with noisy numbers. From 1 to 1,000,000.
    min_gain : float, default 0.0
        A split must lower the impurity by this much, weighted by the node's share of the
        examples. Raise it to stop growth where splits gain little. From 0 to 1.
    min_impurity : float, default 0.0
        A purer node becomes a leaf. Impurity is the entropy in bits, the Gini impurity, or the
        variance of the numbers (1 for all examples). Raise it to prune as OC1 does. From 0 to
        100.
    significance : float, default 0.0
        The largest p-value of a split: how probable it is that chance divides the targets as
        well (chi-squared test of classes, F-test of numbers). Lower it to stop growth on noise,
        0.01 for example; 0 makes every split. From 0 to 1.
    smoothing : float, default 1.0
        Imaginary examples added to every leaf, shared equally by the classes, or with the mean
        number. Raise it when small leaves are too confident. From 0.001 to 1,000.
    max_leaf_nodes : int or None, default None
        With a limit, the split that lowers the impurity most is made next, up to this number of
        leaves. Set it to compare trees of one size; 0 means no limit. From 0 to 1,000,000; None
        is 0.
    nu : float, default 3.0
        Limit on the split's weights: ‖w‖² ≤ ν. A small ν forces a wide margin; with a large ν
        the split hardly moves. Lower it when test accuracy falls behind training accuracy. From
        0.01 to 10,000.
    eta : float, default 0.03
        How far one example moves the split at first; it falls to zero in a straight line. Lower
        it when splits end up worse than axis-aligned ones. From 1e-05 to 10.
    epochs : int, default 30
        How often a node goes through its examples. Raise it on small data. From 1 to 10,000.
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    class_weight : dict, "balanced" or None, default None
        What each class weighs; classes that are left out weigh 1. "balanced": all classes
        together weigh the same.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    classes_ : array, shape (n_classes,), or list with one for each of several outputs
    n_classes_ : int or list of int
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of levels.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A row of weight two is drawn or visited as one row. Missing
    values (NaN) are sent to the side that is better in training by a split on one feature, and
    read as the mean by all others. The tree reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _CO2TreeRegressor(NumberParameters, MethodParameters, _CO2Tree):
    """Parameters of the regressor."""

    criterion: Literal["squared_error"] = "squared_error"


class CO2TreeRegressor(_CO2TreeRegressor, OneMethod, TreeRegressor):
    """A regression tree by the method Greedy oblique (CO2).

    Grows the tree from the root; each node takes the best split on one feature and adjusts it
    by SGD to lower a bound on its own loss.

    Source: Norouzi et al., CO2 Forest, 2015.

    Parameters
    ----------
    max_depth : int or None, default 6
        The largest number of splits between the root and a leaf: a tree of depth d has up to
        2^d leaves. Raise it while test accuracy rises; lower it for a tree that people can
        read. From 1 to 512; None is the greatest.
    criterion : str, default "squared_error"
        What a split makes small.
    min_samples_leaf : int, default 1
        A split must leave this many examples on each side. Raise it against overfitting, above
        all with noisy numbers. From 1 to 1,000,000.
    min_gain : float, default 0.0
        A split must lower the impurity by this much, weighted by the node's share of the
        examples. Raise it to stop growth where splits gain little. From 0 to 1.
    min_impurity : float, default 0.0
        A purer node becomes a leaf. Impurity is the entropy in bits, the Gini impurity, or the
        variance of the numbers (1 for all examples). Raise it to prune as OC1 does. From 0 to
        100.
    significance : float, default 0.0
        The largest p-value of a split: how probable it is that chance divides the targets as
        well (chi-squared test of classes, F-test of numbers). Lower it to stop growth on noise,
        0.01 for example; 0 makes every split. From 0 to 1.
    smoothing : float, default 1.0
        Imaginary examples added to every leaf, shared equally by the classes, or with the mean
        number. Raise it when small leaves are too confident. From 0.001 to 1,000.
    max_leaf_nodes : int or None, default None
        With a limit, the split that lowers the impurity most is made next, up to this number of
        leaves. Set it to compare trees of one size; 0 means no limit. From 0 to 1,000,000; None
        is 0.
    nu : float, default 3.0
        Limit on the split's weights: ‖w‖² ≤ ν. A small ν forces a wide margin; with a large ν
        the split hardly moves. Lower it when test accuracy falls behind training accuracy. From
        0.01 to 10,000.
    eta : float, default 0.03
        How far one example moves the split at first; it falls to zero in a straight line. Lower
        it when splits end up worse than axis-aligned ones. From 1e-05 to 10.
    epochs : int, default 30
        How often a node goes through its examples. Raise it on small data. From 1 to 10,000.
    categorical_features : str, or array of str, int or bool, or None, default None
        Columns of categories: names, places or a mask; "from_dtype": those that a frame holds
        as categories or as words. Axis-aligned splits may send any set of their levels to a
        side, others weigh each level. None: each level of words is a feature like any other.
    min_weight_fraction_leaf : float, default 0.0
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    loss : str, default "squared_error"
        What is made small; "huber" lets far-off targets count less, and with "absolute_error"
        it predicts medians, with "quantile:0.9" what nine in ten rows stay below.
    early_stopping : bool, default False
        Hold out a tenth of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    tree_ : Tree
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    n_iter_ : int
        Number of levels.
    history_ : list of Event
        One for every measured tree.
    calibration_ : Calibration, after calibrate

    Notes
    -----
    Weight 0 is the same as no row. A row of weight two is drawn or visited as one row. Missing
    values (NaN) are sent to the side that is better in training by a split on one feature, and
    read as the mean by all others. The tree reads float32.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _HingeForest:
    """Random hinge forests."""

    kind: Literal["forest", "fern"] = field(default="forest", kw_only=False)
    n_estimators: int = 100
    depth: int = 8
    features: Literal["inner products", "raw", "convolutions"] = "inner products"
    n_features: int = 100
    filter_size: int = 5
    stride: int = 3
    scale: Literal["each", "one"] = "each"
    start: Literal["between rows", "drawn"] = "between rows"
    optimizer: Literal["adam", "adagrad", "sgd"] = "adam"
    eta: float = 0.005
    schedule: Literal["constant", "linear", "cosine"] = "cosine"
    batches: int | None = None
    batch: int = 32
    dropout: float = 0.0
    noise: float = 0.0
    shift: float = 0.0
    validation: float = 0.1
    warm_start: bool = False
    n_jobs: int | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class _HingeForestClassifier(ClassParameters, _HingeForest):
    """Parameters of the classifier."""


class HingeForestClassifier(_HingeForestClassifier, HingeClassifier):
    """A random hinge forest, or random hinge ferns, for classes.

    All trees learn at once, by gradient descent; each predicts with its smallest margin.

    Source: Lay et al., Random Hinge Forest for Differentiable Learning, 2018.

    Parameters
    ----------
    kind : str, default "forest"
        Trees, or ferns, which ask the same at one depth whatever was answered before. One of
        "forest", "fern".
    n_estimators : int, default 100
        How many trees or ferns predict together. Raise it for better predictions, which take
        longer. From 1 to 5,000.
    depth : int, default 8
        Splits between the root and a leaf; each of the 2^d leaves learns its own weights. Raise
        it with the number of examples. From 1 to 16.
    features : str, default "inner products"
        Splits read the features as they are (raw), weighted sums learnt with the trees (inner
        products), or small filters moved across an image (convolutions). Choose convolutions
        for images, and raw when few of many features matter. One of "inner products", "raw",
        "convolutions".
    n_features : int, default 100
        The number of inner products or filters. Each split reads one of them, drawn at random.
        Raise it when there are many classes. From 1 to 10,000.
    filter_size : int, default 5
        Height and width of a filter, in pixels. Raise it for larger images. From 1 to 64.
    stride : int, default 3
        Pixels between two places of a filter. Lower it for more places, which takes longer.
        From 1 to 64.
    scale : str, default "each"
        Divides each feature by its own standard deviation, or all by one, which lets features
        with a larger range count more. Choose one when all features have the same unit; images
        always use one. One of "each", "one".
    start : str, default "between rows"
        Places each threshold between two examples that reach the split, or draws it from (-3,
        3) standard deviations. Drawn thresholds may leave a side empty, and a fern may use a
        feature twice. Choose drawn to follow the paper. One of "between rows", "drawn".
    optimizer : str, default "adam"
        How steps are scaled: not at all (sgd), or longer for rarely used weights (Adam,
        AdaGrad); AdaGrad's steps only shrink. Choose AdaGrad or sgd to follow the paper. One of
        "adam", "adagrad", "sgd".
    eta : float, default 0.005
        How far one mini-batch moves the weights. Lower it when the loss jumps; raise it when
        the loss falls too slowly. From 1e-06 to 10.
    schedule : str, default "cosine"
        How the learning rate falls over the run: not at all, in a straight line to zero, or
        along half a cosine to zero. Choose constant to follow the paper. One of "constant",
        "linear", "cosine".
    batches : int or None, default None
        Mini-batches of the run. None: forty passes over the rows, at least 300 and at most
        20,000 mini-batches.
    batch : int, default 32
        The number of examples whose gradients make one step. Raise it when the loss is noisy.
        From 1 to 4,096.
    dropout : float, default 0.0
        The share of the trees that each mini-batch leaves out, drawn each time. Raise it to 0.5
        when training error is far below test error. From 0 to 0.95.
    noise : float, default 0.0
        Noise added to the features whenever learning uses an example, in standard deviations.
        Raise it on small data. From 0 to 10.
    shift : float, default 0.0
        The largest shift of an image in pixels, drawn each time; examples must be images. Raise
        it to 0.5 or 1 for handwriting. From 0 to 64.
    validation : float, default 0.1
        The share of rows kept for validation. Training returns the forest with the lowest
        validation error; 0 returns the last one. Raise it when the last forest overfits. From 0
        to 0.5.
    warm_start : bool, default False
        Whether fit goes on from the present forest, with new trees where n_estimators is more.
    n_jobs : int or None, default None
        Threads that answer; -1: one for every processor. The answers are the same for any
        number.
    class_weight : dict, "balanced" or None, default None
        What each class weighs; classes that are left out weigh 1. "balanced": all classes
        together weigh the same.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    forest_ : HingeForest
    classes_ : array, shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    n_iter_ : int
        Number of mini-batches.
    history_ : list of Event
        One for every hundred mini-batches.
    """


@dataclass(kw_only=True, eq=False, repr=False)
class _HingeForestRegressor(NumberParameters, _HingeForest):
    """Parameters of the regressor."""


class HingeForestRegressor(_HingeForestRegressor, HingeRegressor):
    """A random hinge forest, or random hinge ferns, for numbers.

    All trees learn at once, by gradient descent; each predicts with its smallest margin.

    Source: Lay et al., Random Hinge Forest for Differentiable Learning, 2018.

    Parameters
    ----------
    kind : str, default "forest"
        Trees, or ferns, which ask the same at one depth whatever was answered before. One of
        "forest", "fern".
    n_estimators : int, default 100
        How many trees or ferns predict together. Raise it for better predictions, which take
        longer. From 1 to 5,000.
    depth : int, default 8
        Splits between the root and a leaf; each of the 2^d leaves learns its own weights. Raise
        it with the number of examples. From 1 to 16.
    features : str, default "inner products"
        Splits read the features as they are (raw), weighted sums learnt with the trees (inner
        products), or small filters moved across an image (convolutions). Choose convolutions
        for images, and raw when few of many features matter. One of "inner products", "raw",
        "convolutions".
    n_features : int, default 100
        The number of inner products or filters. Each split reads one of them, drawn at random.
        Raise it when there are many classes. From 1 to 10,000.
    filter_size : int, default 5
        Height and width of a filter, in pixels. Raise it for larger images. From 1 to 64.
    stride : int, default 3
        Pixels between two places of a filter. Lower it for more places, which takes longer.
        From 1 to 64.
    scale : str, default "each"
        Divides each feature by its own standard deviation, or all by one, which lets features
        with a larger range count more. Choose one when all features have the same unit; images
        always use one. One of "each", "one".
    start : str, default "between rows"
        Places each threshold between two examples that reach the split, or draws it from (-3,
        3) standard deviations. Drawn thresholds may leave a side empty, and a fern may use a
        feature twice. Choose drawn to follow the paper. One of "between rows", "drawn".
    optimizer : str, default "adam"
        How steps are scaled: not at all (sgd), or longer for rarely used weights (Adam,
        AdaGrad); AdaGrad's steps only shrink. Choose AdaGrad or sgd to follow the paper. One of
        "adam", "adagrad", "sgd".
    eta : float, default 0.005
        How far one mini-batch moves the weights. Lower it when the loss jumps; raise it when
        the loss falls too slowly. From 1e-06 to 10.
    schedule : str, default "cosine"
        How the learning rate falls over the run: not at all, in a straight line to zero, or
        along half a cosine to zero. Choose constant to follow the paper. One of "constant",
        "linear", "cosine".
    batches : int or None, default None
        Mini-batches of the run. None: forty passes over the rows, at least 300 and at most
        20,000 mini-batches.
    batch : int, default 32
        The number of examples whose gradients make one step. Raise it when the loss is noisy.
        From 1 to 4,096.
    dropout : float, default 0.0
        The share of the trees that each mini-batch leaves out, drawn each time. Raise it to 0.5
        when training error is far below test error. From 0 to 0.95.
    noise : float, default 0.0
        Noise added to the features whenever learning uses an example, in standard deviations.
        Raise it on small data. From 0 to 10.
    shift : float, default 0.0
        The largest shift of an image in pixels, drawn each time; examples must be images. Raise
        it to 0.5 or 1 for handwriting. From 0 to 64.
    validation : float, default 0.1
        The share of rows kept for validation. Training returns the forest with the lowest
        validation error; 0 returns the last one. Raise it when the last forest overfits. From 0
        to 0.5.
    warm_start : bool, default False
        Whether fit goes on from the present forest, with new trees where n_estimators is more.
    n_jobs : int or None, default None
        Threads that answer; -1: one for every processor. The answers are the same for any
        number.
    loss : str, default "squared_error"
        What is made small; "huber" lets far-off targets count less, and with "absolute_error"
        it predicts medians, with "quantile:0.9" what nine in ten rows stay below.
    callbacks : list of callables or None, default None
        Each gets the Event of every measured tree; True ends the run.
    random_state : int, RandomState, Generator or None, default None
        An int is the seed of RunConfig and gives its tree.
    verbose : int, default 0
        1 prints a line for every measured tree.

    Attributes
    ----------
    forest_ : HingeForest
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    n_iter_ : int
        Number of mini-batches.
    history_ : list of Event
        One for every hundred mini-batches.
    """


CLASSIFIERS: dict[str, type[OneMethod]] = {
    "sgd": SGDTreeClassifier,
    "stable-sgd": StableSGDTreeClassifier,
    "annealed": AnnealedTreeClassifier,
    "tao": TAOTreeClassifier,
    "axis": AxisTreeClassifier,
    "random-oblique": RandomObliqueTreeClassifier,
    "oc1": OC1TreeClassifier,
    "co2": CO2TreeClassifier,
}

REGRESSORS: dict[str, type[OneMethod]] = {
    "sgd": SGDTreeRegressor,
    "stable-sgd": StableSGDTreeRegressor,
    "annealed": AnnealedTreeRegressor,
    "tao": TAOTreeRegressor,
    "axis": AxisTreeRegressor,
    "random-oblique": RandomObliqueTreeRegressor,
    "oc1": OC1TreeRegressor,
    "co2": CO2TreeRegressor,
}
