"""Names that a stranger may give columns, classes and files."""

import csv
import io

import numpy as np

NAMES = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a\nb", "=cmd()",
    "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\u202egnp.exe", "{}{0}{x!r}%s%(x)s%",
    "back\\slash\\n\\", "'; import os; os.abort() #", '"""', "*/ abort(); /*", "x" * 900,
    "${x} `code` {{y}}", "![x](http://elsewhere.invalid/a.png)", ":material/home: :red[z] $$q$$",
    "&lt;b&gt; &amp;", "</title></svg></style>",
)  # fmt: skip

FILE = "<b>{}%s='\"\\ =cmd().csv"
"""A name of a file that a disk takes."""


def table(n: int = 60, seed: int = 0) -> bytes:
    """A CSV file whose columns and classes are called so; numbers, and words of few kinds."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, len(NAMES) - 1)).round(3)
    words = [NAMES[i % 3] for i in rng.integers(0, 3, n)]
    classes = [NAMES[int(x > 0) + 2 * int(y > 0.5)] for x, y in X[:, :2]]
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([*NAMES[:-1], "words " + NAMES[-1], "class"])
    for row, word, name in zip(X.tolist(), words, classes):
        writer.writerow([*row, word, name])
    return text.getvalue().encode()
