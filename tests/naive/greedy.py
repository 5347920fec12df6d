"""Plain twins of the kernels of greedy growth: same names, same decisions, written to be read."""

import math
from collections import deque
from itertools import pairwise

import numpy as np

from treecore.compiling.kernels import dot
from treecore.core.impurity import Criterion
from treecore.core.scaling import Scaling
from treecore.core.thresholds import threshold_between
from treecore.learners.greedy.finders.axis import CUT
from treecore.learners.greedy.finders.perturbation import Hyperplane
from treecore.learners.greedy.variance_criterion import VarianceCriterion


def impurity(counts, n, criterion):
    if n == 0:
        return 0.0
    p = np.asarray(counts)[np.asarray(counts) > 0] / n
    return 1 - (p**2).sum() if criterion == Criterion.GINI else -(p * np.log2(p)).sum()


def term(terms, m):
    exact = m * m if terms.kind == Criterion.GINI else m * np.log2(m) if m > 0 else 0.0
    return np.rint(exact * terms.fine) / terms.fine


def sum_terms(terms, weights):
    return sum(term(terms, m) for m in weights)


def scaled_impurity(n, total, terms):
    return n - total / n if terms.kind == Criterion.GINI else term(terms, n) - total


# --- criteria -------------------------------------------------------------------------------


def tally(criterion, rows):
    """Sum up rows: weights by class; or sums of numbers, and last the weight."""
    rows = np.asarray(rows, dtype=int)
    if isinstance(criterion, VarianceCriterion):
        return np.append(criterion.weighted[rows].sum(axis=0), criterion.weight[rows].sum())
    made = np.zeros(criterion.labels.max(initial=0) + 1)
    np.add.at(made, criterion.labels[rows], criterion.weight[rows & int(criterion.mask)])
    return made


def score(criterion, left, right):
    """How good two sides with these tallies are, from nothing but the tallies."""
    if isinstance(criterion, VarianceCriterion):
        n_left, n_right = float(left[-1]), float(right[-1])
        square = 0.0
        for one, other in zip(left[:-1], right[:-1], strict=True):
            square += (one / n_left - other / n_right) ** 2
        return -(n_left * n_right / (n_left + n_right)) * square
    sides = [
        scaled_impurity(side.sum(), sum_terms(criterion.terms, side), criterion.terms)
        for side in (left, right)
    ]
    return sides[0] + sides[1]


def weight_in(criterion, tally):
    return tally[-1] if isinstance(criterion, VarianceCriterion) else tally.sum()


def fitted(tally, entire):
    """A tally as long as ``whole``: classes that no row has are missing at its end."""
    return np.pad(tally, (0, len(entire) - len(tally)))


# --- monotonic trees ------------------------------------------------------------------------


def side_values(criterion, tally, right, smoothing):
    """What both sides answer as leaves: the share of the second class, or the mean."""
    sides = tally - right, right
    if isinstance(criterion, VarianceCriterion):
        return [side[0] / (side[-1] + smoothing) for side in sides]
    return [(side[1] + smoothing / 2) / (side.sum() + smoothing) for side in sides]


def is_allowed(criterion, tally, right, sign, bounds):
    left, right = np.clip(side_values(criterion, tally, right, bounds[2]), *bounds[:2])
    return sign == 0 or (left <= right if sign > 0 else left >= right)


def bounds_of_children(criterion, tally, right, sign, bounds):
    """The bounds of the left and of the right child."""
    low, high, smoothing = bounds
    if sign == 0:
        return bounds, bounds
    middle = sum(np.clip(side_values(criterion, tally, right, smoothing), low, high)) / 2
    lower, upper = (low, middle, smoothing), (middle, high, smoothing)
    return (lower, upper) if sign > 0 else (upper, lower)


# --- axis-aligned splits --------------------------------------------------------------------


def best_cut(values, order, n_known, gone_left, sign, bounds, criterion, entire, min_samples_leaf):
    """Sum up both sides anew for every place between two different values."""
    n = len(order)
    gone = order[n_known:] if gone_left else order[:0]
    best = np.inf, 0, 0.0
    for n_left in range(1, n_known + 1):
        n_with_gone = n_left + len(gone)
        if not min_samples_leaf <= n_with_gone <= n - min_samples_leaf:
            continue
        if n_left < n_known and values[n_left - 1] == values[n_left]:
            continue
        left = fitted(tally(criterion, np.append(order[:n_left], gone)), entire)
        if sign != 0 and not is_allowed(criterion, entire, entire - left, sign, bounds):
            continue
        here = score(criterion, left, entire - left)
        if here < best[0]:
            best = here, n_left, weight_in(criterion, left)
    return best


