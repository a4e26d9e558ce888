"""An evaluation in a file, and back: everything is there, or the file is refused."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import astuple, replace
from hashlib import sha256
from pathlib import Path

from adjudge.data.tables.documents import whole_file
from adjudge.errors import InputError, path_text, quoted
from adjudge.evaluation.outcome import SCHEMA_VERSION, Data, Outcome
from adjudge.evaluation.results import COLUMNS, ResultTable, Row
from adjudge.evaluation.take_away.exports import SAVED_AS, encoded
from adjudge.evaluation.take_away.kept_items import KeptItems

SAVED_PARTS = ("task", "data", "settings", "systems", "slice_columns", "metrics", "checks")
NUMBERS = ("estimate", "low", "high")
NEARLY = 1e-6  # by which an estimate may lie outside of its interval, as a share of it
SEAL = b'{"digest":"sha256:'
READ: dict[object, float] = {None: math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def saved(outcome: Outcome, items: KeptItems | None = None) -> bytes:
    """The whole outcome, pictures too, as it is kept in a .adjudge file; with the rows behind it if they are given."""
    parts = {name: getattr(outcome, name) for name in SAVED_PARTS}
    parts |= {} if outcome.gate is None else {"gate": outcome.gate}
    rows = [{name: _written(value) for name, value in zip(COLUMNS, astuple(row), strict=True)} for row in outcome.table]
    kept = {} if items is None else {"items": items}
    return sealed(
        encoded({"schema_version": SCHEMA_VERSION, **parts, "results": rows, "panels": outcome.panels, **kept})
    )


def _written(value: object) -> object:
    return ("Infinity" if value > 0 else "-Infinity") if isinstance(value, float) and math.isinf(value) else value


def _row(record: dict[str, object]) -> dict[str, object]:
    """A row as it was: an undefined number is null, an infinite one is written out."""
    return record | {name: READ.get(record[name], record[name]) for name in NUMBERS}


def sealed(document: bytes) -> bytes:
    """A JSON object with the digest of its bytes before them, by which damage is found.

    >>> sealed(b'{"a":1}').startswith(b'{"digest":"sha256:')
    True
    """
    return SEAL + sha256(document).hexdigest().encode() + b'",' + document[1:]


def is_saved(path: object) -> bool:
    """Whether this is the name of a file that `save` wrote, as far as its first bytes tell."""
    if not isinstance(path, (str, os.PathLike)):
        return False
    try:
        with Path(path).open("rb") as file:
            return file.read(len(SEAL)) == SEAL
    except (OSError, TypeError, ValueError):
        return False


def named_as_saved(path: object) -> bool:
    """Whether this is the name of a saved evaluation, by its ending or, under any other, by its first bytes."""
    return is_saved(path) or (isinstance(path, (str, os.PathLike)) and os.fsdecode(path).endswith(SAVED_AS))


def loaded(path: str | os.PathLike[str]) -> tuple[Outcome, KeptItems | None]:
    """The outcome kept in a .adjudge file, and the rows behind it where they were saved with it."""
    import msgspec

    document = _document(path)
    try:
        parts = {name: document[name] for name in SAVED_PARTS} | {"panels": document["panels"], "table": {"rows": []}}
        parts |= {"gate": document["gate"]} if "gate" in document else {}
        outcome = msgspec.convert(parts, Outcome)
        rows = msgspec.convert(
            [_row(one) for one in msgspec.convert(document["results"], list[dict[str, object]])], list[Row]
        )
        _check_sense(outcome.data, rows)
        items = None if document.get("items") is None else msgspec.convert(document["items"], KeptItems)
    except (msgspec.ValidationError, KeyError, TypeError, ValueError, RecursionError) as error:
        # Names of parts, which are no settings: what stands in backticks is spelled as an option on the command line.
        reason = str(error).replace("`", "'")
        raise InputError(
            f"{quoted(Path(path).name)} must be a whole saved evaluation, but part of it is damaged ({reason}). "
            "Evaluate the table again."
        ) from None
    return replace(outcome, table=ResultTable(tuple(rows))), items


def _check_sense(data: Data, rows: Iterable[Row]) -> None:
    """Refuse numbers that no evaluation gives, which only another hand can have written."""
    if not 0 <= data.used <= data.rows:
        raise ValueError(f"{data.used:,} rows were used of {data.rows:,}")
    for row in rows:
        room = NEARLY * max(1.0, abs(row.estimate))
        crossed = row.low > row.high or not (row.is_limit or _lies_within(row, room))
        if row.n < 0 or crossed:
            raise ValueError(f"{row.metric} is {row.estimate:g} in [{row.low:g}, {row.high:g}] of {row.n:,} units")


def _lies_within(row: Row, room: float) -> bool:
    """Whether an estimate is not known to lie outside of its interval."""
    return not (row.estimate < row.low - room or row.estimate > row.high + room)


def _document(path: str | os.PathLike[str]) -> dict[str, object]:
    """What the file holds, refused unless `save` wrote it and nobody changed it."""
    import msgspec

    name = quoted(Path(path_text(path)).name)
    try:
        content = whole_file(path).strip()
        document = msgspec.json.decode(content)
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name} must be a file written by `save`, but it is not. Name another.") from None
    if not isinstance(document, dict) or document.get("schema_version") != SCHEMA_VERSION or "digest" not in document:
        version = document.get("schema_version", "none") if isinstance(document, dict) else "none"
        raise InputError(
            f"{name} must be written by `save` with schema version {SCHEMA_VERSION}, "
            f"but its schema version is {quoted(version)}"
            + (" and it has no digest: is it the JSON file? " if version == SCHEMA_VERSION else ". ")
            + "Evaluate the table again."
        )
    if content != sealed(b"{" + content[len(SEAL) + 66 :]):
        raise InputError(f"{name} must be as `save` wrote it, but it was changed or damaged. Evaluate the table again.")
    return document
