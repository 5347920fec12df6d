"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import uuid
from pathlib import Path


def replace_file(path: str | os.PathLike, content: bytes) -> None:
    """Put ``content`` at ``path``, which holds the old file or the new one but never half.

    Parameters
    ----------
    path : path
        Of the file; its folder must be there.
    content : bytes

    Raises
    ------
    OSError
        Where that cannot be done; the old file stays.
    """
    path = Path(path)
    # Opened by name, not by `tempfile`, whose files only their owner may read.
    temporary = path.with_name(f".{uuid.uuid4().hex}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
