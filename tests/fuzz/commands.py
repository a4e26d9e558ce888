"""Commands as they are typed: every door of the command line, with files to read and to write."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.fuzz.checks import Defect, check_message, check_printed
from tests.fuzz.exports import EXPORTS, SIGNATURES, changed, mangled
from tests.fuzz.questions import columns_for, metric_name, question_for, setting_of, short
from tests.fuzz.tables import Columns, columns, damaged, in_file, tidy_columns
from tests.fuzz.values import ODD_NUMBERS, ODD_TEXTS, name, number, odd_value

from adjudge.cli.main import main
from adjudge.data.formats import importers
from adjudge.errors import AdjudgeError
from adjudge.evaluation.asking.arguments import SHARED
from adjudge.evaluation.declaration import Task
from adjudge.metrics.base import Direction
from adjudge.tasks import task_named, task_names


def run_command(
    random: Random, words: Sequence[Any], folder: Path, *, verdicts: bool = False, notes: bool = False
) -> None:
    """Run it as typed, now and then with an odd word in it; a refusal writes nothing and says one sentence."""
    typed = [short(word) for word in words]
    if random.random() < 0.05:
        typed[random.randrange(len(typed))] = random.choice(ODD_TEXTS)
    before = {path: path.read_bytes() for path in folder.glob("out*") if path.is_file()}
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(typed)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else -1
    said = code == 2 if not notes or code == 2 else bool(err.getvalue())  # notes may stand beside an answer
    if code not in ((0, 1, 2, 3) if verdicts else (0, 2)) or said != bool(err.getvalue()):
        raise Defect(f"exit code {code} with {err.getvalue()!r}")
    check_printed(out.getvalue())
    if code == 2:
        check_message(err.getvalue().removesuffix("\n"))
        if {path: path.read_bytes() for path in folder.glob("out*") if path.suffix != ".junit"} != before:
            raise Defect("a command that is refused must write nothing")
        raise AdjudgeError(err.getvalue().strip())


def _options(question: dict[str, Any]) -> list[Any]:
    """Roles and settings as options."""
    words: list[Any] = []
    for option, value in question.items():
        several = (
            value
            if isinstance(value, list)
            else [f"{key}={short(part)}" for key, part in value.items()]
            if isinstance(value, dict)
            else [value]
        )
        words += [f"--{option.replace('_', '-')}", *several]
    return words


def outputs(random: Random, folder: Path, endings: Sequence[str], share: float = 0.2) -> list[str]:
    """Some of the files that a command can write; a page, which takes longest, seldom."""
    return [
        word
        for ending in endings
        if random.random() < (share / 4 if ending == "html" else share)
        for word in (f"--{ending}", str(folder / f"out.{ending}"))
    ]


def _taken(random: Random, task: Task, folder: Path) -> list[str]:
    """Tables that a task offers to take away, queues among them."""
    words = []
    for one in (*(taken.name for taken in task.takes_away), "flags"):
        if random.random() < 0.5:
            words += [
                f"--{one}",
                str(
                    folder
                    / f"out-{one}{random.choice(('.csv', '.safe.csv', '.tsv', '.jsonl', '.parquet', '.parquet', '.x'))}"
                ),
            ]
    return words


FILES = ("html", "json", "csv", "safe-csv", "markdown", "save")


def task_command(random: Random, folder: Path) -> None:
    """A task, whatever is asked of it."""
    table, kinds = columns(random)
    task = task_named(random.choice(task_names()))
    words = [task.name, in_file(random, table, folder, damage=0.1), *_options(question_for(random, task, kinds))]
    run_command(random, [*words, *outputs(random, folder, FILES)], folder)


class Likely(NamedTuple):
    """A task with a table and a question that it mostly answers, and the command that asks it."""

    task: Task
    words: list[Any]
    question: dict[str, Any]
    table: Columns

    @property
    def kinds(self) -> dict[str, str]:
        """Its columns."""
        return dict.fromkeys(self.table, "name")

    @property
    def systems(self) -> list[str]:
        """What is measured, by the names of columns."""
        given = [self.question.get(role) for role in ("prediction", "score", "raters", "systems", "annotators")]
        return [short(one) for value in given if isinstance(value, (list, dict)) for one in value] or ["new"]


def likely_question(random: Random, folder: Path) -> Likely:
    """Some rows of a task's bundled table in a file, with a question that they mostly answer."""
    table, demo, name = tidy_columns(random)
    task = task_named(name)
    question = deepcopy(dict(demo.given)) | {"replicates": 100}
    settings = (*task.settings, *SHARED)
    if random.random() < 0.7:  # few metrics, so that most cases are short
        question["metrics"] = [random.choice(task.metrics).name for _ in range(random.choice((1, 2)))]
    for setting in random.sample(settings, random.choice((0, 0, 0, 0, 0, 1, 2))):
        question[setting.name] = setting_of(random, setting, task)
    if random.random() < 0.1:
        role = random.choice([role for role in task.roles if not role.required])
        question[role.name] = columns_for(random, role, dict.fromkeys(table, "name"), "name")
    path = in_file(random, table, folder, damage=0.03)
    return Likely(task, [task.name, path, *_options(question)], question, table)


