"""The one GROUP BY that counts the cells of a table, as each warehouse writes it.

What must be the same everywhere is exact everywhere: a score's cell is floor(score · 2ᵏ), a product with a power of
two; what is missing, infinite or not a number is told apart before anything is counted; labels stay text.
"""

from __future__ import annotations

from typing import NamedTuple

from adjudge.data.cubes.grid import BEYOND, INFINITE, MISSING, CubeGrid
from adjudge.data.cubes.meaning import BAG, CELL, LARGEST, SQUARES, WEIGHTS, CubeMeaning, CubeSystem
from adjudge.errors import SettingError, check_choice, quoted


class SqlDialect(NamedTuple):
    """How a warehouse writes what differs."""

    quote: str  # around a name
    text: str  # the type of text
    number: str  # the type of a 64-bit float
    whole: str  # the type of a 32-bit whole number
    infinity: str
    not_a_number: str  # of {0}
    md5: str = "MD5({0})"  # of a text, in hexadecimal digits
    place: str = "POSITION({0} IN {1})"  # of a letter in a text, from 1 on
    slashed: bool = False  # a backslash in a text means something
    slashed_names: bool = False  # and in a name
    longest: int = 0  # bytes of a name, of which more are cut off; 0: as many as there are


DIALECTS = {
    "duckdb": SqlDialect('"', "VARCHAR", "DOUBLE", "INTEGER", "'Infinity'", "isnan({0})"),
    "spark": SqlDialect("`", "STRING", "DOUBLE", "INT", "'Infinity'", "isnan({0})", slashed=True),
    "bigquery": SqlDialect(
        "`",
        "STRING",
        "FLOAT64",
        "INT64",
        "'inf'",
        "IS_NAN({0})",
        "TO_HEX(MD5({0}))",
        "STRPOS({1}, {0})",
        slashed=True,
        slashed_names=True,
    ),
    "snowflake": SqlDialect('"', "VARCHAR", "DOUBLE", "INTEGER", "'inf'", "{0} = CAST('NaN' AS DOUBLE)", slashed=True),
    "postgres": SqlDialect('"', "TEXT", "DOUBLE PRECISION", "INTEGER", "'Infinity'", "{0} = 'NaN'", longest=63),
}


def cells_sql(meaning: CubeMeaning, table: str, dialect: str, id: str | None = None) -> str:
    """The statement whose result `adjudge cells --from-cells` evaluates; `id` tells apart rows that are in bags.

    >>> from adjudge.data.cubes.meaning import CubeSystem
    >>> meaning = CubeMeaning(task="t", reference="label", systems=(CubeSystem("m", "guess"),), slices=())
    >>> print(cells_sql(meaning, "judged", "duckdb"))
    SELECT
      CAST("label" AS VARCHAR) AS "reference",
      CAST("guess" AS VARCHAR) AS "prediction:m",
      COUNT(*) AS "n"
    FROM "judged"
    GROUP BY 1, 2
    ORDER BY 1, 2
    """
    check_choice("sql", dialect, DIALECTS)
    by = DIALECTS[dialect]
    keys = [(f"CAST({_name(one, by)} AS {by.text})", one) for one in meaning.slices]
    keys.append((f"CAST({_name(meaning.reference, by)} AS {by.text})", "reference"))
    keys += [(_decision(one, by), f"prediction:{one.name}") for one in meaning.systems if one.prediction is not None]
    sums = [("COUNT(*)", "n")]
    weight = None if meaning.weight is None else _weight(meaning.weight, by)
    if weight is not None:
        sums += [(f"SUM({weight})", WEIGHTS), (f"SUM({weight} * {weight})", SQUARES)]
    if meaning.bags:
        keys.append((_bag(str(id if meaning.cluster is None else meaning.cluster), by), BAG))
    labels = {name: label for one in meaning.systems for name, label in one.labels.items()}
    for name, column in meaning.scored.items():
        score = _number(column, by)
        keys.append((_cell(score, meaning.grid(name), by), f"{CELL}:{name}"))
        label = _text(labels.get(name, str(meaning.positive)), by)
        is_it = f"CAST({_name(meaning.reference, by)} AS {by.text}) = {label}"
        sums += _sums(score, is_it, name, by, "" if weight is None else f" * {weight}")
    columns = ",\n".join(f"  {expression} AS {_name(name, by)}" for expression, name in (*keys, *sums))
    places = ", ".join(str(place + 1) for place in range(len(keys)))
    where = ".".join(_name(part, by) for part in table.split("."))
    return f"SELECT\n{columns}\nFROM {where}\nGROUP BY {places}\nORDER BY {places}"


def _name(name: str, by: SqlDialect) -> str:
    """A name of a column or table, which may hold anything that can be read."""
    _check_readable("name", name)
    if by.longest and len(name.encode()) > by.longest:
        raise SettingError(
            f"A name must have at most {by.longest} bytes, which is all that this engine keeps, but {quoted(name)} has "
            f"{len(name.encode())}. Rename the column or system."
        )
    escaped = (
        name.replace("\\", "\\\\").replace("`", "\\`") if by.slashed_names else name.replace(by.quote, by.quote * 2)
    )
    return f"{by.quote}{escaped}{by.quote}"


