"""Words of the live view that a newcomer may not know, each explained once."""

GLOSSARY = {
    "map": (
        "Every leaf of the tree owns one region, cut out by the splits above it. The region has "
        "the colour of the predicted class; a stronger colour means more confident."
    ),
    "bound": (
        "The surrogate bound: a smooth upper limit of the loss, which learning lowers. For every "
        "example it takes the worst leaf that a small change of the splits could send it to."
    ),
    "loss": (
        "Log loss: minus the logarithm of the probability that the tree gives to the right "
        "class, averaged over the examples. The unit is nats: 0 is perfect, 0.69 is tossing a "
        "coin between two classes."
    ),
    "ticks": (
        "Violet ticks at the foot of the chart mark where the bound fell but the loss rose. A "
        "bound guarantees only that the loss is not above it."
    ),
    "accuracy": "The share of examples whose class the tree predicts correctly.",
    "active": (
        "Leaves that at least one training example reaches. No example reaches the others, which "
        "are inactive."
    ),
    "epoch": (
        "Learning goes once through all training examples or, in TAO, through all splits, from "
        "the leaves up to the root."
    ),
    "round": (
        "Fifty mini-batches of training examples. All splits change a little after each of them."
    ),
    "level": "All nodes of equal depth. A greedy tree splits them one by one.",
    "asleep": (
        "No training example reaches this leaf now. It may become active when splits change. "
        "Where there is no room for the word, it is marked by a z."
    ),
    "split": (
        "A test of the features. An oblique split weighs several features at once: an example "
        "goes right when the weighted sum exceeds the threshold, left otherwise."
    ),
    "leaf": "An end of the tree. It gives each class a probability and predicts the most probable "
    "class.",
    "held": "Examples that the tree does not learn from. They measure how well it predicts new "
    "examples.",
    "margin": (
        "The strip around a split in which the bound can still send examples to the other side. "
        "There |s|, the score, is less than half the range of the losses below the split. "
        "Outside the margins of all splits on its path, an example's bound is its loss. A small "
        "ν keeps weights small, which makes margins wide."
    ),
    "moves": (
        "Marks points that changed their leaf in the last epoch with round brackets. In Stable "
        "SGD, square brackets mark points that the gradient still assigns to another leaf."
    ),
    "moved": (
        "The point has changed its leaf since the last epoch, or since the last recorded moment. "
        "Many moves mean that the tree still changes; none mean that it has settled."
    ),
    "frozen": (
        "Stable SGD keeps every example in the leaf to which it was last assigned, even when the "
        "splits now send it to another leaf. The gradient pulls it back until all examples are "
        "assigned again."
    ),
    "gap": (
        "Bound minus loss, averaged over the shown points of the leaf. A large gap means that "
        "points lie within the margins of their splits: a small change could send them elsewhere."
    ),
    "levels": (
        "The number of splits above a node; the root is at level 0. The lowest levels of a wide "
        "tree are folded up into bars, which show the classes of their examples. Press F on a "
        "split, or double-click it, to show only the part below it; U leads back up."
    ),
    "support": (
        "Branches with few or no training examples need as much room as the others. A hidden "
        "branch leaves a short end."
    ),
    "confidence": "The probability that the leaf gives to its predicted class.",
    "leafid": "The leaf that owns the region. The numbers are the same as in the tree below.",
    "leafloss": (
        "The mean loss of the shown points in the leaf; hatched where there are none. The middle "
        "of the scale is the loss of guessing."
    ),
    "value": (
        "The number that the leaf predicts, or the target of a point, in the target's own units."
    ),
    "r2": (
        "The share of the target's variance that the tree explains. 100 % is perfect; 0 is no "
        "better than always predicting the mean, and worse is possible."
    ),
}
"""Explanations by word, each one or two sentences of plain text."""

NUMBERS = {
    "map": (
        "Every leaf of the tree owns one region, cut out by the splits above it. The region has "
        "the colour of the predicted number."
    ),
    "loss": (
        "The squared error of the predicted numbers, averaged over the examples, in units of the "
        "target's variance: 0 is perfect, 1 is always predicting the mean. Huber loss counts "
        "errors beyond one standard deviation in proportion. Absolute loss counts all errors in "
        "proportion, in standard deviations."
    ),
    "leaf": "An end of the tree. It predicts one number for all examples that reach it.",
}
"""What is said otherwise where the tree predicts numbers."""
