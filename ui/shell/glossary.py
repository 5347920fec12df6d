"""Words that a newcomer may not know, explained once for every place where they appear.

Those of the live view stand in :mod:`treecore.viewer.glossary`.
"""

from ui.language.translate import N_

STEP_GLOSSARY = {
    "value": N_(
        "v: the loss in a leaf minus the penalty for reaching it. The greatest v of all leaves "
        "is the example's bound. It is never below the loss, because the example's own leaf has "
        "no penalty."
    ),
    "turn": N_(
        "A changed split moves by 2η times the example, away from the leaf ĝ. If the squared "
        "length of its weights then exceeds ν, they are shortened to it."
    ),
    "taught": N_(
        "The values θ of the leaf ĝ take one gradient step: the true class becomes more probable "
        "there, or the predicted number comes nearer. No other leaf learns from this example."
    ),
    "scale": N_(
        "‖W‖: the length of the weights. Multiplying all of them changes no decision; it only "
        "changes how far away other leaves seem."
    ),
    "care": N_(
        "Care points: examples that one side of the split classifies correctly and the other "
        "does not. For all others the side does not matter, and they are grey."
    ),
    "pseudolabel": N_(
        "The side, left or right, on which the present subtrees classify a care point correctly. "
        "The split learns these sides, not the classes."
    ),
    "weighted error": N_(
        "How many care points the split sends to their wrong side, by weight. The learnt split "
        "replaces the old one only if it sends no more of them there."
    ),
    "C": N_(
        "How much a misrouted care point counts against the sum of the split's weights. A small "
        "C makes splits with few features."
    ),
    "U": N_(
        "U: the value of the coefficient at which an example lies exactly on the line. Beyond "
        "it, this one example changes sides."
    ),
    "impurity": N_(
        "How mixed the classes are on both sides of the split, averaged over the examples. At 0 "
        "each side has one class only."
    ),
    "stagnant": N_(
        "The coefficient moves to an equally good value with probability e^(−k), where k counts "
        "such chances since the last real improvement."
    ),
}
"""Words and symbols of the page that takes one step apart."""

STEP_NUMBERS = {
    "care": N_(
        "Care points: examples that one side of the split predicts more closely than the other. "
        "For all others the side does not matter, and they are grey."
    ),
    "pseudolabel": N_(
        "The side, left or right, on which the present subtrees predict a care point more "
        "closely. The split learns these sides, not the numbers."
    ),
    "weighted error": N_(
        "The cost of the care points on their worse side: the differences between the losses of "
        "both sides, summed, in squared deviations. The learnt split replaces the old one only "
        "if this is no larger."
    ),
    "impurity": N_(
        "For numbers it is the squared error around the means of the two sides, as a share of "
        "the squared error around the mean of the node. At 1 the split explains nothing; at 0 "
        "each side has one number only."
    ),
}
"""What is said otherwise there of numbers."""

LESSON_GLOSSARY = {
    "tree": N_(
        "A series of questions, called splits. Each answer leads to another split or to a leaf, "
        "which predicts. Its depth is the largest number of splits in a row."
    ),
    "feature": N_("One of the numbers that describe every example; here x1 (across) and x2 (up)."),
    "axis-aligned": N_(
        "A split on a single feature: is it above a threshold? On the map it is a vertical or "
        "horizontal line."
    ),
    "oblique": N_(
        "A split on a weighted sum of features: is it above a threshold? On the map it is a line "
        "at any angle."
    ),
    "greedy": N_(
        "Growing a tree from the root: each node takes the best split at that moment, and never "
        "revisits it."
    ),
    "sgd": N_(
        "Stochastic gradient descent: example after example, all splits on its path change a "
        "little, to lower a bound on the loss of the whole tree."
    ),
    "nu": N_(
        "ν: the largest squared length of a split's weights. A small ν forces wide margins; with "
        "a large one the bound follows the loss closely."
    ),
    "stable": N_(
        "SGD in which every example keeps its assigned leaf until the bound no longer falls. "
        "Then all examples are assigned to the leaves that they reach."
    ),
    "tao": N_(
        "Tree alternating optimisation: it learns one split at a time, from the deepest ones to "
        "the root, while all others stay fixed. Then it starts again."
    ),
    "forest": N_(
        "Many trees that differ, by chance or by their examples, and vote. Where their mistakes "
        "differ, they cancel out."
    ),
    "hinge": N_(
        "A forest that adds up the values of its leaves. It learns leaves, thresholds and the "
        "weighted sums of its splits together, by gradient descent."
    ),
    "vote margin": N_(
        "The share of votes for the right class minus the share for the best other class. It is "
        "1 where all trees are right, and below 0 where the vote is wrong."
    ),
}
"""Words that the lessons use and no other page has explained before."""

FOREST_GLOSSARY = {
    "votes": N_(
        "The forest's prediction at every place. A stronger colour means that one class has more "
        "votes; pale places divide the trees. Each tree has sharp borders; together they make "
        "shades."
    ),
    "predicted": N_(
        "The number that the forest predicts at every place: the mean of its trees' predictions."
    ),
    "smallest": N_(
        "A tree of a hinge forest predicts with its smallest margin: how far a row is from the "
        "nearest boundary on its path. This is the mean over all trees. It is near zero along "
        "the boundaries and grows away from them."
    ),
    "weights": N_(
        "Boosting gives misclassified rows more weight for the next tree. The area of a point is "
        "its weight."
    ),
    "margins": N_(
        "The margin of a row: the share of votes for its own class minus the largest share of "
        "another class (Schapire et al. 1998). At 1 all trees are right; below 0 the forest is "
        "wrong. Boosting raises small margins even when no training row is misclassified any "
        "more."
    ),
    "residuals": N_("The forest's prediction minus the true number, in the target's own units."),
    "member": N_(
        "One tree of the forest. A single tree may be poor; a forest works when its trees make "
        "different mistakes."
    ),
    "vote": N_(
        "How much this tree's vote counts. Bagged trees all count the same; a boosted tree "
        "counts more when it misclassifies less of the weight."
    ),
}
"""Words of the page on forests."""
