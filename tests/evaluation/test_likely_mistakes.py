"""Tables with a mistake of the everyday kind, and the ordinary table beside each: what is said, and on every engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as arrow
import pytest
from pyarrow import parquet
from tests.evaluation.tables import checked

import adjudge
from adjudge.errors import BadValue

RANDOM = np.random.default_rng(17)
N = 300
YES = (RANDOM.random(N) < 0.4).astype(int)
SAID = np.where(RANDOM.random(N) < 0.8, YES, 1 - YES)
SCORE = (1 / (1 + np.exp(-RANDOM.normal(2 * YES - 1, 1.0)))).round(4)
GRADE = RANDOM.integers(0, 4, N)
GUESS = np.where(RANDOM.random(N) < 0.8, GRADE, RANDOM.integers(0, 4, N))
TRUE = np.exp(RANDOM.normal(3, 0.6, N)).round(1)
NEAR = (TRUE * np.exp(RANDOM.normal(0, 0.15, N))).round(1)
WORTH = RANDOM.normal(3.5, 1, N)
FIRST, SECOND, THIRD = (np.clip(np.rint(WORTH + RANDOM.normal(0, 0.5, N)), 1, 6).astype(int) for _ in range(3))
ENGINE = (WORTH + RANDOM.normal(0, 0.5, N)).round(3)
HOURS = RANDOM.gamma(5, 20, N).round(1)
FAILED = RANDOM.poisson(HOURS / 100)
QUERY = np.repeat([f"q{k}" for k in range(N // 10)], 10)
RELEVANCE = RANDOM.choice([0, 0, 0, 1, 2], N)
ORDER = (0.7 * RELEVANCE + RANDOM.normal(size=N)).round(3)
ROWS = np.arange(N)

TABLES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "classification": (
        {"y": GRADE, "p": GUESS, "part": ["de", "en"] * (N // 2)},
        {"reference": "y", "prediction": "p"},
    ),
    "regression": ({"y": TRUE, "f": NEAR}, {"reference": "y", "prediction": "f"}),
    "scoring": (
        {"h1": FIRST, "h2": SECOND, "e": ENGINE},
        {"raters": ["h1", "h2"], "prediction": "e", "min": 1, "max": 6},
    ),
    "agreement": ({"r1": FIRST, "r2": SECOND, "r3": THIRD}, {"raters": ["r1", "r2", "r3"]}),
    "ranking": (
        {"q": QUERY, "rel": RELEVANCE, "s": ORDER},
        {"query": "q", "relevance": "rel", "score": "s", "metrics": "ndcg"},
    ),
    "uplift": (
        {"y": YES, "t": RANDOM.integers(0, 2, N), "s": RANDOM.normal(size=N).round(4)},
        {"outcome": "y", "treatment": "t", "score": "s"},
    ),
    "failures": ({"h": HOURS, "f": FAILED}, {"exposure": "h", "failures": "f"}),
    "diagnostic": (
        {"c": [f"c{k}" for k in ROWS], "what": ["x", "y", "z"] * (N // 3), "e": YES, "new": SAID},
        {"case": "c", "phenomenon": "what", "expect": "e", "prediction": ["new"]},
    ),
    "preference": (
        {
            "model_a": RANDOM.choice(["m1", "m2"], N),
            "model_b": ["old"] * N,
            "winner": RANDOM.choice(["a", "b"], N),
        },
        {},
    ),
}
SCORED = {"y": YES, "p": SAID, "s": SCORE}
BY_SCORE = {"reference": "y", "prediction": "p", "score": "s", "positive": 1}


def said(task: str, changed: dict[str, Any], **given: Any) -> dict[str, str]:
    """The gravest severity of each check that speaks."""
    table, roles = TABLES[task]
    return checked(table | changed, task, **roles | given)


def often(values: Any, value: Any, every: int = 10) -> Any:
    return np.where(ROWS % every == 0, value, values)


def twice(task: str, rows: int = 90) -> dict[str, Any]:
    """A table in which some rows stand again."""
    return {name: [*values, *list(values)[:rows]] for name, values in TABLES[task][0].items()}


@pytest.mark.parametrize("task", TABLES)
def test_an_ordinary_table_says_nothing_serious(task: str) -> None:
    assert "serious" not in said(task, {}).values()


WORDS = {0: "not_spam", 1: "spam", 2: "other", 3: "no mail"}
LABELS = [WORDS[k] for k in GRADE]


@pytest.mark.parametrize(
    ("task", "changed", "given", "key"),
    [
        ("classification", {"y": LABELS, "p": [WORDS[k].replace("_", " ") for k in GUESS]}, {}, "C2"),
        ("classification", {"y": LABELS, "p": [WORDS[k].replace("_", "") for k in GUESS]}, {}, "C2"),
        ("classification", {"part": ["de", "DE", "en"] * (N // 3)}, {"slices": ["part"]}, "C2"),
        ("classification", {"part": ["1", "1.0", "2"] * (N // 3)}, {"slices": ["part"]}, "C2"),
        ("classification", {"part": [f"{'Aa'[k % 2]}nn{k // 10}" for k in ROWS]}, {"cluster": "part"}, "C2"),
        ("classification", {"y": often(GRADE, -1)}, {}, "C22"),
        ("classification", {"y": [*GRADE, "Total"], "p": [*GUESS, 36], "part": ["x"] * (N + 1)}, {}, "C32"),
        ("classification", {"y": [*GRADE, sum(GRADE)], "p": [*GUESS, sum(GUESS)], "part": ["x"] * (N + 1)}, {}, "C32"),
        ("classification", {"y": often(LABELS, "#REF!"), "p": LABELS}, {}, "C22"),
        ("classification", {"w": often([1] * N, 999)}, {"weight": "w"}, "C22"),
        ("classification", SCORED | {"s": often(SCORE, -1, 4)}, BY_SCORE, "C22"),
        (
            "classification",
            SCORED | {"p": SCORE > 0.5, "s": np.maximum(SCORE, 1 - SCORE), "y": YES > 0},
            BY_SCORE,
            "C13",
        ),
        ("regression", {"f": NEAR * 2.2}, {}, "C12"),
        ("regression", {"f": NEAR * 1.8 + 32}, {}, "C12"),
        ("regression", {"f": np.where(ROWS % 3 == 0, 1000 * NEAR, NEAR)}, {}, "C12"),
        ("scoring", {"h1": FIRST - 1}, {}, "C12"),
        ("scoring", {}, {"training": {name: list(of) for name, of in TABLES["scoring"][0].items()}}, "C30"),
        ("agreement", {"r2": 7 - SECOND}, {}, "C3"),
        ("agreement", {"r1": YES, "r2": 1 - SAID, "r3": SAID}, {}, "C3"),
        ("ranking", {"s": RELEVANCE}, {}, "C4"),
        ("ranking", {"s": often(1 / (1 + np.exp(-ORDER)), -1, 4)}, {}, "C22"),
        ("ranking", {"q": [name.upper() if k % 2 else name for k, name in enumerate(QUERY)]}, {}, "C2"),
        ("uplift", {"s": YES + 0.01 * TABLES["uplift"][0]["s"]}, {}, "C4"),
        ("failures", {"h": often(HOURS, 0)}, {}, "C22"),
        ("diagnostic", {"e": often(YES, "NA")}, {}, "C22"),
        ("diagnostic", {"what": ["x", "X", "y"] * (N // 3)}, {}, "C2"),
        ("preference", {"model_b": ["M1", "old"] * (N // 2)}, {}, "C2"),
    ],
)
def test_a_likely_mistake_is_said_first(task: str, changed: dict[str, Any], given: dict[str, Any], key: str) -> None:
    assert said(task, changed, **given).get(key) == "serious"


@pytest.mark.parametrize(
    ("task", "changed", "given", "key"),
    [
        *((task, twice(task), {}, "C5") for task in ("regression", "scoring", "uplift")),
        ("ranking", twice("ranking"), {"engine": "memory"}, "C5"),
        ("classification", twice("classification") | {"id": [*ROWS, *range(90)]}, {}, "C5"),
        ("regression", {"f": np.where(ROWS == 5, 1000 * NEAR, NEAR)}, {}, "C12"),
        ("ranking", {"q": [f"q{k}" if k < N // 4 else name for k, name in enumerate(QUERY)]}, {}, "C8"),
        ("failures", {"h": np.cumsum(HOURS)}, {}, "C34"),
    ],
)
def test_what_may_well_be_so_is_remarked(task: str, changed: dict[str, Any], given: dict[str, Any], key: str) -> None:
    assert key not in said(task, {}, **given)
    assert said(task, changed, **given).get(key) == "remark"


def test_a_score_that_predictions_follow_from_may_be_a_half_or_more() -> None:
    likeness = (0.5 + 0.5 * SCORE).round(4)
    found = said("classification", SCORED | {"p": (likeness > 0.75).astype(int), "s": likeness}, **BY_SCORE)
    assert found.get("C13") != "serious"


def test_a_few_names_in_two_ways_are_remarked() -> None:
    names = ["Ann" if k == 0 else "ann" if k == 1 else f"n{k // 3}" for k in ROWS]
    assert said("classification", {"who": names}, cluster="who")["C2"] == "remark"


def test_a_rater_whose_items_nobody_else_rated_is_said() -> None:
    both = [("r1", FIRST), ("r2", SECOND), ("r3", THIRD)]
    rows = [
        {"item": f"item {k}" if rater == named else f"i{k}", "rater": rater, "rating": int(of[k])}
        for named in ("r3",)
        for rater, of in both
        for k in range(60)
    ]
    asked = {"item": "item", "rater": "rater", "rating": "rating", "replicates": 100}
    for table, severity in ((rows, "serious"), (rows + [row | {"rater": "r4"} for row in rows[:20]], "serious")):
        assert [c.severity for c in adjudge.agreement(table, **asked).checks if c.key == "C7"] == [severity]
    alone = [row | {"rater": "r4", "item": f"{row['rater']} {row['item']}"} for row in rows[:60]]
    mostly_alone = [row for row in rows if row["rater"] != "r3" and (row["rater"] == "r1" or row["item"] < "i4")]
    found = adjudge.agreement(mostly_alone + alone, **asked).checks
    assert [check.severity for check in found if check.key == "C7"] == ["remark"]


def test_rows_that_are_not_in_both_tables_are_said() -> None:
    table = {"id": [f"r{k}" for k in ROWS], "y": list(YES), "p": list(SAID)}
    few = {name: values[:200] for name, values in table.items()}
    asked = {"id": "id", "reference": "y", "prediction": "p", "replicates": 100}
    for new, keys in ((table, []), (few, ["C7"])):
        changed = new | {"p": [one if k % 7 else 1 - one for k, one in enumerate(new["p"])]}
        found = adjudge.compare(table, changed, **asked).checks
        assert [check.key for check in found] == keys
    assert not adjudge.compare(table, few, **asked, ok=["C7", "C24"]).checks


def test_an_arm_of_0_is_the_control_also_where_numbers_are_read_with_decimals() -> None:
    arms = [None if k % 20 == 0 else f"{arm}.0" for k, arm in enumerate(TABLES["uplift"][0]["t"])]
    assert "serious" not in said("uplift", {"t": arms}).values()


@pytest.mark.parametrize(
    ("task", "changed", "given"),
    [
        ("classification", {"part": [f"{'Aa'[k % 2]}nn{k // 10}" for k in ROWS]}, {"cluster": "part"}),
        ("classification", {"y": [*GRADE, "Total"], "p": [*GUESS, 36], "part": ["x"] * (N + 1)}, {}),
        ("regression", twice("regression"), {}),
        ("scoring", twice("scoring"), {}),
        ("failures", {"h": often(HOURS, 0)}, {}),
    ],
)
def test_a_stream_says_the_same(tmp_path: Path, task: str, changed: dict[str, Any], given: dict[str, Any]) -> None:
    table, roles = TABLES[task]
    columns = {name: list(values) for name, values in (table | changed).items()}
    texts = {name for name, values in columns.items() if any(isinstance(one, str) for one in values)}
    arrays = {name: list(map(str, of)) if name in texts else of for name, of in columns.items()}
    parquet.write_table(arrow.table(arrays), tmp_path / "t.parquet", row_group_size=64)
    memory, stream, threads = (
        adjudge.evaluate(tmp_path / "t.parquet", task, **roles | given, replicates=100, engine=engine).checks
        for engine in ("memory", "stream", "threads")
    )
    assert memory
    assert memory == stream == threads


def test_rows_before_the_first_that_can_be_used_are_looked_at_on_every_engine(tmp_path: Path) -> None:
    before, after = 2**17 + 5, 60
    table = {"y": [None] * before + list(TRUE[:after]), "f": [-999.0] * before + list(NEAR[:after])}
    parquet.write_table(arrow.table(table), tmp_path / "t.parquet")
    memory, stream, threads = (
        adjudge.evaluate(
            tmp_path / "t.parquet", "regression", reference="y", prediction="f", replicates=100, engine=engine
        ).checks
        for engine in ("memory", "stream", "threads")
    )
    assert {"C7", "C22"} <= {check.key for check in memory}
    assert memory == stream == threads


LATENCY = RANDOM.exponential(200, N).round(1)


@pytest.mark.parametrize(
    ("changed", "keys"),
    [
        ({}, []),
        ({"p": GRADE}, ["C4"]),
        ({"ms": often(LATENCY, -1)}, ["C22"]),
        ({"ms": often(LATENCY, 99999)}, ["C22"]),
        ({"ms": [None if one > 300 else one for one in LATENCY]}, ["C7"]),
    ],
)
def test_a_gate_says_it_before_its_verdict(changed: dict[str, Any], keys: list[str]) -> None:
    table = {name: list(of) for name, of in ({"y": GRADE, "p": GUESS, "ms": LATENCY} | changed).items()}
    verdicts = adjudge.Gate.of("accuracy >= 0.5", "mean(ms) <= 900000").run(table, reference="y", prediction="p")
    assert [one.rpartition("(")[2].rstrip(")") for one in verdicts.judgement.checks] == keys
    first = "Check the data first" if keys else "PASSED"
    for text in (verdicts.to_markdown(), str(verdicts.evaluation.content("markdown"))):
        assert min(("Check the data first", "PASSED"), key=lambda one: text.find(one) % len(text)) == first
    assert ("check the data first" in verdicts.to_junit()) == bool(keys)


def test_columns_of_a_purpose_are_looked_at() -> None:
    purpose = {"table": [{"name": "log", "characteristic": "efficiency", "requirement": ["mean(ms) <= 900000"]}]}
    for column, keys in ((LATENCY, 0), (often(LATENCY, -1), 1)):
        found = adjudge.adequacy(purpose, {"log": {"ms": list(column)}})
        assert len(found.judgement.checks) == keys


def test_measurements_of_raters_who_round_otherwise_need_have_no_number_in_common() -> None:
    """Of sixty readings one is rounded to fives, and none of them is equal: that was refused as labels that differ."""
    random = np.random.default_rng(99)
    level = random.gamma(3.0, 20.0, 60)
    first = np.floor(level * np.exp(0.12 * random.standard_normal(60))) + 0.5
    second = 5 * np.rint(level * np.exp(0.12 * random.standard_normal(60)) / 5)
    how: dict[str, Any] = {"raters": ["a", "b"], "measurement": "interval", "replicates": 100}
    found = adjudge.agreement({"a": first, "b": second}, **how)
    assert found["icc(form=A,1)"].value > 0.8
    assert not {"C1", "C12"} & {check.key for check in found.checks}
    thousandfold = adjudge.agreement({"a": first, "b": 1_000 * second}, **how)
    assert "C12" in {check.key for check in thousandfold.checks}
    with pytest.raises(BadValue, match="have none in common"):
        adjudge.agreement({"a": first, "b": second}, **how | {"measurement": "nominal", "ok": "C14"})
