"""Scripts in one piece: every module once, each after those that it imports."""

import base64
import json
import re
import zlib

import pytest

from treecore.viewer.pages import bundle
from treecore.viewer.pages.bundle import modules_of

ENTRY = "pages/recorded.js"
MOST_BYTES = 400_000


def test_every_module_comes_once_and_after_those_it_imports():
    modules = modules_of(ENTRY)
    names = [name for name, _ in modules]
    assert names[-1] == ENTRY
    assert len(names) == len(set(names)) > 20
    for i, (_, text) in enumerate(modules):
        assert set(re.findall(r'"treecore:([^"]+)"', text)) <= set(names[:i])
        assert not re.search(r'^(import|export) .*from "\.', text, re.MULTILINE)


def test_modules_in_a_circle_are_refused_with_their_names(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "ASSETS", tmp_path)
    (tmp_path / "a.js").write_text('import {\n  b,\n} from "./b.js";\n')
    (tmp_path / "b.js").write_text('import "./a.js";\n')
    with pytest.raises(ValueError, match=r"circle: a\.js → b\.js → a\.js"):
        modules_of("a.js")


def test_a_bundle_can_stand_within_html_and_holds_all_modules():
    script = bundle.bundle(ENTRY)
    assert script.isascii()
    assert "</" not in script
    assert len(script) < MOST_BYTES
    held = json.loads(zlib.decompress(base64.b64decode(re.search(r'atob\("([^"]+)"', script)[1])))
    assert [tuple(one) for one in held] == modules_of(ENTRY)
