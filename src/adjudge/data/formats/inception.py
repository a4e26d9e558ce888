"""INCEpTION and WebAnno: TSV 3, a file for each rater of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from adjudge.data.foreign import refusing
from adjudge.data.formats.base import SPANS, Imported, Importer, Picks, RaterAnswers, judgement_table, refused
from adjudge.data.formats.offsets import code_point
from adjudge.data.formats.sample import Sample
from adjudge.errors import SettingError, listed, quoted

TOOL, HEAD = "INCEpTION", "#FORMAT=WebAnno TSV 3"
INITIAL, CURATION = "INITIAL_CAS", "CURATION_USER"
NO_RATER = f"{INITIAL} (not a rater)"
NUMBERED = re.compile(r"(.*?)(?<!\\)\[(\d+)\]", re.DOTALL)
# A feature that is called so holds the label, where a layer has several.
USUAL = ("value", "label", "category")


@dataclass
class _Document:
    """One file: its text as far as it is told, its layers, and the spans of one of them."""

    name: str
    layers: list[tuple[str, list[str]]] = field(default_factory=list)
    sentences: dict[int, str] = field(default_factory=dict)  # text of a sentence by where it begins, in UTF-16 units
    rows: list[list[str]] = field(default_factory=list)


def read(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """A project's folder of documents, each a folder with a file for each rater; or single files."""
    judgements = RaterAnswers(picks)
    for document, rater, path in _files(paths):
        if rater == INITIAL:
            judgements.leave(NO_RATER)
        elif rater != CURATION:
            judgements.add(document, rater, spans_in(path, picks))
    return judgement_table(TOOL, paths, judgements, kind=SPANS)


def _files(paths: Sequence[Path]) -> Iterator[tuple[str, str, Path]]:
    for path in paths:
        if path.is_dir():
            for file in sorted(path.rglob("*.tsv")):
                if file.is_file():
                    yield file.parent.name, file.stem, file
        else:
            yield path.name, path.stem, path


def spans_in(path: Path, picks: Picks) -> list[list[str | int]]:
    """The spans of one layer, in code points."""
    document = _parsed(path)
    layer, column = _layer(document, picks)
    text = _text(document)
    places: dict[tuple[str, str], list[int]] = {}  # by label and number: first and last place
    alone: list[list[str | int]] = []
    for row in document.rows:
        if len(row) <= column:
            raise refused(
                path.name, "have a column for each feature", f"a line of {quoted(layer)} is short", "Export it again."
            )
        start, end = (code_point(text, int(place)) for place in row[1].split("-"))
        for label, number in _labels(row[column]):
            if number is None:
                alone.append([label, start, end])
            else:
                ends = places.setdefault((label, number), [start, end])
                ends[0], ends[1] = min(ends[0], start), max(ends[1], end)
    joined: list[list[str | int]] = [[label, *ends] for (label, _), ends in places.items()]
    return [*alone, *joined]


def _labels(cell: str) -> Iterator[tuple[str, str | None]]:
    """What a cell says: labels, with the number of a span that goes over several tokens or stands with others."""
    if cell == "_":
        return
    for part in re.split(r"(?<!\\)\|", cell):
        numbered = NUMBERED.fullmatch(part)
        label, number = (numbered[1], numbered[2]) if numbered else (part, None)
        yield "" if label == "*" else re.sub(r"\\(.)", r"\1", label), number


def _parsed(path: Path) -> _Document:
    document = _Document(path.name)
    with refusing(path.name):
        try:
            lines = path.read_bytes().decode("utf-8-sig").split("\n")
        except UnicodeDecodeError:
            raise refused(path.name, "be UTF-8 text", "it is not", "Export it again.") from None
    texts: list[str] = []
    for raw in lines:
        line = raw.rstrip("\r")
        if line.startswith("#T_SP="):
            name, *features = line.removeprefix("#T_SP=").split("|")
            document.layers.append((name, features))
        elif line.startswith("#Text="):
            texts.append(re.sub(r"\\(.)", r"\1", line.removeprefix("#Text=")))
        elif re.match(r"\d+-\d+(\.\d+)?\t\d+-\d+\t", line):
            row = line.split("\t")
            if texts:
                document.sentences[int(row[1].split("-")[0])] = "\n".join(texts)
                texts = []
            document.rows.append(row)
    return document


def _layer(document: _Document, picks: Picks) -> tuple[str, int]:
    """The layer that is read, and the column of its label."""
    if not document.layers:
        raise refused(document.name, "have a layer of spans", "it has none", "Export a layer of spans.")
    names = [name.rsplit(".", 1)[-1] for name, _ in document.layers]
    layer = picks["layer"]
    if (layer is None and len(names) > 1) or (layer is not None and layer not in names):
        given = "" if layer is None else f", not {quoted(layer)}"
        raise SettingError(f"`pick` must say which layer of {quoted(document.name)}: {listed(names)}{given}.")
    place = 0 if layer is None else names.index(layer)
    before = sum(max(1, len(features)) for _, features in document.layers[:place])
    features = document.layers[place][1]
    feature = next((features.index(name) for name in USUAL if name in features), 0)
    return names[place], 3 + before + feature


def _text(document: _Document) -> str:
    """The text with all sentences in their places, so that places can be counted; what is between them is blank."""
    parts, units = [], 0
    for start, sentence in sorted(document.sentences.items()):
        parts.append(" " * max(0, start - units) + sentence)
        units = max(units, start) + len(sentence.encode("utf-16-le", "surrogatepass")) // 2
    return "".join(parts)


def _is_folder(sample: Sample) -> bool:
    """Whether a file of a folder is the tool's own: others hold tables, too."""
    own = any(line.startswith(HEAD) for line in sample.first_lines)
    return own and not any(name.endswith(".ann") for name in sample.members)


IMPORTERS = (
    Importer(
        TOOL,
        {
            "webanno_tsv3": lambda sample: sample.lines[:1] != () and sample.lines[0].startswith(HEAD),
            "webanno": _is_folder,
        },
        read,
        ("layer", "raters"),
        alone=False,
    ),
)
