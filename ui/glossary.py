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
    "gap": (
        "Bound less loss, the mean over the shown points of the leaf. Where it is large, points "
        "lie within the margins of their splits, and a small turn could send them elsewhere."
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