def best_cut_of_feature(values, order, *rules):
    """Score, rows with a value on the left, where the others go, weight on the left."""
    n_known = np.count_nonzero(~np.isnan(values))
    best = np.inf, 0, False, 0.0
    for gone_left in (False, True)[: 1 + (n_known < len(values))]:
        here, n_left, weight = best_cut(values, order, n_known, gone_left, *rules)
        if here < best[0]:
            best = here, n_left, gone_left, weight
    return best


def search_features(X, rows, criterion, entire, smallest):
    """The best cut of every feature."""
    cuts = np.zeros(X.shape[1], CUT)
    for f, cut in enumerate(cuts):
        order = rows[np.argsort(X[rows, f], kind="stable")]
        values = np.append(X[order, f], np.nan)
        found = best_cut_of_feature(values[:-1], order, 0, (), criterion, entire, smallest)
        score, n_left, gone_left, weight_left = found
        side = gone_left if np.isnan(values[:-1]).any() else -1
        cut["score"], cut["gone_left"], cut["weight_left"] = score, side, weight_left
        cut["lower"], cut["upper"] = values[n_left - 1], values[n_left]
    return cuts


def drawn_features(rng, rivals, X, rows, n_wanted):
    """The first features of a random order that are not constant in some rows."""
    varying = [f for f in rng.permutation(rivals) if len(np.unique(X[rows, f])) > 1]
    return varying[:n_wanted]


def divide_orders(first, last, order, start, stop, right):
    for f in range(first, last):
        node = order[f, start:stop]
        order[f, start:stop] = np.concatenate([node[~right[node]], node[right[node]]])


def goes_right(row, threshold, feature=None, weights=None, missing_left=False):
    if weights is not None:
        return float(np.dot(weights.astype(float), row.astype(float))) > threshold
    return not missing_left if np.isnan(row[feature]) else bool(row[feature] > threshold)


def by_gain_ratio(counts, scores, weight_left, terms):
    n = counts.sum()
    entire = scaled_impurity(n, sum_terms(terms, counts), terms)
    gains = [max(0.0, entire - score) for score in scores if score < np.inf]
    positive = [gain for gain in gains if gain > 0]
    enough = min(np.mean(positive), max(positive)) if positive else 0
    best, best_ratio = 0, -1
    for f, score in enumerate(scores):
        gain = max(0.0, entire - score)
        if score < np.inf and gain >= enough:
            sizes = term(terms, weight_left[f]) + term(terms, n - weight_left[f])
            ratio = gain / (term(terms, n) - sizes)
            if ratio > best_ratio:
                best, best_ratio = f, ratio
    return best


def axis_splits(X, criterion, depth, min_samples_leaf=1, signs=(), smoothing=1.0):
    """Feature, threshold and side of NaN (None: no row has it) of every split, breadth-first.

    smoothing: of leaves, in the weights of the targets; read where signs constrain features.
    """
    signs = np.zeros(X.shape[1], dtype=int) if len(signs) == 0 else signs
    splits = []
    queue = deque([(np.arange(len(X)), 0, (-np.inf, np.inf, smoothing))])
    while queue:
        rows, level, bounds = queue.popleft()
        entire = criterion.tally(rows.astype(np.int32))
        values = criterion.targets if isinstance(criterion, VarianceCriterion) else criterion.labels
        if (values[rows] == values[rows[0]]).all() or level == depth:
            continue
        cuts = []
        for f in range(X.shape[1]):
            order = rows[np.argsort(X[rows, f], kind="stable")]
            rules = signs[f], bounds, criterion, entire, min_samples_leaf
            cuts.append(best_cut_of_feature(X[order, f], order, *rules))
        scores, n_left, gone_left, weight_left = map(np.array, zip(*cuts))
        best = int(np.argmin(scores))
        if getattr(getattr(criterion, "terms", None), "kind", None) == Criterion.GAIN_RATIO:
            best = by_gain_ratio(entire, scores, weight_left, criterion.terms)
        if scores[best] == np.inf:
            continue
        column = np.sort(X[rows, best])
        threshold = column[n_left[best] - 1]
        if not np.isnan(column[n_left[best]]):
            threshold = threshold_between(threshold, column[n_left[best]])
        gone = np.isnan(X[rows, best])
        splits.append((best, threshold, bool(gone_left[best]) if gone.any() else None))
        goes_right = (X[rows, best] > threshold) | (gone & ~gone_left[best])
        right = criterion.tally(rows[goes_right].astype(np.int32))
        below = bounds_of_children(criterion, entire, right, signs[best], bounds)
        sides = rows[~goes_right], rows[goes_right]
        queue += [(side, level + 1, within) for side, within in zip(sides, below)]
    return splits


