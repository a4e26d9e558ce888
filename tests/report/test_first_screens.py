"""The first screen of every task, on small and awkward tables: what stands there, and that it fits."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import screens
from rich.cells import cell_len
from tests.kept.keeping import kept

import adjudge
from adjudge.cli.task import parser
from adjudge.evaluation.answers.claims import BEYOND, LOOKS, UNDECIDED, Claim, Evidence, judged_evidence
from adjudge.report.answers.order import cut, ordered, rest_sentence
from adjudge.tasks import task_named

MANY = "forty raters, three of whom guess"
SNAPSHOT = Path(__file__).with_name("first_screens.md")


@cache
def evaluated(name: str) -> Any:
    """Each table is evaluated once."""
    return screens.CASES[name]()


def test_first_screens_are_as_they_were() -> None:
    made = "\n".join(f"## {name}\n\n```text\n{screens.printed(evaluated(name))}```\n" for name in screens.CASES)
    assert made == kept(SNAPSHOT, made)


@pytest.mark.parametrize("name", screens.CASES)
def test_it_fits(name: str) -> None:
    e = evaluated(name)
    lines = screens.printed(e).splitlines()
    assert len(lines) <= 40
    assert max(map(cell_len, lines)) <= 100
    assert len(screens.printed(e, 80).splitlines()) <= 40
    for width in (80, 60):
        assert max(map(cell_len, screens.printed(e, width).splitlines())) <= width
    assert screens.printed(e, 80, "ascii").isascii()
    assert len(e._repr_html_().encode()) <= 15_000
    assert "<script" not in e._repr_html_()
    assert e.summary.answer.headline.splitlines() == [e.summary.answer.headline]
    assert e.summary.answer.headline in e.content("markdown").replace("\\", "")
    assert e.summary.answer.headline in repr(e)
    assert len(e.summary.answer.findings) <= 5
    assert len(e.summary.answer.steps) <= 3


def test_a_step_stands_in_a_shell_as_it_is_printed() -> None:
    random = np.random.default_rng(3)
    table = {"query": np.repeat(np.arange(300), 8), "gain": random.integers(0, 3, 2400)}
    table["old"] = table["gain"] + random.normal(0, 1, 2400)
    table["new"] = table["old"] + random.normal(0, 0.1, 2400)
    e = adjudge.ranking(table, query="query", relevance="gain", score=["old", "new"], replicates=200)
    steps = [step.command for step in e.summary.answer.steps if step.command]
    assert "--margin 'ndcg(at=5)=0.02'" in steps
    assert all(shlex.join(shlex.split(step)) == step for step in steps)


@pytest.mark.parametrize("name", screens.CASES)
def test_every_step_is_a_command_the_parser_takes(name: str) -> None:
    e = evaluated(name)
    task = task_named(e.outcome.task)
    required = [word for role in task.roles if role.required for word in (f"--{role.name}", "column")]
    for step in e.summary.answer.steps:
        if step.command is not None:
            parser(task).parse_args(["table.csv", *required, *shlex.split(step.command)])
    for option in re.findall(r"--([a-z-]+)", e.summary.answer.more):
        assert f"--{option}" in parser(task).format_help()


def test_other_thresholds_are_told_with_what_they_give() -> None:
    """Counted over by hand: rows that score at least the threshold that is named."""
    told = next(
        one.text for one in evaluated("two labels and a score").summary.answer.findings if one.word == "thresholds"
    )
    assert told.endswith("chosen on these rows, which flatters")
    table, half = screens.scored(), 0.005 + 1e-9  # of the last digit that is printed
    ill, score = np.array(table["label"]) == "ill", np.array(table["score"])
    find, right, most = (float(at) for at in re.findall(r": at ([0-9.]+),", told))
    alarms, found, best = (float(value) / 100 for value in re.findall(r"([0-9.]+) % \[", told))
    assert (score[ill] >= find).mean() >= 0.9 > (score[ill] > find).mean()
    assert (score[~ill] >= find).mean() == pytest.approx(alarms, abs=half)
    assert ill[score >= right].mean() >= 0.9
    assert (score[ill] >= right).mean() == pytest.approx(found, abs=half)
    assert ((score >= most) == ill).mean() == pytest.approx(best, abs=half)
    assert max(((score >= at) == ill).mean() for at in score) == pytest.approx(best, abs=half)


def test_every_two_of_few_raters_are_shown() -> None:
    """Cohen's kappa of ann and ben, counted over by hand."""
    blocks = {block.title: block for block in evaluated("two labels confused").summary.answer.blocks}
    block = blocks["each pair of raters: Cohen's kappa"]
    ann, ben = (np.array(screens.confused()[name]) for name in ("ann", "ben"))
    equal = (ann == ben).mean()
    chance = sum((ann == label).mean() * (ben == label).mean() for label in set(ann) | set(ben))
    shown = {row[0].text: dict(zip(block.columns[1:], row[1:], strict=True)) for row in block.rows}
    assert shown["ann"]["ben"].value == shown["ben"]["ann"].value == pytest.approx((equal - chance) / (1 - chance))
    assert all(one.kind != "grid" or not one.spare for one in evaluated(MANY).summary.answer.blocks)


