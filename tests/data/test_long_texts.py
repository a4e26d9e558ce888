"""What a file or a line of a setting holds is looked through once, however it is written."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from adjudge import plan
from adjudge.data.source import open_source
from adjudge.data.tables.documents import read_document
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


@pytest.mark.parametrize(
    "text", ["a." * 50_000 + "b = 1", "x = {" + "a . " * 50_000 + "b = 1}", "['a'." + '"b".' * 50_000 + "c]"]
)
def test_keys_of_many_parts_are_nested_too_deeply(tmp_path: Path, text: str) -> None:
    """Each part was looked up from the first on: a minute of it."""
    path = tmp_path / "gate.toml"
    path.write_text(text)
    with pytest.raises(InputError, match="must be TOML, but it is nested too deeply"):
        read_document(path, "A gate")


def test_sentences_and_versions_are_no_keys(tmp_path: Path) -> None:
    path = tmp_path / "gate.toml"
    path.write_text(f'a.b.c = "{"one. " * 99}"\nd = "{"1.2.3, " * 500}"\n')
    assert read_document(path, "A gate")[1] == {"a": {"b": {"c": "one. " * 99}}, "d": "1.2.3, " * 500}
