"""Scripts in one piece: every module once, each after those that it imports."""

import base64
import re
import zlib

import pytest

from treecore.viewer import ASSETS
from treecore.viewer.pages import bundle
from treecore.viewer.pages.bundle import script_of

ENTRY = "pages/recorded.js"
ALL = sorted(path.relative_to(ASSETS).as_posix() for path in ASSETS.rglob("*.js"))
MOST_BYTES = 400_000


def test_every_module_comes_once_and_after_those_it_imports():
    made: list[str] = []
    asked = r'^"([^"]+)": \(\(\) => \{$|^const \{.*\} = use\("([^"]+)"\);$'
    for name, imported in re.findall(asked, script_of(*ALL), re.MULTILINE):
        made += [name] * bool(name)
        assert not imported or imported in made[:-1]
    assert len(made) == len(set(made))
    assert sorted(name for name in made if name.endswith(".js")) == ALL


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('import "./a.js";\n', r"circle: a\.js → b\.js → a\.js"),
        ("export let b = 1;\n", r"b\.js has a form .* not known: export let b"),
        ('export * from "./c.js";\n', r"b\.js has a form"),
    ],
)
def test_what_cannot_be_one_script_is_refused(text, reason, tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "ASSETS", tmp_path)
    (tmp_path / "a.js").write_text('import {\n  b,\n} from "./b.js";\n')
    (tmp_path / "b.js").write_text(text)
    with pytest.raises(ValueError, match=reason):
        script_of("a.js")


def test_a_bundle_can_stand_within_html_and_holds_all_modules():
    script = bundle.bundle(ENTRY)
    assert script.isascii()
    assert "</" not in script
    assert len(script) < MOST_BYTES
    held = zlib.decompress(base64.b64decode(re.search(r'inflated\("([^"]+)"', script)[1]))
    assert held.decode() == script_of(ENTRY)