def _check_readable(what: str, text: str) -> None:
    """Refuse signs that act on who reads the statement, such as line breaks and those that turn the direction."""
    if not text.isprintable():
        raise SettingError(f"A {what} must be text that SQL can show, but {quoted(text)} is not. Rename it.")


def _text(label: str, by: SqlDialect) -> str:
    """A label as a literal, which may hold anything that can be read."""
    _check_readable("label", label)
    slashed = label.replace("\\", "\\\\").replace("'", "\\'") if by.slashed else label.replace("'", "''")
    return f"'{slashed}'"


def _number(column: str, by: SqlDialect) -> str:
    return f"CAST({_name(column, by)} AS {by.number})"


def _decision(system: CubeSystem, by: SqlDialect) -> str:
    """What a system says: its own column, or the label of its largest score; of equal ones the first.

    So it is where a score is none, too: such rows are left out, but must be in the same cell everywhere.
    """
    if system.prediction != LARGEST.format(system.name):
        return f"CAST({_name(str(system.prediction), by)} AS {by.text})"
    scores = {label: _number(column, by) for label, column in system.scores.items()}
    *first, last = scores
    unusable = " OR ".join(f"NOT ({_usable(score, by)})" for score in scores.values())
    cases = [
        f"WHEN {unusable} THEN {_text(first[0], by)}",
        *(
            f"WHEN {' AND '.join(f'{scores[one]} >= {other}' for label, other in scores.items() if label != one)} "
            f"THEN {_text(one, by)}"
            for one in first
        ),
    ]
    return f"CASE {' '.join(cases)} ELSE {_text(last, by)} END"


def _infinite(score: str, by: SqlDialect) -> str:
    return f"ABS({score}) = CAST({by.infinity} AS {by.number})"


def _usable(score: str, by: SqlDialect) -> str:
    return f"{score} IS NOT NULL AND NOT ({by.not_a_number.format(score)}) AND NOT ({_infinite(score, by)})"


def _cell(score: str, grid: CubeGrid, by: SqlDialect) -> str:
    """A score's cell, one more from each edge on; what has none has a number of its own."""
    most = 2 ** (31 - grid.k) - 1
    beyond = "".join(f" + CASE WHEN {score} >= CAST({edge!r} AS {by.number}) THEN 1 ELSE 0 END" for edge in grid.edges)
    return (
        f"CASE WHEN {score} IS NULL OR {by.not_a_number.format(score)} THEN {MISSING} "
        f"WHEN {_infinite(score, by)} THEN {INFINITE} "
        f"WHEN ABS({score}) >= {most} THEN {BEYOND} "
        f"ELSE CAST(FLOOR({score} * {2**grid.k}){beyond} AS {by.whole}) END"
    )


def _weight(column: str, by: SqlDialect) -> str:
    """A row's weight; what is none makes the sum no number, which is refused when it is read."""
    weight = f"CAST({_name(column, by)} AS {by.number})"
    return f"CASE WHEN {weight} >= 0 THEN {weight} ELSE CAST('NaN' AS {by.number}) END"


def _bag(column: str, by: SqlDialect) -> str:
    """Which of 64 bags a unit is in: by the first six bits of the MD5 of its name, which every warehouse has."""
    unit = f"CAST({_name(column, by)} AS {by.text})"
    digits = [f"SUBSTR({by.md5.format(unit)}, {place}, 1)" for place in (1, 2)]
    high, low = (by.place.format(digit, "'0123456789abcdef'") for digit in digits)
    bag = f"({high} - 1) * 4 + FLOOR(({low} - 1) / 4)"
    return f"CASE WHEN {unit} IS NOT NULL THEN CAST({bag} AS {by.whole}) END"


def _sums(score: str, is_positive: str, name: str, by: SqlDialect, times: str) -> list[tuple[str, str]]:
    """Over the rows of a cell: score, surprise at what happened, squared error. NULL where none is a probability.

    `times` is what each is multiplied with, where rows have weights.
    """
    usable = _usable(score, by)
    proper = f"{usable} AND {score} >= 0 AND {score} <= 1"
    given = f"CASE WHEN {is_positive} THEN {score} ELSE 1 - {score} END"
    surprise = f"CASE WHEN {given} > 0 THEN -LN({given}) ELSE CAST({by.infinity} AS {by.number}) END"
    return [
        (f"SUM(CASE WHEN {usable} THEN ({score}){times} END)", f"score_sum:{name}"),
        (f"SUM(CASE WHEN {proper} THEN ({surprise}){times} END)", f"loss_sum:{name}"),
        (f"SUM(CASE WHEN {proper} THEN (1 - ({given})) * (1 - ({given})){times} END)", f"error_sum:{name}"),
    ]
