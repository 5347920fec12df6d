"""A tree or a forest as C99 for microcontrollers: features and weights in bytes, sums of integers.

A feature becomes a byte by the range that it has in rows (``x = centre + step * q``), so ::

    w . x > b   <=>   sum_j (w_j step_j) q_j > b - w . centre

and the weights ``w_j step_j`` of a split become bytes by its greatest one. Sums and comparisons are
of 32-bit integers, exact, and the same on every processor. What bytes are too coarse for goes
astray; how much that costs on rows is told by :func:`quantization_cost`, which computes what the C
program computes, to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore._version import __version__
from treecore.core.routing import as_rows, filled
from treecore.core.tree import OBLIQUE
from treecore.export.c import c_names
from treecore.export.literals import CLists
from treecore.export.tables import export_tables
from treecore.persistence import Document, TreeFormatError

LEVELS = 127
"""Greatest byte of a feature and of a weight."""

_LARGEST_SUM = 2**30
"""Thresholds beyond all sums of a split: 127 * 127 * features stays below."""

MAX_FEATURES = 60_000


@dataclass(frozen=True, eq=False)
class Int8Tables:
    """A model in bytes.

    Attributes
    ----------
    centre, rate : float32 arrays, shape (n_features,)
        A feature's byte is ``(x - centre) * rate``, rounded and cut to -127 ... 127.
    missing : float32 array, shape (n_features,)
    feature, row, threshold, left, right, roots : int32 arrays
        As in :class:`treecore.ensembles.packed.Packed`; thresholds are of whole-number scores.
    weights : int8 array, shape (n_oblique, n_features)
    votes : uint8 array, shape (n_leaves, n_outputs)
    base, step : float
        A number is ``base + step * sum of votes``, of a model of numbers.
    numeric : bool
    """

    centre: np.ndarray
    rate: np.ndarray
    missing: np.ndarray
    feature: np.ndarray
    row: np.ndarray
    threshold: np.ndarray
    left: np.ndarray
    right: np.ndarray
    roots: np.ndarray
    weights: np.ndarray
    votes: np.ndarray
    base: float
    step: float
    numeric: bool

    def features(self, X) -> np.ndarray:
        """Rows in bytes, int8 (n_samples, n_features), by the float32 arithmetic of the program.

        Parameters
        ----------
        X : array, shape (n_samples, n_features)
            NaN is missing.
        """
        rows = filled(np.asarray(X), self.missing)
        with np.errstate(over="ignore", invalid="ignore"):
            scaled = (rows - self.centre) * self.rate
        low, high = np.float32(-LEVELS), np.float32(LEVELS)
        cut = np.where(scaled > high, high, np.where(scaled >= low, scaled, low))  # NaN is low
        return (np.trunc(cut + np.float32(128.5)) - 128).astype(np.int8)

    def sums(self, X) -> np.ndarray:
        """Sums of the votes of all trees, int64 (n_samples, n_outputs).

        Parameters
        ----------
        X : array, shape (n_samples, n_features)
            NaN is missing.
        """
        Q = self.features(X).astype(np.int64)
        sums = np.zeros((len(Q), self.votes.shape[1]), dtype=np.int64)
        rows = np.arange(len(Q))
        for root in self.roots:
            at = np.full(len(Q), root)
            while (inner := at >= 0).any():
                split, here = at[inner], rows[inner]
                axis = self.feature[split] != OBLIQUE
                score = np.where(
                    axis,
                    Q[here, np.where(axis, self.feature[split], 0)],
                    (Q[here] * self._wide[np.where(axis, 0, self.row[split])]).sum(axis=1),
                )
                right = score > self.threshold[split]
                at[inner] = np.where(right, self.right[split], self.left[split])
            sums += self.votes[~at]
        return sums

    @property
    def _wide(self) -> np.ndarray:
        none = np.zeros((1, self.weights.shape[1]), dtype=np.int64)
        return self.weights.astype(np.int64) if len(self.weights) else none

    def predict(self, X) -> np.ndarray:
        """Class indices, int64 (n_samples,); or numbers, float64 (n_samples, n_outputs).

        Parameters
        ----------
        X : array, shape (n_samples, n_features)
            NaN is missing.
        """
        sums = self.sums(X)
        if not self.numeric:
            return sums.argmax(axis=1)
        return (np.float32(self.base) + np.float32(self.step) * sums.astype(np.float32)).astype(
            np.float64
        )

    @property
    def n_bytes(self) -> int:
        """What the tables take on the device."""
        index = np.dtype(_index_type(self)[1]).itemsize
        words = len(self.feature) * (4 * index + 4) + len(self.roots) * index
        return words + self.weights.size + self.votes.size + 12 * len(self.centre)


def int8_tables(document: Document, X) -> Int8Tables:
    """A model in bytes, by the ranges that the features have in rows.

    Parameters
    ----------
    document : Document
    X : array of numbers, shape (n_samples, n_features)
        NaN stands for a missing value.

    Raises
    ------
    TreeFormatError
        For a model that has no such trees, or too many features.
    """
    tables = export_tables(document, "int8 C")
    packed, p = tables.packed, len(tables.feature_names)
    if p > MAX_FEATURES:
        raise TreeFormatError(
            f"sums of {p} features in bytes overflow: {MAX_FEATURES} are the most"
        )
    rows = as_rows(X, p, missing=True)
    if not isinstance(rows, np.ndarray) or not len(rows):
        raise ValueError("the ranges of the features need rows, in a dense table")
    rows = filled(rows, tables.missing).astype(np.float64)
    low, high = rows.min(axis=0), rows.max(axis=0)
    centre = ((low + high) / 2).astype(np.float32)
    rate = np.where(high > low, 2 * LEVELS / np.where(high > low, high - low, 1.0), 0.0)
    rate = np.minimum(rate, 1e30).astype(np.float32)
    # A feature that has one value in all rows does not move; its byte is 0.
    step = np.where(rate > 0, 1.0 / np.where(rate > 0, rate, 1.0).astype(np.float64), 0.0)

    edge = packed.threshold.astype(np.float64)
    threshold = np.zeros(len(edge))
    axis = np.flatnonzero(packed.feature != OBLIQUE)
    j = packed.feature[axis]
    gap = edge[axis] - centre[j]
    with np.errstate(divide="ignore", invalid="ignore"):
        threshold[axis] = np.where(
            step[j] > 0, gap / step[j], np.where(gap < 0, -_LARGEST_SUM, _LARGEST_SUM)
        )
    oblique = np.flatnonzero(packed.feature == OBLIQUE)
    W = packed.weights[packed.row[oblique]].astype(np.float64)
    moved = W * step
    unit = np.abs(moved).max(axis=1, initial=0.0) / LEVELS
    rest = edge[oblique] - (W * centre).sum(axis=1)
    safe = np.where(unit > 0, unit, 1.0)
    threshold[oblique] = np.where(
        unit > 0, rest / safe, np.where(rest < 0, -_LARGEST_SUM, _LARGEST_SUM)
    )
    weights = np.zeros(packed.weights.shape, dtype=np.int8)
    weights[packed.row[oblique]] = np.round(moved / safe[:, None])

    votes = packed.votes
    if document.kind == "tree" and not tables.numeric:  # its label is all that it says
        votes = np.eye(votes.shape[1])[votes.argmax(axis=1)]
    least, most = votes.min(), votes.max()
    unit_vote = (most - least) / 255 if most > least else 1.0
    return Int8Tables(
        centre,
        rate,
        tables.missing,
        packed.feature,
        packed.row,
        np.clip(np.floor(threshold), -_LARGEST_SUM, _LARGEST_SUM).astype(np.int32),
        packed.left,
        packed.right,
        packed.root,
        weights,
        np.round((votes - least) / unit_vote).astype(np.uint8),
        float(np.float32(len(packed.root) * least / tables.total)),
        float(np.float32(unit_vote / tables.total)),
        tables.numeric,
    )


def quantization_cost(document: Document, tables: Int8Tables, X, y=None) -> str:
    """What bytes cost on rows, in a sentence.

    Parameters
    ----------
    document : Document
    tables : Int8Tables
    X : array of numbers, shape (n_samples, n_features)
    y : array, shape (n_samples,), or None
        Class indices, -1 for a class that the model does not know; or numbers.
    """
    from treecore.persistence.evaluation import scores

    said, exact = tables.predict(X), scores(document, X)
    size = f"{tables.n_bytes} bytes of tables"
    if document.class_names:
        plain = exact.argmax(axis=1)
        text = f"{size}; {np.mean(said == plain):.2%} of {len(plain)} rows keep their class"
        if y is not None and len(y):
            text += f"; accuracy {np.mean(said == y):.4f}, without bytes {np.mean(plain == y):.4f}"
        return text
    off = np.sqrt(np.mean((said - exact) ** 2))
    text = f"{size}; numbers of {len(exact)} rows are off by {off:.4g} (root mean square)"
    if y is not None and len(y):
        errors = [np.sqrt(np.mean((s - np.reshape(y, s.shape)) ** 2)) for s in (said, exact)]
        text += f"; error {errors[0]:.4g}, without bytes {errors[1]:.4g}"
    return text


_PROGRAM = """\
/* A decision model in bytes for microcontrollers, written by treecore {version}. Nothing but C99:
 *
 *   void model_bytes(const float x[{p}], int8_t q[{p}]);    a row in bytes
 *   {door} model_predict(const int8_t q[{p}]{more});
 *
 * x has the order of model_features; NaN stands for a missing number. Only model_bytes computes
 * with floats (without -ffast-math); a sensor that gives bytes by itself needs none. */