# --- oblique splits -----------------------------------------------------------------------


def cut_directions(X, rows, directions, criterion, entire, min_samples_leaf, to_beat):
    best = to_beat, -1, np.float32(0), np.float32(0)
    for d, direction in enumerate(directions):
        products = np.array([dot(direction, X[row]) for row in rows])
        if not np.isfinite(products).all():
            continue
        order = np.argsort(products, kind="stable")
        values = products[order]
        rules = criterion, entire, min_samples_leaf
        here, n_left, _ = best_cut(values, rows[order], len(rows), False, 0, (), *rules)
        if here < best[0]:
            best = here, d, values[n_left - 1], values[n_left]
    return best


def raw_direction(weights, scales):
    """A direction for raw rows, whose greatest scaled entry is 1, and no raw one beyond 1e30."""
    size = np.abs(weights).max()
    raw = weights / (size if size > 0 else 1.0) * scales
    return (raw * (1e30 / max(np.abs(raw).max(), 1e30))).astype(np.float32)


def values_of(ground, f):
    return ground.columns[f, ground.rows].astype(np.float64)


def slopes_along(direction, ground):
    slopes = np.full(len(ground.rows), -direction[-1])
    for f, scale in enumerate(ground.scales):
        slopes += direction[f] * scale * (values_of(ground, f) - ground.centres[f])
    return slopes


def rows_on_right(heights, ground):
    return np.flatnonzero(heights > 0)


def sides_score(right, ground):
    """Score of the hyperplane that has the rows ``right`` on the right, if enough are on both."""
    if min(len(right), len(ground.rows) - len(right)) < ground.min_samples_leaf:
        return np.inf
    on_right = fitted(tally(ground.criterion, ground.rows[right]), ground.tally)
    return score(ground.criterion, ground.tally - on_right, on_right)


def best_step(rows, slopes, plane, ground):
    """Sum up both sides anew for every place between two different crossings."""
    crossings = np.clip(-plane.heights[rows] / slopes, -1e6, 1e6).astype(np.float32)
    fixed = np.setdiff1d(rows_on_right(plane.heights, ground), rows)
    best_score, best = np.inf, 0.0
    places = np.unique(crossings)
    for here, following in pairwise(places):
        is_right = (crossings <= here) == (slopes > 0)
        found = sides_score(np.concatenate([fixed, rows[is_right]]), ground)
        if found < best_score:
            best_score, best = found, (float(here) + float(following)) / 2
    if best_score < np.inf:
        heights = plane.heights.copy()
        heights[rows] += best * slopes
        best_score = sides_score(rows_on_right(heights, ground), ground)
    return best_score, best


def take_step(rows, slopes, step, plane, ground):
    plane.heights[rows] += step * slopes
    right = rows_on_right(plane.heights, ground)
    plane.on_right[:] = fitted(tally(ground.criterion, ground.rows[right]), ground.tally)
    plane.n_right[0] = len(right)
    plane.score[0] = sides_score(right, ground)


def perturb(coefficients, coins, plane, ground):
    """Algorithm 2 for one coefficient after another; returns how many were changed."""
    n_moved = 0
    for m, coin in zip(coefficients, coins):
        if m == len(ground.scales):
            rows, slopes = np.arange(len(ground.rows)), np.full(len(ground.rows), -1.0)
        else:
            slopes = (values_of(ground, m) - ground.centres[m]) * ground.scales[m]
            rows, slopes = np.flatnonzero(slopes), slopes[slopes != 0]
            if len(rows) == 0:
                continue
        lowest, step = best_step(rows, slopes, plane, ground)
        if lowest == np.inf or lowest > plane.score[0]:
            continue
        if lowest < plane.score[0]:
            plane.stagnant[0] = 0
        else:
            plane.stagnant[0] += 1
            if coin >= math.exp(-(plane.stagnant[0] - 1)):
                continue
        take_step(rows, slopes, step, plane, ground)
        plane.weights[m] += step
        n_moved += 1
    return n_moved


def random_jump(direction, slopes, plane, ground):
    rows = np.flatnonzero(slopes)
    lowest, step = best_step(rows, slopes[rows], plane, ground)
    if lowest >= plane.score[0]:
        return False
    take_step(rows, slopes[rows], step, plane, ground)
    plane.weights[:] += step * direction
    return True


