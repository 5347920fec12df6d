"""Run as ``python trees_by_treelite.py PATH KIND MEGABYTES > arrays.npz``, a limited process.

treelite trusts what it reads: a file that was changed by hand can end its process.
"""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any

import numpy as np

HEADER = ("num_feature", "num_target", "num_class", "target_id", "class_id", "base_scores",
          "average_tree_output", "sigmoid_alpha", "postprocessor", "leaf_vector_shape")  # fmt: skip
OF_NODES = ("cleft", "cright", "split_index", "threshold", "default_left", "node_type",
            "leaf_value", "leaf_vector")  # fmt: skip


def main(path: str, kind: str, megabytes: int) -> int:
    """Write the arrays to standard output, or why there are none to the last line of errors."""
    import treelite

    _set_limits(megabytes)
    try:
        if kind == "lightgbm":
            model = treelite.frontend.load_lightgbm_model(path)
        else:
            model = treelite.frontend.load_xgboost_model(path, format_choice=kind)
    except treelite.TreeliteError as error:
        sys.stderr.write("\n" + str(error).splitlines()[0])
        return 1
    header = model.get_header_accessor()
    arrays: dict[str, Any] = {name: np.asarray(header.get_field(name)) for name in HEADER}
    for number in range(model.num_tree):
        tree = model.get_tree_accessor(number)
        arrays |= {f"{name} {number}": tree.get_field(name) for name in OF_NODES}
    file = BytesIO()
    np.savez(file, n_trees=np.array(model.num_tree), **arrays)
    sys.stdout.buffer.write(file.getvalue())
    return 0


def _set_limits(megabytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has none
        return
    resource.setrlimit(resource.RLIMIT_AS, (megabytes * 10**6, megabytes * 10**6))
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
