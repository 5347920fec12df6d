"""Scripts that travel: a module and all that it imports, as one piece of JavaScript.

Modules stay as they are, but for the addresses (of blobs) of those they import. JSON and CSS become
modules of one line.
"""

from __future__ import annotations

import base64
import functools
import json
import posixpath
import re
import zlib

from treecore.viewer import ASSETS

_IMPORT = re.compile(
    r'^((?:import|export)\b[^;"]*?"|import ")(\.{1,2}/[^"]+)"(\s*with\s*\{[^}]*\})?', re.MULTILINE
)

_STYLE = "app/style.js"

_LOAD = """\
const loaded = (async () => {
  const packed = Uint8Array.from(atob("%s"), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const addresses = {};
  let last = "";
  for (const [name, text] of await new Response(stream).json()) {
    const module = text.replace(/"treecore:([^"]+)"/g, (_, other) => `"${addresses[other]}"`);
    addresses[name] = last = URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
  }
  return import(last);
})();
"""


@functools.cache
def bundle(entry: str) -> str:
    """JavaScript in which ``loaded`` is the promise of a module; ASCII without ``<``, for HTML."""
    modules = json.dumps(modules_of(entry), separators=(",", ":")).encode()
    return _LOAD % packed(modules)


def packed(content: bytes) -> str:
    """Bytes as the browser unpacks them: deflated, then base64."""
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def modules_of(entry: str) -> list[tuple[str, str]]:
    """Name and text of a module and all that it imports, each after those it needs.

    ``"treecore:NAME"`` stands for the address of another. ValueError for a circle of imports.
    """
    done: dict[str, str] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise ValueError("modules import in a circle: " + " → ".join((*above, name)))
        if name in done:
            return

        def named(found: re.Match[str]) -> str:
            other = posixpath.normpath(posixpath.join(posixpath.dirname(name), found[2]))
            visit(other, (*above, name))
            return f'{found[1]}treecore:{other}"'

        text = _IMPORT.sub(named, _text(name))
        done[name] = text

    visit(entry, ())
    return list(done.items())


def _text(name: str) -> str:
    if name == _STYLE:
        return f"export const style = {json.dumps((ASSETS / 'live.css').read_text('utf-8'))};\n"
    text = (ASSETS / name).read_text("utf-8")
    return f"export default {text};\n" if name.endswith(".json") else text
