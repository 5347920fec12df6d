"""Plain twins of the ensembles: the same decisions, written to be read."""

import math

import numpy as np

from tests.naive import nongreedy as naive


def boost(algorithm, weight, n_classes, wrongs):
    """AdaBoost.M1 or SAMME over trees that get these rows wrong, as the papers number the steps.

    Returns the votes of the trees that are kept, their errors, and the weights after the last.
    """
    k = 2 if algorithm == "adaboost-m1" else n_classes
    total = math.fsum(weight)
    w = [one / total for one in weight]
    votes, errors = [], []
    for wrong in wrongs:
        error = math.fsum(one for one, is_wrong in zip(w, wrong) if is_wrong)
        if error >= 1 - 1 / k:
            break
        errors.append(error)
        if error == 0:
            votes.append(math.inf)
            break
        odds = (1 - error) / error * (k - 1)
        votes.append(math.log(odds))
        w = [one * odds if is_wrong else one for one, is_wrong in zip(w, wrong)]
        total = math.fsum(w)
        w = [one / total for one in w]
    return votes, errors, w


def scores(forest, X):
    """The forest's answers, row by row and tree by tree."""
    out = np.zeros((len(X), forest.n_outputs))
    for i, x in enumerate(np.asarray(X, dtype=np.float32)):
        for tree, weight in zip(forest.trees, forest.weights):
            value = tree.values[naive.leaf_of(tree, x)].astype(np.float64)
            if forest.answer == "votes":
                said = np.zeros(len(value))
                said[value.argmax()] = 1.0
            elif forest.answer == "shares":
                odds = np.exp(value - value.max())
                said = odds / odds.sum()
            else:
                said = value
            out[i] += weight * said
    total = 0.0
    for weight in forest.weights:
        total += weight
    return out / total


def bootstrap(weight, n, numbers):
    """How often each row is drawn by ``n`` random numbers, by walking along the weights."""
    counts = [0] * len(weight)
    heavy = [i for i, w in enumerate(weight) if w > 0]
    ends, end = [], 0.0
    for i in heavy:
        end += weight[i]
        ends.append(end)
    for number in numbers[:n]:
        place = number * end
        for i, stop in zip(heavy, ends):
            if place < stop or i == heavy[-1]:
                counts[i] += 1
                break
    return counts
