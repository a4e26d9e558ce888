"""Every refusal, word by word. The messages are in messages.md, to be read: does each say what must hold,
what was found and what to do?

After a change of wording: ADJUDGE_WRITE_MESSAGES=1 pytest tests/messages, and read the difference.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.messages.cases import CASES, PLAIN, Case, options

import adjudge
from adjudge.cli.spelling import as_typed
from adjudge.cli.task import parser
from adjudge.errors import AdjudgeError
from adjudge.tasks import task_named

HERE = Path(__file__).parent
BOOK = HERE / "messages.md"
TITLE = "# Every refusal\n\nWritten by test_messages.py. Each is one line, after `adjudge: ` on the command line.\n"


def written(folder: Path, case: Case) -> Path:
    """The case's file, unless its folder is what is wrong."""
    path = folder / case.name
    if path.parent.is_dir():
        path.write_bytes(case.content if isinstance(case.content, bytes) else case.content.encode())
    return path


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(AdjudgeError) as caught:
        act()
    return str(caught.value)


def file_refusal(folder: Path, name: str) -> str:
    case = CASES[name]
    path = written(folder, case)
    return refusal(lambda: adjudge.evaluate(path, case.task, **case.settings))


def small(**asked: Any) -> adjudge.Evaluation:
    table = {"label": ["a", "b", "a"], "one": ["a", "b", "b"], "two": ["b", "b", "a"], "where": ["x", "y", "x"]}
    return adjudge.evaluate(table, **{"reference": "label", "prediction": "one", "replicates": 100} | asked)


def rated(**asked: Any) -> adjudge.Evaluation:
    table = {"ann": ["a", "b", "a"], "ben": ["a", "b", "b"], "eva": ["b", "b", "a"]}
    return adjudge.evaluate(table, "agreement", **{"raters": list(table), "replicates": 100} | asked)


def scored(**asked: Any) -> adjudge.Evaluation:
    table = {"h": [1, 2, 3, 2], "m": [1.2, 2.2, 2.7, 2.1], "who": ["a", "a", "b", "b"]}
    return adjudge.evaluate(table, "scoring", **{"raters": "h", "prediction": "m", "replicates": 100} | asked)


def predicted(**asked: Any) -> adjudge.Evaluation:
    table = {"y": [1, 2, 3, 2], "m": [1.2, 2.2, 2.7, 2.1], "l": [0, 0, 0, 0], "u": [4, 4, 4, 4]}
    return adjudge.evaluate(table, "regression", **{"reference": "y", "prediction": "m", "replicates": 100} | asked)


# Refusals that have no file: of Python's arguments, and of questions to a finished evaluation.
IN_PYTHON: dict[str, Callable[[], object]] = {
    "task: unknown": lambda: small(task="clasification"),
    "systems: a list": lambda: small(prediction=None, systems=["one", "two"]),
    "systems: none": lambda: small(prediction=None, systems={}),
    "systems: an unknown role": lambda: small(prediction=None, systems={"first": {"predicted": "one"}}),
    "systems: and prediction too": lambda: small(systems={"first": "one"}),
    "metrics: none": lambda: small(metrics=[]),
    "level: text": lambda: small(level="0.95"),
    "threshold: text": lambda: small(threshold="0.5"),
    "get: unknown metric": lambda: small()["acuracy"],
    "get: several categories": lambda: small()["recall"],
    "get: several systems": lambda: small(prediction=["one", "two"])["accuracy"],
    "get: unknown slice": lambda: small(slices=["where"]).get("accuracy", slice="where = z"),
    "get: unknown method": lambda: small().get("accuracy", method="wislon"),
    "get: unknown choice": lambda: small().get("accuracy", categories="a"),
    "slice: not evaluated": lambda: small(slices=["where"]).slice("wher"),
    "write_table: unknown ending": lambda: small().write_table("table.xlsx"),
    "estimate: weights of another length": lambda: adjudge.estimate(
        adjudge.metrics.accuracy, ["a", "b"], ["a", "b"], weights=[1.0]
    ),
    "agreement: unknown setting": lambda: rated(clusters="page"),
    "agreement: no metrics": lambda: rated(metrics=[]),
    "agreement: a metric of classification": lambda: rated(metrics=["accuracy"]),
    "agreement: a metric of two raters": lambda: rated(metrics=["kappa_max"]),
    "agreement: a scale that is a word": lambda: rated(scale="abc"),
    "agreement: an empty scale": lambda: rated(scale=[]),
    "scoring: no raters": lambda: scored(raters=[]),
    "scoring: a system without its column": lambda: scored(prediction=None, systems={"new": {"score": "m"}}),
    "scoring: raters by something else": lambda: scored(raters=5.5),
    "scoring: raters by a number": lambda: scored(raters=5),
    "scoring: slices by a number": lambda: scored(slices=3),
    "scoring: slices in a set": lambda: scored(slices={"who"}),
    "scoring: candidate as a list": lambda: scored(candidate=["who"]),
    "scoring: weight as a truth value": lambda: scored(weight=True),
    "scoring: min as a word": lambda: scored(min="a", max=6),
    "scoring: flag as a number": lambda: scored(flag=1),
    "scoring: limits as a number": lambda: scored(limits=0.5),
    "scoring: scaling as a list of numbers": lambda: scored(scaling=[1, 2, 3, 4]),
    "scoring: zeros as a truth value": lambda: scored(zeros=True),
    "scoring: an unknown setting": lambda: scored(tolerence=1),
    "scoring: nothing but a table": lambda: adjudge.evaluate({"h": [1]}, "scoring"),
    "reference: not given": lambda: adjudge.evaluate({"h": [1]}, prediction="h"),
    "reference: a list": lambda: small(reference=["label"]),
    "score: a number": lambda: small(prediction=None, score=0.5),
    "threshold: a list": lambda: small(threshold=[0.5, "high"]),
    "positive: a list": lambda: small(positive=["a"]),
    "replicates: a fraction": lambda: small(replicates=150.5),
    "engine: a list": lambda: small(engine=["stream"]),
    "metrics: a number": lambda: small(metrics=3),
    "an unknown argument": lambda: small(predictions="one"),
    "task: a list": lambda: small(task=["classification"]),
    "agreement: raters by something else": lambda: rated(raters=5.5),
    "agreement: scale as a number": lambda: rated(scale=3),
    "agreement: level as text": lambda: rated(level="0.9"),
    "agreement_difference: a team as a number": lambda: adjudge.agreement_difference({"a": [1]}, 5.5, ["a"]),
    "agreement_difference: no metric": lambda: adjudge.agreement_difference({"a": [1]}, ["a"], ["a"], metric=3),
    "scoring: no metrics": lambda: scored(metrics=[]),
    "scoring: the end of the scale as text": lambda: scored(min="1", max=6),
    "scoring: half a response": lambda: scored(candidate="who", min_items=1.5),
    "scoring: scaled twice": lambda: scored(
        training={"h": [1, 2], "m": [1, 2]},
        scaling={"system_mean": 1, "system_sd": 1, "human_mean": 1, "human_sd": 1},
    ),
    "regression: systems and prediction too": lambda: predicted(systems={"new": "m"}),
    "regression: systems in a list": lambda: predicted(prediction=None, systems=["m"]),
    "regression: a system by a role it has not": lambda: predicted(prediction=None, systems={"new": {"score": "m"}}),
    "regression: a system with one end of its interval": lambda: predicted(
        prediction=None, systems={"new": {"prediction": "m", "lower": "l"}}
    ),
    "regression: an unknown setting": lambda: predicted(quantil=0.5),
    "regression: quantile as text": lambda: predicted(quantile="median"),
    "scoring: one score to scale by": lambda: scored(training={"h": [1, None], "m": [1, 2]}),
}


