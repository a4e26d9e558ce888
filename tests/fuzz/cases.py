"""One case for each number: a table or a file, a question about it, and what must hold of the answer.

Tasks, roles, settings and metrics come from the declarations, so a new one joins by itself. A case is clean when it
ends in a result that passes every check, or in an `AdjudgeError` of one line.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from tests.fuzz.tables import columns, damaged, in_file, in_memory
from tests.fuzz.values import ODD_NUMBERS, ODD_TEXTS, name, number, odd_value

import adjudge
from adjudge.cli.main import main
from adjudge.errors import AdjudgeError
from adjudge.evaluation.arguments import SHARED
from adjudge.evaluation.declaration import Role, Setting, Task
from adjudge.evaluation.exports import to_csv, to_json, to_latex
from adjudge.evaluation.saving import SEAL, loaded, saved, sealed
from adjudge.interop.rsmtool import run_evaluation
from adjudge.interop.rsmtool_config import DEFAULTS, REQUIRED
from adjudge.metrics.catalogue import every
from adjudge.report import html, markdown, terminal
from adjudge.tasks import task_named, task_names

# What a role is for, by the words of its declaration; all other roles take what the table is mostly about.
MEANT = (
    (r"weights", ("weight",)),
    (r"place of|place after", ("place",)),
    (r"scores|numbers|ends of", ("number", "number", "label")),
    (r"names|resample|level by level|batches|whose", ("name", "name", "label")),
)
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class Defect(AssertionError):
    """What must hold of an answer does not."""


def run_case(seed: int, case: int, folder: Path) -> str:
    """Carry out one case, and tell how it ended: the kind, and "answered" or "refused"."""
    random = Random(f"{seed}/{case}")
    kind = random.choices(list(KINDS), [weight for _, weight in KINDS.values()])[0]
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            KINDS[kind][0](random, folder)
            ended = "answered"
        except AdjudgeError as error:
            _check_message(str(error))
            ended = "refused"
    ours = [warning for warning in heard if not issubclass(warning.category, (ResourceWarning, DeprecationWarning))]
    if ours:
        raise Defect(f"a warning: {ours[0].category.__name__}: {ours[0].message} ({ours[0].filename}:{ours[0].lineno})")
    return f"{kind}: {ended}"


def _check_message(message: str) -> None:
    if not message or "\n" in message or UNSAFE.search(message) or message[-1] not in ".?!":
        raise Defect(f"a refusal must be one line of safe text, not {message!r}")
    if len(message) > 3000:
        raise Defect(f"a refusal must be short, not {len(message)} characters: {message[:300]!r}")


# What may be asked


def _question(random: Random, task: Task, kinds: Mapping[str, str]) -> dict[str, Any]:
    """Roles and settings for a table whose columns are of these kinds."""
    mostly = random.choice(list(kinds.values())) if random.random() < 0.3 else "label"
    given: dict[str, Any] = {}
    plain = random.random() < 0.5
    for role in task.roles:
        likely = 1.0 if role.required else 0.5 if role.many else 0.05 if plain else 0.2
        if random.random() < likely:
            given[role.name] = _columns_for(random, role, _free(random, given, kinds), mostly)
    settings = (*task.settings, *SHARED)
    for setting in settings:  # one in two cases, or one or two, however many there are
        if random.random() < (0.5 if plain else 1.5) / len(settings):
            given[setting.name] = _setting(random, setting, task)
    given.setdefault("replicates", 100)
    return given


def _free(random: Random, given: Mapping[str, Any], kinds: Mapping[str, str]) -> Mapping[str, str]:
    """The columns that have no role yet, mostly."""
    taken = [
        column
        for value in given.values()
        for column in (value if isinstance(value, list) else [value])
        if isinstance(column, str)
    ]
    free = {column: kind for column, kind in kinds.items() if column not in taken}
    return free if free and random.random() < 0.95 else kinds


def _columns_for(random: Random, role: Role, kinds: Mapping[str, str], mostly: str) -> Any:
    fit = next((kinds_meant for words, kinds_meant in MEANT if re.search(words, role.help)), (mostly,))
    likely = [column for column, kind in kinds.items() if kind in fit]
    pool = likely if likely and random.random() < 0.9 else list(kinds)

    def one() -> Any:
        return random.choice(pool) if random.random() < 0.97 else random.choice((name(random), odd_value(random)))

    if not role.many or random.random() < 0.2:
        return one()
    several = (
        random.sample(pool, min(len(pool), random.choice((1, 2, 2, 2, 3)))) if random.random() < 0.9 else [one()] * 2
    )
    if role.form == "scores" and random.random() < 0.3:
        return {label: one() for label in random.sample(("a", "b", "c", 0, 1, "0", "1"), 2)}
    return (
        [*several, f"{_short(one())} × {_short(one())}"] if role.name == "slices" and random.random() < 0.3 else several
    )


def _setting(random: Random, setting: Setting, task: Task) -> Any:
    if random.random() < 0.15:
        return odd_value(random)
    words = re.findall(r"[a-z_0-9]{3,}", setting.help)
    if setting.name == "metrics":
        return [_metric_name(random, task) for _ in range(random.choice((1, 2)))]
    if setting.name == "replicates":
        return random.choice((100, 101, 150, 99, 0, -1, 10**7, 10**30))
    if setting.kind in (int, float):
        return random.choice((number(random), random.choice(ODD_NUMBERS), random.randrange(7)))
    if setting.form in ("named", "scaling"):
        return {random.choice(words): random.choice(ODD_NUMBERS) for _ in range(random.choice((1, 4)))}
    if setting.form in ("labels", "label"):
        return random.choice(
            (["a", "b", "c", "d"], ["low", "mid", "high"], [1, 2, 3, 4, 5], "a", 1, random.choice(words))
        )
    return random.choice(words) if words and random.random() < 0.8 else random.choice(ODD_TEXTS)


def _metric_name(random: Random, task: Task | None = None) -> str:
    metric = random.choice(task.metrics if task is not None and random.random() < 0.8 else every())
    parameters = {key: value for key, value in (metric.formula.__kwdefaults__ or {}).items() if random.random() < 0.4}
    parameters = {
        key: random.choice((value, odd_value(random), random.randrange(3))) for key, value in parameters.items()
    }
    if metric.per == "category" and random.random() < 0.4:
        parameters["average"] = random.choice(("macro", "micro", "weighted", "none"))
    inside = ", ".join(f"{key}={_short(value)}" for key, value in parameters.items())
    return f"{metric.name}({inside})" if inside else metric.name


def _short(value: Any) -> str:
    try:
        return str(value)
    except (ValueError, RecursionError):
        return "9" * 5000


# Kinds of cases


def _evaluated(random: Random, table: Callable[[], Any], kinds: Mapping[str, str]) -> adjudge.Evaluation:
    """An evaluation of the table; where it is refused, the question is changed as the refusal says, a few times."""
    task = task_named(random.choice(task_names()))
    question = _question(random, task, kinds)
    for _ in range(random.choice((0, 8, 16))):
        try:
            return _twice(random, table, task, question)
        except AdjudgeError as error:
            _check_message(str(error))
            question = _followed(random, str(error), question, task, kinds)
    return _twice(random, table, task, question)


def _twice(random: Random, table: Callable[[], Any], task: Task, question: dict[str, Any]) -> adjudge.Evaluation:
    evaluation = adjudge.evaluate(table(), task.name, **question)
    if random.random() < 0.1:
        second = adjudge.evaluate(table(), task.name, **question)
        if saved(second.outcome) != saved(evaluation.outcome):
            raise Defect("the same question twice must give the same bytes")
    return evaluation


def _followed(
    random: Random, refusal: str, question: dict[str, Any], task: Task, kinds: Mapping[str, str]
) -> dict[str, Any]:
    """The question with what the refusal names in backticks left out, given, or given anew."""
    roles, named = {role.name: role for role in task.roles}, re.findall(r"`(\w+)`", refusal)
    changed = dict(question)
    if "give ok=" in refusal:
        return changed | {"ok": re.findall(r"\bC\d+\b", refusal)}
    if not named:
        named = [one for one in question if random.random() < 0.4]
    for one in dict.fromkeys(named):
        if "left out" in refusal or one not in roles or (one in question and random.random() < 0.3):
            changed.pop(one, None)
        if one in roles and (roles[one].required or one not in question or one in changed):
            others = {name: value for name, value in changed.items() if name != one}
            changed[one] = _columns_for(random, roles[one], _free(random, others, kinds), "label")
    return {"replicates": 100} | changed


def table_in_memory(random: Random, folder: Path) -> None:
    """Any frame, any task."""
    table, kinds = columns(random)
    door = random.random()
    check_outputs(random, _evaluated(random, lambda: in_memory(Random(door), table), kinds))


def table_in_a_file(random: Random, folder: Path) -> None:
    """Any file, whole or damaged."""
    table, kinds = columns(random)
    path = in_file(random, table, folder, damage=0.5)
    check_outputs(random, _evaluated(random, lambda: path, kinds))


def saved_evaluation(random: Random, folder: Path) -> None:
    """A file written by `save`, with parts exchanged or bytes damaged, shown in every form."""
    table, kinds = columns(random)
    path = folder / "e.adjudge"
    evaluation = _evaluated(random, lambda: table, kinds)
    check_saved_again(evaluation, path)
    if random.random() < 0.3:
        path.write_bytes(damaged(random, path.read_bytes()))
    else:
        document = json.loads(b"{" + path.read_bytes()[len(SEAL) + 66 :])
        for _ in range(random.choice((1, 1, 3))):
            _exchange(random, document)
        path.write_bytes(sealed(json.dumps(document, default=str).encode()))
    check_outputs(random, adjudge.load(path), damaged=True)


def _exchange(random: Random, document: Any) -> None:
    """Put something else in one place of nested lists and dictionaries, or leave it out."""
    place = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = random.choice(keys)
        inside = place[key]
        if isinstance(inside, (dict, list)) and inside and random.random() < 0.8:
            place = inside
            continue
        if random.random() < 0.2:
            del place[key]
        else:
            odd = "9" * 5000 if _is_odd(odd := odd_value(random)) else odd
            others = (odd if isinstance(odd, (str, int, float)) else None, None, [], {}, -1, 10**30, inside)
            place[key] = random.choice(others)
        return


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
            {field: _short(value) if _is_odd(value) else value for field, value in config.items()}, default=str
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
            _metric_name(random) if random.random() < 0.3 else metric, first, second, replicates=100, **given
        )
        low, high = value.interval.low, value.interval.high
        if not (math.isnan(low) or low <= value.value <= high):
            raise Defect(f"an interval must hold its estimate, not {value}")
    else:
        metric(first, second, **given)


def typed_command(random: Random, folder: Path) -> None:
    """A command as it is typed, with files to write."""
    table, kinds = columns(random)
    task = task_named(random.choice(task_names()))
    words = [task.name, str(in_file(random, table, folder, damage=0.1))]
    for option, value in _question(random, task, kinds).items():
        several = (
            value
            if isinstance(value, list)
            else [f"{key}={_short(part)}" for key, part in value.items()]
            if isinstance(value, dict)
            else [value]
        )
        words += [f"--{option.replace('_', '-')}", *map(_short, several)]
    for option in ("html", "json", "csv", "markdown", "save"):
        if random.random() < 0.3:
            words += [f"--{option}", str(folder / f"out.{option}")]
    if random.random() < 0.1:
        words[random.randrange(len(words))] = random.choice(ODD_TEXTS)
    out, err = io.StringIO(), io.StringIO()
    from contextlib import redirect_stderr, redirect_stdout

    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else -1
    if code not in (0, 2) or (code == 2) != bool(err.getvalue()):
        raise Defect(f"exit code {code} with {err.getvalue()!r}")
    _check_printed(out.getvalue())
    if code == 2:
        _check_message(err.getvalue().removesuffix("\n"))
        if list(folder.glob("out.*")):
            raise Defect("a command that is refused must write nothing")
        raise AdjudgeError(err.getvalue().strip())


KINDS: dict[str, tuple[Callable[[Random, Path], None], float]] = {
    "memory": (table_in_memory, 0.34),
    "file": (table_in_a_file, 0.22),
    "saved": (saved_evaluation, 0.1),
    "config": (rsmtool_config, 0.1),
    "arrays": (metric_of_arrays, 0.16),
    "command": (typed_command, 0.08),
}


# What must hold


def check_outputs(random: Random, evaluation: adjudge.Evaluation, *, damaged: bool = False) -> None:
    """Every form of an evaluation can be had, is well-formed, and holds no character that acts on its reader."""
    outcome = evaluation.outcome
    json.loads(to_json(outcome), parse_constant=_refuse_constant)
    content = saved(outcome)
    json.loads(content, parse_constant=_refuse_constant)
    rows = list(csv.reader(io.StringIO(to_csv(outcome.table), newline="")))
    if any(len(row) != len(rows[0]) for row in rows) or len(rows) != len(outcome.table) + 1:
        raise Defect("a CSV file must read back row by row")
    for row in () if damaged else outcome.table:
        if row.low > row.estimate or row.estimate > row.high:
            raise Defect(f"an interval must hold its estimate, not {row}")
        if math.isnan(row.estimate) and not row.note:
            raise Defect(f"what is undefined must say why: {row}")
    repr(evaluation)
    if random.random() < 0.3:
        shown = io.StringIO()
        everything = random.random() < 0.5
        terminal.render(evaluation.summary, Console(file=shown, width=80, color_system=None), everything=everything)
        _check_printed(shown.getvalue())
        _check_printed(markdown.render(evaluation.summary))
        _check_printed(to_latex(outcome.table))
    if random.random() < 0.1:
        html.render(evaluation.summary)


def _check_printed(text: str) -> None:
    if unsafe := UNSAFE.search(text.replace("\u200d", "")):
        raise Defect(
            f"what is printed must be safe, but {unsafe[0]!r} is in {text[max(0, unsafe.start() - 40) :][:80]!r}"
        )


def _refuse_constant(constant: str) -> Any:
    raise Defect(f"JSON has no {constant}")


def check_saved_again(evaluation: adjudge.Evaluation, path: Path) -> None:
    """What is saved comes back whole."""
    evaluation.save(path)
    if saved(*loaded(path)) != path.read_bytes():
        raise Defect("what is saved must come back whole")