#include <stdint.h>

#define MODEL_FEATURES {p}
#define MODEL_OUTPUTS {k}

const char *const model_features[MODEL_FEATURES] = {features};
const char *const model_names[MODEL_OUTPUTS] = {names};

static const float centre[MODEL_FEATURES] = {centre};
static const float rate[MODEL_FEATURES] = {rate};
static const float missing[MODEL_FEATURES] = {missing};
/* Split i reads feature[i], or, where that is -1, row row[i] of the weights. */
static const {index} feature[] = {feature};
static const {index} row[] = {row};
static const int32_t threshold[] = {threshold};
/* A child is a split, or the leaf ~child. */
static const {index} left[] = {left};
static const {index} right[] = {right};
static const {index} roots[{n_trees}] = {roots};
static const int8_t weight[][MODEL_FEATURES] = {weight};
static const uint8_t votes[][MODEL_OUTPUTS] = {votes};

void model_bytes(const float *x, int8_t *q)
{{
    for (int j = 0; j < MODEL_FEATURES; j++) {{
        float value = x[j] != x[j] ? missing[j] : x[j];
        float moved = value - centre[j];
        float scaled = moved * rate[j];
        if (scaled > 127.0f) scaled = 127.0f;
        if (!(scaled >= -127.0f)) scaled = -127.0f;
        q[j] = (int8_t)((int32_t)(scaled + 128.5f) - 128);
    }}
}}

