"""Every malformed requirement and gate is refused in one sentence, kept in gates.md.

ADJUDGE_WRITE_MESSAGES=1 writes the book anew; read the difference before you commit it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.evaluation.adequacy.purpose_file import parsed_purpose
from adjudge.evaluation.gates.file import gate_of
from adjudge.evaluation.gates.requirements import checked_requirements

BOOK = Path(__file__).parent / "gates.md"
TITLE = "# What is said of requirements that cannot be meant\n"
A = {"metric": "accuracy", "at_least": 0.9}
TABLE = {
    "label": ["spam", "ham"] * 40,
    "old": ["spam", "ham"] * 40,
    "new": ["spam"] * 20 + ["ham"] * 60,
    "language": ["de", "en", "en", "en"] * 20,
    "ms": ["fast"] * 80,
}

REQUIREMENTS: dict[str, Any] = {
    "no sign": "accuracy 0.9",
    "a strict sign": "accuracy > 0.9",
    "an unknown metric": "accurcy >= 0.9",
    "nothing before the sign": ">= 0.9",
    "nothing after the sign": "accuracy >=",
    "a bound of words": "accuracy >= very good",
    "the wrong side": "accuracy <= 0.9",
    "a share in percent": "accuracy >= 90",
    "an error in percent": "mean_absolute_percentage_error <= 10",
    "a bound beyond reach": "r_squared >= 1.2",
    "a bound in percent": "accuracy >= 90%",
    "a bound that every value meets": "accuracy >= 0",
    "a bound above which nothing is": "error_rate <= 1",
    "a gap in percent": "gap(accuracy, language) <= 5",
    "a gap that is never larger": "gap(accuracy, language) <= 1",
    "flips in percent": "negative_flip_rate of new against old <= 5",
    "a margin in points": "accuracy of new >= old - 5",
    "a margin that is never passed": {"metric": "accuracy", "versus": "old", "margin": 1},
    "the same within points": "accuracy of new within 2 of old",
    "a system against itself": "accuracy of new >= new - 0.01",
    "a percentile as a share": "p0.95(ms) <= 800",
    "the wrong side of a loss": "log_loss >= 0.9",
    "a column's percentile beyond 100": "p100(ms) <= 800",
    "an unknown key": {**A, "at_leest": 0.9},
    "an unknown word for undecided": {**A, "undecided": "stop"},
    "an unknown claim": {"metric": "accuracy", "versus": "old", "margin": 0.1, "claim": "equal"},
    "no metric": {"at_least": 0.9},
    "no bound": {"metric": "accuracy"},
    "a bound and another system": {**A, "versus": "old"},
    "a bound of text": {"metric": "accuracy", "at_least": "0.9"},
    "a bound that is not a number": {"metric": "accuracy", "at_least": float("nan")},
    "between one number": {"metric": "accuracy", "between": [0.8]},
    "between the wrong way round": {"metric": "accuracy", "between": [0.9, 0.8]},
    "between and another bound": {**A, "between": [0.8, 0.9]},
    "a negative margin": {"metric": "accuracy", "versus": "old", "margin": -0.1},
    "not worse without a margin": {"metric": "accuracy", "versus": "old"},
    "the same without a margin": {"metric": "accuracy", "versus": "old", "claim": "same"},
    "a margin without a system": {**A, "margin": 0.1},
    "a relative margin of all": {"metric": "accuracy", "versus": "old", "margin": 1.5, "relative": True},
    "confidence in percent": {**A, "confidence": 95},
    "a false alarm of half": {**A, "false_alarm": 0.5},
    "a negative minimum": {**A, "minimum_n": -1},
    "half a unit": {**A, "minimum_n": 1.5},
    "no looks": {**A, "looks": 0},
    "looks in words": {**A, "looks": "many"},
    "reuse in words": {**A, "reuse": "often"},
    "every and a slice": {**A, "every": "language", "slice": "language = de"},
    "every by a number": {**A, "every": 3},
    "a slice without a value": {**A, "slice": "language"},
    "a gap without its largest": {**A, "gap": "language"},
    "a column of labels": {**A, "column": "ms"},
    "a column and another system": {"metric": "mean", "column": "ms", "versus": "old", "margin": 1},
    "any looks at a gap": {"metric": "accuracy", "gap": "language", "at_most": 0.1, "looks": "any"},
    "a judge of an area": {"metric": "roc_auc", "at_least": 0.9, "judge": "ms"},
    "a judge of slices": {**A, "judge": "ms", "every": "language"},
    "flips without a system": {"metric": "negative_flip_rate", "at_most": 0.1},
    "better at what has no better": {"metric": "standardized_mean_difference", "versus": "old", "margin": 0.1},
    "must in words": {**A, "must": "yes"},
    "a name of a number": {**A, "name": 3},
    "an average that there is not": {"metric": "recall", "average": "mean", "at_least": 0.5},
    "an average of one number": {"metric": "accuracy", "average": "macro", "at_least": 0.5},
    "a requirement of a number": 3,
    "cost without what is right": {"metric": "cost_per_right", "column": "cost", "at_most": 1},
    "half of ten answers": {"metric": "system_usability", "column": ["q1", "q2"], "at_least": 68},
    "tries of a mean": {"metric": "mean", "column": "ms", "by": "item", "at_most": 1},
    "originals without a name": {"metric": "robustness_drop", "column": "right", "original": "kind", "at_most": 1},
    "by without a column": {**A, "by": "item"},
    "failures at least": {"metric": "failed_share", "column": "failed", "at_least": 0.1},
    "a slice beside nothing": {"metric": "accuracy", "versus_slice": "desk = new", "margin": 0.1},
    "a quantile of everything": {"metric": "quantile(1.5)", "column": "ms", "at_most": 1},
}

GATES: dict[str, Any] = {
    "evidence that was never valid": {
        "evidence": [{"characteristic": "integrity", "statement": "s", "date": "2026-05-01", "expires": "2026-04-01"}]
    },
    "a name twice": {"requirement": [{**A, "name": "good"}, {**A, "name": "good", "at_least": 0.8}]},
    "a gate of a list": [A],
    "an unknown part": {"gates": {}, "requirement": [A]},
    "one bracket": {"requirement": A},
    "nothing required": {"gate": {"name": "a"}},
    "a head of text": {"gate": "a", "requirement": [A]},
    "the second requirement": {"requirement": [A, {"name": "good enough", "metric": "acuracy", "at_least": 0.9}]},
    "data by a number": {"gate": {"data": 3}, "requirement": [A]},
    "a requirement where evidence is named": {"gate": {"require": ["accuracy >= 0.9"]}},
    "a requirement of keys where evidence is named": {"gate": {"require": [A]}},
    "evidence without a characteristic": {"evidence": [{"statement": "reviewed"}]},
    "evidence with an unknown key": {"evidence": [{"characteristic": "integrity", "expiry": "2026-01-01"}]},
    "evidence with no day": {"evidence": [{"characteristic": "integrity", "expires": "soon"}]},
    "systems twice": {"gate": {"systems": {}, "score": {"old": "a"}}, "requirement": [A]},
}

EFFICIENT = {"metric": "mean", "column": "ms", "at_most": 1, "characteristic": "efficiency"}
LOG = {"name": "log", "requirement": [EFFICIENT]}
PURPOSES: dict[str, Any] = {
    "a purpose of a list": [LOG],
    "an unknown part of a purpose": {"porpose": {}},
    "an unknown key of a purpose": {"purpose": {"nam": "x"}, "table": [LOG]},
    "a purpose without requirements": {"purpose": {"name": "x"}},
    "a purpose named by a number": {"purpose": {"name": 3}, "table": [LOG]},
    "one bracket of a table": {"table": LOG},
    "a table of text": {"table": ["log.csv"]},
    "two tables of a name": {"table": [LOG, LOG]},
    "no characteristic": {"table": [{"name": "log", "requirement": ["mean(ms) <= 1"]}]},
    "an unknown characteristic": {"table": [{**LOG, "requirement": [{**EFFICIENT, "characteristic": "efficency"}]}]},
    "an internal characteristic": {"table": [{**LOG, "requirement": [{**EFFICIENT, "characteristic": "readability"}]}]},
    "evidence without a date": {"evidence": [{"characteristic": "integrity", "statement": "reviewed"}]},
    "evidence of something else": {"evidence": [{"characteristic": "beauty", "date": "2026-11-02"}]},
    "require in a table": {"table": [{**LOG, "require": ["integrity"]}]},
}
LOGGED = {"ms": [1.0, 2.0], "words": ["a", "b"]}
WRONG_TABLES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a table that is not given": (LOG, {}),
    "a table of another name": (LOG, {"lag": LOGGED}),
    "a metric that needs a task": (
        {"name": "log", "requirement": [{"metric": "accuracy", "at_least": 0.5, "characteristic": "accuracy"}]},
        {"log": LOGGED},
    ),
    "a column that is not there": ({"name": "log", "requirement": [{**EFFICIENT, "column": "mss"}]}, {"log": LOGGED}),
    "a cluster that is not there": ({**LOG, "cluster": "usr"}, {"log": LOGGED}),
    "a setting that columns do not have": ({**LOG, "threshold": 0.5}, {"log": LOGGED}),
    "words for numbers": ({"name": "log", "requirement": [{**EFFICIENT, "column": "words"}]}, {"log": LOGGED}),
    "counts for yes and no": (
        {"name": "log", "requirement": [{**EFFICIENT, "metric": "failed_share", "at_most": 0.1}]},
        {"log": LOGGED},
    ),
}

ON_A_TABLE: dict[str, str | dict[str, Any]] = {
    "which system": "accuracy >= 0.9",
    "an unknown system": "accuracy of newer >= 0.9",
    "an unknown baseline": "accuracy of new >= olds - 0.1",
    "which label": "recall of new >= 0.9",
    "an unknown label": "recall[eggs] of new >= 0.9",
    "a label of one number": "accuracy[spam] of new >= 0.9",
    "an unknown slice column": "every languge: accuracy of new >= 0.9",
    "an unknown column": "p95(latency) <= 800",
    "a column of words": "mean(ms) <= 800",
    "a metric of another task": "rmse of new <= 3",
    "a score that is not there": "roc_auc of new >= 0.9",
}


def refusal(act: Any) -> str:
    with pytest.raises(AdjudgeError) as caught:
        act()
    return str(caught.value)


def on_a_table(requirement: Any) -> Any:
    return lambda: adjudge.evaluate(TABLE, reference="label", prediction=["old", "new"], require=[requirement])


ALL = {
    **{name: (lambda entry=entry: checked_requirements([entry])) for name, entry in REQUIREMENTS.items()},
    **{name: (lambda entry=entry: gate_of(entry)) for name, entry in GATES.items()},
    **{name: (lambda entry=entry: parsed_purpose(entry)) for name, entry in PURPOSES.items()},
    **{
        name: (lambda table=table, given=given: adjudge.adequacy({"table": [table]}, given))
        for name, (table, given) in WRONG_TABLES.items()
    },
    **{name: on_a_table(requirement) for name, requirement in ON_A_TABLE.items()},
}


def book() -> dict[str, str]:
    return dict(re.findall(r"^## (.+)\n\n(.+)\n", BOOK.read_text(encoding="utf-8"), re.MULTILINE))


def test_the_book_is_complete() -> None:
    if "ADJUDGE_WRITE_MESSAGES" in os.environ:
        entries = "".join(f"\n## {name}\n\n{refusal(act)}\n" for name, act in ALL.items())
        BOOK.write_text(TITLE + entries, encoding="utf-8")
    assert list(book()) == list(ALL)


@pytest.mark.parametrize("name", list(ALL))
def test_refusal(name: str) -> None:
    message = refusal(ALL[name])
    assert message == book()[name]
    assert re.search(r"\bmust\b|There is no metric|has no ", message), message
    assert message[-1] in ".?"
