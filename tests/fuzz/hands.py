"""What is done with an evaluation, a metric, a gate or pairs in the hand, beyond asking for them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.beside import PAIRS
from tests.fuzz.checks import check_message, check_outputs, check_printed
from tests.fuzz.commands import likely_question, name, outputs, requirement, run_command
from tests.fuzz.exports import EXPORTS, changed, mangled
from tests.fuzz.questions import metric_name, short
from tests.fuzz.tables import in_memory
from tests.fuzz.values import ODD_NUMBERS, ODD_TEXTS, number, odd_value

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.interop.feedback_forensics import DatasetHandler
from adjudge.metrics.catalogue import every

ENDINGS = (".csv", ".safe.csv", ".tsv", ".jsonl", ".parquet", ".tex", ".xlsx", "", ".x")


def each(ways: list[Callable[[], Any]]) -> None:
    """Every way ends in an answer or in a refusal of one line."""
    for way in ways:
        try:
            repr(way())
        except AdjudgeError as error:
            check_message(str(error))


def in_hand(random: Random, folder: Path) -> None:
    """One of the things below."""
    ways = (_evaluation, _evaluation, _together, _metric, _metric, _gate, _pairs, _tasks)
    random.choice(ways)(random, folder)


def _evaluation(random: Random, folder: Path) -> None:
    """Shown, sliced, written in every format, its tables taken, its panels looked at."""
    likely = likely_question(random, folder)
    evaluation = getattr(adjudge, likely.task.name)(in_memory(random, likely.table), **likely.question)
    shown = io.StringIO()
    with redirect_stdout(shown):
        evaluation.show(everything=random.random() < 0.3)
    check_printed(shown.getvalue())
    path = folder / f"out{random.choice(ENDINGS)}"
    taken = random.choice([*(one.name for one in likely.task.takes_away), "flags"])
    odd = odd_value(random)
    ways: list[Callable[[], Any]] = [
        lambda: [table.records() for table in evaluation.panels.values()],
        lambda: [table.to_arrow() for table in evaluation.panels.values()],
        lambda: evaluation.taken(taken).write(path),
        lambda: evaluation.taken(taken).to_polars(),
        lambda: evaluation.taken(taken).to_pandas(),
        lambda: evaluation.write_table(path),
        lambda: evaluation.write_markdown(folder / random.choice(("a.md", random.choice(ODD_TEXTS)))),
        lambda: evaluation.content(random.choice(("html", "save_with_items", odd))),
        lambda: evaluation.table.where(**{random.choice(("system", "slice", "n", "x")): odd}),
        lambda: evaluation.table.head(random.choice((0, 3, -1))),
        lambda: evaluation.table.first_methods().columns(),
        lambda: evaluation.table.find(
            metric_name(random, likely.task), **{random.choice(("slice", "method", "x")): odd}
        ),
        lambda: evaluation.checks,
    ]
    each(random.sample(ways, 5))


def _together(random: Random, folder: Path) -> None:
    """Evaluations in the hand beside each other, and beside what is none."""
    likely = likely_question(random, folder)
    first, second = (
        adjudge.evaluate(in_memory(random, likely.table), likely.task.name, **likely.question) for _ in range(2)
    )
    other: Any = random.choice((second, second, likely.table, folder / "none", odd_value(random)))
    names = random.choice((None, ["a", "b"], [name(random), name(random)], odd_value(random)))
    check_outputs(random, adjudge.compare(first, other, names=names))


def _metric(random: Random, folder: Path) -> None:
    """A metric with other parameters, averaged, of arrays, with its parts and its threshold."""
    metric, rows = random.choice(every()), random.choice((0, 1, 3, 8, 15))
    pool = random.choice((("a", "b"), (0, 1), (1, 2, 3, 4), tuple(ODD_NUMBERS), ODD_TEXTS))
    first = [random.choice(pool) for _ in range(rows)]
    second: Any = [random.choice((random.choice(pool), number(random))) for _ in range(rows)]
    second = odd_value(random) if random.random() < 0.1 else second
    given = {random.choice(("positive", "weights", "categories", "at", "x")): random.choice((*pool, odd_value(random)))}
    parameters = {key: odd_value(random) for key in metric.formula.__kwdefaults__ or {} if random.random() < 0.3}
    ways: list[Callable[[], Any]] = [
        lambda: metric.using(**parameters),
        lambda: metric.using(**parameters)(first, second),
        lambda: metric.averaged(random.choice(("macro", "micro", "weighted", odd_value(random))))(first, second),
        lambda: metric.made_of(first, second, **given if random.random() < 0.3 else {}),
        lambda: metric.threshold_of(first, second, **given if random.random() < 0.3 else {}),
        lambda: adjudge.estimate(metric, first, second, **{"replicates": 100} | given),
        lambda: (metric.full_label, metric.better, metric.by_itself, metric.name_with_parameters),
    ]
    each(random.sample(ways, 4))


def _gate(random: Random, folder: Path) -> None:
    """A gate made in Python: checked, planned, and judging evaluations."""
    likely = likely_question(random, folder)
    lines: list[Any] = [requirement(random, likely) for _ in range(random.choice((1, 1, 3)))]
    if random.random() < 0.2:
        lines.append(odd_value(random))
    gate = adjudge.Gate.of(*lines, name=random.choice(("g", random.choice(ODD_TEXTS), odd_value(random))))
    evaluation = adjudge.evaluate(in_memory(random, likely.table), likely.task.name, **likely.question)
    other: Any = random.choice((evaluation, evaluation, odd_value(random)))
    rows: Any = random.choice((None, 100, random.choice(ODD_NUMBERS)))
    ways: list[Callable[[], Any]] = [
        gate.check,
        lambda: gate.judge(other).to_junit(),
        lambda: gate.judge(evaluation).table,
        lambda: gate.judge(evaluation).to_json(),
        lambda: gate.plan(rows, power=random.choice((0.8, odd_value(random)))),
        lambda: gate.plan(rows, pilot=other),
        lambda: gate.plan(table=in_memory(random, likely.table)),
    ]
    each(random.sample(ways, 4))


def _pairs(random: Random, folder: Path) -> None:
    """What another tool's class for annotated pairs is asked."""
    document = json.loads(json.dumps(random.choice(list(PAIRS.values()))))
    held = DatasetHandler()
    given: Any = changed(document, random) if random.random() < 0.3 else document
    held.add_data_from_annotated_pairs(given, random.choice(("pairs", random.choice(ODD_TEXTS))))
    people: Any = [*held.get_available_annotator_visible_names(), odd_value(random)]
    ways: list[Callable[[], Any]] = [
        held.get_available_annotators,
        lambda: held.set_annotator_rows(random.choice((people[:1], people, odd_value(random)))),
        lambda: held.set_annotator_cols(random.choice((people[:2], people, odd_value(random)))),
        lambda: held.split_by_col(random.choice(("model_a", "prompt", "x", odd_value(random)))),
        held.get_overall_metrics,
        held.get_annotator_metrics,
    ]
    each(random.sample(ways, 4))


