"""CoNLL: a token a line, its tag in the last column, blank lines between sentences. It names no rater."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from adjudge.data.cleaning import count_text
from adjudge.data.foreign import refusing
from adjudge.data.formats.base import SPANS, Imported, Importer, Picks, columns_of_rows, refused
from adjudge.data.formats.sample import Sample
from adjudge.data.tables.csv_batches import CELL
from adjudge.data.tables.text_files import not_utf8, open_text, text_lines

TOOL = "CoNLL"
TAG = re.compile(r"O|[BIES]-\S+")
NAMED = re.compile(r"#\s*(?:sent_)?id\s*=\s*(\S+)")
DOCUMENT = "-DOCSTART-"
LABEL_STUDIO = re.compile(r"\S+ -X- _ \S+")
Sentence = tuple[str, list[str]]  # its name, its tags


def read(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Sentences with their spans, in tokens; each file is one rater's, who is called after it or as was picked."""
    rows: list[tuple[str, str, list[list[str | int]]]] = []
    remarks = []
    for path in paths:
        _refuse_joined(path, picks)
        sentences = list(sentences_in(path))
        scheme = scheme_of([tags for _, tags in sentences])
        malformed = 0
        for name, tags in sentences:
            spans, odd = tagged_spans(tags, scheme)
            malformed += odd
            rows.append((name, picks["rater"] or path.name.split(".")[0], spans))
        if malformed:
            begin, left = ("begins", "it is") if malformed == 1 else ("begin", "they are")
            spans_of = f"{count_text(malformed, 'span')} of {path.name}"
            remarks.append(f"{spans_of} {begin} as {scheme} does not: {left} left as written.")
    names = ("item", "rater", "rating")
    columns = columns_of_rows(names, rows)
    roles = {name: name for name in names} | {"measurement": "spans"}
    return Imported(TOOL, paths[0].name, SPANS, columns, {}, roles, tuple(remarks), tuple(paths))


def sentences_in(path: Path) -> Iterator[Sentence]:
    """The sentences of a file: by the name that a comment gives, or by number, of their document if there is one."""
    tags: list[str] = []
    name, document, number = "", 0, 0
    for line in [*_lines(path), ""]:
        if line.startswith(DOCUMENT):
            document, number = document + 1, 0
        elif match := NAMED.fullmatch(line.strip()):
            name = match[1]
        elif line.strip(" \t") and not (line.startswith("#") and "\t" not in line):
            tag = _cells(line)[-1]
            if not TAG.fullmatch(tag):
                raise refused(path.name, "end each line in a tag", f"one ends in {tag!r}", "Is it the right file?")
            tags.append(tag)
        elif tags:
            number += 1
            yield name or (f"{document}.{number}" if document else str(number)), tags
            tags, name = [], ""


def _lines(path: Path) -> list[str]:
    with refusing(path.name):
        try:
            with open_text(path) as file:
                return [line.rstrip("\r\n") for line in text_lines(file, CELL, path.name)]  # other ends are tokens
        except UnicodeDecodeError:
            raise not_utf8(path) from None


def _cells(line: str) -> list[str]:
    """What stands between blanks; a token may be any other sign, such as a blank that does not break."""
    return re.split("[ \t]+", line.strip(" \t"))


def scheme_of(sentences: Sequence[Sequence[str]]) -> str:
    """iob1 only where some I- follows O, and every B- follows a tag of its own type; otherwise bio.

    >>> scheme_of([["I-PER", "B-PER"]]), scheme_of([["I-PER", "O", "B-PER"]])
    ('iob1', 'bio')
    """
    opens, splits, begins = False, True, False
    for tags in sentences:
        for before, tag in zip(["O", *tags], tags, strict=False):
            opens |= tag.startswith("I-") and before == "O"
            if tag.startswith("B-"):
                begins = True
                splits &= before[2:] == tag[2:] and before != "O"
    return "iob1" if opens and splits and begins else "bio"


def tagged_spans(tags: Sequence[str], scheme: str) -> tuple[list[list[str | int]], int]:
    """Spans of tokens, ends exclusive, and how many begin otherwise than the scheme says.

    >>> tagged_spans(["I-LOC", "O"], "bio")
    ([['LOC', 0, 1]], 1)
    """
    spans: list[list[str | int]] = []
    malformed, before = 0, "O"
    for place, tag in enumerate(tags):
        goes_on = tag[:2] in ("I-", "E-") and before[2:] == tag[2:] and before[:2] in ("B-", "I-")
        if tag != "O" and not goes_on:
            malformed += scheme == "bio" and tag.startswith("I-")
            spans.append([tag[2:], place, place + 1])
        elif goes_on:
            spans[-1][2] = place + 1
        before = tag
    return spans, malformed


def _refuse_joined(path: Path, picks: Picks) -> None:
    """Label Studio writes the sentences of all annotators one after another, and says of none whose it is."""
    first = [line for line in _lines(path) if line.strip() and not line.startswith(DOCUMENT)][:5]
    if first and all(LABEL_STUDIO.fullmatch(line) for line in first) and picks["as"] != "one rater":
        raise refused(
            path.name,
            "say who marked what",
            "it is Label Studio's CoNLL export, in which all annotators stand one after another without a name",
            "Export JSON, or pick as='one rater'.",
        )


def _is_tagged(sample: Sample) -> bool:
    lines = [line.rstrip("\r") for line in sample.lines if line.strip() and not line.startswith("#")]
    if sample.shape != "text" or not lines or sample.lines[0].startswith("#FORMAT="):
        return False
    parts = [_cells(line) for line in lines]
    tagged = all(len(part) > 1 and TAG.fullmatch(part[-1]) for part in parts)
    return tagged and len({len(part) for part in parts if part[0] != DOCUMENT}) == 1


IMPORTERS = (Importer(TOOL, {"conll": _is_tagged}, read, ("rater", "as"), alone=False),)
