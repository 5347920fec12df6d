"""``treecore export`` writes every format of the list, to a file or to standard output."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.exports import random_model
from treecore.export import FORMATS
from treecore.persistence import load, save


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_written_by_its_name_and_by_its_ending(shell, name):
    form = FORMATS[name]
    save(random_model(1, "votes"), "m.json")
    shell("export", "m.json", f"by-ending{form.suffix}")
    shell("export", "m.json", "by-name", "--to", name)
    wanted = form.write(load("m.json"))
    assert Path(f"by-ending{form.suffix}").read_bytes() == wanted
    assert Path("by-name").read_bytes() == wanted
    if not form.binary:
        assert shell("export", "m.json", "--to", name).output == wanted.decode()


def test_what_a_format_has_no_place_for_is_one_sentence(shell):
    save(random_model(1, "votes", n_features=1000), "m.json")
    result = shell("export", "m.json", "m.c", "--compact", code=1)
    assert "--compact is for JSON, not for C: leave it" in result.stderr
    assert not Path("m.c").exists()
