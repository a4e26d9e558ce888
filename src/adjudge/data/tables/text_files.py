"""The text of files: unzipped, line by line, and what is said of bytes that are no text."""

from __future__ import annotations

import gzip
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE, getincrementaldecoder
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import IO, cast

from adjudge.data.tables.csv_batches import is_zipped
from adjudge.errors import InputError, quoted


def open_text(path: Path) -> IO[str]:
    """The text of a file, unzipped, without its byte order mark, its line ends untouched."""
    if is_zipped(path):
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def text_lines(file: IO[str], longest: int, name: str) -> Iterator[str]:
    """The lines of a text, refused where one is too long to be held."""
    for number in count(1):
        line = file.readline(longest + 1)
        if len(line) > longest:
            raise InputError(
                f"A line must be shorter than {longest >> 20} MB, but line {number} of {quoted(name)} is longer. "
                "Is it the right file?"
            )
        if not line:
            return
        yield line


# What a file of another kind begins with, whatever its name says.
_BEGINNINGS = {
    b"\x1f\x8b": "is compressed by gzip. Add .gz to its name",
    b"PK\x03\x04": "is a spreadsheet or an archive. Give a spreadsheet the ending .xlsx, or unpack it",
    b"PAR1": "is a Parquet file. Give it the ending .parquet",
    b"ARROW1": "is an Arrow file. Give it the ending .arrow",
}
# The longer marks first: that of little-endian UTF-32 begins with one of UTF-16.
_MARKS = {
    BOM_UTF32_LE: "utf-32",
    BOM_UTF32_BE: "utf-32",
    BOM_UTF16_LE: "utf-16",
    BOM_UTF16_BE: "utf-16",
}


def not_utf8(path: Path) -> InputError:
    """The refusal of a file that is no UTF-8 text, with the first line that is not, or what it is instead."""
    decoder, line = getincrementaldecoder("utf-8")(), 1
    with path.open("rb") as file:
        first = file.read(8)
    for beginning, what in () if is_zipped(path) else _BEGINNINGS.items():
        if first.startswith(beginning):
            return InputError(f"{quoted(path.name)} must be UTF-8 text, as its name says, but it {what}.")
    with cast(IO[bytes], gzip.open(path) if is_zipped(path) else path.open("rb")) as file:
        while block := file.read(1 << 20):
            try:
                line += decoder.decode(block).count("\n")
            except UnicodeDecodeError as error:
                line += error.object[: error.start].count(b"\n")
                return InputError(
                    f"{quoted(path.name)} must be UTF-8 text, but line {line} holds the byte "
                    f"0x{error.object[error.start]:02x}. Convert it to UTF-8, for instance with "
                    f"`iconv -f {_encoding_of(error.object)} -t utf-8`, or save it again as UTF-8."
                )
    return InputError(f"{quoted(path.name)} must be UTF-8 text, but it is not. Convert it to UTF-8.")


def _encoding_of(block: bytes) -> str:
    """What text that is no UTF-8 is probably written in: by its mark, or by where zero bytes stand."""
    if (marked := next((name for mark, name in _MARKS.items() if block.startswith(mark)), None)) is not None:
        return marked
    if 3 * block.count(0) <= len(block):
        return "latin1"
    return "utf-16le" if block[1::2].count(0) > block[::2].count(0) else "utf-16be"


def refuse_wide(names: Sequence[str], file: str) -> None:
    """Refuse UTF-16 without its mark, which is valid UTF-8: every other byte of the first line is zero."""
    first = "".join(names)
    if 3 * first.count("\0") > len(first):
        raise InputError(
            f"{quoted(file)} must be UTF-8 text, but its first line is full of zero bytes. Is it UTF-16? Convert it, "
            "for instance with `iconv -f utf-16le -t utf-8`, or save it again as UTF-8."
        )
