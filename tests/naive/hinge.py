"""Plain twins of the hinge kernels, written to be read.

Forward passes are NumPy's float32 in the order that the kernels state, and are compared bit for
bit. Gradients are written from the formulas, in float64.
"""

import numpy as np

f32 = np.float32


def features(layer, x):
    """Normalised features of one raw row, float32."""
    with np.errstate(over="ignore"):
        x = np.clip((x - layer.centre) * layer.scale, f32(-1e6), f32(1e6))
    if not len(layer.filters):
        return x
    answers = []
    for place in layer.place:
        at = x[place + layer.tap]
        total = np.zeros(layer.filters.shape[1], dtype=f32)
        entire = len(at) // 4 * 4
        for t in range(0, entire, 4):
            w = layer.filters[t : t + 4]
            total = total + (
                (at[t] * w[0] + at[t + 1] * w[1]) + (at[t + 2] * w[2] + at[t + 3] * w[3])
            )
        for t in range(entire, len(at)):
            total = total + at[t] * layer.filters[t]
        answers.append((total - layer.mean) / layer.deviation)
    return np.concatenate(answers)


def descend(z, feature, threshold, depth, fern):
    """All margins on the path are listed, then the smallest is taken."""
    leaf, node, path = 0, 0, []
    for level in range(depth):
        r = z[feature[node]] - threshold[node]
        path.append((node, r))
        leaf = 2 * leaf + (r > 0)
        node = level + 1 if fern else 2 * node + (2 if r > 0 else 1)
    nearest, margin = min(path, key=lambda step: abs(step[1]))
    return int(leaf), nearest, margin


def indicator(z, feature, threshold, depth, fern, leaf):
    """Equation 8: the smallest of the ReLUs on the path to ``leaf``, computed for any leaf."""
    node, smallest = 0, np.inf
    for level in range(depth):
        right = (leaf >> (depth - 1 - level)) & 1
        r = z[feature[node]] - threshold[node]
        smallest = min(smallest, max(r if right else -r, 0))
        node = level + 1 if fern else 2 * node + 1 + right
    return smallest


def decide(forest, x):
    """Outputs of one raw row: trees in order, in float32; the base of numbers last, in float64."""
    z = features(forest.layer, x)
    numeric = forest.task == "regression"
    out = np.zeros(len(forest.base), np.float32) if numeric else forest.base.copy()
    for feature, threshold, weights in zip(*forest.trees):
        leaf, _, margin = descend(z, feature, threshold, forest.depth, forest.kind == "fern")
        out = out + abs(margin) * weights[leaf]
    return out + forest.base if numeric else out


def mean_loss(layer, trees, depth, fern, base, X, y, weight):
    """Mean loss of rows as a function of all parameters, in float64: equations 9, 10 and 13.

    Sums over *all* leaves, as equation 9 does; all but one are zero.
    """
    total = 0.0
    for x, target, w in zip(X, y, weight):
        x = (x.astype(float) - layer.centre) * layer.scale
        z = x
        if len(layer.filters):
            answers = [x[place + layer.tap] @ layer.filters for place in layer.place]
            z = np.concatenate([(a - layer.mean) / layer.deviation for a in answers])
        out = base.astype(float)
        for feature, threshold, weights in zip(*trees):
            for leaf in range(2**depth):
                out = out + weights[leaf] * indicator(z, feature, threshold, depth, fern, leaf)
        if np.ndim(target) == 0:
            total += w * (np.log(np.exp(out - out[target]).sum()))
        else:
            total += w * 0.5 * ((out - target) ** 2).sum()
    return total / len(X)


def move_image(x, width, down, right):
    """The image whose pixel (i, j) is the old one at (i - down, j - right), dark outside, float32.

    It is read from a frame of zeros that is wide enough for any move.
    """
    height = len(x) // width
    margin = int(max(abs(down), abs(right))) + 2
    frame = np.pad(x.reshape(height, width), margin)
    row, column = int(np.floor(-down)), int(np.floor(-right))
    below, beyond = f32(np.float64(-down) - row), f32(np.float64(-right) - column)
    total = np.zeros((height, width), dtype=f32)
    for a, share in ((0, f32(1) - below), (1, below)):
        for b, near in ((0, f32(1) - beyond), (1, beyond)):
            i, j = margin + row + a, margin + column + b
            total = total + share * near * frame[i : i + height, j : j + width]
    return total.ravel()


def noise(rng, deviation, p):
    """Normal numbers in pairs: a point of the unit disc, its length changed (Marsaglia's)."""
    numbers = []
    while len(numbers) < p:
        u, v = 2 * rng.random(2, dtype=f32).astype(float) - 1
        square = u * u + v * v
        if 0 < square < 1:
            length = deviation * np.sqrt(-2 * np.log(square) / square)
            numbers += [length * u, length * v]
    return np.array(numbers[:p])


def adam(p, gradients, eta):
    """Adam (Kingma and Ba 2014) of one number over some steps, in float64."""
    m = v = 0.0
    for t, g in enumerate(gradients, 1):
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        p = p - eta * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
    return p


def sgd(p, gradients, eta):
    """Gradient descent on one number over some steps, in float64."""
    for g in gradients:
        p = p - eta * g
    return p


def adagrad(p, gradients, eta):
    """AdaGrad (Duchi et al. 2011) of one number over some steps, in float64."""
    total = 0.0
    for g in gradients:
        total += g * g
        p = p - eta * g / (np.sqrt(total) + 1e-8)
    return p