def book() -> dict[str, str]:
    return dict(re.findall(r"^## (.+)\n\n(.+)\n", BOOK.read_text(encoding="utf-8"), re.MULTILINE))


def write_the_book(folder: Path) -> None:
    found = {name: file_refusal(folder, name) for name in CASES} | {n: refusal(act) for n, act in IN_PYTHON.items()}
    entries = "".join(f"\n## {name}\n\n{message}\n" for name, message in found.items())
    BOOK.write_text(TITLE + entries, encoding="utf-8")


def test_the_book_is_complete(tmp_path: Path) -> None:
    if "ADJUDGE_WRITE_MESSAGES" in os.environ:
        write_the_book(tmp_path)
    assert list(book()) == [*CASES, *IN_PYTHON]


@pytest.mark.parametrize("name", list(CASES))
def test_refusal_of_a_file(name: str, tmp_path: Path) -> None:
    assert file_refusal(tmp_path, name) == book()[name]


@pytest.mark.parametrize("name", list(IN_PYTHON))
def test_refusal_in_python(name: str) -> None:
    assert refusal(IN_PYTHON[name]) == book()[name]


@pytest.mark.parametrize("name", list(CASES))
def test_refusal_on_the_command_line(name: str, tmp_path: Path, adjudge_cli: Any) -> None:
    path = written(tmp_path, CASES[name])
    before = sorted(tmp_path.rglob("*"))
    outputs = [f"--{kind}={tmp_path / 'out'}.{kind}" for kind in ("html", "json", "csv", "markdown", "save")]
    said = adjudge_cli(CASES[name].task, path, *options(CASES[name].settings), *outputs)
    assert (said.code, said.out) == (2, "")
    actions = parser(task_named(CASES[name].task))._actions
    typed = {action.dest: action.option_strings[-1] for action in actions if action.option_strings}
    assert said.err == f"adjudge: {as_typed(book()[name], typed)}\n"
    unquoted = re.sub(r'"[^"]*"', "", said.err)
    assert not {*re.findall(r"`(\w+)`", unquoted), *re.findall(r"(?<![\w.])([a-z_]+)=", unquoted)} & {*typed}
    assert sorted(tmp_path.rglob("*")) == before, "nothing is left behind"


@pytest.mark.parametrize("name", [*CASES, *IN_PYTHON])
def test_a_message_is_one_line_that_says_what_must_hold_and_what_to_do(name: str) -> None:
    message = book()[name]
    assert re.search(r"\bmust\b|There is no metric|It takes", message)
    assert message[-1] in ".?"
    assert "Traceback" not in message
    assert "object at 0x" not in message


def test_the_book_would_notice(tmp_path: Path) -> None:
    """A case that is not refused fails here rather than passing in silence."""
    path = written(tmp_path, Case(PLAIN))
    with pytest.raises(pytest.fail.Exception):
        refusal(lambda: adjudge.evaluate(path, **Case().settings))


def test_the_documentation_tells_the_same() -> None:
    """Each sentence in the table of docs/input.md is one that is really said."""
    text = (HERE.parents[1] / "docs" / "input.md").read_text(encoding="utf-8")
    told = re.findall(r"^\|.+\| error: (.+) \|$", text, re.MULTILINE)
    ours = [message for message in book().values() if any(sentence.startswith(message) for sentence in told)]
    unknown = [sentence for sentence in told if not any(sentence.startswith(message) for message in book().values())]
    assert len(ours) >= 20
    assert [sentence.partition(";")[0] for sentence in unknown] == [
        "a file of its own must be given",
        "the folder must be created first",
    ], "those two name a file, and are tested in tests/cli"
