"""The first of a file: what it looks like, before anything is read of it."""

from __future__ import annotations

import csv
import gzip
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import IO, Any, cast

from adjudge.errors import InputError

SEEN = 1 << 20  # bytes that are looked at
MOST_TABLES, LONGEST_LINE = 20, 1_000  # of a folder
CUT = object()  # a value that goes on beyond them
DECODER = json.JSONDecoder()  # as it is: a function for numbers would make it several times as slow


Json = Any  # a value of JSON, as it is read: its shape is the other tool's
Record = Mapping[str, Json]


@dataclass(frozen=True)
class Sample:
    """What is seen of a file: its shape, its first record, header, lines, or members."""

    shape: str  # folder, zip, array, object, lines, text or other
    record: Record = field(default_factory=dict)
    header: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    first_lines: tuple[str, ...] = ()  # of the first tab-separated files in a folder

    def has(self, *keys: str) -> bool:
        """Whether the first record has these keys."""
        return all(key in self.record for key in keys)

    def heads(self, *names: str) -> bool:
        """Whether the header of a text file has these names."""
        return all(name in self.header for name in names)

    @property
    def in_records(self) -> bool:
        """Whether there are records one after another."""
        return self.shape in ("array", "lines") and bool(self.record)


def sample_of(path: Path) -> Sample:
    """Look at a file, or at the names in a folder. A file that cannot be read has no shape."""
    if os.path.isdir(path):
        names = _names_in(path)
        tables = [name for name in names if name.endswith(".tsv")][:MOST_TABLES]
        return Sample("folder", members=tuple(names), first_lines=tuple(_first_line(path / name) for name in tables))
    try:
        with cast(IO[bytes], gzip.open(path) if path.name.casefold().endswith(".gz") else path.open("rb")) as file:
            start = file.read(SEEN)
    except (OSError, EOFError, zlib.error):
        return Sample("other")
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        from adjudge.data.formats.archives import Archive

        try:
            return Sample("zip", members=Archive.of(path).names)
        except InputError:
            if path.suffix.casefold() in (".zip", ".eval"):  # others are opened by whoever knows them
                raise
            return Sample("zip")
    if b"\0" in start[:1024]:
        return Sample("other")
    text = start.decode("utf-8-sig", "ignore")
    return _of_text(path, text, whole=len(start) < SEEN)


def _first_line(path: Path) -> str:
    """How a text begins; nothing of one that cannot be read."""
    try:
        with path.open("rb") as file:
            return file.readline(LONGEST_LINE).decode("utf-8-sig", "ignore").rstrip("\r\n")
    except OSError:
        return ""


def _names_in(folder: Path) -> list[str]:
    """Files of a folder and of its folders, a few levels deep."""
    keys: list[str] = []
    for place, folders, names in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        folders[:] = sorted(folders) if depth < 3 else []
        keys += [str(Path(place, name).relative_to(folder)) for name in sorted(names)]
        if len(keys) > 10_000:
            break
    return keys


def _of_text(path: Path, text: str, *, whole: bool) -> Sample:
    body = text.lstrip()
    if body[:1] == "[":
        first = _value(body, _blank(body, 1))
        return Sample("array", record=first if isinstance(first, dict) else {})
    if body[:1] == "{":
        line = body.partition("\n")[0].strip()
        after = body.partition("\n")[2].lstrip()
        first = _value(line, 0)
        if isinstance(first, dict) and (after[:1] == "{" or not after or (len(line) < len(body.strip()) and not whole)):
            shape = "lines" if after or path.name.casefold().removesuffix(".gz").endswith(LINES) else "object"
            return Sample(shape, record=first)
        return Sample("object", record=_members(body))
    lines = tuple(text.split("\n")[: None if whole else -1])
    return Sample("text", header=_header(text), lines=lines)


LINES = (".jsonl", ".ndjson", ".jsonlines")


def _value(text: str, place: int) -> object:
    try:
        return DECODER.raw_decode(text, place)[0]
    except (ValueError, RecursionError):
        first = text[place : place + 1]
        return _members(text[place:]) if first == "{" else CUT


def _blank(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n":
        place += 1
    return place


def _members(text: str) -> dict[str, object]:
    """The members of an object, as far as the text goes."""
    members: dict[str, object] = {}
    place = _blank(text, 1)
    try:
        while text[place : place + 1] == '"':
            key, place = DECODER.raw_decode(text, place)
            place = _blank(text, place)
            if text[place : place + 1] != ":":
                break
            place = _blank(text, place + 1)
            members[key] = CUT
            members[key], place = DECODER.raw_decode(text, place)
            place = _blank(text, place)
            if text[place : place + 1] != ",":
                break
            place = _blank(text, place + 1)
    except (ValueError, RecursionError):
        pass
    return members


def _header(text: str) -> tuple[str, ...]:
    first = text.partition("\n")[0].strip("\r")
    for delimiter in (",", ";", "\t"):
        try:
            names = next(csv.reader(StringIO(first), delimiter=delimiter), [])
        except csv.Error:
            return ()
        if len(names) > 1:
            return tuple(names)
    return ()
