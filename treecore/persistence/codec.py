"""What a kind of model says of its files, so that one reader and one writer serve all kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from treecore.data.feature_maps import FeatureMap
from treecore.persistence.document import Document, Model
from treecore.persistence.values import Values


class Decoded(NamedTuple):
    """What a codec reads: the arguments of a :class:`Document` that are not names."""

    model: Model
    counts: np.ndarray | None = None
    feature_map: FeatureMap | None = None


@dataclass(frozen=True)
class Codec:
    """How one kind of model stands in a file.

    - kind: as :attr:`Document.kind`; format: its name in the file; version: the latest that is
      read.
    - required, optional: types of what stands under keys; ``object``: ``read`` checks it by itself.
    - since: keys that came after version 1, with their version; needed: by splits of a document.
    - advice: what to do about a model whose file would be too long.
    - read: from ``Values`` of one object; write: the members of its own, plain values; an iterator
      is a list with an item a line.
    """

    kind: str
    format: str
    version: int
    required: Mapping[str, type]
    optional: tuple[str, ...]
    advice: str
    read: Callable[[Values, int, int, bool], Decoded]
    write: Callable[[Document], dict[str, Any]]
    since: Mapping[str, int] = field(default_factory=dict)
    needed: Callable[[Document], int] = lambda document: 1

    @property
    def keys(self) -> set[str]:
        """All keys that are read."""
        names = ("format", "version", "features", "classes", "outputs", "columns", "training")
        return {*names, *self.required, *self.optional}
