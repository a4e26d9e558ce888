"""The result table in other people's formats."""

from __future__ import annotations

import math
import os
import tempfile
from pathlib import Path
from typing import Any

from adjudge.errors import InputError, SettingError, listed, quoted
from adjudge.evaluation.outcome import SCHEMA_VERSION, Outcome
from adjudge.evaluation.results import COLUMNS, ResultTable, Row

SAVED_AS = ".adjudge"


def to_arrow(table: ResultTable) -> Any:
    """A pyarrow Table; undefined numbers are NaN."""
    import pyarrow

    return pyarrow.table({name: _encodable(values) for name, values in table.columns().items()})


def to_pandas(table: ResultTable) -> Any:
    """A pandas DataFrame."""
    return to_arrow(table).to_pandas()


def to_polars(table: ResultTable) -> Any:
    """A polars DataFrame."""
    import importlib

    return importlib.import_module("polars").from_arrow(to_arrow(table))


def to_csv(table: ResultTable) -> str:
    """Comma-separated text with a header; undefined numbers are empty."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for record in table.records():
        writer.writerow(["" if value is None else value for value in record.values()])
    return text.getvalue()


def to_latex(table: ResultTable) -> str:
    """A LaTeX tabular of the default rows: system, slice, category, metric, estimate and interval."""
    lines = [
        r"\begin{tabular}{llllrr}",
        r"system & slice & category & metric & estimate & interval \\ \hline",
    ]
    for row in table.first_methods():
        words = " & ".join(_latex(word) for word in (row.system, row.slice, row.category, row.metric))
        lines.append(rf"{words} & {_digits(row.estimate)} & {_limits(row)} \\")
    return "\n".join([*lines, r"\end{tabular}", ""])


def _digits(value: float) -> str:
    return "--" if math.isnan(value) else f"{value:.4f}"


def _limits(row: Row) -> str:
    return "--" if math.isnan(row.low) else f"[{row.low:.4f}, {row.high:.4f}]"


def _latex(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {character: "\\" + character for character in "&%$#_{}"}
    return "".join(special.get(character, character) for character in text)


def to_json(outcome: Outcome) -> bytes:
    """The outcome for programs: schema version, task, data, settings, results."""
    import msgspec

    document = {
        "schema_version": SCHEMA_VERSION,
        "task": outcome.task,
        "data": outcome.data,
        "settings": outcome.settings,
        "checks": outcome.checks,
        "results": outcome.table.records(),
    }
    return msgspec.json.format(_encoded(document), indent=1) + b"\n"


def saved(outcome: Outcome) -> bytes:
    """The whole outcome, pictures too, as it is kept in a .adjudge file."""

    parts = {name: getattr(outcome, name) for name in SAVED_PARTS}
    document = {
        "schema_version": SCHEMA_VERSION,
        **parts,
        "checks": outcome.checks,
        "results": outcome.table.records(),
        "panels": outcome.panels,
    }
    return _encoded(document)


def _encoded(document: dict[str, Any]) -> bytes:
    import msgspec

    try:
        return msgspec.json.encode(document)
    except UnicodeEncodeError:
        return msgspec.json.encode(_encodable(msgspec.to_builtins(document)))


def _encodable(value: Any) -> Any:
    """The same, with half characters (which no file can hold) written out as escapes."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(part) for key, part in value.items()}
    return [_encodable(part) for part in value] if isinstance(value, (list, tuple)) else value


SAVED_PARTS = ("task", "data", "settings", "systems", "slice_columns", "metrics")


def loaded(path: str | os.PathLike[str]) -> Outcome:
    """The outcome kept in a .adjudge file."""
    import msgspec

    try:
        document = msgspec.json.decode(Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"{quoted(path)} must be a file that can be read, but: {error.strerror}.") from None
    except msgspec.DecodeError:
        raise InputError(
            f"{quoted(Path(path).name)} must be a file written by `save`, but it is not. Name another."
        ) from None
    if not isinstance(document, dict) or document.get("schema_version") != SCHEMA_VERSION or "panels" not in document:
        version = document.get("schema_version", "none") if isinstance(document, dict) else "none"
        raise InputError(
            f"{quoted(Path(path).name)} must be written by `save` with schema version {SCHEMA_VERSION}, "
            f"but its schema version is {quoted(version)}"
            + (" and it has no pictures: is it the JSON file? " if version == SCHEMA_VERSION else ". ")
            + "Evaluate the table again."
        )
    try:
        parts = {name: document[name] for name in SAVED_PARTS} | {
            "panels": document["panels"],
            "checks": document.get("checks", []),
            "table": {"rows": []},
        }
        outcome = msgspec.convert(parts, Outcome)
        rows = tuple(_row(record) for record in document["results"])
    except (msgspec.ValidationError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{quoted(Path(path).name)} must be a whole saved evaluation, but part of it is damaged ({error}). "
            "Evaluate the table again."
        ) from None
    return Outcome(
        outcome.task,
        outcome.data,
        outcome.settings,
        outcome.systems,
        outcome.slice_columns,
        outcome.metrics,
        ResultTable(rows),
        outcome.panels,
        outcome.checks,
    )


def _row(record: dict[str, Any]) -> Row:
    numbers = {name: math.nan if record[name] is None else float(record[name]) for name in ("estimate", "low", "high")}
    return Row(**{**record, **numbers})


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> Path:
    """Write a file whole or not at all: a temporary file beside it, then a rename."""
    target = checked_output(path)
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    try:
        if target.exists() and not target.is_file():  # a pipe or a terminal: there is nothing to replace
            target.write_bytes(data)
        else:
            _replace(target.resolve(), data)
    except OSError as error:
        raise InputError(f"{quoted(target)} must be a file that can be written, but: {error.strerror}.") from None
    return target


def checked_output(path: str | os.PathLike[str]) -> Path:
    """A file that may be written, as far as can be told before."""
    target = Path(path)
    try:
        os.stat(target)
    except (OSError, ValueError) as error:
        if not isinstance(error, (FileNotFoundError, NotADirectoryError, PermissionError)):
            reason = error.strerror if isinstance(error, OSError) else error
            raise InputError(
                f"An output must be a name a file can have, but {quoted(path)} is none: {reason}."
            ) from None
    if target.is_dir():
        raise InputError(f"An output must be a file, but {quoted(path)} is a folder. Add a file name.")
    if not target.parent.is_dir():
        raise InputError(
            f"An output must be in an existing folder, but there is no {quoted(target.parent)}. Create it first."
        )
    return target


def _replace(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".adjudge-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


TABLE_FORMATS = {".csv": to_csv, ".tex": to_latex}


def write_table(table: ResultTable, path: str | os.PathLike[str]) -> Path:
    """Write the table in the format of the file's ending: .csv, .tex or .parquet."""
    ending = Path(path).suffix.lower()
    if ending == ".parquet":
        import io

        import pyarrow.parquet

        buffer = io.BytesIO()
        pyarrow.parquet.write_table(to_arrow(table), buffer)
        return write_whole(path, buffer.getvalue())
    if ending not in TABLE_FORMATS:
        raise SettingError(
            f"A table must be written as one of {listed([*TABLE_FORMATS, '.parquet'])}, not {quoted(ending)}."
        )
    return write_whole(path, TABLE_FORMATS[ending](table))
