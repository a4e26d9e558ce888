"""inspect_ai: logs of one run, as .eval (a zip file) or .json; a row for each sample and epoch."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from adjudge.data.foreign import refusing
from adjudge.data.formats.archives import Archive
from adjudge.data.formats.base import PREDICTIONS, RATINGS, Imported, Importer, Picks, as_written, if_written, refused
from adjudge.data.formats.outcomes import Columns, with_outcome, without_texts
from adjudge.data.formats.records import JsonText, check_depth
from adjudge.data.formats.sample import Json, Record, Sample
from adjudge.data.tables.text_files import not_utf8, open_text
from adjudge.errors import InputError, quoted

TOOL = "inspect_ai"
FAILED, UNSCORED = "sample with an error", "unscored"
LETTERS = {"C": 1, "P": 0.5, "I": 0, "N": 0}
# Metadata that is longer is text, not a slice.
SHORT = 60
META = "\0"  # before the names of metadata, until it is known which of them part the rows
Log = tuple[Record, list[Record], tuple[str, ...]]  # header, samples, what is to be doubted


def read(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """A log: each scorer's values, or the scorers as raters of the same answers."""
    (path,) = paths
    as_raters = not picks.wants(PREDICTIONS) and picks.wants(RATINGS)
    header, samples, doubts = _zipped(path) if sample.shape == "zip" else _of_json(path)
    remarks: tuple[str, ...] = ()
    left_out: Counter[str] = Counter()
    kept = []
    for one in samples:
        if one.get("error") or not one.get("scores"):
            left_out[FAILED if one.get("error") else UNSCORED] += 1
        else:
            kept.append(one)
    scorers = picks.several("scorers") or tuple(dict.fromkeys(name for one in kept for name in one["scores"]))
    if any(score.get("history") for one in kept for score in one["scores"].values() if isinstance(score, dict)):
        remarks = (*remarks, "Some scores were edited by hand after the run.")
    if as_raters:
        return replace(_ratings(path, kept, scorers, left_out, remarks), doubts=doubts)
    return replace(
        _predictions(path, header, kept, scorers, left_out=left_out, remarks=remarks, only=picks["as"] == "outcome"),
        doubts=doubts,
    )


def _ratings(
    path: Path,
    kept: Sequence[Record],
    scorers: Sequence[str],
    left_out: Counter[str],
    remarks: tuple[str, ...],
) -> Imported:
    rows = []
    for one in kept:
        for name in scorers:
            value = (one["scores"].get(name) or {}).get("value")
            if isinstance(value, dict):
                raise refused(
                    path.name, "have one value for each scorer", f"{quoted(name)} gives several", "Pick other scorers."
                )
            if _missing(value):
                left_out[UNSCORED] += 1
                continue
            rows.append((f"{as_written(one.get('id'))}/{one.get('epoch', 1)}", name, value))
    columns = dict(zip(("item", "rater", "rating"), map(list, zip(*rows, strict=True)), strict=True)) if rows else {}
    roles = {name: name for name in columns}
    return Imported(TOOL, path.name, RATINGS, columns, dict(left_out), roles, remarks, (path,))


def _predictions(
    path: Path,
    header: Record,
    kept: Sequence[Record],
    scorers: Sequence[str],
    *,
    left_out: Counter[str],
    remarks: tuple[str, ...],
    only: bool,
) -> Imported:
    model = str((header.get("eval") or {}).get("model") or path.name)
    columns: Columns = {}
    for place, one in enumerate(kept):
        record = _row(one, scorers, model)
        for name in record:
            columns.setdefault(name, [None] * place)
        for name, values in columns.items():
            values.append(record.get(name))
    none = sum(one["scores"].get(name, {}).get("value") == "N" for one in kept for name in scorers)
    if none:
        remarks = (*remarks, f"N, no answer of the system, counts 0 as in {TOOL}'s own metrics: {none:,} times.")
    epochs = len(set(columns.get("epoch", ()))) > 1
    names = [name for name in columns if name in scorers]
    columns = {name.removeprefix(META): values for name, values in without_texts(columns, META).items()}
    columns, roles = with_outcome(columns, names, model, unit="cluster" if epochs else "id", only=only)
    joins = ("item", "epoch")
    return Imported(TOOL, path.name, PREDICTIONS, columns, dict(left_out), roles, remarks, (path,), joins=joins)


