"""Tables too large for memory: read in pieces, learnt from piece by piece."""

from treecore.streams.learning import (
    StreamRun,
    StreamStep,
    begin_stream,
    check_stream_config,
    go_on_stream,
    is_stream,
    peak_bytes,
    resume_stream,
)
from treecore.streams.stream import Piece, Stream

__all__ = [
    "Piece",
    "Stream",
    "StreamRun",
    "StreamStep",
    "begin_stream",
    "check_stream_config",
    "go_on_stream",
    "is_stream",
    "peak_bytes",
    "resume_stream",
]