def taken_away(random: Random, folder: Path) -> None:
    """Items, queues, consensus, flags and cubes; a queue becomes tasks for another tool."""
    likely = likely_question(random, folder)
    task, words, kinds = likely.task, likely.words, likely.kinds
    if task.cells is not None and random.random() < 0.5:
        return _cube(random, words, kinds, folder)
    extra = ["--with-items", "--save", folder / "out.save"] if random.random() < 0.2 else []
    run_command(
        random, [*words, *_taken(random, task, folder), *extra, *outputs(random, folder, FILES[:5], 0.1)], folder
    )
    for queue in folder.glob("out-*"):
        if random.random() < 0.3:
            queue.write_bytes(damaged(random, queue.read_bytes()))
        if random.random() < 0.5:
            tool = random.choice(("label-studio", "prodigy", "doccano", "argilla"))
            words = ["convert", queue, "--tasks-for", tool, "--to", folder / "out.tasks.jsonl"]
            run_command(random, [*words, *random.choice(([], ["--shown"], ["--with-text"]))], folder)
    return None


def _cube(random: Random, words: list[Any], kinds: dict[str, str], folder: Path) -> None:
    """Cubes, added and evaluated by other slices."""
    first, second, merged = (folder / f"out{place}.cube.parquet" for place in range(3))
    run_command(random, [*words, "--save-cube", first], folder)
    if not first.exists():  # an odd word stood where its name was to be
        return
    shutil.copy(first, second)
    if random.random() < 0.3:
        second.write_bytes(damaged(random, second.read_bytes()))
    least = ["--min-cell", random.choice((1, 2, 5, 0, -1, 10**9, "x"))] if random.random() < 0.5 else []
    cubes, share = random.choice(([first], [second], [first, second])), random.choice(([], ["--share"]))
    run_command(random, ["merge", *cubes, "--save-cube", merged, *least, *share], folder)
    slices = random.sample(list(kinds), min(len(kinds), random.choice((0, 1, 2))))
    where = [f"{random.choice(list(kinds))}={random.choice(('a', 'n1', '1', ''))}"] if random.random() < 0.3 else []
    asked = [*(["--slices", *slices] if slices else []), *(["--where", *where] if where else []), "--replicates", 100]
    run_command(random, ["reslice", merged, *asked, *outputs(random, folder, FILES[:5], 0.2)], folder)


