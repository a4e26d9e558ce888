"""What is fitted of whole pairs obeys the laws of metrics, and can be required."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.errors import SettingError
from adjudge.evaluation.results import Row
from adjudge.metrics import parse
from adjudge.metrics.pair_fits import FITTED, GREENLAND

GOLDEN = Path(__file__).parents[1] / "golden" / "vote_models.json"
CASES = {case["id"]: case for case in json.loads(GOLDEN.read_text())["cases"]}
MODELS = ["amber", "brisk", "cedar"]
ORDER = {"a": "b", "b": "a"}


@cache
def pairs(seed: int = 2, count: int = 120) -> tuple[dict[str, Any], ...]:
    draw, rows = random.Random(seed), []
    for n in range(count):
        first, second = draw.sample(MODELS, 2)
        chosen = "a" if draw.random() < 0.6 - 0.2 * (first == "cedar") else "b"
        polite = chosen if draw.random() < 0.5 else draw.choice(["a", "b", "both", None])
        rows.append({
            "prompt": f"p{n // 2}",
            "text_a": "w" * draw.randint(3, 90), "text_b": "w" * draw.randint(3, 90),
            "model_a": first, "model_b": second,
            "winner": chosen, "polite": polite, "formal": draw.choice(["a", "b", "tie"]),
            "again": draw.choice([polite, "a", "b"]), "person": draw.choice([polite, "a", None]),
            "topic": draw.choice(["law", "maths", "art"]), "times": draw.randint(1, 3),
        })  # fmt: skip
    return tuple(rows)


def evaluated(rows: Any, **more: Any) -> adjudge.Evaluation:
    given: dict[str, Any] = {"split": "topic", "swapped": {"polite": "again"}, "labels": {"polite": "person"}}
    given |= {"annotators": ["polite", "formal"], "reference": "winner", "replicates": 100} | more
    return adjudge.preference(list(rows), **given)


def fitted(e: adjudge.Evaluation) -> dict[tuple[str, str, str, str], Row]:
    names = {metric.name for metric in FITTED}
    rows = [row for row in e.table if row.metric in names and not row.is_limit]
    return {(row.metric, row.system, row.category, row.method): row for row in rows}


@pytest.fixture(scope="module")
def usual() -> dict[tuple[str, str, str, str], Row]:
    return {**fitted(evaluated(pairs(), models=MODELS)), **fitted(evaluated(pairs(), order="random"))}


def test_every_fit_is_there_and_its_name_reads_back(usual: dict[Any, Row]) -> None:
    assert {row.metric for row in usual.values()} == {metric.name for metric in FITTED}
    assert all(parse(metric.name) is metric for metric in FITTED)
    assert len({metric.label for metric in FITTED}) == len(FITTED)
    assert len({metric.formula.__doc__ for metric in FITTED}) == len(FITTED)  # what the page's glossary says of each


def test_estimates_lie_between_their_limits_and_both_in_the_range(usual: dict[Any, Row]) -> None:
    for row in usual.values():
        low, high = parse(row.metric).range
        assert row.method != "none", row
        assert low <= row.low <= row.estimate <= row.high <= high, row


def test_more_confidence_reaches_further(usual: dict[Any, Row]) -> None:
    for key, row in fitted(evaluated(pairs(), models=MODELS, level=0.8)).items():
        assert usual[key].low - 1e-9 <= row.low <= row.high <= usual[key].high + 1e-9, key


def test_the_order_of_rows_does_not_matter(usual: dict[Any, Row]) -> None:
    turned = fitted(evaluated(pairs()[::-1], order="random"))
    for key, row in turned.items():
        if row.method not in ("bootstrap", "simultaneous"):
            same = (usual[key].estimate, usual[key].low, usual[key].high)
            assert (row.estimate, row.low, row.high) == pytest.approx(same, abs=1e-7), key


def test_whole_weights_are_repetitions_and_their_scale_does_not_matter() -> None:
    weighted = fitted(evaluated(pairs(), weight="times", labels=None))
    repeated = fitted(evaluated([row for row in pairs() for _ in range(row["times"])], labels=None))
    scaled = fitted(evaluated([{**row, "times": 7 * row["times"]} for row in pairs()], weight="times", labels=None))
    for key, row in weighted.items():
        assert row.estimate == pytest.approx(scaled[key].estimate, abs=1e-8), key
        # Half a choice each way is added in units of a pair that counts, of which weights leave fewer.
        anchored = {GREENLAND, "Bradley & Terry 1952"} & set(parse(row.metric).references)
        near = 0.05 if anchored else 1e-8
        assert row.estimate == pytest.approx(repeated[key].estimate, abs=near), key


def test_which_answer_comes_first_does_not_matter() -> None:
    def swapped(row: dict[str, Any]) -> dict[str, Any]:
        other = {f"{what}_{side}": row[f"{what}_{ORDER[side]}"] for what in ("text", "model") for side in "ab"}
        votes = {name: ORDER.get(row[name], row[name]) for name in ("winner", "polite", "formal", "again", "person")}
        return {**row, **other, **votes}

    draw = random.Random(5)
    mixed = fitted(evaluated([swapped(row) if draw.random() < 0.5 else row for row in pairs()]))
    for key, row in fitted(evaluated(pairs())).items():
        if row.method != "bootstrap":
            same = (mixed[key].estimate, mixed[key].low, mixed[key].high)
            assert (row.estimate, row.low, row.high) == pytest.approx(same, abs=1e-7), key


@pytest.mark.parametrize("case", ["bradley_terry_four_anchor", "bradley_terry_unbeaten"])
def test_strengths_of_models_by_other_tools(case: str) -> None:
    wins, expect = CASES[case]["input"]["wins"], CASES[case]["expect"]
    rows = [
        {"model_a": f"m{k}", "model_b": f"m{j}", "winner": "a"}
        for k, line in enumerate(wins)
        for j, times in enumerate(line)
        for _ in range(times)
    ]
    found = adjudge.preference(rows, replicates=100)
    q = 1.959963984540054
    for k, (value, error) in enumerate(zip(expect["strength_centred"], expect["se_centred"], strict=True)):
        row = next(iter(found.table.where(metric="model_strength", system=f"m{k}", method="wald")))
        ends = (value - q * error, value + q * error)
        assert (row.estimate, row.low, row.high) == pytest.approx((value, *ends), abs=1e-6)
    chance = next(iter(found.table.where(metric="win_probability", system="m0", category="against m1")))
    assert chance.estimate == pytest.approx(expect["win_probability_1_2"], abs=1e-6)
    assert (chance.low, chance.high) == pytest.approx(tuple(expect["win_probability_interval_1_2"]), abs=1e-6)


REQUIRED = {
    "strength_at_equal_length of polite >= 0.1": "passed",
    "joint_coefficient of polite >= 5": "failed",
    "model_strength of cedar >= -0.1": None,
    'model_strength_difference["against cedar"] of brisk >= -3': "passed",
    'win_rate["against cedar"] of brisk >= 0.99': "failed",
    "turned_votes <= 0.99": "passed",
    "corrected_strength of polite >= 0.99": "failed",
    "largest_strength_difference of polite >= 1.9": "failed",
}


def test_fits_can_be_required() -> None:
    e = evaluated(pairs(), require=list(REQUIRED))
    assert e.outcome.gate is not None
    for verdict, (text, word) in zip(e.outcome.gate.verdicts, REQUIRED.items(), strict=True):
        assert (verdict.text, word or verdict.verdict) == (text, verdict.verdict), verdict
        ends = [verdict.low, verdict.estimate, verdict.high]
        assert ends == sorted(end for end in ends if end is not None)


def test_the_limit_of_a_gate_is_one_end_of_the_interval_at_its_level() -> None:
    row = fitted(evaluated(pairs(), level=0.9))["strength_at_equal_length", "polite", "", "wald_by_prompt"]
    e = evaluated(pairs(), require=[f"strength_at_equal_length of polite >= {row.low - 1e-9!r}"])
    assert e.outcome.gate is not None
    (verdict,) = e.outcome.gate.verdicts
    assert verdict.verdict == "passed"
    assert verdict.low == pytest.approx(row.low, abs=1e-12)
    assert verdict.p_passed == pytest.approx(0.05, abs=1e-4)


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        ("win_rate of brisk >= 0.5", {}, "must name one of"),
        ("model_strength of nobody >= 0", {}, "must be one of the systems"),
        ("strength_at_equal_length of polite >= 0.1 where topic = law", {}, "of all pairs"),
        ("model_strength of brisk >= 0", {"engine": "stream"}, 'engine="memory"'),
    ],
)
def test_what_cannot_be_required_is_said(text: str, more: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingError, match=said):
        evaluated(pairs(), require=[text], **more)


def test_arrays_are_no_pairs() -> None:
    with pytest.raises(SettingError, match=r"adjudge\.preference"):
        adjudge.estimate("win_rate", ["a", "b"], ["a", "b"])
