"""Words that a newcomer may not know, explained once for every place where they appear."""

GLOSSARY = {
    "map": (
        "Every leaf of the tree owns one region, cut out by the splits above it. The region has "
        "the colour of the class that the leaf predicts, the stronger the more certain it is."
    ),
    "bound": (
        "The surrogate bound: a smooth upper limit of the loss that learning pushes down. For "
        "every example it is the worst leaf that a small turn of the splits could send it to."
    ),
    "loss": (
        "Log loss: minus the logarithm of the probability that the tree gives to the right "
        "class, averaged over the examples. 0 is perfect."
    ),
    "accuracy": "The share of examples whose class the tree predicts correctly.",
    "active": (
        "Leaves that at least one training example reaches. The others are asleep: nothing "
        "reaches them, so they take no part in any prediction on the training data."
    ),
    "epoch": (
        "One pass: over all training examples, or in TAO over all splits, from the leaves up to "
        "the root."
    ),
    "round": "Fifty mini-batches of training examples. All splits turn a little after each batch.",
    "level": "All nodes of the tree that lie equally deep: a greedy tree divides them one by one.",
    "asleep": "No training example reaches this leaf at present. It may wake when splits turn.",
    "split": (
        "A question about the features. An oblique split weighs several features at once: an "
        "example goes right when the weighted sum exceeds the threshold, left otherwise."
    ),
    "leaf": "An end of the tree. It gives each class a probability; the greatest one is predicted.",
    "held": "Examples that learning never sees, to tell whether the tree has understood.",
    "margin": (
        "The strip about a split in which examples can still be sent to the other side's leaves "
        "by the bound: where |s|, the score, is less than half the range of the losses below the "
        "split. Beyond the margins of all splits on its way an example's bound is its loss. A "
        "small ν keeps weights small, so a score grows slowly and margins are wide."
    ),
    "moves": (
        "Marks the points that have changed their leaf in the last pass, in round brackets, and, "
        "in Stable SGD, in square ones those that the gradient still keeps in another leaf. In the "
        "tree their new ways are solid, those they left dashed, and leaves wear the brackets."
    ),
    "moved": (
        "The point's leaf is another one than a pass ago, or than at the last moment recorded "
        "before that. Many moves are a tree that still turns; none, one that has settled."
    ),
    "frozen": (
        "Stable SGD keeps every example in the leaf to which it was last assigned, also when the "
        "splits have turned and it would land in another one now. The gradient pulls it back "
        "to its assigned leaf until all examples are assigned anew."
    ),
    "gap": (
        "Bound less loss, the mean over the shown points of the leaf. Where it is large, points "
        "lie within the margins of their splits, and a small turn could send them elsewhere."
    ),
    "levels": (
        "How many splits lie above a node. The root is at level 0. Where a tree is too wide to be "
        "read, its lowest levels are folded up into bars that show the classes of their rows. "
        "F on a split, or a double click, shows only what lies below it; U leads back up."
    ),
    "support": (
        "Branches that few of the training rows take, or none, need as much room as the others. "
        "Hidden ones leave a short end."
    ),
    "gaps": (
        "Bound less loss of every training example on the map. Most lie beyond the margins of all "
        "splits on their way and have no gap: their bound is their loss. Those at the right can "
        "still be sent to a worse leaf by a small turn of the splits."
    ),
    "confidence": "The probability that the leaf gives to the class that it predicts.",
    "leafid": "Which leaf owns the region. The numbers are those of the tree below.",
    "leafloss": (
        "The mean loss of the shown points in the leaf. Hatched where no point is shown. "
        "The middle of the scale is what guessing costs."
    ),
    "value": "The number that the leaf predicts, or the target of a point, in its own units.",
    "r2": (
        "The share of the target's variance that the tree explains. 100 % is perfect; 0 is no "
        "better than always predicting the mean, and less is possible."
    ),
}
"""Explanations by word, each one or two sentences of plain text."""

