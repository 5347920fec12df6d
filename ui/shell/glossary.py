"""Words that a newcomer may not know, explained once for every place where they appear.

Those of the live view stand in :mod:`treecore.viewer.glossary`.
"""

from ui.language.translate import N_

STEP_GLOSSARY = {
    "value": N_(
        "v: the loss in a leaf less the penalty of getting there. The greatest v of all leaves "
        "is the example's bound. It is never below the loss, since the own leaf has no penalty."
    ),
    "turn": N_(
        "A turned split moves by 2η times the example, away from the leaf ĝ. A row of weights "
        "whose squared length exceeds ν is then shortened to it."
    ),
    "taught": N_(
        "The values θ of the leaf ĝ take one gradient step: the true class becomes more "
        "probable there, or its number comes nearer. No other leaf learns from this "
        "example."
    ),
    "scale": N_(
        "‖W‖: the length of the weights. Multiplying all of them changes no decision, only how "
        "far away other leaves seem."
    ),
    "care": N_(
        "Care points: examples that one side of the split would classify rightly and the other "
        "wrongly. To all others it does not matter where they go, and they are grey."
    ),
    "pseudolabel": N_(
        "The side, left or right, on which a care point is classified rightly by the subtrees "
        "as they are. The split is learnt from these, not from the classes."
    ),
    "weighted error": N_(
        "How many care points the split sends to their wrong side, by weight. The learnt "
        "split is taken only if it sends no more of them astray than the old one."
    ),
    "C": N_(
        "How much a misrouted care point counts against the sum of the split's weights. "
        "A small C makes splits that use few features."
    ),
    "U": N_(
        "U: the value of the coefficient at which an example would lie exactly on the line. "
        "Passing it, this one example changes sides."
    ),
    "impurity": N_(
        "How mixed the classes are on both sides of the split, averaged over the examples. 0 "
        "means that each side has one class only."
    ),
    "stagnant": N_(
        "A value that is just as good as the present one is moved to with the probability "
        "e^(−k), where k counts such chances since the last real improvement."
    ),
}
"""Words and symbols of the page that takes one step apart."""

STEP_NUMBERS = {
    "care": N_(
        "Care points: examples for which the numbers on the two sides of the split are not "
        "equally far off. To all others it does not matter where they go, and they are grey."
    ),
    "pseudolabel": N_(
        "The side, left or right, on which the subtrees as they are predict a care point more "
        "closely. The split is learnt from these, not from the numbers."
    ),
    "weighted error": N_(
        "What is lost by the care points that the split sends to their worse side: the "
        "difference of the losses of both sides, added up, in squared deviations. The "
        "learnt split is taken only if it loses no more than the old one."
    ),
    "impurity": N_(
        "Of numbers it is the squared error about the means of the two sides, as a share "
        "of that about the mean of all examples of the node: 1 where the split explains "
        "nothing, 0 where each side has one number only."
    ),
}
"""What is said otherwise there of numbers."""

LESSON_GLOSSARY = {
    "tree": N_(
        "Questions, each leading to one of two further questions or to an answer. The "
        "number of questions in a row, at most, is its depth."
    ),
    "feature": N_(
        "One of the numbers that are known of every example; here x1 (across) and x2 (up)."
    ),
    "axis-aligned": N_(
        "A split that asks about a single feature: is it above a threshold? On the map "
        "it is an upright or a level line."
    ),
    "oblique": N_(
        "A split that asks about a weighted sum of features: is it above a threshold? On "
        "the map it is a line at any angle."
    ),
    "greedy": N_(
        "Growing a tree from the root: each node takes the split that looks best on its "
        "own, and nothing that comes later changes it."
    ),
    "sgd": N_(
        "Stochastic gradient descent: example after example, all splits on the way turn "
        "a little, to lower a bound on the loss of the whole tree."
    ),
    "nu": N_(
        "ν: the greatest squared length that the weights of a split may have. A small ν forces "
        "broad margins, a large one ties the bound closely to the loss."
    ),
    "stable": N_(
        "SGD in which every example keeps the leaf it is assigned to until the bound no longer "
        "falls; then all are assigned anew, to the leaves in which they are."
    ),
    "tao": N_(
        "Tree alternating optimisation: one split is learnt at a time, from the deepest "
        "ones to the root, while all others stay as they are; then it begins again."
    ),
    "forest": N_(
        "Many trees that differ, by chance or by the examples they have seen, and vote. Where "
        "their mistakes differ, they cancel out."
    ),
    "hinge": N_(
        "A forest whose trees add up what their leaves say. Leaves, thresholds and the sums "
        "that questions are about are all learnt together, by steps down a gradient."
    ),
    "vote margin": N_(
        "The share of the votes for the right class, less that for the best other one: 1 where "
        "all trees are right, below 0 where the vote is wrong."
    ),
}
"""Words that the lessons use and no other page has explained before."""

FOREST_GLOSSARY = {
    "votes": N_(
        "What the forest says everywhere. The stronger the colour, the more of the votes "
        "one class has; pale where the trees disagree. Each tree cuts sharply, and many "
        "of them together make shades."
    ),
    "predicted": N_(
        "The number that the forest predicts everywhere: the mean of what its trees say."
    ),
    "smallest": N_(
        "A tree of a hinge forest answers with the margin of the closest of its "
        "decisions: how far a row is from the nearest boundary on its way. This is the "
        "mean over all trees. It is near zero along the boundaries, and grows away from "
        "them."
    ),
    "weights": N_(
        "Boosting makes rows that a tree gets wrong weigh more for the next tree. The "
        "area of a point is its weight."
    ),
    "margins": N_(
        "The margin of a row: the share of the votes for its own class less the greatest "
        "share of another one (Schapire et al. 1998). 1: all trees are right. Below 0: "
        "the forest is wrong. Boosting pushes small margins up even when no training row "
        "is wrong any more."
    ),
    "residuals": N_("What the forest predicts less what is true, in the target's own units."),
    "member": N_(
        "One tree of the forest. A single one may be poor: what counts is that the trees "
        "do not all make the same mistakes."
    ),
    "vote": N_(
        "What this tree's answer counts. Bagged trees all count the same; a boosted one "
        "the more, the less of the weight it gets wrong."
    ),
}
"""Words of the page on forests."""
