"""The algorithms taken apart: what one step of each did, and why, as plain numbers.

Kernels decide and forget, but they write their decisions into a trace when they are given one.
Here they are called for one step, on copies, and their traces become plain objects. No decision
is taken a second time; ``tests/treecore/inspection`` holds both ways of calling side by side.

    inference      branch and bound for one example, node by node; the value of every leaf
    sgd_step       one update of SGD or Stable SGD: the splits turned, the leaf's gradient step
    sgd_debugger   a run that is paused: apply single steps, find the hardest example
    bound_profile  the bound and the loss while all weights grow together (Proposition 1)
    tao_node       one node of TAO: its care points, the new split, whether it is taken
    oc1_move       one move of OC1: the impurity at every value of one coefficient
    manual_split   a split that is turned by hand, and what it costs
    counterfactual the nearest point that a tree puts where it is wanted
    contributions  what each feature has moved at the splits of a row's path
    shapley        what each feature of a row is worth to the answer
    importances    what each feature has contributed to a tree
    hinge_margins  the leaf and the smallest margin of every row in a hinge forest
"""