NUMBERS = {
    "map": (
        "Every leaf of the tree owns one region, cut out by the splits above it. The region has "
        "the colour of the number that the leaf predicts."
    ),
    "loss": (
        "How far the predicted numbers are off, squared and averaged over the examples, in units "
        "of the target's variance: 1 is what always predicting the mean costs, 0 is perfect. "
        "Huber loss counts errors beyond one deviation in proportion only."
    ),
    "leaf": "An end of the tree. It predicts one number for all examples that end in it.",
}
"""What is said otherwise where the tree predicts numbers."""

STEP_GLOSSARY = {
    "score": (
        "s: the weighted sum of an example's features at a split, less the threshold. The example "
        "goes right when s is greater than 0; the greater |s|, the more clearly."
    ),
    "code": (
        "ĥ: for every split the side to which the example goes, +1 right and −1 left. It leads to "
        "the leaf that the tree predicts with."
    ),
    "rival": (
        "ĝ: the code of the leaf of the greatest v. The step turns splits so that the example is "
        "further away from it. Where ĝ and ĥ lead to the same leaf, no split is turned."
    ),
    "penalty": (
        "2|s| of every split on the way to a leaf that the example disagrees with, added up. "
        "A leaf that only small turns could reach has a small penalty."
    ),
    "value": (
        "v: the loss in a leaf less the penalty of getting there. The greatest v of all leaves "
        "is the example's bound. It is never below the loss, since the own leaf has no penalty."
    ),
    "search": (
        "Branch and bound: U is the greatest loss below a node. When U less the penalty is not "
        "above the best v found so far, nothing below can win and all of it is left unseen."
    ),
    "products": (
        "Inner products: how many splits had to be evaluated, each as many multiplications as "
        "there are features. This is what learning costs."
    ),
    "turn": (
        "A turned split moves by 2η times the example, away from the leaf ĝ. A row of weights "
        "whose squared length exceeds ν is then shortened to it."
    ),
    "taught": (
        "The values θ of the leaf ĝ take one gradient step: the true class becomes more probable "
        "there, or its number comes nearer. No other leaf learns from this example."
    ),
    "assigned": (
        "a(x): the leaf that Stable SGD has given to this example. Bits of ĥ on the way to it are "
        "forced, and splits that disagree are turned back towards it."
    ),
    "scale": (
        "‖W‖: the length of the weights. Multiplying all of them changes no decision, only how "
        "far away other leaves seem."
    ),
    "care": (
        "Care points: examples that one side of the split would classify rightly and the other "
        "wrongly. To all others it does not matter where they go, and they are grey."
    ),
    "pseudolabel": (
        "The side, left or right, on which a care point is classified rightly by the subtrees "
        "as they are. The split is learnt from these, not from the classes."
    ),
    "weighted error": (
        "How many care points the split sends to their wrong side, by weight. The learnt split is "
        "taken only if it sends no more of them astray than the old one."
    ),
    "C": (
        "How much a misrouted care point counts against the sum of the split's weights. A small "
        "C makes splits that use few features."
    ),
    "U": (
        "U: the value of the coefficient at which an example would lie exactly on the line. "
        "Passing it, this one example changes sides."
    ),
    "impurity": (
        "How mixed the classes are on both sides of the split, averaged over the examples. 0 "
        "means that each side has one class only."
    ),
    "stagnant": (
        "A value that is just as good as the present one is moved to with the probability "
        "e^(−k), where k counts such chances since the last real improvement."
    ),
}
"""Words and symbols of the page that takes one step apart."""

STEP_NUMBERS = {
    "care": (
        "Care points: examples for which the numbers on the two sides of the split are not "
        "equally far off. To all others it does not matter where they go, and they are grey."
    ),
    "pseudolabel": (
        "The side, left or right, on which the subtrees as they are predict a care point more "
        "closely. The split is learnt from these, not from the numbers."
    ),
    "weighted error": (
        "What is lost by the care points that the split sends to their worse side: the difference "
        "of the losses of both sides, added up, in squared deviations. The learnt split is taken "
        "only if it loses no more than the old one."
    ),
    "impurity": (
        "Of numbers it is the squared error about the means of the two sides, as a share of that "
        "about the mean of all examples of the node: 1 where the split explains nothing, 0 where "
        "each side has one number only."
    ),
}
"""What is said otherwise there of numbers."""

