"""Greedy growth as arrays, and one kernel that advances it.

The training rows of a node are one range of a single array of row numbers, and a split divides
the range in two, keeping the order within each side::

    rows                [ . . . . a b c d e f g . . ]
                                  start         stop
    after the split     [ . . . . a c f b d e g . . ]
                                  left  right

Without a limit on the leaves all nodes of one level are split before any of the next. With one
(``max_leaf_nodes``) the split that lowers the impurity of all rows most is made next, as in
scikit-learn, and a level is one such split and the search of its two sides. The work on a node
goes through phases, most of which :func:`advance_run` does; how it is cut never changes the tree.
"""

from __future__ import annotations

from treecore.compiling.kernels import dot, kernel
from treecore.core.thresholds import threshold_between
from treecore.core.tree import OBLIQUE
from treecore.learners.greedy.criteria import count, gain_of, impurity_of_node, weight_of
from treecore.learners.greedy.finders.axis import (
    best_feature,
    divide_orders,
    draw_features,
    search_features,
)
from treecore.learners.greedy.finders.levels import write_level_weights
from treecore.learners.greedy.monotonic import hand_down
from treecore.learners.greedy.state import (
    AT,
    DIVIDE,
    FOUND,
    KEEP,
    LEVEL,
    N_DONE,
    N_NODES,
    N_RIVALS,
    N_WEIGHTS,
    NEXT,
    NO_SPLIT,
    NODE_UNITS,
    PHASE,
    PICK,
    PLACE,
    SEARCH,
    SIZE,
    SPLIT,
    TEST,
)


