"""Tables as files of text, as tests give them to the command line."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def csv_file(path: Path, columns: Mapping[str, Iterable[Any]], delimiter: str = ",") -> Path:
    """A table in a file, a cell without a value empty."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path
