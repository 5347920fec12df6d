"""Twenty mistakes that people make, one a line: a type checker finds most before anything runs.

Read by `test_methods.py`; nothing here is meant to run.
"""

import numpy as np

import treecore
from treecore import (
    AnnealedTreeClassifier,
    AxisTreeClassifier,
    AxisTreeRegressor,
    CO2TreeClassifier,
    OC1TreeRegressor,
    RandomObliqueTreeClassifier,
    RunConfig,
    SGDTreeClassifier,
    SGDTreeRegressor,
    StableSGDTreeClassifier,
    TAOTreeClassifier,
    TAOTreeRegressor,
    Trainer,
)

X, y = np.zeros((4, 2)), np.array([0, 1, 0, 1])

treecore.CARTTreeClassifier()  # a method that is not there
SGDTreeClassifier(max_depth=4)  # it is called depth where trees are learnt as a whole
AxisTreeClassifier(depth=4)  # and max_depth where growth may stop before
SGDTreeClassifier(start="cart")  # a starting tree that is not there
StableSGDTreeClassifier(inference="quick")  # exact or fast
TAOTreeClassifier(leaf="logistic")  # constant or linear
AnnealedTreeClassifier(epochs=10)  # its passes are rounds
AxisTreeClassifier(criterion="entropie")  # a misspelt choice
AxisTreeRegressor(criterion="gini")  # a criterion of classes
SGDTreeRegressor(class_weight="balanced")  # classes, where targets are numbers
SGDTreeClassifier(loss="huber")  # numbers, where targets are classes
TAOTreeRegressor(loss="mse")  # it is called squared_error
CO2TreeClassifier(class_weight="balance")  # a misspelt choice
SGDTreeClassifier(nu="10")  # a word for a number
RandomObliqueTreeClassifier(n_direction=8)  # a misspelt setting
SGDTreeClassifier(4, 10.0)  # more than the depth without a name
OC1TreeRegressor(random_state="0")  # a word for a seed
Trainer(RunConfig("sgd"), X)  # rows without targets
SGDTreeClassifier().fit(X)  # rows without targets
RunConfig("sgd", kernels="fourier")  # a misspelt setting of any method