def test_a_planted_bias_is_named() -> None:
    answer = evaluated("a group scored too low").summary.answer
    assert "Korean (l1) lower than raters do" in answer.headline
    assert any(one.mark == "beyond" and "Korean (l1)" in one.text for one in answer.findings)


def test_raters_who_guess_are_named_however_little_they_rated() -> None:
    answer = evaluated("forty raters, three of whom guess").summary.answer
    said = " ".join(one.text for one in answer.findings if one.mark == "beyond")
    for rater in ("w07", "w19", "w33"):
        assert rater in said
    assert "close to guessing" in said
    assert [row[0].text for row in answer.blocks[0].rows[:3]] == sorted(
        [row[0].text for row in answer.blocks[0].rows[:3]], key=lambda name: name not in ("w07", "w19", "w33")
    )


def test_confused_labels_are_named() -> None:
    answer = evaluated("two labels confused").summary.answer
    assert any("anger / disgust" in one.text for one in answer.findings)
    assert any("anger" in step.text and "disgust" in step.text for step in answer.steps)


def test_a_slice_that_does_not_share_the_gain_is_the_exception() -> None:
    random = np.random.default_rng(1)
    truth, german = random.integers(0, 4, 1200), random.random(1200) < 0.25
    old = np.where(random.random(1200) < 0.75, truth, random.integers(0, 4, 1200))
    new = np.where(random.random(1200) < np.where(german, 0.7, 0.9), truth, random.integers(0, 4, 1200))
    table = {"label": truth, "old": old, "new": new, "language": np.where(german, "de", "en")}
    e = adjudge.classification(table, reference="label", prediction=["old", "new"], slices=["language"], replicates=200)
    assert e.summary.answer.headline.endswith("but de (language) does not share the gain.")


def test_without_a_bias_nothing_is_beyond() -> None:
    answer = adjudge.scoring(
        screens.essays(0.0),
        raters=["rater1", "rater2"],
        prediction="engine",
        min=1,
        max=6,
        slices=["l1"],
        replicates=200,
    ).summary.answer
    assert answer is not None
    assert "but" not in answer.headline


def test_no_shared_label_is_refused_with_the_reason() -> None:
    with pytest.raises(adjudge.errors.AdjudgeError, match="none in common"):
        adjudge.classification({"t": ["cat"] * 20, "p": ["Cat"] * 20}, reference="t", prediction="p", replicates=200)


def test_a_serious_check_stands_above_the_headline() -> None:
    text = screens.printed(evaluated("all wrong"))
    assert text.index("Check the data first") < text.index("guess is worse than")