def compared(random: Random, folder: Path) -> None:
    """Systems of one table, tables joined by an id, or evaluations that were saved."""
    likely = likely_question(random, folder)
    task, words, question, table = likely.task, likely.words, likely.question, likely.table
    way = random.random()
    if way < 0.35:
        given = ["compare", words[1], "--task", task.name, *words[2:]]
        return run_command(random, [*given, *outputs(random, folder, FILES)], folder)
    if way < 0.65:
        saves = [folder / "one.adjudge", folder / "two.adjudge"]
        items = random.choice(([], ["--with-items"]))
        for save in saves:
            run_command(random, [*words, "--save", save, *items, "--quiet"], folder)
        if random.random() < 0.2 and saves[1].exists():  # not where the evaluation was refused
            saves[1].write_bytes(damaged(random, saves[1].read_bytes()))
        names = ["--names", name(random), name(random)] if random.random() < 0.4 else []
        more = ["--replicates", 100] if random.random() < 0.2 else []
        given = ["compare", *saves, "--task", task.name, *names, *more]
        return run_command(random, [*given, *outputs(random, folder, FILES[:5])], folder)
    rows = len(next(iter(table.values()), []))
    others = folder / "other"
    others.mkdir()
    order = list(range(rows))
    random.shuffle(order)
    numbered = table | {"id": list(range(rows))}
    first = in_file(random, numbered, folder, damage=0.0)
    kept = order[: max(1, rows - random.choice((0, 0, 1, 3)))]
    mixed = {column: [cells[row] for row in kept] for column, cells in numbered.items()}
    second = in_file(random, mixed, others, damage=0.05)
    names = ["--names", "one", "two"] if random.random() < 0.8 else []
    ids = ["--id", random.choice(("id", "id", "id", *table))] if random.random() < 0.9 else []
    given = [
        "compare",
        first,
        second,
        "--task",
        task.name,
        *ids,
        *names,
        *_options({k: v for k, v in question.items() if k != "id"}),
    ]
    return run_command(random, [*given, *outputs(random, folder, FILES[:5])], folder)


# Requirements


def requirement(random: Random, likely: Likely) -> str:
    """One line of what must hold, mostly well formed."""
    declared = random.choice(likely.task.metrics)
    metric = declared.name if random.random() < 0.8 else metric_name(random, likely.task)
    column = f'"{random.choice(list(likely.table))}"'
    bound = random.choice((0.5, 0, 1, 0.9, 0.01, number(random), random.choice(ODD_NUMBERS)))
    system, other = (f'"{random.choice(likely.systems)}"' for _ in range(2))
    if random.random() < 0.1:
        system, column = random.choice(("new", "candidate", "all", name(random))), random.choice(("x", "a b"))
    sign = "<=" if declared.direction is Direction.LOWER else ">="
    if random.random() < 0.1:
        sign = random.choice((">=", "<=", ">", "==", "=>"))
    of = f" of {system}" if random.random() < 0.5 else ""
    category = f'["{random.choice(("spam", "ham", "joy", "1"))}"]' if random.random() < 0.2 else ""
    level = random.choice(likely.table[column.strip('"')] or [""]) if column.strip('"') in likely.table else "x"
    forms = (
        f"{metric}{category}{of} {sign} {short(bound)}",
        f"{metric}{category}{of} {sign} {short(bound)}",
        f'{metric}{category}{of} {sign} {short(bound)} where {column} = "{short(level)}"',
        f"{metric} of {system} >= {other} - {short(bound)}{random.choice(('', '%'))}",
        f"{metric} of {system} within {short(bound)} of {other}",
        f"{metric}{of} between {short(bound)} and {short(number(random))}",
        f"every {column}: {metric}{category}{of} {sign} {short(bound)}",
        f"gap({metric}, {column}){of} <= {short(bound)}",
        f"p{random.choice((95, 50, 99, 0, 100, 101))}({column}) {sign} {short(bound)}",
        f"mean({column}) {sign} {short(bound)}",
        f"negative_flip_rate of {system} against {other} <= {short(bound)}",
    )
    text = random.choice(forms)
    if random.random() < 0.05:
        place = random.randrange(len(text) + 1)
        text = text[:place] + random.choice(ODD_TEXTS)[:50] + text[place + 1 :]
    return text