static void model_sums(const int8_t *q, int32_t *sums)
{{
    for (int k = 0; k < MODEL_OUTPUTS; k++) sums[k] = 0;
    for (int t = 0; t < {n_trees}; t++) {{
        int32_t node = roots[t];
        while (node >= 0) {{
            int32_t score = 0;
            if (feature[node] >= 0)
                score = q[feature[node]];
            else
                for (int j = 0; j < MODEL_FEATURES; j++)
                    score += (int32_t)weight[row[node]][j] * q[j];
            node = score > threshold[node] ? right[node] : left[node];
        }}
        for (int k = 0; k < MODEL_OUTPUTS; k++) sums[k] += votes[~node][k];
    }}
}}
{predict}"""

_CLASS = """
int model_predict(const int8_t *q)
{
    int32_t sums[MODEL_OUTPUTS];
    int best = 0;
    model_sums(q, sums);
    for (int k = 1; k < MODEL_OUTPUTS; k++)
        if (sums[k] > sums[best]) best = k;
    return best;
}
"""

_NUMBERS = """
void model_predict(const int8_t *q, float *outputs)
{{
    int32_t sums[MODEL_OUTPUTS];
    model_sums(q, sums);
    for (int k = 0; k < MODEL_OUTPUTS; k++) {{
        float part = {step}f * (float)sums[k];
        outputs[k] = {base}f + part;
    }}
}}
"""


def write_c_int8(document: Document, tables: Int8Tables) -> bytes:
    """The program of a model in bytes.

    Parameters
    ----------
    document : Document
    tables : Int8Tables
        Of this document.
    """
    names = document.output_names or document.class_names
    numbers = _NUMBERS.format(step=np.float32(tables.step), base=np.float32(tables.base))
    index, lists = _index_type(tables)[0], CLists()
    program = _PROGRAM.format(
        version=__version__,
        p=len(tables.centre),
        k=len(names),
        door="void" if tables.numeric else "int",
        more=f", float outputs[{len(names)}]" if tables.numeric else "",
        features=c_names(document.feature_names),
        names=c_names(names),
        centre=lists.floats(tables.centre),
        rate=lists.floats(tables.rate),
        missing=lists.floats(tables.missing),
        index=index,
        feature=lists.ints(tables.feature),
        row=lists.ints(tables.row),
        threshold=lists.ints(tables.threshold),
        left=lists.ints(tables.left),
        right=lists.ints(tables.right),
        roots=lists.ints(tables.roots),
        n_trees=len(tables.roots),
        weight=_matrix(lists, tables.weights),
        votes=_matrix(lists, tables.votes),
        predict=numbers if tables.numeric else _CLASS,
    )
    return program.encode("ascii")


def _index_type(tables: Int8Tables) -> tuple[str, str]:
    """The smallest integers that number features, splits and leaves: of C, of NumPy."""
    most = max(len(tables.votes), len(tables.centre))
    for bits in (8, 16):
        if most < 2 ** (bits - 1):
            return f"int{bits}_t", f"int{bits}"
    return "int32_t", "int32"


def _matrix(lists: CLists, rows: np.ndarray) -> str:
    rows = rows if len(rows) else np.zeros((1, rows.shape[1]), dtype=np.int8)
    return "{\n" + lists.lines(map(lists.ints, rows)) + "\n}"
