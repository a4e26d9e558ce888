"""lm-evaluation-harness: samples of one task, a line for each document and filter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from adjudge.data.formats.base import PREDICTIONS, Imported, Importer, Picks, as_written, if_written, item_of, refused
from adjudge.data.formats.outcomes import Columns, with_outcome, without_texts
from adjudge.data.formats.records import objects_in, whole_object
from adjudge.data.formats.sample import Record, Sample
from adjudge.errors import SettingError, did_you_mean, listed, quoted

TOOL = "lm-evaluation-harness"
OTHER = "row of another filter"
KNOWN = (
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash", "task", "version"),
)


def read(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    """Samples: what each document's answer was, and each metric of it."""
    (path,) = paths
    chosen = _filter(path, picks)
    left_out: Counter[str] = Counter()
    columns: Columns = {"item": [], "doc_hash": [], "reference": [], "prediction": []}
    rows = 0
    for sample_ in objects_in(path):
        if chosen is not None and sample_.get("filter") != chosen:
            left_out[OTHER] += 1
            continue
        record = _row(sample_, picks["item"] or "doc_id", path.name)
        for name in record:
            columns.setdefault(name, [None] * rows)
        for name, values in columns.items():
            values.append(record.get(name))
        rows += 1
    if all(value is None for value in columns["doc_hash"]):
        del columns["doc_hash"]
    metrics = [name for name in columns if name in _metrics(path)]
    model, task = _model(path), _task(path)
    columns["task"] = [task] * rows
    joins = ("doc_hash",) if "doc_hash" in columns else ("item",)
    columns, roles = with_outcome(without_texts(columns, "doc."), metrics, model, only=picks["as"] == "outcome")
    return Imported(TOOL, path.name, PREDICTIONS, columns, dict(left_out), roles, (), (path,), joins=joins)


def _metrics(path: Path) -> list[str]:
    first: Mapping[str, object] = next(iter(objects_in(path)), {})
    named = first.get("metrics")
    return list(named) if isinstance(named, list) else [name for name in first if name not in KNOWN]


def _row(sample: Record, key: str, where: str) -> dict[str, object]:
    target = sample.get("target")
    record: dict[str, object] = {
        "item": item_of(sample, key, where),
        "doc_hash": sample.get("doc_hash"),
        "reference": if_written(target),
        "prediction": _prediction(sample.get("filtered_resps")),
    }
    named = sample.get("metrics")
    for name in named if isinstance(named, list) else [one for one in sample if one not in KNOWN]:
        value = sample.get(name)
        # What is summed over all documents is kept as pairs or texts: it is no score of one.
        record[name] = float(value) if isinstance(value, (bool, int, float)) else None
    doc = sample.get("doc")
    for name, value in doc.items() if isinstance(doc, dict) else ():
        if isinstance(value, (str, bool, int)) and len(str(value)) <= SHORT:
            record[f"doc.{name}"] = value if isinstance(value, str) else as_written(value)
    return record


SHORT = 40


def _prediction(responses: object) -> str | None:
    """The place of the largest log-likelihood, or the text that was generated."""
    if not isinstance(responses, list) or not responses:
        return None
    if all(isinstance(one, list) and len(one) == 2 for one in responses):
        try:
            numbers = [float(one[0]) for one in responses]
        except (TypeError, ValueError, OverflowError):
            return None
        return str(numbers.index(max(numbers)))
    first = responses[0]
    return as_written(first[0] if isinstance(first, list) and first else first)


def _filter(path: Path, picks: Picks) -> str | None:
    """The filter that is read: several would count a document more than once."""
    filters: dict[str, None] = {}
    seen: set[object] = set()
    again = False
    for sample in objects_in(path):
        if (name := sample.get("filter")) is not None:
            filters[str(name)] = None
        key = (sample.get("doc_id"), sample.get("filter"))
        again |= as_written(key) in seen
        seen.add(as_written(key))
    given = picks["filter"]
    if given is not None and given not in filters:
        raise SettingError(
            f"`pick` must be a filter of {quoted(path.name)}, not {quoted(given)}. {did_you_mean(given, filters)}"
        )
    if given is None and len(filters) > 1:
        raise SettingError(
            f"`pick` must say which filter: {quoted(path.name)} has {listed(filters)}, and a row of each for every "
            f"document. For instance pick filter={next(iter(filters))}."
        )
    if again:
        raise refused(
            path.name, "have one row for each document", "some stand there several times", "Keep one filter's rows."
        )
    return given if given is not None else next(iter(filters), None)


def _task(path: Path) -> str:
    match = re.fullmatch(r"samples_(.+?)(_\d{4}-\d\d-\d\dT.*)?", path.name.removesuffix(".gz").rsplit(".", 1)[0])
    time = re.match(r"samples_(.+)_\d{4}-\d\d-\d\dT", path.name)
    return time[1] if time else match[1] if match else path.stem


def _model(path: Path) -> str:
    """The model, from the results that stand beside the samples; else the file's own name."""
    time = re.search(r"_(\d{4}-\d\d-\d\dT[0-9.:-]+)\.jsonl", path.name)
    beside = path.parent / f"results_{time[1]}.json" if time else None
    if beside is None or not beside.is_file():
        return path.name
    results = whole_object(beside)
    name = results.get("model_name") or (results.get("config") or {}).get("model")
    return name if isinstance(name, str) and name else path.name


def _refuse_results(paths: Sequence[Path], picks: Picks, sample: Sample) -> Imported:
    raise refused(
        paths[0].name,
        "hold samples",
        f"it holds the results of {TOOL}, which have no rows",
        "Name the samples_*.jsonl beside it, written with --log_samples.",
    )


IMPORTERS = (
    Importer(
        TOOL,
        {"lm_eval.samples": lambda sample: sample.in_records and sample.has("doc_id", "doc", "target", "resps")},
        read,
        ("filter", "item", "as"),
    ),
    Importer(
        TOOL,
        {
            "lm_eval.results": lambda sample: (
                sample.shape == "object" and sample.has("results", "group_subtasks", "configs")
            )
        },
        _refuse_results,
    ),
)