def found(*values: float) -> list[Any]:
    claim = Claim("groups", lambda outcome: (), neutral=0.0)
    each = [Evidence(f"g{place}", value, value - 0.05, value + 0.05, 100 + place) for place, value in enumerate(values)]
    return judged_evidence(claim, each, (-0.1, 0.1))


def test_the_worst_comes_first_and_nothing_is_cut_in_silence() -> None:
    every = ordered(found(0.0, 0.02, 0.3, -0.12, 0.08, -0.4, 0.01))
    assert [one.subject for one in every[:4]] == ["g5", "g2", "g3", "g4"]
    assert [one.state for one in every[:4]] == [BEYOND, BEYOND, LOOKS, UNDECIDED]
    shown, rest = cut(every, 1)
    assert [one.subject for one in shown] == ["g5", "g2", "g3"], "what is or looks beyond is never cut below eight"
    said = rest_sentence(rest, lambda value: f"{value:.2f}")
    assert said == "1 more undecided, 0.08; 3 within, 0.00 to 0.02: --all"
    assert len(shown) + len(rest) == len(every)


def test_a_row_below_ten_units_is_one_line() -> None:
    claim = Claim("groups", lambda outcome: (), neutral=0.0)
    tiny = [Evidence(f"g{place}", 0.5, 0.2, 0.8, 5) for place in range(4)]
    shown, rest = cut(ordered(judged_evidence(claim, [*tiny, Evidence("big", 0.0, -0.05, 0.05, 90)], (-0.1, 0.1))), 3)
    assert [one.subject for one in shown] == ["big"]
    assert rest_sentence(rest, str) == "4 slices have fewer than 10 rows: --all"


def test_the_table_reads() -> None:
    e = evaluated("twelve labels")
    assert "Row(" not in repr(e.table)
    assert len(repr(e.table).splitlines()) == 22
    assert len(e.table.head(3)) == 3
    recalls = e.table.where(metric="recall", slice="all", method="wilson")
    assert {row.metric for row in recalls} == {"recall"}
    assert sum(row.n for row in recalls) == 600, "the n of a recall is how many rows have the label"
    assert "<table>" in e.table._repr_html_()
    with pytest.raises(adjudge.errors.AdjudgeError, match="column of the table"):
        e.table.where(colour="red")
    with pytest.raises(adjudge.errors.AdjudgeError, match="`state` must be one of"):
        e.table.where(state="fine")


def test_rows_are_chosen_by_what_the_screen_makes_of_them() -> None:
    e = evaluated("a group scored too low")
    beyond = e.table.where(state="beyond")
    assert {row.slice for row in beyond} == {"l1 = Korean"}
    assert len(e.table.where(lambda row: row.n > 0, state="beyond", slice="l1 = Korean")) == len(beyond)
    assert {row.slice for row in e.table.where(state="undecided")} >= {"l1 = Spanish"}
    assert not len(e.outcome.table.where(state="beyond"))  # nobody holds a claim about a bare table


def test_it_says_the_same_after_loading(tmp_path: Path) -> None:
    for name in ("two systems", "a group scored too low", "two labels confused"):
        e = evaluated(name)
        assert adjudge.load(e.save(tmp_path / "e.adjudge")).summary.answer == e.summary.answer


def test_several_raters_without_whom_the_scale_is_reached_are_named_together() -> None:
    random = np.random.default_rng(4)
    truth = random.integers(0, 4, 400)
    columns = {}
    for place in range(40):
        right = random.random(400) < (0.05 if place in (6, 18, 30) else 0.86)
        given = np.where(right, truth, random.integers(0, 4, 400)).astype(str).astype(object)
        given[random.random(400) > 0.12] = None  # the three are not among the thirty busiest
        columns[f"w{place:02d}"] = given.tolist()
    answer = adjudge.agreement(columns, raters=list(columns), replicates=300).summary.answer
    assert answer is not None
    assert answer.headline.endswith("; without w06, w18 and w30 it is.")
