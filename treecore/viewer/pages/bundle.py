"""Scripts that travel: all modules as one, which a browser fetches and reads at once.

Each module becomes a function that is called when it is first asked for. Its imports become
constants, and what it exports is what the function returns. JSON and CSS become modules of a line.
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
    r'^import\b(?: (\w+)(?:,|\b))?(?: \{([^}]*)\})?(?: from)? "(\.[^"]+)"(?: with \{[^}]*\})?;$',
    re.MULTILINE,
)
_EXPORT = re.compile(
    r"^export (?:default (?!async|function|class)|"
    r"(default )?((?:async )?function|class|const) (\w+|\[[^]]*\]))",
    re.MULTILINE,
)
_NAMED = re.compile(r"^import\b[^;]*;|^export .*", re.MULTILINE)

_COMMENT = re.compile(r"/\*\*[\s\S]*?\*/|^[ \t]*//.*\n", re.MULTILINE)
"""A third of the scripts, which browsers would read as well."""

_STYLE = "app/style.js"

_MODULES = """\
const made = {};
const makers = {
%s};
export const use = (name) => (made[name] ??= makers[name]());
"""

_LOAD = """\
const bytesOf = (text) => {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
};
const inflated = (text) => new Response(
  new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate")));
const element = (text) => new Promise((done) => {
  (globalThis.treecore ??= []).push(done);
  const script = Object.assign(document.createElement("script"), { type: "module" });
  script.text = `${text}treecore.shift()({ use });`;
  document.head.append(script);
});
const loaded = inflated("%s").text().then(async (text) => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  // Some content policies forbid blobs; an element is read while the page waits.
  return (await import(url).catch(() => element(text))).use("%s");
});
"""


@functools.cache
def bundle(entry: str) -> str:
    """JavaScript in which ``loaded`` is the promise of a module; ASCII without ``<``, for HTML."""
    return _LOAD % (packed(script_of(entry).encode()), entry)


def packed(content: bytes) -> str:
    """Bytes as the browser unpacks them: deflated, then base64."""
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


@functools.cache
def script_of(*entries: str) -> str:
    """A module of some modules and all that they import: ``use(name)`` is what one exports.

    ValueError for a circle of imports.
    """
    makers: dict[str, str] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise ValueError("modules import in a circle: " + " → ".join((*above, name)))
        if name in makers:
            return

        def imported(found: re.Match[str]) -> str:
            default, names, path = found.groups()
            other = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            visit(other, (*above, name))
            own = [f"default: {default}"] * bool(default)
            own += [part.strip().replace(" as ", ": ") for part in (names or "").split(",")]
            return f'const {{ {", ".join(filter(None, own))} }} = use("{other}");'

        exported: dict[str, str] = {}

        def kept(found: re.Match[str]) -> str:
            default, kind, declared = found.groups()
            if not kind:
                exported["default"] = "byDefault"
                return "const byDefault = "
            for one in re.findall(r"\w+", declared):
                exported["default" if default else one] = one
            return f"{kind} {declared}"

        text = _EXPORT.sub(kept, _IMPORT.sub(imported, _text(name)))
        if left := _NAMED.search(text):
            raise ValueError(f"{name} has a form of import or export that is not known: {left[0]}")
        returned = ", ".join(f"{one}: {its}" for one, its in exported.items())
        # In brackets: engines then read a function at once, not first in passing.
        makers[name] = f'"{name}": (() => {{\n{text}\nreturn {{ {returned} }};\n}}),\n'

    for entry in entries:
        visit(entry, ())
    return _MODULES % "".join(makers.values())


def _text(name: str) -> str:
    if name == _STYLE:
        return f"export const style = {json.dumps((ASSETS / 'live.css').read_text('utf-8'))};\n"
    text = (ASSETS / name).read_text("utf-8")
    return f"export default {text};\n" if name.endswith(".json") else _COMMENT.sub("", text)
