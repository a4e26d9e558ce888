"""The tables of docs/validation/coverage.md: written between its markers, so that the text around them stays."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from adjudge.metrics import parse
from bench.coverage_agreement import AGREEMENT_METRICS, FOUR, MISSING, PAIR, PAIR_OF_FIVE, UNDECLARED

Record = dict[str, Any]
WANTED = 0.92
DEFAULT = "default"
FEWEST = 50  # intervals that a share is worth showing for
ORDER = ("two categories", "scores", "five categories", *AGREEMENT_METRICS)
HEADINGS = {
    "defaults": "The intervals shown first",
    "methods": "All methods",
    "agreement defaults": "Agreement: the intervals shown first",
    "agreement methods": "Agreement: all methods",
}
# Designs that share their lines in the table of methods, and how the shared lines tell them apart.
SHARED = {MISSING: (FOUR, ", missing"), UNDECLARED: (FOUR, ", missing, not declared")}
WHERE = {"five categories": ", five categories", PAIR: ", two categories", PAIR_OF_FIVE: ", five categories"}


def write_tables(records: list[Record], path: Path) -> None:
    """Replace the tables in the file; a file that is not there is begun with the tables alone."""
    text = path.read_text("utf-8") if path.exists() else _bare()
    for name in HEADINGS:
        part = [r for r in records if (r["design"] in AGREEMENT_METRICS) == name.startswith("agreement")]
        table = "\n".join((_defaults if name.endswith("defaults") else _methods)(part))
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{table}\n\n{end}{after}"
    path.write_text(text, "utf-8")


def _bare() -> str:
    blocks = (f"## {title}\n\n<!-- {name} -->\n<!-- end of {name} -->\n" for name, title in HEADINGS.items())
    return "\n".join(["# Coverage of the intervals\n", *blocks])


def _defaults(records: list[Record]) -> Iterator[str]:
    """One line for each metric and prevalence; in each cell the two qualities, or the smaller and the larger kappa."""
    chosen = [record for record in _by_design(records) if record["method"] == DEFAULT]
    sizes = sorted({record["n"] for record in chosen})
    yield "| metric | default | prevalence | " + " | ".join(f"n = {n:,}" for n in sizes) + " |"
    yield "|---|---|---|" + "---|" * len(sizes)
    for what, rows in _grouped(chosen, "place", "design", "metric", "category"):
        for place, (prevalence, same) in enumerate(_grouped(rows, "prevalence")):
            by_n = dict(_grouped(same, "n"))
            cells = (" / ".join(_share(r) for r in _sorted(by_n.get((n,), []), "quality")) for n in sizes)
            names = f"{_title(*what[1:])} | {_method(what[2])}" if place == 0 else " | "
            yield f"| {names} | {prevalence[0]:g} | " + " | ".join(cells) + " |"


def _methods(records: list[Record]) -> Iterator[str]:
    """One line for each metric and method: where it does worst, how often it has no answer, how wide it is."""
    columns = ("worst, n ≥ 50", "at n, prevalence, quality", "worst, n = 20", "no interval", "zero width", "width")
    yield "| metric | method | " + " | ".join(columns) + " |"
    yield "|---|---|" + "---|" * len(columns)
    widths = {_place(r): r["mean_width"] for r in records if r["method"] == DEFAULT}
    joined = [{**r, "relative": _ratio(r["mean_width"], widths.get(_place(r), 0))} for r in records]
    joined = [{**r, "design": SHARED.get(r["design"], (r["design"], ""))[0], "of": r["design"]} for r in joined]
    for what, rows in _grouped(_by_design(joined), "place", "design", "metric", "category"):
        for place, (method, same) in enumerate(_grouped([r for r in rows if r["method"] != DEFAULT], "method")):
            yield f"| {_title(*what[1:]) if place == 0 else ''} | {method[0]} | " + " | ".join(_summary(same)) + " |"


def _summary(same: list[Record]) -> Iterator[str]:
    """The cells of one method's line."""
    large, small = ([r for r in same if (r["n"] >= 50) == big and _worth(r)] for big in (True, False))
    worst = min(large, key=lambda r: r["coverage"], default=None)
    yield _share(worst)
    told = ("", "") if worst is None else SHARED.get(worst["of"], ("", ""))
    yield f"{worst['n']:,}, {worst['prevalence']:g}, {worst['quality']}{told[1]}" if worst else "–"
    yield _share(min(small, key=lambda r: r["coverage"], default=None))
    yield _percent(max((1 - r["with_interval"] for r in large), default=math.nan))
    yield _percent(max((r["zero_width"] for r in large), default=math.nan))
    ratios = [r["relative"] for r in large if not math.isnan(r["relative"])]
    yield f"{sum(ratios) / len(ratios):.2f}" if ratios else "–"


def _ratio(width: float, usual: float) -> float:
    return width / usual if usual > 0 else math.nan


def _method(name: str) -> str:
    """The method whose answer is shown first."""
    metric = parse(name)
    if metric.average is None:
        return metric.intervals[0]
    return next(method for method in metric.intervals if method not in ("wilson", "clopper_pearson"))


def _by_design(records: list[Record]) -> list[Record]:
    return [{**record, "place": ORDER.index(record["design"])} for record in records]


def _place(record: Record) -> tuple[Any, ...]:
    return tuple(record[key] for key in ("design", "metric", "category", "n", "prevalence", "quality"))


def _sorted(records: list[Record], *keys: str) -> list[Record]:
    return sorted(records, key=lambda record: tuple(record[key] for key in keys))


def _grouped(records: list[Record], *keys: str) -> Iterator[tuple[tuple[Any, ...], list[Record]]]:
    for key, group in groupby(_sorted(records, *keys), key=lambda record: tuple(record[key] for key in keys)):
        yield key, list(group)


def _title(design: str, metric: str, category: str) -> str:
    raters = design.removeprefix("four raters") if design in (MISSING, UNDECLARED) else ""
    where = WHERE.get(design, f", {category} category" if category else raters)
    return f"{parse(metric).full_label}{where}"


def _worth(record: Record) -> bool:
    return bool((record["samples"] - record["undefined"]) * record["with_interval"] >= FEWEST)


def _share(record: Record | None) -> str:
    if record is None or not _worth(record):
        return "–"
    shown = f"{record['coverage']:.3f}"[1:] if record["coverage"] < 0.9995 else "1.00"
    return f"**{shown}**" if round(record["coverage"], 4) < WANTED else shown


def _percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{share:.0%}"
