"""What is header, row, remark and separator in files as people have them, without any setting."""

import pytest

from tests.helpers.cases import case
from tests.helpers.csvs import PLAIN, refusal
from treecore.data.readers.csv import CsvTable
from treecore.data.readers.settings import ReadingSettings

ROWS = "1,2,x\n3,4,y\n5,6,x\n"


def content(data: str | bytes, **settings) -> tuple[tuple[str, ...], list[tuple[str, ...]], str]:
    """The names of the columns, the rows as they are written, and the notes of a file."""
    data = data.encode() if isinstance(data, str) else data
    table = CsvTable(data, reading=ReadingSettings(**settings))
    columns = table.columns
    batches = [batch.to_pydict() for batch in table.batches(columns, set(columns))]
    rows = [row for batch in batches for row in zip(*map(batch.get, columns), strict=True)]
    return columns, [tuple(map(str.strip, row)) for row in rows], " ".join(table.notes)


FILES = {
    "a unique word in the first row": (
     "acme,X/1,71,310,905,44\nbeta,Y/2,15,720,1810,52\nbeta,Y/3,18,740,1790,37\n"
     "gamm,Z/4,12,150,6100,61\ngamm,Z/5,13,770,1620,29\n", "x1 x2 x3 x4 x5 class", 5,
     "acme X/1 71 310 905 44", "has no header, since its first row holds numbers"),
    "a comma behind the names": ("id,kind,size,weight,\n11,a,1.5,2.5\n12,b,2.5,0.5\n",
     "id kind size weight", 2, "11 a 1.5 2.5", ""),
    "a comma behind the rows": ("a,b,c\n1,2,x,\n3,4,y,\n", "a b c", 2, "1 2 x",
     "Column 4 has neither a name nor values"),
    "a comma behind all": ("a,b,c,\n1,2,x,\n3,4,y,\n", "a b c", 2, "1 2 x", "Column 4"),
    "a title": ("My measurements,,\nlength,width,kind\n1.2,3.4,a\n2.2,3.1,b\n",
     "length width kind", 2, "1.2 3.4 a", "above the table were left out: 'My measurements'."),
    "a title without commas": (f"All I know\na,b,c\n{ROWS}", "a b c", 3, "1 2 x", "'All I know'"),
    "a title of odd characters": (f"By\x0b me\x85 and\u2028 you\na,b,c\n{ROWS}", "a b c", 3,
     "1 2 x", "above the table were left out"),
    "names and values above": (f"Station:,Oslo\nYear:,2020\n\na,b,c\n{ROWS}", "a b c", 3, "1 2 x",
     "'Station: Oslo', 'Year: 2020'"),
    "a title and a row of commas": (f"Report,,\n,,\na,b,c\n{ROWS}", "a b c", 3, "1 2 x",
     "'Report'"),
    "missing words in the first row": ("a,b,c,y\nnd,nd,nd,u\n1,2,3,v\n2,3,4,u\n4,nd,6,v\n",
     "a b c y", 4, "nd nd nd u", ""),
    "missing words in the second row": (
     "1,2,x\nnd,nd,y\n3,4,x\n5,6,y\n7,8,x\n9,1,y\n5,5,x\n4,4,y\n", "x1 x2 class", 8, "1 2 x",
     "no header"),
    "comments above": (f"# by me\n# of 2020\na,b,c\n{ROWS}", "a b c", 3, "1 2 x",
     "above the table"),
    "names in a comment": ("# a b c\n1.0 2.0 0\n3.0 4.0 1\n", "a b c", 2, "1.0 2.0 0", "comment"),
    "names in a comment, commas": ("# a,b,c\n1.0,2.0,0\n3.0,4.0,1\n", "a b c", 2, "1.0 2.0 0", ""),
    "a column called #": ("#,Name,c\n1,Ann,x\n2,Bob,y\n", "# Name c", 2, "1 Ann x", ""),
    "two kinds of comments": ("##made=today\n#CHROM\tPOS\tREF\n1\t10\tA\n1\t20\tC\n",
     "CHROM POS REF", 2, "1 10 A", "Comments above the table were left out: 1."),
    "names of the rows, as R writes them": (
     '"mpg","cyl","am"\n"Mazda RX4",21,6,1\n"Datsun 710",22.8,4,0\n', "mpg cyl am", 2, "21 6 1",
     "The first column holds names of rows and was left out"),
    "R's tables with blanks": ('"mpg" "cyl"\n"Mazda RX4" 21 6\n"Datsun 710" 22.8 4\n', "mpg cyl",
     2, "21 6", "names of rows"),
    "years as names": ("2019,2020,2021\n1.5,2.5,3\n1.7,2.9,1\n", "2019 2020 2021", 2, "1.5 2.5 3",
     ""),
    "numbers as names": ("0,1,2,3\n5.1,3.5,1.4,0\n4.9,3.0,1.4,1\n", "0 1 2 3", 2, "5.1 3.5 1.4 0",
     "taken for the header, since its numbers count up"),
    "counting numbers that are values": ("1,2,3,0\n3,2,1,1\n2,2,3,1\n1,3,1,0\n", "x1 x2 x3 class",
     4, "1 2 3 0", "no header"),
    "dates in the first row": ("2024-01-05,rain\n2024-01-06,sun\n2024-01-07,rain\n", "x1 class",
     3, "2024-01-05 rain", "no header"),
    "words without a header": ("p,x,s,n\ne,x,s,y\ne,b,s,w\np,x,y,n\n", "x1 x2 x3 class", 4,
     "p x s n", "since the words of its first row are repeated below"),
    "words with a header": ("kind,cap,hue\np,x,n\ne,x,y\ne,b,y\n", "kind cap hue", 3, "p x n", ""),
    "blanks and a tab": (
     '18.0   8   307.0\t"chevrolet chevelle"\n15.0   8   350.0\t"buick skylark"\n'
     '16.0   8   ?\t"amc rebel sst"\n', "x1 x2 x3 class", 3, "18.0|8|307.0|chevrolet chevelle",
     "no header"),
    "blanks before rows": ("  a     b  c\n 1.0  2.0  0\n11.0  2.5  1\n", "a b c", 2, "1.0 2.0 0",
     ""),
    "blanks behind rows": ("a b c \n1 2 x \n3 4 y \n", "a b c", 2, "1 2 x", ""),
    "blanks and decimal commas": ("a b c\n1,5 2,5 x\n3,5 4,1 y\n", "a b c", 2, "1,5 2,5 x", ""),
    "sentences with commas above": (f"Data from A, B, C, and D\nAnother line\na,b,c\n{ROWS}",
     "a b c", 3, "1 2 x", "'Data from A B C and D', 'Another line'"),
    "wavelengths as names": (
     "species,400.5,401,401.5,402\na,0.1,0.2,0.1,0.3\nb,0.3,0.2,0.1,0.3\na,0.1,0.2,0.1,0.3\n",
     "species 400.5 401 401.5 402", 3, "a 0.1 0.2 0.1 0.3",
     "taken for the header, since its numbers count up"),
    "a missing word above numbers": ("Anna,absent\nBob,12\nCid,13\nDan,absent\nEve,15\n",
     "x1 class", 5, "Anna absent", "no header"),
    "days as names": ("country,1/22/20,1/23/20\nA,1,2\nB,3,4\nC,0,2\n", "country 1/22/20 1/23/20",
     3, "A 1 2", ""),
    "all ends of lines": ("a,b,c\r\n1,2,x\n3,4,y\r5,6,x\r\n", "a b c", 3, "1 2 x", ""),
    "a line break in a name": ('"a\nlong",b,c\n1,2,x\n3,4,y\n', "a\nlong|b|c", 2, "1 2 x", ""),
    "semicolons in text": ("a,b,c\n1,u;v,x\n2,u;w,y\n3,u;v,x\n", "a b c", 3, "1 u;v x", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_as_a_careful_person_reads_it(name):
    text, columns, n_rows, first, note = FILES[name]
    found, rows, notes = content(text)
    assert found == tuple(columns.split("|" if "|" in columns else " "))
    assert len(rows) == n_rows
    assert rows[0] == tuple(first.split("|" if "|" in first else " "))
    assert note in notes
    if not note:
        assert "header" not in notes or "taken for" in notes


def test_a_header_can_be_said_to_be_there_or_not():
    for text in (
        PLAIN,
        "1,2,x\n3,4,y\n5,6,x\n",
        "x,y,u\ny,x,v\nx,x,u\n",
        "# a,b,c\n1,2,0\n3,4,1\n",
    ):
        with case(text=text):
            lines = [line.lstrip("# ").split(",") for line in text.splitlines()]
            columns, rows, _ = content(text, header=True)
            assert columns == tuple(lines[0])
            assert rows == [tuple(line) for line in lines[1:]]
    columns, rows, notes = content("1,2,x\n3,4,y\n", header=False)
    assert (columns, len(rows)) == (("x1", "x2", "class"), 2)
    assert notes == "The file has no header: the columns were named x1, x2, ... and class."
    columns, rows, _ = content(PLAIN, header=False)
    assert rows[0] == ("a", "b", "class")
    assert "single row" in refusal("1,2\n3,4\n", reading=ReadingSettings(header=True))


ENCODED = {
    "cp1252": ("größe,für\n1,Ärger\n2,naïve\n", "Windows-1252"),
    "utf-16": ("größe,für\n1,Ärger\n2,naïve\n", ""),
}


@pytest.mark.parametrize("encoding", ENCODED)
def test_an_encoding_is_found_and_said(encoding):
    text, title = ENCODED[encoding]
    columns, rows, notes = content(text.encode(encoding))
    header, *lines = [tuple(line.split(",")) for line in text.splitlines()]
    assert (columns, rows) == (header, lines)
    assert title in notes


def test_the_line_is_right_below_lines_that_were_left_out():
    words = ["oops", "well", "no", "hm", "ah", "oh"]
    lines = ["# by me", "My table", "a,b,c", *["1.5,2,x", "2.5,3,y"] * 30]
    sentence = refusal("\n".join([*lines, *(f"{word},3,x" for word in words)]))
    assert f"in line {len(lines) + 1} the text 'oops' (and 5 more)" in sentence
    assert "line 5 has 4 values" in refusal("# me\na,b,c\n1,2,x\n3,4,y\n5,6,7,y\n8,9,z\n5,6,z\n")


@pytest.mark.parametrize("last", ["7,8", "7", "Anna", "# the end", "Source: me"])
def test_lines_of_another_width_are_refused_with_what_to_do(last):
    assert "line 5 has" in refusal(f"a,b,c\n{ROWS}{last}")
    assert "or delete the line" in refusal(f"a,b,c\n{ROWS}{last}")
