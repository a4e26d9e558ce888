"""Other doors than the report: plans, guessed settings, rows to look at of all tables, results side by side."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.kept import cases, tables
from tests.kept.keeping import evaluated, hold, told
from tests.kept.test_kept import sentences

import adjudge
from adjudge.cli.main import main
from adjudge.errors import AdjudgeError

pytestmark = pytest.mark.xdist_group("kept")  # each table is evaluated once for all files here
FIRST = 8
"""Of rows to look at so many are kept."""
WIDE = 36
"""Of settings that are written down so much of a line is kept: what is set, not the remark."""

PLANS: list[tuple[str, dict[str, Any]]] = [
    ("accuracy >= 0.85", {"expect": 0.9}),
    ("accuracy >= 0.85", {"expect": 0.9, "rows": 200}),
    ("accuracy >= 0.85", {"expect": 0.9, "cluster_size": 5, "correlation": 0.2, "power": 0.9}),
    ("accuracy >= 0.85", {"expect": 0.8}),
    ("accuracy", {"expect": 0.9, "half_width": 0.03}),
    ("accuracy", {"expect": 0.75, "against": 0.6}),
    ("accuracy", {"difference": 0.04, "differing": 0.12, "level": 0.9}),
    ("accuracy of new >= old - 0.02", {}),
    ("accuracy of new >= old - 0.02", {"differing": 0.1, "rows": 900}),
    ("accuracy of new within 0.05 of old", {"differing": 0.1}),
    ("error_rate <= 0.02", {"expect": 0.0}),
    ("error_rate <= 0.02", {"expect": 0.01, "confidence": 0.99}),
    ("every language: accuracy >= 0.8", {"expect": 0.9, "slices": 4, "smallest": 0.1}),
    ("recall[spam] >= 0.8", {"expect": 0.9, "part": 0.2}),
    ("precision[spam] >= 0.8", {"expect": 0.9, "part": 0.1, "rows": 3000}),
    ("roc_auc[spam] >= 0.8", {"expect": 0.88, "part": 0.2}),
    ("roc_auc[spam] of new >= old", {"difference": 0.05, "expect": 0.85, "part": 0.3}),
    ("cohen_kappa >= 0.6", {"expect": 0.75, "part": 0.4}),
    ("cohen_kappa", {"expect": 0.7, "part": 0.5, "half_width": 0.05}),
    ("ndcg", {"difference": 0.05, "deviation": 0.3}),
    ("ndcg of new >= old - 0.02", {"difference": 0.0, "deviation": 0.2, "rows": 500}),
    ("mean_reciprocal_rank >= 0.6", {"expect": 0.7, "deviation": 0.3}),
    ("rmse <= 3", {"expect": 2.5}),
    ("mean_absolute_error <= 3", {"expect": 2.5, "deviation": 1.5}),
    ("correlation >= 0.7", {"expect": 0.8}),
    ("judge_assisted_mean >= 0.7", {"expect": 0.8, "judge_correlation": 0.7, "judged": 2000}),
    ("mean_time_between_failures >= 100", {"expect": 200}),
    ("mean_time_between_failures >= 100", {"expect": 200, "rows": 12}),
    ("p95(latency_ms) <= 800", {"rows": 100}),
    ("f_score[spam] >= 0.8", {"expect": 0.9}),
]
PILOTS = ["labels", "scores", "raters", "numbers", "lists", "a judge", "labels, two systems"]


def _plan(question: str, **given: Any) -> Iterator[str]:
    """What is planned, or why not."""
    yield f"# {question} {given if 'pilot' not in given else ''}"
    try:
        planned = adjudge.plan(question, **given)
    except AdjudgeError as refusal:
        yield str(refusal)
    else:
        yield planned.answer
        yield from (told(row) for row in planned.table)


def plans() -> Iterator[str]:
    for question, given in PLANS:
        yield from _plan(question, **given)
    for name in PILOTS:
        e = evaluated(name)
        for row in e.table.estimates.first_methods():
            if row.slice == "all" and not row.category and row.method not in ("baseline", "none"):
                yield from _plan(f'{row.metric} of "{row.system}" >= {row.estimate - 0.1:.2g}', pilot=e)
                break


def guesses() -> Iterator[str]:
    """What `adjudge init` writes for tables of every task."""
    for make in (tables.labels, tables.scores, tables.ratings, tables.listed, tables.essays, tables.numbers,
                 tables.lists, tables.votes, tables.suite, tables.judged, tables.machines, tables.trial):  # fmt: skip
        table = make()
        text = io.StringIO()
        csv.writer(text).writerows([table, *zip(*table.values(), strict=True)])
        Path("table.csv").write_text(text.getvalue())
        Path("made.toml").unlink(missing_ok=True)
        code = main(["init", "table.csv", "--out", "made.toml"])
        yield f"# {make.__name__}: exit {code}"
        text_of = Path("made.toml").read_text() if Path("made.toml").exists() else ""
        yield from (line.partition("  # ")[0][:WIDE] for line in text_of.splitlines() if line)


def rows_to_look_at() -> Iterator[str]:
    """The first of what `--items`, `--flags`, `--queue` and `--consensus` write."""
    for name in cases.CASES:
        for taken in ("items", "flags", "queue", "consensus"):
            try:
                rows = evaluated(name).taken(taken).records()
            except AdjudgeError:
                continue
            yield f"# {taken} of {name}: {len(rows)} rows"
            yield from (told(list(row.values())) for row in rows[:FIRST])


def side_by_side() -> Iterator[str]:
    """Results of different rows, and two saves of the same rows."""
    one, two = tables.labels(), tables.labels(80)
    asked: dict[str, Any] = {
        "reference": "label",
        "id": "id",
        "replicates": 100,
        "metrics": ["accuracy", "cohen_kappa"],
    }
    made = [adjudge.classification(table, prediction="new", **asked) for table in (one, two)]
    compared = adjudge.compare(*made, names=["may", "june"])
    yield from sentences(compared)
    yield from (told(row) for row in compared.table)
    first = {name: one[name] for name in ("id", "label", "old", "part")}
    second = {"id": one["id"], "label": one["label"], "old": one["new"]}
    together = adjudge.compare(first, second, names=["old", "new"], prediction="old", **asked)
    yield from sentences(together)
    yield from (told(row) for row in together.table)


DOORS: dict[str, Callable[[], Iterator[str]]] = {
    "plans": plans,
    "init": guesses,
    "rows": rows_to_look_at,
    "side_by_side": side_by_side,
}


@pytest.mark.parametrize("door", DOORS)
def test_other_doors_say_what_they_said(door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = "\n".join(" ".join(line.split()) for line in DOORS[door]())
    hold(f"door_{door}", made)