def _tasks(random: Random, folder: Path) -> None:
    """A queue with the export that it comes from, as tasks of a tool; and bundled tables, written."""
    if random.random() < 0.2:
        table = ["demo", random.choice(("regression", "adequacy", name(random))), "--data", folder / "out.data"]
        return run_command(random, table, folder)
    entry = {"rank": 1, "item": "6", "disagreement": 1.0, "votes": {"a": 1}, "label": "a", "probability": 0.58}
    queue, export = folder / f"queue{random.choice(('.jsonl', '.json', '.csv'))}", folder / "export.json"
    queue.write_text("\n".join(json.dumps(changed(entry, random)) for _ in range(3)))
    mangled(EXPORTS / "label_studio" / random.choice(("choices.json", "mixed.json")), export, random)
    tool = random.choice(("label-studio", "prodigy", "doccano", "argilla", short(odd_value(random))))
    words: list[Any] = ["convert", queue, "--tasks-for", tool, "--to", folder / "out.tasks", "--export", export]
    words += random.choice(([], ["--question", "sentiment"], ["--question", random.choice(ODD_TEXTS)]))
    words += random.choice(([], ["--item", "data.doc"], ["--item", random.choice(ODD_TEXTS)]))
    words += random.choice(([], ["--with-text"], ["--shown"]))
    return run_command(random, [*words, *outputs(random, folder, ())], folder)


HANDS: dict[str, tuple[Callable[[Random, Path], None], float]] = {"hands": (in_hand, 0.06)}
