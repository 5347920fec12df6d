"""Words of the live view that a newcomer may not know, each explained once."""

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
        "class, averaged over the examples. Natural logarithms count in nats: 0 is perfect, 0.69 "
        "a coin tossed between two classes."
    ),
    "ticks": (
        "Violet ticks at the foot of the chart: there the bound fell, and the loss rose all the "
        "same. A bound promises only that the loss is not above it."
    ),
    "accuracy": "The share of examples whose class the tree predicts correctly.",
    "active": (
        "Leaves that at least one training example reaches. The others are inactive: nothing "
        "reaches them, so they take no part in any prediction on the training data."
    ),
    "epoch": (
        "One pass: over all training examples, or in TAO over all splits, from the leaves up to "
        "the root."
    ),
    "round": "Fifty mini-batches of training examples. All splits turn a little after each batch.",
    "level": "All nodes of the tree that lie equally deep: a greedy tree divides them one by one.",
    "asleep": (
        "No training example reaches this leaf now. It may become active when splits turn. Where "
        "there is no room for the word, a z stands below it."
    ),
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
        "Huber loss counts errors beyond one deviation in proportion only. Absolute loss counts "
        "all errors in proportion, in units of the deviation."
    ),
    "leaf": "An end of the tree. It predicts one number for all examples that end in it.",
}
"""What is said otherwise where the tree predicts numbers."""
