"""What a search of slices found, as findings of the first screen."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.evaluation.answers.screen import Remark, SpokenNumber
from adjudge.evaluation.outcome import Outcome

FOUND = "Slices that were searched for"
CHANCE = "What chance alone finds"
SHOWN = ("confirmed", "shown")


def search_remarks(outcome: Outcome) -> Iterator[Remark]:
    """The worst slice that is confirmed, or that none is."""
    table = outcome.panels.table(FOUND)
    if table is None or not table.columns:
        return
    records = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    shown = [record for record in records if record["verdict"] in SHOWN]
    if not shown:
        yield Remark("searched", "no slice is shown to fail more than the rest", rank=3)
        return
    first = shown[0]
    share = table.columns[4] == "failing"
    numbers = [first[table.columns[place]] for place in (4, 5, 6, 7)]
    value, low, high, rest = (float(n) if isinstance(n, int | float) else float("nan") for n in numbers)
    unit = "share" if share else "coefficient"
    name = str(first["slice"]).replace("{", "{{").replace("}", "}}")
    more = f"; {len(shown) - 1} more" if len(shown) > 1 else ""
    words = "failing" if share else table.columns[4].replace("{", "{{").replace("}", "}}")
    figures = {"here": SpokenNumber(value, low, high, unit), "rest": SpokenNumber(rest, unit=unit)}
    text = f"{name}: {{here}} {words}, {{rest_value}} for the rest ({first['verdict']}{more})"
    yield Remark("searched", text, figures, "beyond", rank=2)
