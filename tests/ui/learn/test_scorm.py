"""The lessons as a package for course systems: its manifest is what SCORM 2004 asks for."""

import zipfile
from urllib.parse import unquote
from xml.etree import ElementTree

from ui.learn.pages import MANIFEST, write_package

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