def required(random: Random, folder: Path) -> None:
    """Requirements beside a task."""
    likely = likely_question(random, folder)
    asked = [requirement(random, likely) for _ in range(random.choice((1, 1, 2, 4)))]
    given = [*likely.words, "--require", *asked, *outputs(random, folder, FILES)]
    run_command(random, given, folder, verdicts=True)


KEYS = (
    "category",
    "average",
    "system",
    "at_least",
    "at_most",
    "between",
    "versus",
    "claim",
    "margin",
    "relative",
    "slice",
    "every",
    "gap",
    "confidence",
    "false_alarm",
    "minimum_n",
    "undecided",
    "must",
    "when",
    "column",
    "judge",
    "looks",
    "reuse",
    "anyway",
    "name",
    "owner",
    "reason",
    "link",
    "characteristic",
    "unknown",
)


def _record(random: Random, likely: Likely) -> Any:
    """A requirement as a table of keys."""
    if random.random() < 0.3:
        return requirement(random, likely)
    record: dict[str, Any] = {
        "metric": random.choice(
            (metric_name(random, likely.task), "accuracy", random.choice(likely.task.metrics).name)
        ),
        random.choice(("at_least", "at_most")): number(random),
    }
    column, system = random.choice(list(likely.table)), random.choice(likely.systems)
    usual: dict[str, Any] = {
        "between": [0.1, random.choice((0.9, 0))],
        "confidence": 0.9,
        "every": column,
        "gap": column,
        "versus": random.choice(likely.systems),
        "claim": random.choice(("not_worse", "better", "same")),
        "system": random.choice((system, "candidate")),
        "margin": 0.1,
        "relative": True,
        "minimum_n": random.choice((1, 30)),
        "undecided": random.choice(("block", "warn", "allow")),
        "must": False,
        "looks": random.choice((1, 4, "any")),
        "reuse": random.choice((0, "bonferroni")),
        "slice": f"{column} = {short(random.choice(likely.table[column] or ['x']))}",
        "anyway": True,
        "false_alarm": 0.1,
        "column": column,
        "when": "slices",
    }
    for key in random.sample(KEYS, random.choice((0, 1, 2, 3))):
        record[key] = usual.get(key, "text") if random.random() < 0.8 else odd_value(random)
    return record


def judged(random: Random, folder: Path) -> None:
    """A file of requirements, checked and run."""
    likely = likely_question(random, folder)
    words = likely.words
    head = {"name": "fuzz", "data": Path(words[1]).name, "task": likely.task.name} | likely.question
    document: dict[str, Any] = {
        "gate": head,
        "requirement": [_record(random, likely) for _ in range(random.choice((1, 2, 3)))],
    }
    if random.random() < 0.2:
        document["evidence"] = [
            {"characteristic": "x", "expires": random.choice(("2999-01-01", "2000-01-01", odd_value(random)))}
        ]
    if random.random() < 0.1:
        head[random.choice(("require", "frozen", "name", "data", "task", "x"))] = odd_value(random)
    text = json.dumps(plain(document), default=str)
    file = folder / f"gate{random.choice(('.json', '.json', '.yaml', '.toml'))}"
    file.write_bytes(_toml(document) if file.suffix == ".toml" else text.encode("utf-8", "surrogatepass"))
    if random.random() < 0.1:
        file.write_bytes(damaged(random, file.read_bytes()))
    if random.random() < 0.1:
        return run_command(random, ["gate", "--check", file], folder)
    if random.random() < 0.1:  # judgements so far, as somebody merged them
        line = {
            "requirement": "r",
            "data": "d",
            "keys": ["0" * 16],
            "answers": ["f" * 16],
            "units": 9,
            "verdict": "passed",
        }
        lines = [json.dumps(changed(line, random)) for _ in range(random.choice((0, 1, 3)))]
        (folder / "adjudge-looks.jsonl").write_text("".join(f"{one}\n" for one in lines))
    data = []
    if random.random() < 0.3:
        save = folder / "data.adjudge"
        run_command(random, [*words, "--save", save, "--quiet"], folder)
        data = ["--data", save]
        if random.random() < 0.3:
            run_command(random, ["gate", "init", save], folder)
    flags = random.choice(([], [], ["--strict"], ["--quiet"]))
    given = ["gate", file, *data, *flags, *outputs(random, folder, ("junit", "json", "markdown", "html", "save"))]
    return run_command(random, given, folder, verdicts=True)