LESSON_GLOSSARY = {
    "tree": (
        "Questions, each leading to one of two further questions or to an answer. The number of "
        "questions in a row, at most, is its depth."
    ),
    "feature": "One of the numbers that are known of every example; here x1 (across) and x2 (up).",
    "axis-aligned": (
        "A split that asks about a single feature: is it above a threshold? On the map it is an "
        "upright or a level line."
    ),
    "oblique": (
        "A split that asks about a weighted sum of features: is it above a threshold? On the map "
        "it is a line at any angle."
    ),
    "greedy": (
        "Growing a tree from the root: each node takes the split that looks best on its own, and "
        "nothing that comes later changes it."
    ),
    "sgd": (
        "Stochastic gradient descent: example after example, all splits on the way turn a little, "
        "so that a bound on the loss of the whole tree falls."
    ),
    "nu": (
        "ν: the greatest squared length that the weights of a split may have. A small ν forces "
        "broad margins, a large one ties the bound closely to the loss."
    ),
    "stable": (
        "SGD in which every example keeps the leaf it is assigned to until the bound no longer "
        "falls; then all are assigned anew, to the leaves in which they are."
    ),
    "tao": (
        "Tree alternating optimisation: one split is learnt at a time, from the deepest ones to "
        "the root, while all others stay as they are; then it begins again."
    ),
    "forest": (
        "Many trees that differ, by chance or by the examples they have seen, and vote. Where "
        "their mistakes differ, they cancel out."
    ),
}
"""Words that the lessons use and no other page has explained before."""

FOREST_GLOSSARY = {
    "error": (
        "The share of rows that the forest gets wrong; of numbers the mean squared error. "
        "**Held-out**: rows that learning never sees. **Training**: the rows that it learns from. "
        "**Out-of-bag**: every training row is judged by those trees alone that have not drawn it, "
        "which costs no rows at all."
    ),
    "loss": (
        "What a hinge forest makes smaller, mini-batch by mini-batch: the log loss of classes, or "
        "half the squared error of numbers. Training: the mean of the last hundred mini-batches. "
        "Validation: rows held out of the training ones, by which the kept forest is chosen."
    ),
    "votes": (
        "What the forest says everywhere. The stronger the colour, the more of the votes one class "
        "has; pale where the trees disagree. Each tree cuts sharply, and many of them together "
        "make shades."
    ),
    "predicted": "The number that the forest predicts everywhere: the mean of what its trees say.",
    "smallest": (
        "A tree of a hinge forest answers with the margin of the closest of its decisions: how far "
        "a row is from the nearest boundary on its way. This is the mean over all trees. It is "
        "near zero along the boundaries, and grows away from them."
    ),
    "weights": (
        "Boosting makes rows that a tree gets wrong weigh more for the next tree. The area of a "
        "point is its weight."
    ),
    "margins": (
        "The margin of a row: the share of the votes for its own class less the greatest share of "
        "another one (Schapire et al. 1998). 1: all trees are right. Below 0: the forest is wrong. "
        "Boosting pushes small margins up even when no training row is wrong any more."
    ),
    "residuals": "What the forest predicts less what is true, in the target's own units.",
    "member": (
        "One tree of the forest. A single one may be poor: what counts is that the trees do not "
        "all make the same mistakes."
    ),
    "vote": (
        "What this tree's answer counts. Bagged trees all count the same; a boosted one the more, "
        "the less of the weight it gets wrong."
    ),
    "seconds": (
        "Time spent learning. Measuring and drawing do not count, nor does waiting for the others."
    ),
    "splits": "Questions in all trees together: what there is to store.",
    "trees": (
        "Trees that have been grown. Those of a hinge forest learn together; it is drawn as a "
        "level line at its present error, up to the number of its trees."
    ),
}
"""Words of the page on forests."""
