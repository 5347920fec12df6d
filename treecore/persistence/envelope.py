"""What all formats have alike: a header, a limit of length, one way to a file and back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from treecore.persistence.document import (
    FORMAT,
    FORMAT_VERSION,
    MAX_BYTES,
    TreeFormatError,
    kind,
    show,
)

Document = TypeVar("Document")


@dataclass(frozen=True)
class Header:
    """What a file of one format says of itself.

    Attributes
    ----------
    format : str
        Its name, under ``"format"``.
    version : int
        The latest one that is read.
    what : str
        What is in it, for a sentence: ``"tree"``.
    """

    format: str
    version: int
    what: str

    def check(self, content: object) -> int:
        """The version of ``content``; a TreeFormatError where it is of no version read here."""
        if type(content) is not dict:
            raise TreeFormatError(f"a {self.what} file holds an object, not {kind(content)}")
        if content.get("format") != self.format:
            raise TreeFormatError(
                f'this is not a {self.what} exported by treecore, whose "format" must be '
                f'"{self.format}"'
            )
        version = content.get("version")
        if type(version) is not int or version < 1:
            known = " or ".join(map(str, range(1, self.version + 1)))
            raise TreeFormatError(f'"version" must be {known}, the version of the format')
        if version > self.version:
            raise TreeFormatError(
                f"the file has version {show(version)} of the format and this treecore reads "
                f"versions up to {self.version}; update treecore"
            )
        return version

    def check_lists(self, content: dict, keys: Iterable[str]) -> None:
        """Refuse a file in which one of ``keys`` is missing, or is no list."""
        self.check_keys(content, keys)
        for key in keys:
            if type(content[key]) is not list:
                raise TreeFormatError(f'"{key}" must be a list, not {kind(content[key])}')

    def check_keys(self, content: dict, keys: Iterable[str]) -> None:
        """Refuse a file in which one of ``keys`` is missing."""
        for key in keys:
            if key not in content:
                raise TreeFormatError(f'the key "{key}" is missing; export the {self.what} again')

    def text(self, version: int, members: dict[str, str], indent: int | None, advice: str) -> str:
        """A whole file from the texts of its members.

        Raises
        ------
        TreeFormatError
            With the advice, where it would be longer than a reader accepts.
        """
        members = {"format": f'"{self.format}"', "version": str(version)} | members
        text = block("{}", [f'"{key}":{value}' for key, value in members.items()], indent, level=1)
        if len(text) > MAX_BYTES:
            raise TreeFormatError(
                f"the {self.what} takes {len(text) / 1e6:.0f} MB as JSON, but at most "
                f"{MAX_BYTES / 1e6:.0f} MB can be read back; {advice}"
            )
        return text


TREE = Header(FORMAT, FORMAT_VERSION, "tree")
"""The header of the files of single trees."""


def block(brackets: str, items: list[str], indent: int | None, level: int) -> str:
    """A list or an object from the texts of its items, a line for each where indented."""
    opening, closing = brackets
    if indent is None or not items:
        return opening + ",".join(items) + closing
    outer = "\n" + " " * (indent * (level - 1))
    inner = "\n" + " " * (indent * level)
    return opening + inner + ("," + inner).join(items) + outer + closing


def read_file(path: str | os.PathLike, from_json: Callable[[bytes], Document]) -> Document:
    """What is in a file; a TreeFormatError begins with the path."""
    with open(path, "rb") as file:
        text = file.read(MAX_BYTES + 1)  # one more than is read: a longer file is not read whole
    try:
        return from_json(text)
    except TreeFormatError as error:
        raise TreeFormatError(f"{os.fspath(path)}: {error}") from error
