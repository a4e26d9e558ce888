"""Tables into files: csv, tsv, xlsx and JSON lines, each written whole or not at all.

The spreadsheet is written by hand: pandas' writer, openpyxl, is nothing that adjudge needs otherwise, takes longer to
import than all other work here, and what is needed of the format is one sheet of texts and numbers.
"""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from adjudge.errors import InputError, SettingError, quoted
from adjudge.evaluation.take_away.exports import delimited_text
from adjudge.evaluation.take_away.writing import write_together
from adjudge.interop.rsmtool_frames import Cell, Frame

MOST_SHEET_ROWS = 1_048_576
LONGEST_CELL = 32_767
MOST_NAME = 255  # bytes of a file's name
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
DECLARED = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
SHEET_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
    f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
    '<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
# What XML cannot hold is written as spreadsheets write it, and so is text that looks like that.
UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-Fa-f]{4}_)")


def as_csv(frame: Frame, delimiter: str = ",") -> bytes:
    """Comma-separated text.

    >>> as_csv(Frame("eval", ("", "N"), [("raw", 3), ("St. Ives, NA", None)]))
    b',N\\nraw,3\\n"St. Ives, NA",\\n'
    """
    return delimited_text([frame.columns, *frame.rows], delimiter).encode("utf-8", "backslashreplace")


def as_jsonlines(frame: Frame) -> bytes:
    """One JSON object for each row."""
    lines = (json.dumps(dict(zip(map(str, frame.columns), row, strict=True))) for row in frame.rows)
    return "".join(f"{line}\n" for line in lines).encode()


def as_xlsx(frame: Frame) -> bytes:
    """A workbook of one sheet; texts stay texts, whatever they look like."""
    if len(frame.rows) >= MOST_SHEET_ROWS:
        raise SettingError(
            f"A spreadsheet must have fewer than {MOST_SHEET_ROWS:,} rows, but {quoted(frame.name)} has "
            f'{len(frame.rows):,}. Choose the format "csv" or "tsv".'
        )
    rows = "".join(f"<row>{''.join(map(_sheet_cell, row))}</row>" for row in (frame.columns, *frame.rows))
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**SHEET_PARTS, "xl/worksheets/sheet1.xml": sheet}.items():
            # A fixed date, so that the same table is the same file.
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), DECLARED + content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _sheet_cell(value: Cell) -> str:
    if value is None or value == "":
        return "<c/>"
    if not isinstance(value, str):
        return f"<c><v>{value!r}</v></c>"
    safe = UNWRITABLE.sub(lambda match: f"_x{ord(match[0]):04X}_", value[:LONGEST_CELL])
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(safe)}</t></is></c>'


WRITERS: dict[str, Callable[[Frame], bytes]] = {
    "csv": as_csv,
    "tsv": lambda frame: as_csv(frame, "\t"),
    "xlsx": as_xlsx,
    "jsonlines": as_jsonlines,
}


def file_names(frames: Sequence[Frame], experiment: str, ending: str) -> list[str]:
    """A name for each table; what a file's name cannot hold is "_", and two that come out alike are numbered.

    >>> file_names([Frame("eval_by_a/b", (), []), Frame("eval_by_a:b", (), [])], "x", "csv")
    ['x_eval_by_a_b.csv', 'x_eval_by_a_b_2.csv']
    """
    taken: dict[str, int] = {}
    names = []
    room = max(20, min(180, MOST_NAME - len(f"{experiment}__000.{ending}".encode())))
    for frame in frames:
        safe = re.sub(r'[\\/:*?"<>|\x00-\x1f\x7f\ud800-\udfff]', "_", frame.name)
        plain = safe.encode()[:room].decode(errors="ignore")
        taken[plain.casefold()] = count = taken.get(plain.casefold(), 0) + 1
        names.append(f"{experiment}_{plain}{'' if count == 1 else f'_{count}'}.{ending}")
    return names


def write_inside(folder: Path, contents: Mapping[str, str | bytes], inputs: Iterable[Path]) -> list[Path]:
    """Write files into a folder; nothing is written when one would replace an input or a link leads out."""
    read = {os.path.realpath(path) for path in inputs}
    for target in (folder / name for name in contents):
        if os.path.realpath(target) in read:
            raise SettingError(
                f"{quoted(target)} must not replace what is read, but it is an input. Name another folder."
            )
        if not Path(os.path.realpath(target)).is_relative_to(os.path.realpath(folder)):
            raise InputError(f"Files must stay in {quoted(folder)}, but a link leads {quoted(target)} out of it.")
    try:
        for parent in {(folder / name).parent for name in contents}:
            parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{quoted(folder)} must be a folder to write into, but: {error.strerror}.") from None
    return write_together({folder / name: content for name, content in contents.items()})
