"""The tables of docs/validation/regression.md: written between its markers, so that the text around them stays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from adjudge.metrics import parse
from bench.coverage_tables import DEFAULT, WANTED

Record = dict[str, Any]
NORMAL = "normal"
HEADINGS = {"defaults": "The intervals shown first", "methods": "All methods"}


def write_tables(records: list[Record], path: Path) -> None:
    """Replace the tables in the file; a file that is not there is begun with the tables alone."""
    text = path.read_text("utf-8") if path.exists() else _bare()
    for name, lines in (("defaults", _defaults(records)), ("methods", _methods(records))):
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        table = "\n".join(lines)
        text = f"{before}{begin}\n{table}\n\n{end}{after}"
    path.write_text(text, "utf-8")


def _bare() -> str:
    blocks = (f"## {title}\n\n<!-- {name} -->\n<!-- end of {name} -->\n" for name, title in HEADINGS.items())
    return "\n".join(["# Coverage of the intervals of regression\n", *blocks])


def _defaults(records: list[Record]) -> Iterator[str]:
    """One line for each metric and kind of errors."""
    chosen = [record for record in records if record["method"] == DEFAULT]
    sizes = _sizes(chosen)
    yield "| metric | default | errors | " + " | ".join(f"n = {n:,}" for n in sizes) + " |"
    yield "|---|---|---|" + "---|" * len(sizes)
    for metric, rows in _by(chosen, "metric"):
        for place, (errors, same) in enumerate(_by(rows, "errors")):
            by_n = {record["n"]: record for record in same}
            names = f"`{metric}` | `{parse(metric).intervals[0]}`" if place == 0 else " | "
            yield f"| {names} | {errors} | " + " | ".join(_share(by_n[n]["coverage"]) for n in sizes) + " |"


def _methods(records: list[Record]) -> Iterator[str]:
    """One line for each metric and method: coverage and width with normal errors, and the worst of the others."""
    chosen = [record for record in records if record["method"] != DEFAULT]
    sizes = _sizes(chosen)
    yield "| metric | method | " + " | ".join(f"n = {n:,}" for n in sizes) + " |"
    yield "|---|---|" + "---|" * len(sizes)
    for metric, rows in _by(chosen, "metric"):
        for place, (method, same) in enumerate(_by(rows, "method")):
            cells = (_cell([record for record in same if record["n"] == n]) for n in sizes)
            yield f"| {f'`{metric}`' if place == 0 else ''} | `{method}` | " + " | ".join(cells) + " |"


def _cell(records: list[Record]) -> str:
    plain = next(record for record in records if record["errors"] == NORMAL)
    worst = min(record["coverage"] for record in records if record["errors"] != NORMAL)
    return f"{_share(plain['coverage'])} ({plain['mean_width']:.2g}) / {_share(worst)}"


def _share(coverage: float) -> str:
    """A share to three decimals, in bold where it falls short."""
    text = f"{coverage:.3f}".removeprefix("0")
    return f"**{text}**" if coverage < WANTED else text


def _sizes(records: list[Record]) -> list[int]:
    return sorted({record["n"] for record in records})


def _by(records: list[Record], name: str) -> Iterator[tuple[str, list[Record]]]:
    """Records of the same kind together, kinds in the order in which they come."""
    order = list(dict.fromkeys(record[name] for record in records))
    for value, same in groupby(sorted(records, key=lambda record: order.index(record[name])), lambda r: r[name]):
        yield value, list(same)
