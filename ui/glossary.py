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
    "margin": "How far an example is from a split's boundary.",
}
"""Explanations by word, each one or two sentences of plain text."""
