"""The lessons as a SCORM 2004 package, for course systems such as Moodle and Open edX."""

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZipFile

from treecore.base.state_file import write_atomically, writing_atomically
from treecore.viewer import safe

MANIFEST = "imsmanifest.xml"

_MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="treecore-lessons" xmlns="http://www.imsglobal.org/xsd/imscp_v1p1"
 xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3" xmlns:imsss="http://www.imsglobal.org/xsd/imsss">
<metadata><schema>ADL SCORM</schema><schemaversion>2004 4th Edition</schemaversion></metadata>
<organizations default="lessons"><organization identifier="lessons"><title>{title}</title>{items}
<imsss:sequencing><imsss:controlMode choice="true" flow="true"/></imsss:sequencing>
</organization></organizations>
<resources>{resources}</resources>
</manifest>
"""
"""Elements in the order of ``imscp_v1p1.xsd``; Moodle asks for these very prefixes."""


_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that no XML may have, not even as numbers."""


def write_package(folder: Path, title: str, index: str, pages: Mapping[str, str]) -> Path:
    """Add a manifest to a folder of pages, and zip all beside it; ``pages`` are titles by file.

    Pages are assets: completed once opened. Open edX opens the first and lists what is visible.
    """
    items = resources = ""
    for number, name in enumerate((index, *pages)):
        resources += f"""
<resource identifier="page-{number}" type="webcontent" adlcp:scormType="asset" href="{quote(name)}">
<file href="{quote(name)}"/></resource>"""
        if name in pages:
            items += f"""
<item identifier="item-{number}" identifierref="page-{number}" isvisible="true">
<title>{_text(pages[name])}</title></item>"""
    manifest = _MANIFEST.format(title=_text(title), items=items, resources=resources)
    write_atomically(folder / MANIFEST, manifest.encode())
    package = Path(f"{folder.resolve()}.zip")
    with writing_atomically(package) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name in (MANIFEST, index, *pages):
            archive.write(folder / name, name)
    return package


def _text(text: str) -> str:
    return safe(_UNWRITABLE.sub(" ", text))
