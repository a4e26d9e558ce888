"""The result table in other people's formats."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from adjudge.data.values import encodable
from adjudge.errors import SettingError, listed, path_text, printable, quoted
from adjudge.evaluation.outcome import SCHEMA_VERSION, Outcome
from adjudge.evaluation.results import COLUMNS, ResultTable, Row
from adjudge.evaluation.take_away.writing import write_whole

if TYPE_CHECKING:
    import pyarrow as pa

SAVED_AS = ".adjudge"

DataFrame = Any  # of pandas or polars, which need not be installed


def to_arrow(table: ResultTable) -> pa.Table:
    """A pyarrow Table; undefined numbers are NaN."""
    import pyarrow

    return pyarrow.table({name: encodable(values) for name, values in table.columns().items()})


class AnyFrame(Protocol):
    """A table that any data-frame library can take, since it can be had as Arrow's."""

    def to_arrow(self) -> pa.Table:
        """The table as a pyarrow Table."""

    def to_pandas(self) -> DataFrame:
        """The table as a pandas DataFrame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> DataFrame:
        """The table as a polars DataFrame."""
        import importlib

        return importlib.import_module("polars").from_arrow(self.to_arrow())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)


def to_csv(table: ResultTable, *, safe: bool = False) -> str:
    """Comma-separated text with a header; undefined numbers are empty.

    Text is exact: a label may look like a formula. With `safe`, such text has an apostrophe before it, so that a
    spreadsheet does not carry it out.
    """
    rows = (["" if value is None else value for value in record.values()] for record in table.records())
    return delimited_text([COLUMNS, *([inert(cell) for cell in row] for row in rows)] if safe else [COLUMNS, *rows])


def inert(cell: object) -> object:
    """A cell for spreadsheets: an apostrophe before text that they would carry out.

    >>> inert("=1+1"), inert("a"), inert(-1)
    ("'=1+1", 'a', -1)
    """
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip()[:1] in FORMULA else cell


FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the last four are the same, full width


def delimited_text(rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    """Rows as delimited text. Cells with either line end are in quotation marks, whichever ends a row.

    >>> delimited_text([("a", 1), ("b\\rc", None)])
    'a,1\\n"b\\rc",\\n'
    """
    import csv

    lines = _Lines()
    csv.writer(lines, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    return "".join(lines)


class _Lines(list[str]):
    """What the writer writes, each line with one end: it looks for line ends in cells only if it writes them itself."""

    def write(self, line: str) -> None:
        self.append(line.removesuffix("\r\n") + "\n")


def to_latex(table: ResultTable) -> str:
    """A LaTeX tabular of the default rows: system, slice, category, metric, estimate and interval."""
    lines = [
        r"\begin{tabular}{llllrr}",
        r"system & slice & category & metric & estimate & interval \\ \hline",
    ]
    for row in table.first_methods():
        system = row.system if row.baseline is None else f"{row.system} less {row.baseline}"
        words = " & ".join(_latex(word) for word in (system, row.slice, row.category, row.metric))
        lines.append(rf"{words} & {_digits(row.estimate)} & {_limits(row)} \\")
    return "\n".join([*lines, r"\end{tabular}", ""])


def _digits(value: float) -> str:
    return "--" if math.isnan(value) else f"{value:.4f}"


def _limits(row: Row) -> str:
    return "--" if math.isnan(row.low) else f"[{row.low:.4f}, {row.high:.4f}]"


def _latex(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {character: "\\" + character for character in "&%$#_{}"}
    return "".join(special.get(character, character) for character in printable(text))


def to_json(outcome: Outcome) -> bytes:
    """The outcome for programs: schema version, task, data, settings, checks, results, and the pictures' numbers."""
    import msgspec

    data = msgspec.to_builtins(outcome.data, enc_hook=_plain)
    document = {
        "schema_version": SCHEMA_VERSION,
        "task": outcome.task,
        "data": {name: value for name, value in data.items() if name != "counted" or value},
        "settings": outcome.settings,
        "checks": outcome.checks,
        "results": outcome.table.records(),
        "panels": outcome.panels,
        **({} if outcome.gate is None else {"gate": outcome.gate}),
    }
    return msgspec.json.format(encoded(document), indent=1) + b"\n"


def encoded(document: Mapping[str, object]) -> bytes:
    """JSON of plain things, numbers of NumPy among them."""
    import msgspec

    try:
        return msgspec.json.encode(document, enc_hook=_plain)
    except UnicodeEncodeError:
        return msgspec.json.encode(encodable(msgspec.to_builtins(document, enc_hook=_plain)))


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise NotImplementedError(f"JSON has no word for {type(value).__name__}")


TABLE_FORMATS = {".csv": to_csv, ".tex": to_latex}


def write_table(table: ResultTable, path: str | os.PathLike[str]) -> Path:
    """Write the table in the format of the file's ending: .csv, .tex or .parquet."""
    ending = Path(path_text(path)).suffix.lower()
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