def _row(sample: Record, scorers: Sequence[str], model: str) -> dict[str, object]:
    scores = sample["scores"]
    first = scores.get(scorers[0]) or {} if scorers else {}
    answer, target = first.get("answer"), sample.get("target")
    record: dict[str, object] = {"item": as_written(sample.get("id")), "epoch": sample.get("epoch", 1), "system": model}
    record["reference"] = target if isinstance(target, (str, list)) or target is None else as_written(target)
    record["prediction"] = if_written(answer)
    for name in scorers:
        value = (scores.get(name) or {}).get("value")
        each = {f"{name}.{key}": part for key, part in value.items()} if isinstance(value, dict) else {name: value}
        record |= {key: _value(part) for key, part in each.items()}
    metadata = sample.get("metadata")
    for name, value in metadata.items() if isinstance(metadata, dict) else ():
        if isinstance(value, (str, bool, int, float)) and len(str(value)) <= SHORT:
            record.setdefault(f"{META}{name}" if name not in record else f"{META}metadata.{name}", value)
    return record


def _missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _value(value: object) -> object:
    if _missing(value):
        return None
    return LETTERS.get(value, value) if isinstance(value, str) else value


def _decoded(archive: Archive, name: str) -> Json:
    try:
        value = json.loads(archive.text(name))
    except (ValueError, RecursionError):
        raise refused(archive.path.name, "hold whole JSON", f"{quoted(name)} is damaged", "Run it again.") from None
    check_depth(value, 1 << 10, archive.path.name)
    return value


def _zipped(path: Path) -> Log:
    """A .eval file: its header and summaries suffice, but where they are not there yet, or have no answers."""
    archive = Archive.of(path)
    samples = [name for name in archive.names if name.startswith("samples/")]
    if "header.json" in archive.members and "summaries.json" in archive.members:
        header, samples_read = _decoded(archive, "header.json"), _records(_decoded(archive, "summaries.json"), path)
        if not all("answer" in score for one in samples_read for score in (one.get("scores") or {}).values()):
            samples_read = [_decoded(archive, name) for name in samples]
        return header, _in_order(samples_read), ()
    start = _decoded(archive, "_journal/start.json") if "_journal/start.json" in archive.members else {}
    samples_read = [_decoded(archive, name) for name in samples]
    count = f"{len(samples_read):,} samples are read from the journal"
    remark = f"The run did not finish: no header.json, no summaries.json; {count}."
    return start, _in_order(samples_read), (remark,)


def _records(value: object, path: Path) -> list[Record]:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise refused(path.name, "list its samples", "it does not", "Run it again.")
    return value


def _in_order(samples: Sequence[Mapping[str, object]]) -> list[Record]:
    return sorted(samples, key=lambda one: one.get("epoch", 1))


def _of_json(path: Path) -> Log:
    """A .json file, its samples one by one: of each only what is needed is kept."""
    header: dict[str, object] = {}
    samples: list[Mapping[str, object]] = []
    with refusing(path.name):
        try:
            with open_text(path) as file:
                text = JsonText(file, path.name)
                for key in text.members():
                    if key == "samples" and text.next_sign() == "[":
                        samples += map(_slim, _mappings(text.elements(), path))
                    else:
                        value = text.value()
                        header |= {key: value} if key in ("version", "status", "eval") else {}
        except UnicodeDecodeError:
            raise not_utf8(path) from None
    status = header.get("status")
    remarks = () if status == "success" else (f"The run did not finish: its status is {quoted(str(status))}.",)
    return header, samples, remarks


def _mappings(values: Iterator[object], path: Path) -> Iterator[Mapping[str, object]]:
    for value in values:
        if not isinstance(value, dict):
            raise InputError(f"{quoted(path.name)} must list its samples as objects, but one is not. Run it again.")
        yield value


def _slim(sample: Mapping[str, object]) -> Mapping[str, object]:
    return {key: sample.get(key) for key in ("id", "epoch", "target", "metadata", "scores", "error")}


def _is_log(sample: Sample) -> bool:
    return sample.shape == "object" and sample.has("version", "status", "eval")


IMPORTERS = (
    Importer(
        TOOL,
        {
            "inspect.eval": lambda sample: "header.json" in sample.members or "_journal/start.json" in sample.members,
            "inspect.json": _is_log,
        },
        read,
        ("scorers", "as"),
    ),
)
