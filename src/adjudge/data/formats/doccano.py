"""doccano: a zip with a file for each member, or one of those files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from adjudge.data.formats.archives import Archive
from adjudge.data.formats.base import (
    SETS,
    SPANS,
    Imported,
    Importer,
    Picks,
    RaterAnswers,
    as_written,
    item_of,
    judgement_table,
    refused,
)
from adjudge.data.formats.records import csv_records, objects_in, objects_of_text
from adjudge.data.formats.sample import Json, Record, Sample
from adjudge.errors import quoted

TOOL = "doccano"
UNSEEN = "no label, and not known whether the annotator saw it"
RELATION = "relation"
SHARED = "all"


def read(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Each member's file: labels of each example."""
    (path,) = paths
    archive = Archive.of(path) if sample.shape == "zip" else None
    names = archive.names if archive else (path.name,)
    if any(PurePosixPath(name).stem == SHARED for name in names) and picks["as"] != "one rater":
        raise refused(
            path.name,
            "say who labelled",
            "annotations were shared: all.jsonl does not",
            "Export a project whose annotations are not shared, or pick as='one rater'.",
        )
    judgements = RaterAnswers(picks)
    labels: list[str] = []
    spans = False
    for name in names:
        rater = picks["rater"] or PurePosixPath(name).name.split(".")[0]
        records = objects_in(path) if archive is None else _records(archive, name)
        for record in records:
            answer, marked = _answer(record)
            judgements.leave(RELATION, len(record.get("relations") or ()))
            spans |= marked
            if not answer and picks["empty"] != "judged":
                judgements.leave(UNSEEN)
                continue
            labels += [] if marked else answer
            judgements.add(item_of(record, picks["item"] or "id", path.name), rater, answer)
    if picks["as"] != "labels":
        _refuse_texts(path, labels)
    return judgement_table(TOOL, [path], judgements, kind=SPANS if spans else SETS)


def _answer(record: Record) -> tuple[list[Json], bool]:
    """The labels of an example, and whether they are spans."""
    if isinstance(record.get("entities"), list):
        each = record["entities"]
        return [[as_written(one.get("label")), one.get("start_offset"), one.get("end_offset")] for one in each], True
    label = record.get("label")
    label = record.get("labels", label) if label is None else label
    if not isinstance(label, list):
        return [], False
    if any(isinstance(one, list) for one in label):
        return [[as_written(one[2]), one[0], one[1]] for one in label if isinstance(one, list) and len(one) == 3], True
    return [as_written(one) for one in label], False


def _refuse_texts(path: Path, labels: Sequence[str]) -> None:
    """Labels of which hardly any comes again are texts that somebody wrote."""
    again = len(labels) - len(set(labels))
    if len(labels) > 1 and not again and any(not label.isascii() or " " in label for label in labels):
        raise refused(
            path.name, "hold categories", "its labels are free text", "If they are categories, pick as=labels."
        )


def _records(archive: Archive, name: str) -> Iterator[Record]:
    if name.endswith(".csv"):
        yield from _in_csv(archive, name)
        return
    yield from objects_of_text(archive.text(name), archive.path.name)


def _in_csv(archive: Archive, name: str) -> Iterator[Mapping[str, object]]:
    for row in csv_records(archive.text(name).strip(), archive.path.name):
        cell = str(row.get("label") or "")
        parts = cell.split("#") if cell else []
        if "" in parts:
            raise refused(
                archive.path.name,
                "have labels that can be told apart",
                f"they are joined by # and one holds #: {quoted(cell)}",
                "Export JSONL.",
            )
        yield {**row, "label": parts}


def _is_zip(sample: Sample) -> bool:
    names = [PurePosixPath(name) for name in sample.members]
    flat = all(len(name.parts) == 1 and name.suffix in (".json", ".jsonl", ".csv") for name in names)
    return sample.shape == "zip" and bool(names) and flat and not {"header.json"} & set(sample.members)


def _is_lines(sample: Sample) -> bool:
    record = sample.record
    named = "id" in record and ("text" in record or "filename" in record)
    labels = isinstance(record.get("label"), list) or {"entities", "relations"} <= set(record)
    others = any(key.startswith("_") for key in record) or "annotation_id" in record
    return sample.in_records and named and labels and not others


IMPORTERS = (
    Importer(
        TOOL,
        {"doccano.zip": _is_zip, "doccano": _is_lines},
        read,
        ("item", "rater", "raters", "empty", "as", "repeats"),
    ),
)