def plain(value: Any) -> Any:
    """What JSON can write."""
    try:
        json.dumps(value, default=str)
    except RecursionError:
        return "deep"
    except (ValueError, TypeError):
        pass
    if isinstance(value, dict):
        return {short(key): plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value[:50]]
    try:
        json.dumps(value)
    except (ValueError, TypeError, RecursionError):
        return short(value)
    return value


def _toml(document: dict[str, Any]) -> bytes:
    """The document in TOML, where every value is written as JSON writes it."""
    lines = ["[gate]"]
    gate = plain(document["gate"])
    for key, value in gate.items() if isinstance(gate, dict) else ():
        lines.append(f"{json.dumps(key)} = {toml_value(value)}")
    for kind in ("requirement", "evidence"):
        for record in plain(document.get(kind, [])):
            if isinstance(record, dict):
                lines += [
                    f"[[{kind}]]",
                    *(f"{json.dumps(key)} = {toml_value(value)}" for key, value in record.items()),
                ]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def toml_value(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml_value(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value).replace("NaN", "nan").replace("Infinity", "inf")


# How many rows


NUMBERS = (
    "expect",
    "difference",
    "differing",
    "against",
    "deviation",
    "part",
    "cluster-size",
    "correlation",
    "slices",
    "smallest",
    "power",
    "half-width",
    "level",
    "confidence",
    "rows",
)


def planned(random: Random, folder: Path) -> None:
    """How many rows to collect, from figures or from a pilot."""
    likely = likely_question(random, folder)
    metric = random.choice(
        ("accuracy", "recall", "f_score", "cohen_kappa", "pearson", "roc_auc", metric_name(random, likely.task))
    )
    sure = random.choice((0.05, 0.5, 0.7, 0.9, number(random)))
    ways: tuple[tuple[str, list[Any]], ...] = (
        (f"{metric} >= {sure}", ["--expect", sure + 0.05]),
        (f"{metric} <= {sure}", ["--expect", sure - 0.05]),
        (f"every language: {metric} >= {sure}", ["--expect", sure + 0.1, "--slices", random.choice((2, 5))]),
        (metric, ["--expect", sure, "--half-width", random.choice((0.02, 0.1))]),
        (metric, ["--expect", sure, "--difference", 0.05, "--differing", 0.2]),
        (metric, ["--expect", sure, "--against", sure - 0.1]),
        (f"{metric} of new >= old - 0.02", ["--difference", 0.0, "--differing", 0.1, "--deviation", 0.3]),
        (requirement(random, likely), []),
    )
    asked, words = random.choice(ways)
    for option in random.sample(NUMBERS, random.choice((0, 0, 1, 1, 2, 4))):
        usual: Any = random.choice((0.9, 0.1, 0.02, 0.5, number(random)))
        if option in ("rows", "slices", "cluster-size"):
            usual = random.choice((1, 2, 5, 30, 500, 10**6))
        words += [f"--{option}", usual if random.random() < 0.9 else odd_value(random)]
    if random.random() < 0.4:
        asked, pilot = requirement(random, likely), folder / "pilot.adjudge"
        keep = random.choice(([], ["--with-items"]))
        run_command(random, [*likely.words, "--save", pilot, *keep, "--quiet"], folder)
        words = [*words[:2], "--pilot", pilot, "--samples", random.choice((2, 10, 0, -1))]
    given = ["plan", asked, *words, *outputs(random, folder, ("json", "csv", "markdown"))]
    run_command(random, given, folder, verdicts=True)  # 3: cannot pass


# Files of other tools


def exported(random: Random, folder: Path) -> None:
    """What another tool exported, converted, guessed or evaluated; or a plain table of which the task is guessed."""
    if random.random() < 0.3:
        table, _ = columns(random)
        path = in_file(random, table, folder, damage=0.2)
    else:
        given = EXPORTS / random.choice(sorted(SIGNATURES))
        path = folder / given.name
        mangled(given, path, random) if random.random() < 0.5 else shutil.copy(given, path)
    picks = []
    if random.random() < 0.4:
        known = sorted({pick for one in importers() for pick in one.picks})
        values = ("sentiment", "label", "first", "only", "outcome", "id", "all", random.choice(ODD_TEXTS))
        picks = ["--pick", *(f"{random.choice(known)}={random.choice(values)}" for _ in range(random.choice((1, 2))))]
    if random.random() < 0.5:
        to = folder / f"out{random.choice(('.csv', '.tsv', '.jsonl', '.parquet', '.xlsx', ''))}"
        tables = ("ratings", "sets", "spans", "votes", "predictions", "scores", "queries", "rankings", "x")
        which = ["--table", random.choice(tables)] if random.random() < 0.3 else []
        return run_command(random, ["convert", path, "--to", to, *picks, *which], folder)
    if random.random() < 0.5:
        return run_command(random, [path, *picks, *outputs(random, folder, FILES, 0.1)], folder)
    task = task_named(random.choice(task_names()))
    return run_command(
        random, [task.name, path, "--replicates", 100, *picks, *outputs(random, folder, FILES, 0.1)], folder
    )


def small_command(random: Random, folder: Path) -> None:
    """Commands that need no table, or a count of one."""
    way = random.random()
    if way < 0.15:
        task = random.choice((*task_names(), name(random)))
        return run_command(random, ["demo", task, *outputs(random, folder, FILES, 0.5), "--all"], folder)
    if way < 0.5:
        return run_command(random, ["metrics", random.choice((metric_name(random), name(random)))], folder)
    if way < 0.6:
        return run_command(
            random,
            random.choice((["gate", "--schema"], ["--version"], ["--help"], [name(random)], ["gate", "init"])),
            folder,
        )
    table, kinds = columns(random)
    names = list(kinds)
    words = ["cells", "--reference", random.choice(names), "--prediction", random.choice(names)]
    if random.random() < 0.4:
        words += ["--score", random.choice(names)]
    if random.random() < 0.8:
        words += ["--positive", random.choice(("a", "1", name(random)))]
    if random.random() < 0.4:
        words += ["--slices", *random.sample(names, min(2, len(names)))]
    if random.random() < 0.5:
        dialect = random.choice(("duckdb", "spark", "bigquery", "snowflake", "postgres", "x"))
        return run_command(
            random, [*words, "--sql", dialect, random.choice(("t", "a.b", random.choice(ODD_TEXTS)))], folder
        )
    path = in_file(random, table | {"n": [1] * len(next(iter(table.values())))}, folder, damage=0.1)
    return run_command(random, [*words, "--from-cells", path, "--replicates", 100], folder)


COMMANDS: dict[str, tuple[Callable[[Random, Path], None], float]] = {
    "command": (task_command, 0.05),
    "taken": (taken_away, 0.06),
    "compare": (compared, 0.06),
    "require": (required, 0.04),
    "gate": (judged, 0.06),
    "plan": (planned, 0.04),
    "export": (exported, 0.04),
    "small": (small_command, 0.03),
}
