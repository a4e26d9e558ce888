"""Writes docs/validation/mutation.md and .csv: what became of drawn mutations."""

import ast
import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mutants import FIRST_ROOMS, ROOT

TABLE = ROOT / "docs" / "validation" / "mutation.csv"
PAGE = TABLE.with_suffix(".md")
COLUMNS = ("draw", "module", "line", "before", "after", "noticed_by", "tests_passed", "reason", "key")
SINCE = "since a test was added"
BY_HAND = "<!-- what follows is written by hand -->\n"
"""What stands after this line of the page is kept."""
WHOLE = ("9", "10", "11")
"""The last draws, which are told by room and by kind."""

Line = dict[str, str]


def _written() -> list[Line]:
    """The rows of the table as it is."""
    if not TABLE.exists():
        return []
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def report(seed: int, results: dict[str, dict[str, Any]]) -> int:
    """Write what became of every mutation of a draw; rows of other draws, and a reason beside one, are kept.

    What an earlier report of the draw gave as unnoticed, and is noticed now, is marked so. Lines are those of the
    module when the mutation was tried.
    """
    before = {row["key"]: row for row in _written() if row["draw"] == str(seed)}
    lines = [row for row in _written() if row["draw"] != str(seed)]
    for one in sorted(results.values(), key=lambda one: (one["path"], one["start"])):
        then = before.get(one["key"], {"noticed_by": one["failure"], "reason": ""})
        later = then["reason"] == SINCE or not then["noticed_by"]
        reason = (SINCE if later else "") if one["failure"] else then["reason"]
        values = [one[name] for name in ("path", "line", "before", "after", "failure")]
        values = [seed, *values, "" if one["failure"] else one["passed"], reason, one["key"]]
        lines.append(dict(zip(COLUMNS, map(str, values), strict=True)))
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    by_hand = PAGE.read_text(encoding="utf-8").partition(BY_HAND)[2] if PAGE.exists() else ""
    PAGE.write_text(_page(lines) + BY_HAND + by_hand, encoding="utf-8")
    return 0


ABOUT = """\
# Would the tests notice?

One operator or constant of the source is changed at a time, and the tests that reach it are run until one fails:
`python tools/mutate.py run --draw SEED:NUMBER`, then `python tools/mutate.py report --seed SEED`, which writes this
page and [mutation.csv](mutation.csv): every mutation with the test that noticed it, or the reason why it stayed.
Mutations are drawn in a fixed random order, two thirds of them from statistics, metrics, inference and data.

Left out of the draw by rule (`tools/mutants.py`): documentation, annotations, texts of messages, whatever raises or
asserts, `__repr__`, options of dataclasses, `strict=` of `zip`, sizes of caches and of what is worked on at a time.
Tests that need minutes (coverage of intervals, clusters of computers, browsers, the fuzzer, budgets) are not run on
mutations, so that every share is a lower bound.

"At first sight" is by tests there were when the draw was made, before anybody had looked at what it changes: the
share to expect of a line that is in no table here. "Now" counts tests written since. "Same" are mutations that no
input can tell from our program.

{tables}

"""
HEAD = """\
| {first} | drawn | noticed at first sight | noticed now | same | noticed now, of the others |
|---|---|---|---|---|---|
"""


def kind(row: Line) -> str:
    """What kind of expression was changed."""
    node = ast.parse(f"({row['before']})", mode="eval").body
    match node:
        case ast.Compare(ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()]):
            return "at exactly a bound (`<`, `<=`)"
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.IfExp():
            return "a question turned round (`==`, `in`, `not`, `if`)"
        case ast.BoolOp():
            return "`and`, `or`"
        case ast.BinOp():
            return "arithmetic"
        case ast.Constant() | ast.UnaryOp():
            return "a number, a sign, True or False"
    return "`min`, `max`, `any`, `all`"


def _room(row: Line) -> str:
    return Path(row["module"]).parts[2]


def _counted(label: str, some: list[Line]) -> str:
    killed, same = sum(bool(row["noticed_by"]) for row in some), sum(row["reason"][:5] == "same:" for row in some)
    early = sum(bool(row["noticed_by"]) and row["reason"] != SINCE for row in some)
    shares = [f"{many} ({many / len(some):.0%})" for many in (early, killed)]
    return f"| {label} | {len(some)} | {' | '.join(shares)} | {same} | {killed / max(len(some) - same, 1):.1%} |"


def _table(first: str, lines: list[Line], by: Callable[[Line], str], order: tuple[str, ...] = ()) -> str:
    parts: dict[str, list[Line]] = {label: [] for label in order}
    for row in lines:
        parts.setdefault(by(row), []).append(row)
    return HEAD.format(first=first) + "\n".join(_counted(label, some) for label, some in parts.items() if some)


def _page(lines: list[Line]) -> str:
    lines = sorted(lines, key=lambda row: int(row["draw"]))
    tables = [_table("draw", lines, lambda row: f"seed {row['draw']}")]
    for seed in WHOLE:
        if some := [row for row in lines if row["draw"] == seed]:
            tables += [f"Seed {seed}, by room and by kind:", _table("room", some, _room, FIRST_ROOMS)]
            tables.append(_table("kind", sorted(some, key=kind), kind))
    return ABOUT.format(tables="\n\n".join(tables))
