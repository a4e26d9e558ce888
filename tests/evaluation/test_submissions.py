"""A gold standard and submissions in files of their own: joined, counted, checked for leaks, and with a ceiling."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjudge
from adjudge.errors import AdjudgeError

R = np.random.default_rng(8)
ROWS = 120
TRUE = [str(one) for one in R.choice(["a", "b"], ROWS)]
GOLD = {
    "id": [f"r{row}" for row in range(ROWS)],
    "label": TRUE,
    "text": [f"text {row}" for row in range(ROWS)],
    "split": ["test" if row % 3 else "development" for row in range(ROWS)],
    "ann": TRUE,
    "ben": [one if R.random() < 0.9 else "b" for one in TRUE],
}


def submission(right: float, rows: range | list[int] = range(ROWS)) -> dict[str, list[str]]:
    order = R.permutation(list(rows))
    said = [TRUE[row] if R.random() < right else "ab".replace(TRUE[row], "") for row in order]
    return {"id": [f"r{row}" for row in order], "guess": said}


ONE, TWO = submission(0.9), submission(0.8)


def compared(*tables: Any, **more: Any) -> adjudge.Evaluation:
    names = [f"s{place}" for place in range(len(tables))]
    asked = {"id": "id", "reference": "label", "prediction": "guess", "names": names, "replicates": 200}
    return adjudge.compare(*tables, **{"gold": GOLD, **asked, **more})


def right(table: dict[str, list[str]]) -> float:
    true = dict(zip(GOLD["id"], TRUE, strict=True))
    return float(np.mean([true[key] == said for key, said in zip(table["id"], table["guess"], strict=True)]))


def test_submissions_meet_the_gold_standard_by_id() -> None:
    found = compared(ONE, TWO)
    assert found.get("accuracy", system="s0").value == pytest.approx(right(ONE))
    row = found.table.find("accuracy", system="s1", baseline="s0")
    assert row.estimate == pytest.approx(right(TWO) - right(ONE))
    assert row.differing is not None
    assert not any(check.key in ("C29", "C30") for check in found.outcome.checks)


def test_a_score_of_one_system_may_be_the_answer_of_another() -> None:
    """The column is read as labels and as numbers."""
    gold, scores = {"id": GOLD["id"], "label": ["0", "1"] * 60}, {"id": GOLD["id"], "p": [0, 1] * 60, "q": [1, 1] * 60}
    asked = {"gold": gold, "id": "id", "reference": "label", "positive": "1", "replicates": 100, "names": ["s"]}
    found = adjudge.compare(scores, score=["p", "q"], prediction=["q", "p"], **asked)
    assert found.get("accuracy", system="s: q").value == pytest.approx(0.5)
    assert found.get("roc_auc", system="s: q").value == pytest.approx(1.0)
    assert found.get("accuracy", system="s: p").value == pytest.approx(1.0)


def test_one_submission_is_enough() -> None:
    assert compared(ONE).get("accuracy").value == pytest.approx(right(ONE))


def test_what_does_not_meet_is_counted_on_both_sides() -> None:
    short = {name: column[10:] for name, column in ONE.items()}
    long = {"id": [*TWO["id"], "x1", "x2"], "guess": [*TWO["guess"], "a", "a"]}
    found = compared(short, long)
    told = [check.sentence for check in found.outcome.checks if check.key == "C29"]
    assert any('"s0" must answer every row' in one and "10 of 120" in one for one in told)
    assert any('"s1" answers 2 rows' in one for one in told)
    assert found.outcome.data.used == ROWS - 10
    assert found.outcome.data.left_out["not in all tables (gold standard)"] == 10


def test_parts_that_share_rows_are_told() -> None:
    train = {"id": ["r5", "t1"], "text": ["something", "TEXT  7"]}
    found = compared(ONE, parts={"train": train}, content="text")
    told = [check for check in found.outcome.checks if check.key == "C30"]
    assert [check.severity for check in told] == ["serious", "serious"]
    assert any("1 id is in both" in check.sentence and '"r5"' in check.sentence for check in told)
    assert any("1 content is in both" in check.sentence for check in told)
    assert not any(check.key == "C30" for check in compared(ONE, parts={"train": train}, ok="C30").outcome.checks)


def test_a_column_tells_the_parts() -> None:
    gold = {**GOLD, "text": ["the same" if row in (0, 1) else f"text {row}" for row in range(ROWS)]}
    found = compared(ONE, gold=gold, part="split", content=["text"])
    [check] = [one for one in found.outcome.checks if one.key == "C30"]
    assert '"development" and "test" must not share rows' in check.sentence
    assert found.table.find("accuracy", slice="split = test").n == 80


def test_annotation_quality_has_a_ceiling() -> None:
    found = compared(ONE, gold_raters=["ann", "ben"])
    table = found.panels["Annotation quality"].records()
    agreed = np.mean([one == two for one, two in zip(GOLD["ann"], GOLD["ben"], strict=True)])
    assert [row["figure"] for row in table] == [
        "Ceiling of one rater's labels",
        "Percent agreement",
        "Krippendorff's alpha",
    ]
    assert table[0]["estimate"] == pytest.approx((1 + agreed) / 2)
    assert table[0]["low"] < table[0]["estimate"] < table[0]["high"] <= 1


def test_a_ceiling_of_numbers() -> None:
    truth = R.normal(10, 3, 80)
    gold = {"id": list(range(80)), "y": truth, "r1": truth + R.normal(0, 1, 80), "r2": truth + R.normal(0, 1, 80)}
    system = {"id": list(range(80)), "m": truth}
    found = adjudge.compare(
        system,
        gold=gold,
        id="id",
        task="regression",
        reference="y",
        prediction="m",
        gold_raters=["r1", "r2"],
        names=["m"],
    )
    table = found.panels["Annotation quality"].records()
    icc = adjudge.estimate("icc(form=A,1)", np.column_stack([gold["r1"], gold["r2"]]))
    assert table[0]["estimate"] == pytest.approx(np.sqrt(icc.value))
    assert table[2]["estimate"] > table[0]["estimate"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"id": None}, "`id` must name the column by which submissions meet"),
        ({"gold_raters": ["ann"]}, "`gold_raters` must be at least two columns"),
        (
            {"gold_raters": ["ann", "eva"]},
            '`gold_raters` must name a column of the table, but there is no column "eva"',
        ),
        ({"part": "splt"}, 'there is no column "splt". Did you mean "split"'),
        ({"names": ["gold standard"]}, 'must not be called "gold standard"'),
        ({"gold": None, "content": "text"}, "must come with `gold`"),
    ],
)
def test_refusals(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(AdjudgeError) as caught:
        compared(ONE, **asked)
    assert message in str(caught.value)


def test_on_the_command_line(tmp_path: Path, adjudge_cli: Any) -> None:
    for name, table in (("gold", GOLD), ("one", ONE), ("two", TWO)):
        rows = zip(*table.values(), strict=True)
        (tmp_path / f"{name}.csv").write_text("\n".join([",".join(table), *map(",".join, rows)]) + "\n")
    files = [str(tmp_path / f"{name}.csv") for name in ("one", "two")]
    asked = ["--gold", str(tmp_path / "gold.csv"), "--id", "id", "--reference", "label", "--prediction", "guess"]
    out = tmp_path / "out.json"
    said = adjudge_cli(
        "compare", *files, *asked, "--replicates", "200", "--gold-raters", "ann", "ben", "--json", str(out)
    )
    assert said.code == 0, said.err
    told = json.loads(out.read_text())
    assert {row["system"] for row in told["results"]} >= {"one", "two"}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"gold_raters": ["ann", "ann"]}, "must be different columns"),
        ({"content": ["text"]}, "must come with `parts` or `part`"),
        ({"parts": {"train": {"x": [1]}}}, "must have a column by which its rows are known"),
    ],
)
def test_what_could_not_be_checked_is_refused(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(AdjudgeError, match=said):
        adjudge.compare(
            submission(0.9), gold=GOLD, id="id", reference="label", prediction="guess", names=["team"], **asked
        )
