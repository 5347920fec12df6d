"""What a person says of a table is checked, kept with its source, and overrules every guess."""

import json

import pandas as pd
import pytest

from tests.helpers.csvs import PLAIN, read
from treecore.data.readers.parquet import read_parquet
from treecore.data.readers.settings import ReadingSettings
from treecore.data.readers.table import TableError
from treecore.data.sources import Source, read_table
from treecore.sweeps import read_spec


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"kinds": {"a": "numbers"}}, "'numbers' is not a kind of column: choose one of number"),
        ({"kinds": ["a"]}, "must map names"),
        ({"missing": "NA"}, "must be a list of words"),
        ({"missing": [0]}, "must be a list of words"),
        ({"header": "yes"}, "must be true, false"),
    ],
)
def test_what_makes_no_sense_is_refused(settings, sentence):
    for make in (ReadingSettings, lambda **said: Source("t.csv", **said)):
        with pytest.raises(TableError, match=sentence):
            make(**settings)


@pytest.mark.parametrize(
    ("settings", "target", "sentence"),
    [
        ({"kinds": {"q": "words"}}, None, "no column 'q' to set a kind for: choose one of 'a'"),
        ({"kinds": {"q": "leave out"}}, None, "no column 'q' to leave out: choose one of 'a'"),
        ({"kinds": {"b": "leave out"}}, "b", "'b' is the target: it cannot be left out"),
    ],
)
def test_columns_that_are_not_there_are_refused(settings, target, sentence):
    with pytest.raises(TableError, match=sentence):
        read(PLAIN, target=target, reading=ReadingSettings(**settings))


def test_words_for_a_missing_value_are_compared_without_case_and_blanks():
    said = ReadingSettings(missing=(" Unknown", "unknown ", "-99"))
    assert said.missing == ("unknown", "-99")
    assert said.missing_words == {"", "unknown", "-99"}
    assert "na" in ReadingSettings().missing_words


def test_a_source_keeps_them_in_json(tmp_path):
    assert not {"kinds", "missing", "header"} & set(Source("t.csv").as_dict())
    source = Source("t.csv", kinds={"a": "number"}, missing=["-1"], header=False)
    again = Source(**json.loads(json.dumps(source.as_dict())))
    assert again == source
    assert again.reading == source.reading
    (tmp_path / "t.csv").write_text("1,2,u\n3,4,v\n5,6,u\n")
    data = {"name": "t.csv", "kinds": {"x1": "leave out"}, "header": False, "test": "t.csv"}
    (tmp_path / "sweep.toml").write_text(
        '[data]\nname = "t.csv"\nheader = false\ntest = "t.csv"\nkinds = { x1 = "leave out" }\n'
        '[[methods]]\nmethod = "axis"\n'
    )
    spec = read_spec(tmp_path / "sweep.toml").data
    assert spec.source.header is data["header"]
    assert read_table(spec.source).feature_names == ("x2",)
    assert spec.test_source().header is False
    assert spec.test_source().kinds == {}, "a test table may lack what is left out"


def test_tables_without_rows_of_text_have_no_header_to_choose(tmp_path):
    frame = pd.DataFrame({"a": [1, 2], "y": ["u", "v"]})
    frame.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(TableError, match="t cannot have a header row"):
        read_parquet(tmp_path / "t.parquet", reading=ReadingSettings(header=True))
    for name in ("sample:xor", "sklearn:iris"):
        with pytest.raises(TableError, match="no cells of text: leave out header"):
            read_table(Source(name, header=True))
        with pytest.raises(TableError, match="no columns of names"):
            read_table(Source(name, kinds={"a": "words"}))
