"""The algorithms taken apart: what one step of each did, and why, as plain numbers.

Kernels decide and forget; here the same decisions are taken once more, slowly, and written down.
Whatever is computed comes from the core's own functions, and every trace ends where the kernel
does, to the last bit: ``tests/test_explain.py`` holds them side by side.

    search       branch and bound for one example, look by look; the value of every leaf
    step         one update of SGD or Stable SGD: the splits turned, the leaf taught
    bench        a run held still: apply single steps, find the hardest example
    tightness    the bound and the loss while all weights grow together (Proposition 1)
    node         one node of TAO: its care points, the new split, whether it is taken
    perturbation one move of OC1: the impurity at every value of one coefficient
"""
