"""Scripts that travel: a module and all that it imports, as one piece of JavaScript.

The modules are as a server would give them, but for the addresses of those they import: a few lines
put in the addresses that the browser gives to modules which come out of its memory (blobs). So
nothing has to be translated, and no tool is needed. A palette (JSON) and the style (CSS) become
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
    """JavaScript in which ``loaded`` is the promise of a module.

    entry: a file of ``js``, for instance ``"pages/recorded.js"``. Returns ASCII, and without ``<``:
    it can stand within HTML as it is.
    """
    modules = json.dumps(modules_of(entry), separators=(",", ":")).encode()
    return _LOAD % packed(modules)


def packed(content: bytes) -> str:
    """Bytes as the browser unpacks them: deflated, then base64."""
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def modules_of(entry: str) -> list[tuple[str, str]]:
    """Name and text of a module and of all that it imports, each after those it needs.

    In the texts ``"treecore:NAME"`` stands for the address of another module.

    Raises ValueError where modules import each other in a circle: then none can be first.
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
