"""What a file or a line of a setting holds is looked through once, however it is written."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from adjudge import plan
from adjudge.data.source import open_source
from adjudge.errors import InputError, SettingError
from adjudge.evaluation.gates.requirement_text import parsed
from adjudge.metrics.catalogue import parse


@pytest.mark.parametrize("cells", [b"<c " * 2_000_000, b'<c t="e" ' * 1_000_000, b"<row " * 2_000_000])
def test_tags_of_a_sheet_that_never_end_are_refused(tmp_path: Path, cells: bytes) -> None:
    """Each was looked for to the end of what is read at a time: hours of it."""
    path = tmp_path / "ratings.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml", '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
        )
        sheet = '<sheet name="a" sheetId="1" r:id="rId1"/>'
        archive.writestr("xl/workbook.xml", f"<workbook><sheets>{sheet}</sheets></workbook>")
        target = '<Relationship Id="rId1" Type="worksheet" Target="worksheets/sheet1.xml"/>'
        archive.writestr("xl/_rels/workbook.xml.rels", f"<Relationships>{target}</Relationships>")
        archive.writestr("xl/worksheets/sheet1.xml", b"<worksheet><sheetData>" + cells + b"</sheetData></worksheet>")
    with pytest.raises(InputError, match="must be a spreadsheet"):
        open_source(str(path))


@pytest.mark.parametrize("read", [parsed, parse, lambda text: plan(text, expect=0.9)])
def test_a_requirement_is_a_line(read) -> None:
    """Of a hundred thousand blanks each was the start of a search to the end."""
    with pytest.raises(SettingError, match=re.escape("must have at most 10,000 characters, but one has 100,009")):
        read("accuracy" + " " * 100_000 + "x")