def upper_median(values, weights):
    """The least value that has more than half of the weight at it and below."""
    order = np.argsort(values, kind="stable")
    return values[order][np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2, "right")]


def random_directions(rng, n, scales):
    return [raw_direction(rng.standard_normal(len(scales)), scales) for _ in range(n)]


def climb_hills(rng, ground, n_starts, n_jumps, sequential):
    """The directions that OC1 ends at from random starts."""
    p, directions = len(ground.scales), []
    starts = rng.standard_normal((n_starts, p + 1))
    starts[:, p] = 0.0

    def perturb_all():
        moved = True
        while moved:
            moves = range(p + 1) if sequential else rng.integers(p + 1, size=50)
            moved = perturb(moves, rng.random(len(moves)), plane, ground) and sequential

    for weights in starts:
        plane = Hyperplane(
            weights, slopes_along(weights, ground), np.zeros_like(ground.tally), *np.zeros((3, 1))
        )
        none = np.zeros(0, dtype=np.int64)
        take_step(none, np.zeros(0), 0.0, plane, ground)
        plane.score[0] = np.inf
        if perturb([p], [0.0], plane, ground):
            perturb_all()
            for _ in range(n_jumps):
                direction = rng.standard_normal(p + 1)
                if random_jump(direction, slopes_along(direction, ground), plane, ground):
                    perturb_all()
        directions.append(raw_direction(weights[:p], ground.scales))
    return directions


def turning_stump(train, rows, feature, threshold, nu):
    """What CO2 begins with at a node: rows, targets and weights as SGD reads them, W and theta."""
    X, y, weight = train.X[rows], train.y[rows], train.weight[rows] / train.weight[rows].mean()
    scaling = Scaling.fit(X)
    if y.ndim == 2:
        y = y - np.average(y, axis=0, weights=weight)
        y = y / np.sqrt(np.average((y**2).mean(axis=1), weights=weight))
    W = np.zeros((1, scaling.width))
    W[0, feature] = scaling.deviation[feature]
    W[0, X.shape[1]] = threshold - scaling.mean[feature]
    side = (X[:, feature] > threshold).astype(np.int32)
    theta = train.loss.constants(side, y, weight, 2, train.n_outputs, 1.0)
    return scaling.transform(X), y, weight, np.sqrt(nu) * W / np.linalg.norm(W), theta


def turned_direction(rng, stump, visit):
    """Where SGD turns a split of CO2; visit: updates by some rows, from a learning rate on."""
    n = len(stump.order)
    slope = -stump.eta / (n * stump.n_epochs)
    for epoch in range(stump.n_epochs):
        visit(rng.permutation(n), stump.eta + epoch * n * slope, slope)
    return (stump.joint.W[0, : len(stump.raw[0])] * stump.here.scales).astype(np.float32)


# --- levels of categories -------------------------------------------------------------------


def profile(criterion, tally):
    """What rows are like: shares of the classes, or means."""
    numbers = tally[:-1] if isinstance(criterion, VarianceCriterion) else tally
    return numbers / weight_in(criterion, tally)


def level_keys(criterion, tallies):
    """What levels are sorted by: their last number, or a place on the principal direction."""
    profiles = np.array([profile(criterion, one) for one in tallies])
    if profiles.shape[1] <= (1 if isinstance(criterion, VarianceCriterion) else 2):
        return profiles[:, -1]
    weights = np.array([weight_in(criterion, one) for one in tallies])
    gaps = profiles - weights @ profiles / weights.sum()
    direction = gaps[np.argmax(weights * (gaps**2).sum(axis=1))]
    for _ in range(50):
        following = (weights * (gaps @ direction)) @ gaps
        if not following.any():
            break
        direction = following / np.linalg.norm(following)
    return gaps @ direction


def best_of_all_sets(codes, rows, criterion, entire, min_samples_leaf):
    """The least score of all ways to divide the levels, those without one tried on both sides."""
    found = np.unique(codes[rows][~np.isnan(codes[rows])])
    best = np.inf
    for number in range(2 ** len(found)):
        chosen = [level for place, level in enumerate(found) if number >> place & 1]
        for gone_right in (False, True):
            goes = np.isin(codes[rows], chosen) | (np.isnan(codes[rows]) & gone_right)
            if min(goes.sum(), (~goes).sum()) < min_samples_leaf:
                continue
            right = fitted(tally(criterion, rows[goes]), entire)
            best = min(best, score(criterion, entire - right, right))
    return best
