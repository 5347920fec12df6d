"""Lessons as pages, with the questions before what runs have borne out, and as a SCORM package."""

import html
import json
import re
import zipfile
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from tests.pages.test_german import english
from ui.language.translate import _, speaking
from ui.learn.lessons import LESSON, LESSONS
from ui.learn.pages import MANIFEST, learnt, lesson_page, write_lessons, write_package

BOUND = LESSON[3]


def test_a_page_asks_before_it_tells():
    page = lesson_page(BOUND)
    histories, runs, _forests = learnt(BOUND.guess.trial)
    reported = BOUND.guess.judge(histories).explanation
    assert page.count('class="run"') == len(runs) == 1
    requested, fold = page.index(BOUND.guess.question), page.index("<details>")
    assert page.index("<picture><source media") < requested < fold < page.index('class="run"')
    assert len(reported) > 20
    assert reported.split(",")[0] in page[fold:]
    assert reported.split(",")[0] not in page[:fold]
    for choice in (*BOUND.guess.choices, *BOUND.transfer.choices):
        assert _(choice) in page
    assert page.count("<details>") == page.count("</details>")
    assert not re.search(r'(?:src|href)="(?!data:)', page)


def test_a_page_speaks_the_language_it_is_written_in_and_so_do_its_scripts():
    with speaking("de"):
        page = lesson_page(BOUND)
    assert '<html lang="de">' in page
    words = re.search(r'<script type="application/json" id="words">(.*?)</script>', page)
    assert json.loads(words[1])["messages"]["Play"] == "Abspielen"
    text = html.unescape(re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL))
    own = {BOUND.title, BOUND.guess.question, *BOUND.guess.choices, BOUND.why}
    assert [sentence for sentence in english() | own if f">{sentence}<" in text] == []
    assert "Recorded by" not in text


def test_a_run_of_a_method_that_pages_do_not_have_says_so():
    assert "This run is a recording" in lesson_page(LESSON[6])


@pytest.mark.slow
def test_every_lesson_becomes_a_page_that_the_index_names(tmp_path):
    *files, package = write_lessons(tmp_path / "lessons")
    index = files[-1].read_text("utf-8")
    assert len(files) == len(LESSONS) + 1
    assert all(f'href="{file.name}"' in index for file in files[:-1])
    assert package == tmp_path / "lessons.zip"


TYPE = "{http://www.adlnet.org/xsd/adlcp_v1p3}scormType"
TITLES = {"01-leaves.html": 'Leaves & <b>"cuts"</b>', "101-Fälle & #2.html": "ν = 20\x00→\x0bFälle"}
ORDER = "manifest metadata schema schemaversion organizations organization title" + (
    " item title" * 2 + " sequencing controlMode resources" + " resource file" * 3
)


def test_a_package_has_every_page_and_the_elements_of_the_standard_in_its_order(tmp_path):
    folder = tmp_path / "lessons 1.5"
    folder.mkdir()
    for name in ("index.html", *TITLES):
        (folder / name).write_text(f"page {name}", "utf-8")
    package = write_package(folder, "Lessons & more", "index.html", TITLES)
    with zipfile.ZipFile(package) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert package == tmp_path / "lessons 1.5.zip"
    assert files == {path.name: path.read_bytes() for path in folder.iterdir()}
    manifest = files.pop(MANIFEST)
    root = ElementTree.fromstring(manifest)
    assert root.tag == "{http://www.imsglobal.org/xsd/imscp_v1p1}manifest"
    assert " ".join(element.tag.split("}")[1] for element in root.iter()) == ORDER
    metadata, organizations, resources = root
    assert [element.text for element in metadata] == ["ADL SCORM", "2004 4th Edition"]
    (organization,) = organizations
    title, *items, sequencing = organization
    assert sequencing.tag == "{http://www.imsglobal.org/xsd/imsss}sequencing"
    assert title.text == "Lessons & more"
    assert organizations.get("default") == organization.get("identifier")
    pages = {each.get("identifier"): unquote(each.get("href")) for each in resources}
    assert list(pages.values()) == ["index.html", *TITLES] == list(files)
    assert manifest.count(b' adlcp:scormType="asset"') == len(pages)  # the prefix, for Moodle
    for each in resources:
        assert (each.get("type"), each.get(TYPE)) == ("webcontent", "asset")
        assert [file.get("href") for file in each] == [each.get("href")]
    reported = {pages[item.get("identifierref")]: item[0].text for item in items}
    assert reported == dict(zip(TITLES, ['Leaves & <b>"cuts"</b>', "ν = 20 → Fälle"], strict=True))
    assert {item.get("isvisible") for item in items} == {"true"}
    ids = [each.get("identifier") for each in (root, organization, *items, *resources)]
    assert None not in ids
    assert len(set(ids)) == len(ids)
