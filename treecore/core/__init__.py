"""The flat tree and what is told of rows by it: routing, scaling, impurity."""
