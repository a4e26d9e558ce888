"""One case for each number: a table or a file, a question about it, and what must hold of the answer.

Tasks, roles, settings and metrics come from the declarations, so a new one joins by itself. A case is clean when it
ends in a result that passes every check, or in an `AdjudgeError` of one line.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.arguments import ARGUMENTS
from tests.fuzz.beside import BESIDE
from tests.fuzz.checks import Defect, check_message, check_outputs, check_saved_again
from tests.fuzz.commands import COMMANDS
from tests.fuzz.doors import DOORS, exchange, writable
from tests.fuzz.hands import HANDS
from tests.fuzz.questions import evaluated, metric_name, short
from tests.fuzz.tables import columns, damaged, in_file, in_memory
from tests.fuzz.values import ODD_NUMBERS, ODD_TEXTS, number, odd_value

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.evaluation.take_away.saving import SEAL, sealed
from adjudge.interop.rsmtool import run_evaluation
from adjudge.interop.rsmtool_config import DEFAULTS, REQUIRED
from adjudge.metrics.catalogue import every


def run_case(seed: int, case: int, folder: Path, only: Sequence[str] = ()) -> str:
    """Carry out one case, and tell how it ended: the kind, and "answered" or "refused"."""
    random = Random(f"{seed}/{case}")
    kinds = list(only or KINDS)
    kind = random.choices(kinds, [KINDS[one][1] for one in kinds])[0]
    # Odd texts are names of files, too.
    with chdir(folder), warnings.catch_warnings(record=True) as heard, unraised() as thrown_away:
        warnings.simplefilter("always")
        try:
            KINDS[kind][0](random, folder)
            ended = "answered"
        except AdjudgeError as error:
            check_message(str(error))
            ended = "refused"
    ours = [warning for warning in heard if not issubclass(warning.category, (ResourceWarning, DeprecationWarning))]
    ours = [warning for warning in ours if "PySpark does not yet" not in str(warning.message)]  # once, of its pandas
    if ours:
        raise Defect(f"a warning: {ours[0].category.__name__}: {ours[0].message} ({ours[0].filename}:{ours[0].lineno})")
    if thrown_away:
        raise Defect(f"an exception that nobody could raise, printed with a traceback: {thrown_away[0]}")
    return f"{kind}: {ended}"


@contextmanager
def unraised() -> Iterator[list[str]]:
    """The exceptions that Python prints and goes on after, such as those of what a library calls back."""
    met, usual = list[str](), sys.unraisablehook
    sys.unraisablehook = lambda thrown: met.append(f"{thrown.exc_value!r} in {thrown.object!r}")
    try:
        yield met
    finally:
        sys.unraisablehook = usual


def table_in_memory(random: Random, folder: Path) -> None:
    """Any frame, any task."""
    table, kinds = columns(random)
    door = random.random()
    check_outputs(random, evaluated(random, lambda: in_memory(Random(door), table), kinds))


def table_in_a_file(random: Random, folder: Path) -> None:
    """Any file, whole or damaged."""
    table, kinds = columns(random)
    path = in_file(random, table, folder, damage=0.5)
    check_outputs(random, evaluated(random, lambda: path, kinds))


def saved_evaluation(random: Random, folder: Path) -> None:
    """A file written by `save`, with parts exchanged or bytes damaged, shown in every form."""
    table, kinds = columns(random)
    path = folder / "e.adjudge"
    evaluation = evaluated(random, lambda: table, kinds)
    check_saved_again(evaluation, path)
    if random.random() < 0.3:
        path.write_bytes(damaged(random, path.read_bytes()))
    else:
        document = json.loads(b"{" + path.read_bytes()[len(SEAL) + 66 :])
        for _ in range(random.choice((1, 1, 3))):
            exchange(random, document, writable)
        path.write_bytes(sealed(json.dumps(document, default=str).encode()))
    check_outputs(random, adjudge.load(path), damaged=True)


def rsmtool_config(random: Random, folder: Path) -> None:
    """A configuration of rsmeval, some of its fields odd."""
    table, kinds = columns(random)
    table["spkitemid"] = list(range(max(map(len, table.values()), default=0)))
    path = in_file(random, table, folder, damage=0.1)
    numbers = [column for column, kind in kinds.items() if kind in ("number", "label", "place", "weight")] or list(
        kinds
    )
    others = list(kinds)
    human, system = random.sample(numbers, 2) if len(numbers) > 1 else numbers * 2
    config: dict[str, Any] = {
        "experiment_id": "fuzz",
        "predictions_file": str(path),
        "system_score_column": system,
        "human_score_column": human,
        "id_column": random.choice((*others, *["spkitemid"] * 9)),
        "trim_min": random.choice((0, 1)),
        "trim_max": random.choice((4, 6, 100)),
    }
    fields = (*REQUIRED, *DEFAULTS)
    for field in random.sample(fields, random.choice((0, 1, 2, 5))):
        config[field] = _field(random, field, others, path)
    given: Any = config
    if random.random() < 0.7:
        text = json.dumps(
            {field: short(value) if _is_odd(value) else value for field, value in config.items()}, default=str
        )
        given = folder / "config.json"
        given.write_bytes(damaged(random, text.encode()) if random.random() < 0.2 else text.encode())
    run_evaluation(given, folder / "out", True, replicates=100)


def _is_odd(value: Any) -> bool:
    """Whether JSON cannot write it."""
    try:
        json.dumps(value, default=str)
    except (ValueError, TypeError, RecursionError):
        return True
    return False


def _field(random: Random, field: str, names: list[str], path: Path) -> Any:
    usual = DEFAULTS.get(field)
    if field.endswith("_column") and field != "flag_column":
        return random.choice(names)
    choices = {
        "flag_column": {random.choice(names): [odd_value(random)]},
        "subgroups": random.sample(names, min(2, len(names))),
        "scale_with": random.choice(("asis", "raw", str(path))),
        "file_format": random.choice(("csv", "tsv", "xlsx", "jsonlines")),
        "min_n_per_group": random.choice((1, 5, "3", {})),
    }
    return random.choice((usual, choices.get(field, usual), choices.get(field, usual), odd_value(random)))


def metric_of_arrays(random: Random, folder: Path) -> None:
    """One metric of two arrays or of a matrix, as a number or with its interval."""
    metric, rows = random.choice(every()), random.choice((0, 1, 2, 3, 6, 15))
    pool = random.choice((("a", "b"), (0, 1), (1, 2, 3, 4), ("low", "mid", "high"), tuple(ODD_NUMBERS), ODD_TEXTS))

    def values() -> Any:
        if random.random() < 0.3:
            return [number(random) for _ in range(rows)]
        row = [random.choice(pool) for _ in range(rows)]
        return (
            [value if random.random() < 0.9 else odd_value(random) for value in row] if random.random() < 0.2 else row
        )

    first, second = values(), values()
    if random.random() < 0.2:
        first, second = [list(row) for row in zip(first, second, values(), strict=True)], None
    given: dict[str, Any] = {}
    if random.random() < 0.2:
        given["weights"] = [random.choice((1, 2, 0.5, 0)) for _ in range(rows)]
    if random.random() < 0.3:
        given["positive"] = random.choice((*pool, odd_value(random)))
    if random.random() < 0.5:
        value = adjudge.estimate(
            metric_name(random) if random.random() < 0.3 else metric, first, second, replicates=100, **given
        )
        low, high = value.interval.low, value.interval.high
        if not (math.isnan(low) or low <= value.value <= high):
            raise Defect(f"an interval must hold its estimate, not {value}")
    else:
        metric(first, second, **given)


KINDS: dict[str, tuple[Callable[[Random, Path], None], float]] = {
    "memory": (table_in_memory, 0.25),
    "file": (table_in_a_file, 0.16),
    "saved": (saved_evaluation, 0.07),
    "config": (rsmtool_config, 0.07),
    "arrays": (metric_of_arrays, 0.12),
    **COMMANDS,
    **DOORS,
    **BESIDE,
    **HANDS,
    **ARGUMENTS,
}
