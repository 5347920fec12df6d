"""The mark of a message that is looked up where it is shown; all else is in :mod:`.translate`."""


def N_(message: str) -> str:
    """The message itself, marked for the catalogues."""
    return message