@kernel
def advance_run(run, budget, axis, draws, levels, terms, monotonic):
    """Do about ``budget`` units of work, at most to the end of the level; return the units.

    It ends sooner where Python has to go on: in its phases, and where ``weights`` is full. What is
    None is not compiled. terms: where the gain ratio chooses the feature.
    """
    clock, nodes, criterion, rules = run.clock, run.nodes, run.criterion, run.rules
    best_first, most = rules.max_leaf_nodes > 0, 2 * rules.max_leaf_nodes - 1
    level, done = clock[LEVEL], 0
    while (done < budget or clock[PHASE] > DIVIDE) and clock[LEVEL] == level and clock[SIZE] > 0:
        phase, at = clock[PHASE], clock[AT]
        node, units, over, ends, divides = nodes[at], 0, False, False, False
        if phase <= TEST or clock[N_WEIGHTS] == run.weights.shape[0]:
            break
        if axis is not None and phase == SEARCH:
            units = _search(run, budget - done, axis, draws, levels, terms, monotonic)
        if phase == DIVIDE:
            over = True
            if axis is not None and draws is None:
                start, stop, first = node["start"], node["stop"], clock[PLACE]
                last = first + max(1, (budget - done) // (stop - start))
                last = min(last, axis.order.shape[0])
                divide_orders(
                    first, last, axis.columns, axis.order, start, stop, run.goes_right, run.spare
                )
                units, clock[PLACE] = (last - first) * (stop - start), last
                over = last == axis.order.shape[0]
        if FOUND <= phase <= KEEP:
            node["pending"], node["row"] = False, clock[N_WEIGHTS]
            weight = weight_of(criterion, run.tally[at])
            share = weight / weight_of(criterion, run.tally[0])
            over = node["feature"] == NO_SPLIT or not node["fall"] * share >= rules.min_gain
            if not over and phase == FOUND and rules.tests:
                clock[PHASE] = TEST
            elif not over:
                node["fall"] *= weight
                clock[N_WEIGHTS] += node["feature"] == OBLIQUE
                node["waiting"] = over = best_first
                clock[PHASE] = SPLIT
        if phase == SPLIT:
            goes_on = _split(run, at, monotonic)
            clock[PHASE], clock[PLACE] = DIVIDE, 0
            over = not goes_on and not best_first
            ends = divides = goes_on and best_first and clock[N_NODES] < most
            if best_first and not divides:
                clock[PHASE] = PICK
        if phase == PICK:
            best = -1
            for place in range(clock[N_NODES]):
                other = nodes[place]
                if clock[N_NODES] == most:
                    other["pending"] = False
                elif other["waiting"] and (best < 0 or other["fall"] > nodes[best]["fall"]):
                    best = place  # the first of equals
            ends = best < 0
            if best >= 0:
                nodes[best]["waiting"], clock[AT], clock[PHASE] = False, best, SPLIT
        done += units
        clock[NODE_UNITS] += units
        if over:
            clock[N_DONE] += 1
            if clock[N_DONE] == clock[SIZE]:
                over, ends = not best_first, not best_first
                clock[PHASE] = PICK
        if ends:
            clock[LEVEL] += 1
            clock[N_DONE], clock[SIZE] = 0, divides
            for place in range(clock[NEXT], clock[N_NODES]):
                clock[SIZE] += nodes[place]["pending"]
        if over or ends:
            clock[PLACE] = clock[NODE_UNITS] = 0
        if (over or ends) and not divides:
            while clock[NEXT] < clock[N_NODES] and not nodes[clock[NEXT]]["pending"]:
                clock[NEXT] += 1
            clock[AT], clock[PHASE] = min(clock[NEXT], clock[N_NODES] - 1), rules.first
            clock[NEXT] += 1
            if axis is not None:
                clock[PHASE] = SEARCH
    return done


@kernel(pasted=True)
def _search(run, budget, axis, draws, levels, terms, monotonic):
    """Search some features of the node at hand, and choose at the end; return the units."""
    clock, at, first = run.clock, run.clock[AT], run.clock[PLACE]
    node, tally = run.nodes[at], run.tally[at]
    rows = run.rows[node["start"] : node["stop"]]
    if draws is not None and first == 0:
        clock[N_RIVALS] = draw_features(draws, axis, rows)
    last = min(first + max(1, budget // rows.shape[0]), clock[N_RIVALS])
    rules = run.criterion, tally, run.rules.min_samples_leaf, run.right
    search_features(first, last, node["start"], rows, axis, draws, levels, monotonic, at, rules)
    clock[PLACE] = last
    if last < clock[N_RIVALS]:
        return (last - first) * rows.shape[0]
    ties = axis.ties
    if draws is not None:
        ties = draws.drawn[:last]
    f = best_feature(axis.cuts, ties, tally, terms)
    node["feature"], clock[PLACE], clock[PHASE] = f, 0, run.rules.first
    if f == NO_SPLIT:
        return (last - first) * rows.shape[0]
    cut = axis.cuts[f]
    node["fall"] = gain_of(run.criterion, tally, cut["score"])
    node["threshold"] = threshold_between(cut["lower"], cut["upper"])
    node["missing_left"] = cut["gone_left"] == 1
    if cut["gone_left"] < 0:
        node["missing_left"] = run.means[f] <= node["threshold"]
    if levels is not None and levels.number[f] >= 0:
        weights, number = run.weights[clock[N_WEIGHTS]], levels.number[f]
        side = cut["gone_left"] == 1
        node["threshold"] = write_level_weights(levels, number, side, weights)
        node["feature"], node["missing_left"] = OBLIQUE, False
    return (last - first) * rows.shape[0]


@kernel(pasted=True)
def _split(run, at, monotonic):
    """Split a node as it says; return whether a child of it will be expanded."""
    nodes, tally, right, rules = run.nodes, run.tally, run.right, run.rules
    node, child, goes_on = nodes[at], run.clock[N_NODES], False
    send_rows(run, at)
    start, stop = node["start"], node["stop"]
    middle = start + part_rows(run.rows[start:stop], run.goes_right, run.spare)
    for q in range(right.shape[0]):
        tally[child, q], tally[child + 1, q] = tally[at, q] - right[q], right[q]
    for place in range(child, child + 2):
        new = nodes[place]
        new["start"], new["stop"], new["depth"] = start, middle, node["depth"] + 1
        if place > child:
            new["start"], new["stop"] = middle, stop
        rows = run.rows[new["start"] : new["stop"]]
        if new["depth"] < rules.depth and rows.shape[0] >= rules.min_rows:
            impurity = impurity_of_node(run.criterion, tally[place], rows)
            new["pending"] = impurity > 0 and impurity >= rules.min_impurity
            goes_on |= new["pending"]
    node["left"], run.clock[N_NODES] = child, child + 2
    if monotonic is not None:
        hand_down(monotonic, run.criterion, at, child, node["feature"], tally[at], right)
    return goes_on


@kernel(pasted=True)
def send_rows(run, at):
    """Write whether each row of a node goes right, and sum up the targets of those that do."""
    node, right = run.nodes[at], run.right
    f, threshold = node["feature"], node["threshold"]
    right[:] = 0.0
    for i in range(node["start"], node["stop"]):
        row = run.rows[i]
        if f == OBLIQUE:
            goes_right = dot(run.weights[node["row"]], run.complete[row]) > threshold
        else:
            value = run.X[row, f]
            goes_right = value > threshold or (value != value and not node["missing_left"])
        run.goes_right[row] = goes_right
        if goes_right:
            count(run.criterion, right, row, 1)


@kernel(pasted=True)
def part_rows(rows, goes_right, spare):
    """Bring the rows that stay left to the front, in their order; return how many."""
    n_left = n_right = 0
    for row in rows:
        if goes_right[row]:
            spare[n_right] = row
            n_right += 1
        else:
            rows[n_left] = row
            n_left += 1
    for i in range(n_right):
        rows[n_left + i] = spare[i]
    return n_left
