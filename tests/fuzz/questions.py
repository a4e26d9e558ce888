"""Questions about a table, made from the declarations of the tasks, and changed as a refusal advises."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from tests.fuzz.checks import Defect, check_message
from tests.fuzz.values import ODD_NUMBERS, ODD_TEXTS, name, number, odd_value

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.evaluation.asking.arguments import SHARED
from adjudge.evaluation.declaration import Role, Setting, Task
from adjudge.evaluation.take_away.saving import saved
from adjudge.metrics.catalogue import every
from adjudge.tasks import task_named, task_names

# What a role is for, by the words of its declaration; all other roles take what the table is mostly about.
MEANT = (
    (r"weights", ("weight",)),
    (r"place of|place after", ("place",)),
    (r"scores|numbers|ends of", ("number", "number", "label")),
    (r"names|resample|level by level|batches|whose", ("name", "name", "label")),
)


def question_for(random: Random, task: Task, kinds: Mapping[str, str]) -> dict[str, Any]:
    """Roles and settings for a table whose columns are of these kinds."""
    mostly = random.choice(list(kinds.values())) if random.random() < 0.3 else "label"
    given: dict[str, Any] = {}
    plain = random.random() < 0.5
    for role in task.roles:
        likely = 1.0 if role.required else 0.5 if role.many else 0.05 if plain else 0.2
        if random.random() < likely:
            given[role.name] = columns_for(random, role, free_columns(random, given, kinds), mostly)
    settings = (*task.settings, *SHARED)
    for setting in settings:  # one in two cases, or one or two, however many there are
        if random.random() < (0.5 if plain else 1.5) / len(settings):
            given[setting.name] = setting_of(random, setting, task)
    if random.random() < 0.6:  # few metrics, so that most cases are short
        given.setdefault("metrics", [random.choice(task.metrics).name for _ in range(random.choice((1, 2)))])
    given.setdefault("replicates", 100)
    return given


def free_columns(random: Random, given: Mapping[str, Any], kinds: Mapping[str, str]) -> Mapping[str, str]:
    """The columns that have no role yet, mostly."""
    taken = [
        column
        for value in given.values()
        for column in (value if isinstance(value, list) else [value])
        if isinstance(column, str)
    ]
    free = {column: kind for column, kind in kinds.items() if column not in taken}
    return free if free and random.random() < 0.95 else kinds


def columns_for(random: Random, role: Role, kinds: Mapping[str, str], mostly: str) -> Any:
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
        [*several, f"{short(one())} × {short(one())}"] if role.name == "slices" and random.random() < 0.3 else several
    )


def setting_of(random: Random, setting: Setting, task: Task) -> Any:
    if random.random() < 0.15:
        return odd_value(random)
    words = re.findall(r"[a-z_0-9]{3,}", setting.help)
    if setting.name == "metrics":
        return [metric_name(random, task) for _ in range(random.choice((1, 2)))]
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


def metric_name(random: Random, task: Task | None = None) -> str:
    metric = random.choice(task.metrics if task is not None and random.random() < 0.8 else every())
    parameters = {key: value for key, value in (metric.formula.__kwdefaults__ or {}).items() if random.random() < 0.4}
    parameters = {
        key: random.choice((value, odd_value(random), random.randrange(3))) for key, value in parameters.items()
    }
    if metric.per == "category" and random.random() < 0.4:
        parameters["average"] = random.choice(("macro", "micro", "weighted", "none"))
    inside = ", ".join(f"{key}={short(value)}" for key, value in parameters.items())
    return f"{metric.name}({inside})" if inside else metric.name


def short(value: Any) -> str:
    try:
        return str(value)
    except (ValueError, RecursionError):
        return "9" * 5000


def evaluated(random: Random, table: Callable[[], Any], kinds: Mapping[str, str]) -> adjudge.Evaluation:
    """An evaluation of the table; where it is refused, the question is changed as the refusal says, a few times."""
    return answered(random, table, kinds)[2]


def answered(
    random: Random, table: Callable[[], Any], kinds: Mapping[str, str]
) -> tuple[Task, dict[str, Any], adjudge.Evaluation]:
    """A task and a question that the table answers, with the evaluation."""
    task = task_named(random.choice(task_names()))
    question = question_for(random, task, kinds)
    for _ in range(random.choice((0, 8, 16, 16))):
        try:
            return task, question, _twice(random, table, task, question)
        except AdjudgeError as error:
            check_message(str(error))
            question = followed(random, str(error), question, task, kinds)
    return task, question, _twice(random, table, task, question)


def _twice(random: Random, table: Callable[[], Any], task: Task, question: dict[str, Any]) -> adjudge.Evaluation:
    evaluation = adjudge.evaluate(table(), task.name, **question)
    if random.random() < 0.1:
        second = adjudge.evaluate(table(), task.name, **question)
        if saved(second.outcome) != saved(evaluation.outcome):
            raise Defect("the same question twice must give the same bytes")
    return evaluation


def followed(
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
            changed[one] = columns_for(random, roles[one], free_columns(random, others, kinds), "label")
    return {"replicates": 100} | changed
