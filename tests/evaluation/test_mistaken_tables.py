"""Tables as people spoil them, beside ones that look alike and are as they should be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest
from tests.evaluation.tables import checked

import adjudge

RANDOM = np.random.default_rng(11)
N = 300
ROWS = np.arange(N)
LABEL = RANDOM.choice(["cat", "dog", "cow"], N, p=[0.5, 0.3, 0.2])
GUESS = np.where(RANDOM.random(N) < 0.85, LABEL, RANDOM.choice(["cat", "dog", "cow"], N))
YES = (RANDOM.random(N) < 0.35).astype(int)
SAID = np.where(RANDOM.random(N) < 0.9, YES, 1 - YES)
POINTS = np.clip(RANDOM.integers(0, 5, N)[:, None] + RANDOM.choice([-1, 0, 0, 1], (N, 3)), 0, 4)
OFTEN = np.array(["never", "rarely", "sometimes", "often", "always"])
WORDS = np.array(["no", "yes", "nein", "ja"])
BY_LABEL = {"reference": "y", "prediction": "p"}
RATERS = {"raters": ["r1", "r2", "r3"]}


def of_labels(y: Any, p: Any, **given: Any) -> dict[str, str]:
    return checked({"y": y, "p": p}, "classification", **BY_LABEL, **given)


def of_raters(ratings: Any, **given: Any) -> dict[str, str]:
    return checked({f"r{k + 1}": ratings[:, k] for k in range(3)}, "agreement", **RATERS, **given)


def named(values: Any, **names: str) -> list[str]:
    return [names.get(value, value) for value in values]


@pytest.mark.parametrize(
    ("y", "p", "key"),
    [
        (LABEL, named(GUESS, cat="c\u0430t"), "C2"),  # a Cyrillic letter
        (named(LABEL, cat="café"), named(GUESS, cat="cafe"), "C2"),
        (named(LABEL, cat="café"), named(GUESS, cat="cafÃ©"), "C2"),
        (np.where(ROWS % 10 == 0, "cat;dog", LABEL), GUESS, "C2"),
        (LABEL, [f"{g} (0.{k})" if k % 6 == 0 else g for k, g in enumerate(GUESS)], "C2"),
        (LABEL, named(GUESS, cat="kitty"), "C39"),
        (np.where(YES, "yes", "no"), WORDS[(ROWS % 2) * 2 + SAID], "C39"),
        (LABEL, np.where(ROWS % 2, np.char.add("__label__", GUESS), GUESS), "C39"),
        (2 * YES - 1, SAID, "C39"),
        (np.where(ROWS % 9 == 0, "unlabeled", LABEL), GUESS, "C22"),
        (np.where(ROWS % 20 == 0, 999, YES), SAID, "C22"),
        (np.where(ROWS % 6 == 0, -1, YES), SAID, "C22"),
        (["true label", *LABEL], ["model output", *GUESS], "C32"),
        (["[class]", *LABEL], ["[class]", *GUESS], "C32"),
        ([*LABEL, "Subtotal"], [*GUESS, "300"], "C32"),
    ],
)
def test_labels_that_were_spoilt_are_said_first(y: Any, p: Any, key: str) -> None:
    assert of_labels(y, p)[key] == "serious"


@pytest.mark.parametrize(
    ("y", "p"),
    [
        (named(LABEL, cat="ma", dog="má", cow="mà"), named(GUESS, cat="ma", dog="má", cow="ma")),  # three words
        (LABEL, np.where(RANDOM.random(N) < 0.1, "other", GUESS)),  # a label for what is hard, everywhere
        (LABEL, np.where(ROWS % 25 == 0, "very big cat", GUESS)),
        (np.where(ROWS % 6 == 0, -1, YES), np.where(ROWS % 6 == 0, 0, SAID)),  # -1, 0 and 1, and -1 is never answered
        (np.where(ROWS == 7, "rare", LABEL), np.where(ROWS == 9, "odd", GUESS)),
        (np.where(YES, "total loss", "none such"), np.where(SAID, "total loss", "none such")),
        (np.where(ROWS % 4 == 0, "black, white", LABEL), np.where(ROWS % 4 == 0, "black, white", GUESS)),
    ],
)
def test_labels_that_look_like_it_are_ordinary(y: Any, p: Any) -> None:
    assert "serious" not in of_labels(y, p).values()


def test_a_class_whose_rows_weigh_nothing_is_no_reason_to_stop() -> None:
    table = {"y": list(YES), "p": list(SAID), "w": list(YES)}
    found = adjudge.classification(table, **BY_LABEL, weight="w", replicates=100)
    assert found["accuracy"].value == pytest.approx(SAID[YES == 1].mean())


@pytest.mark.parametrize("scale", [sorted(OFTEN), ["sometimes", "never", "rarely", "always", "often"]])
def test_an_order_that_was_given_wrongly_is_said_first(scale: list[str]) -> None:
    assert of_raters(OFTEN[POINTS], measurement="ordinal", scale=scale)["C3"] == "serious"


@pytest.mark.parametrize("seed", range(6))
def test_raters_who_choose_an_end_when_unsure_have_the_right_order(seed: int) -> None:
    random = np.random.default_rng(seed)
    true = random.choice(5, N, p=[0.05, 0.3, 0.3, 0.3, 0.05])[:, None]
    ends = np.where(random.random((N, 3)) < 0.5, 0, 4)
    ratings = np.where(random.random((N, 3)) < (0.5, 0.65, 0.8)[seed % 3], true, ends)
    assert of_raters(OFTEN[ratings], measurement="ordinal", scale=list(OFTEN)).get("C3") != "serious"


def test_two_neighbours_that_were_swapped_are_remarked() -> None:
    scale = ["never", "sometimes", "rarely", "often", "always"]
    assert of_raters(OFTEN[POINTS], measurement="ordinal", scale=scale)["C3"] == "remark"


@pytest.mark.parametrize("scale", [list(OFTEN), list(OFTEN[::-1])])
def test_the_right_order_is_no_mistake_from_either_end(scale: list[str]) -> None:
    assert "C3" not in of_raters(OFTEN[POINTS], measurement="ordinal", scale=scale)
    guessing = OFTEN[RANDOM.choice(5, (N, 3), p=[0.4, 0.05, 0.1, 0.05, 0.4])]
    assert "C3" not in of_raters(guessing, measurement="ordinal", scale=scale)


def test_numbers_in_the_order_of_texts_are_said_first() -> None:
    scale = sorted(map(str, range(8, 13)))
    assert of_raters(POINTS + 8, measurement="ordinal", scale=scale)["C3"] == "serious"


@pytest.mark.parametrize(
    ("third", "key"),
    [
        ((POINTS[:, 2] + 1) * 2, "C12"),
        (POINTS[:, 2] / 4, "C12"),
        (POINTS[:, :2].sum(1), "C38"),
    ],
)
def test_a_rater_on_another_scale_or_the_sum_of_others_is_said_first(third: Any, key: str) -> None:
    ratings = np.column_stack([POINTS[:, 0] + 1, POINTS[:, 1] + 1, third])
    if key == "C38":
        ratings = np.column_stack([POINTS[:, :2], third])
    assert of_raters(ratings, measurement="interval")[key] == "serious"


def test_a_rater_who_names_labels_otherwise_is_said_first() -> None:
    words = np.array(["low", "mid", "high"])
    ratings = words[np.clip(POINTS[:, :1] // 2 + RANDOM.choice([-1, 0, 0, 0, 0, 0, 1], (N, 3)), 0, 2)]
    assert "serious" not in of_raters(ratings).values()
    ratings[:, 2] = named(ratings[:, 2], low="high", high="low")
    assert of_raters(ratings)["C39"] == "serious"


def test_items_that_a_rater_skipped_are_said_first() -> None:
    words = np.array(["low", "mid", "high", "top", "out"])[POINTS]
    words[::9, 0] = "skip"
    assert of_raters(words)["C22"] == "serious"


def test_the_share_of_one_row_is_a_share() -> None:
    value = RANDOM.normal(50, 10, N)
    table = {"y": list(value), "m": list(value + 1e-9 * RANDOM.normal(size=N))}
    found = adjudge.regression(table, reference="y", prediction="m", replicates=100).checks
    assert not [check.sentence for check in found if "One row makes" in check.sentence]


TRUE = RANDOM.normal(50, 10, N).round(3)
NEAR = (TRUE + RANDOM.normal(0, 4, N)).round(3)
GAIN = RANDOM.normal(0, 10, N)
NEAR_GAIN = GAIN + RANDOM.normal(0, 3, N)


def of_numbers(y: Any, f: Any, **given: Any) -> dict[str, str]:
    return checked({"y": y, "f": f, **given.pop("more", {})}, "regression", reference="y", prediction="f", **given)


def with_sums(values: Any, *ends: int) -> list[float]:
    """Values with a row for the sum of each part."""
    parts = [values[first:last] for first, last in zip((0, *ends), (*ends, N), strict=True)]
    return [one for part in parts for one in (*part, part.sum())]


@pytest.mark.parametrize(
    ("y", "f", "key"),
    [
        (with_sums(TRUE, 40, 130), with_sums(NEAR, 40, 130), "C32"),
        (with_sums(TRUE, *range(25, N, 25)), with_sums(NEAR, *range(25, N, 25)), "C32"),
        ([TRUE.sum(), *TRUE], [NEAR.sum(), *NEAR], "C32"),
        (TRUE, np.where(ROWS % 100 == 0, -NEAR, NEAR), "C3"),
        (GAIN, np.where(ROWS % 10 == 0, -NEAR_GAIN, NEAR_GAIN), "C3"),
        (GAIN, abs(NEAR_GAIN), "C3"),
        (GAIN, np.where(ROWS < 150, NEAR_GAIN, -NEAR_GAIN), "C3"),
        (TRUE, NEAR - TRUE, "C12"),
        (TRUE, TRUE / 1.19, "C4"),
        (TRUE, TRUE + 5, "C4"),
        (TRUE, TRUE + 1e-9 * GAIN, "C4"),
        (TRUE, TRUE.round(), "C4"),
        (np.where(ROWS % 50 == 0, -32768, TRUE), NEAR, "C22"),
        (np.where(ROWS % 50 == 0, 888, TRUE), NEAR, "C22"),
        (np.where(ROWS % 30 == 0, 98, np.where(ROWS % 30 == 1, 99, POINTS[:, 0])), POINTS[:, 1] + GAIN / 50, "C22"),
    ],
)
def test_numbers_that_were_spoilt_are_said_first(y: Any, f: Any, key: str) -> None:
    assert of_numbers(y, f)[key] == "serious"


def carried(values: Any, gone: Any) -> Any:
    """Values with that of the row before where they are gone."""
    last = np.maximum.accumulate(np.where(gone, 0, ROWS))
    return values[last]


PRICES = np.exp(RANDOM.normal(3, 0.7, N))
BIDS = PRICES * np.exp(RANDOM.normal(0, 0.1, N))
GONE = RANDOM.random(N) < 0.2


@pytest.mark.parametrize(
    ("y", "f", "key"),
    [
        (TRUE, np.roll(NEAR, 2), "C37"),
        (TRUE, np.roll(NEAR, -7), "C37"),
        (TRUE, np.roll(NEAR, 20), "C37"),
        (TRUE, np.r_[NEAR[:150], NEAR[149:-1]], "C37"),  # a row that was written twice
        (TRUE, np.r_[NEAR[:75], NEAR[78:], NEAR[75:78]], "C37"),  # three rows that were lost
        (np.sort(TRUE), NEAR, "C37"),
        (TRUE, np.sort(NEAR), "C37"),
        (PRICES, np.where(GONE, 10 * BIDS, BIDS), "C12"),
        (np.where(GONE, 12 * PRICES, PRICES), BIDS, "C12"),
        (PRICES, np.where(ROWS % 2, 3.6 * BIDS, BIDS), "C12"),
        (TRUE, np.where(GONE, NEAR[~GONE].mean(), NEAR), "C22"),
        (TRUE, np.where(GONE, NEAR[~GONE].mean().round(2), NEAR), "C22"),
        (np.where(GONE, TRUE[~GONE].mean(), TRUE), NEAR, "C22"),
        (TRUE, carried(NEAR, GONE), "C22"),
        (carried(TRUE, GONE), NEAR, "C22"),
    ],
)
def test_rows_and_cells_that_were_lost_are_said_first(y: Any, f: Any, key: str) -> None:
    assert {name for name, severity in of_numbers(y, f).items() if severity == "serious"} == {key}


@pytest.mark.parametrize("by", [2, -5, 20])
def test_labels_and_scores_that_were_moved_are_said_first(by: int) -> None:
    assert of_labels(LABEL, np.roll(GUESS, by))["C37"] == "serious"
    table = {"y": YES, "s": np.roll(SAID * 0.6 + 0.4 * RANDOM.random(N), by)}
    assert checked(table, "classification", reference="y", score="s", positive=1)["C37"] == "serious"


def test_labels_that_were_moved_from_some_row_on_are_said_first() -> None:
    assert of_labels(LABEL, np.r_[GUESS[:150], GUESS[149:-1]])["C37"] == "serious"
    assert "C37" not in of_labels(LABEL, GUESS)


def followed(share: float) -> Any:
    """A number that follows its own past."""
    values = np.zeros(N)
    for row in range(1, N):
        values[row] = share * values[row - 1] + RANDOM.normal()
    return values


PAST = followed(0.6)
SEASON = 2 * np.sin(2 * np.pi * ROWS / 7) + RANDOM.normal(0, 0.7, N)
SMOOTH = followed(0.9)
TWO_KINDS = np.where(ROWS % 3 == 0, RANDOM.normal(100, 8, N), RANDOM.normal(10, 1, N))


@pytest.mark.parametrize(
    ("y", "f"),
    [
        (PAST[3:], PAST[:-3] + RANDOM.normal(0, 0.2, N - 3)),  # what was known three days before
        (SEASON[7:], SEASON[:-7]),  # the same day of the last week
        (np.r_[SMOOTH[:150], GAIN[150:]][1:], np.r_[SMOOTH[:150], GAIN[150:]][:-1] + RANDOM.normal(0, 0.1, N - 1)),
        (SMOOTH, np.repeat(SMOOTH.reshape(-1, 5).mean(1), 5)),  # one number for each week
        (np.sort(TRUE), np.sort(TRUE) + RANDOM.normal(0, 4, N)),
        (TRUE, np.sort(RANDOM.normal(20, 2, N))),
        (TRUE, np.where(GONE, 51, NEAR)),  # what a system says of those whom it does not know
        (np.minimum(TRUE, 55), np.minimum(NEAR, 57)),  # ends of what can be measured
        (PRICES, np.where(GONE, BIDS * np.exp(RANDOM.normal(0.5, 0.3, N)), BIDS)),  # worse for some
        (TWO_KINDS, np.where(ROWS % 30 == 0, TWO_KINDS[::-1], TWO_KINDS) + RANDOM.normal(0, 1, N)),
        (RANDOM.poisson(PRICES), BIDS),
        (np.exp(RANDOM.standard_t(3, N)), np.exp(RANDOM.standard_t(3, N))),
    ],
)
def test_rows_that_look_lost_are_ordinary(y: Any, f: Any) -> None:
    assert "serious" not in of_numbers(y, f).values()


PHASE = np.sin(ROWS / 10)
SPARSE = np.where(RANDOM.random(N) < 0.9, 0, RANDOM.integers(1, 9, N))
PRICE = np.exp(RANDOM.normal(3, 0.7, N)).round(2)


@pytest.mark.parametrize(
    ("y", "f"),
    [
        (GAIN, RANDOM.normal(0, 10, N)),  # no skill
        (GAIN, np.where(RANDOM.random(N) < 0.07, -0.5 * GAIN, GAIN) + RANDOM.normal(0, 4, N)),
        (PHASE + RANDOM.normal(0, 0.2, N), np.sin(ROWS / 10 + 0.7)),  # late
        (SPARSE, 0.8 * SPARSE + 0.3 * RANDOM.random(N)),
        (PRICE, (PRICE * np.exp(RANDOM.normal(0, 0.2, N))).round(2)),
        (TRUE, TRUE * (1 + 1e-4 * RANDOM.normal(size=N))),  # a close approximation
        (TRUE, NEAR.round()),
        (TRUE, NEAR + 15),
    ],
)
def test_numbers_that_look_like_it_are_ordinary(y: Any, f: Any) -> None:
    assert "serious" not in of_numbers(y, f).values()


def test_ends_that_cross_are_remarked_and_ends_that_are_swapped_are_serious() -> None:
    for every, severity in ((12, "remark"), (3, "serious")):
        low = np.where(ROWS % every == 0, NEAR + 8, NEAR - 8)
        more = {"low": list(low), "high": list(2 * NEAR - low)}
        assert of_numbers(TRUE, NEAR, more=more, lower="low", upper="high")["C34"] == severity


@pytest.mark.parametrize(("p", "speaks"), [(np.where(ROWS < 150, SAID, 1 - SAID), True), (SAID, False)])
def test_labels_that_were_turned_round_from_some_row_on_are_said_first(p: Any, speaks: bool) -> None:
    assert (of_labels(YES, p).get("C3") == "serious") == speaks


def test_years_dates_and_times_in_the_wrong_place_are_said_first() -> None:
    table = {"y": list(LABEL), "p": list(GUESS), "w": list(RANDOM.choice([2019, 2020, 2021], N))}
    assert checked(table, "classification", **BY_LABEL, weight="w")["C25"] == "serious"
    table["w"] = list(RANDOM.normal(2000, 300, N).round(1))  # weights of a survey
    assert "C25" not in checked(table, "classification", **BY_LABEL, weight="w")
    for score in (1.7e9 + RANDOM.integers(0, 10**6, N), 20240100 + RANDOM.integers(1, 29, N)):
        scores = {"y": list(YES), "s": list(score)}
        assert checked(scores, "classification", reference="y", score="s", positive=1)["C34"] == "serious"
    scores = {"y": list(YES), "s": list((300 + 550 * np.exp(-abs(GAIN) / 10)).round())}
    assert "C34" not in checked(scores, "classification", reference="y", score="s", positive=1)


def test_score_columns_must_be_one_for_each_label() -> None:
    noise = RANDOM.random((N, 3)) + 0.5 * np.stack([one == LABEL for one in ("cat", "dog", "cow")], 1)
    table = {"y": list(LABEL), **{f"s{k}": list(noise[:, k]) for k in range(3)}, "zero": [0.0] * N}
    columns = {"cat": "s0", "dog": "s1", "cow": "s2"}
    for changed, keys in ((columns, set()), (columns | {"cow": "s1"}, {"C33"}), (columns | {"cow": "zero"}, {"C21"})):
        found = checked(table, "classification", reference="y", score=changed)
        assert {key for key, severity in found.items() if severity == "serious"} == keys


def test_scores_of_another_system_are_remarked() -> None:
    own = SAID * 0.6 + 0.4 * RANDOM.random(N)
    for score, speaks in ((own, False), (RANDOM.random(N), True)):
        table = {"y": list(YES), "p": list(SAID), "s": list(score)}
        found = checked(table, "classification", **BY_LABEL, score="s", positive=1)
        assert (found.get("C34") == "remark") == speaks


def test_an_outcome_that_is_the_treatment_is_said_first() -> None:
    for outcome, speaks in ((YES, True), (SAID, False)):
        table = {"y": list(outcome), "t": list(YES), "s": list(GAIN)}
        found = checked(table, "uplift", outcome="y", treatment="t", score="s")
        assert (found.get("C33") == "serious") == speaks


def test_rows_that_the_judge_chose_for_people_are_said_first() -> None:
    table = {"h": [int(one) if said else None for one, said in zip(YES, SAID, strict=True)], "j": list(SAID)}
    assert checked(table, "judges", reference="h", judge="j")["C31"] == "serious"


def test_levels_that_say_nothing_are_remarked() -> None:
    table = {"y": list(LABEL), "p": list(GUESS), "one": ["x"] * N, "part": list(np.where(ROWS % 3, "de", "N/A"))}
    found = checked(table, "classification", **BY_LABEL, slices=["one", "part"])
    assert (found["C33"], found["C22"]) == ("remark", "remark")


@pytest.mark.parametrize(
    ("y", "f"),
    [
        (with_sums(TRUE, 40, 130), with_sums(NEAR, 40, 130)),
        (GAIN, np.where(ROWS < 150, NEAR_GAIN, -NEAR_GAIN)),
        (TRUE, TRUE.round()),
        (TRUE, np.roll(NEAR, 4)),
        (TRUE, np.r_[NEAR[:150], NEAR[149:-1]]),
        (PRICES, np.where(GONE, 10 * BIDS, BIDS)),
        (TRUE, carried(NEAR, GONE)),
    ],
)
def test_a_stream_says_the_same(tmp_path: Path, y: Any, f: Any) -> None:
    parquet.write_table(arrow.table({"y": list(y), "f": list(f)}), tmp_path / "t.parquet", row_group_size=64)
    given = {"reference": "y", "prediction": "f", "replicates": 100}
    memory, stream, threads = (
        adjudge.evaluate(tmp_path / "t.parquet", "regression", **given, engine=engine).checks
        for engine in ("memory", "stream", "threads")
    )
    assert "serious" in {check.severity for check in memory}
    assert memory == stream == threads


@pytest.mark.parametrize(
    ("y", "p"),
    [
        (np.where(ROWS % 10 == 0, "cat+dog", LABEL), GUESS),
        (np.where(ROWS % 10 == 0, "cat & dog", LABEL), GUESS),
        ([f'["{y}", "cow"]' if k % 9 == 0 else f'["{y}"]' for k, y in enumerate(LABEL)], [f'["{g}"]' for g in GUESS]),
    ],
)
def test_several_labels_in_a_cell_are_said_first(y: Any, p: Any) -> None:
    assert of_labels(y, p)["C2"] == "serious"


def test_labels_with_signs_of_their_own_are_ordinary() -> None:
    grades = np.array(["A", "A+", "B", "B+"])
    y = RANDOM.choice(4, N)
    p = np.where(RANDOM.random(N) < 0.7, y, RANDOM.choice(4, N))
    assert "C2" not in of_labels(grades[y], grades[p])


@pytest.mark.parametrize(
    ("part", "severity"),
    [
        (np.where(LABEL == GUESS, "ok", "error"), "serious"),
        (np.where(LABEL == "cat", "1", np.where(LABEL == "dog", "2", "3")), "remark"),
        (GUESS, "remark"),
        (np.where(RANDOM.random(N) < 0.95, LABEL, "mixed"), None),
        (RANDOM.choice(["de", "fr"], N), None),
    ],
)
def test_slices_that_were_made_from_answers(part: Any, severity: str | None) -> None:
    table = {"y": LABEL, "p": GUESS, "part": part}
    assert checked(table, "classification", **BY_LABEL, slices=["part"]).get("C33") == severity


@pytest.mark.parametrize(("times", "speaks"), [(100, True), (0.01, True), (1, False), (4, False)])
def test_a_judge_in_percent_is_said_first(times: float, speaks: bool) -> None:
    people = [int(one) if row % 3 == 0 else None for row, one in enumerate(YES)]
    found = checked({"h": people, "j": times * SAID}, "judges", reference="h", judge="j")
    assert (found.get("C12") == "serious") == speaks


def test_one_list_and_ranks_as_scores_are_said_first() -> None:
    given = {"query": "q", "relevance": "r", "score": "rank"}
    query, relevance = ROWS // 10, RANDOM.choice(3, N)
    rank = np.concatenate([RANDOM.permutation(10) + 1 for _ in range(N // 10)])
    table = {"q": query, "r": relevance, "rank": rank}
    assert checked(table, "ranking", **given)["C34"] == "serious"
    assert "C34" not in checked(table | {"rank": rank / 7}, "ranking", **given)
    assert checked(table | {"q": 0 * query}, "ranking", **given)["C33"] == "serious"
    assert "C33" not in checked(table, "ranking", **given)


@pytest.mark.parametrize(
    ("spoil", "severity"),
    [
        (lambda row, text: "", "serious"),
        (lambda row, text: " " if row % 10 == 0 else text, "serious"),
        (lambda row, text: "Error: no answer" if row % 5 == 0 else text, "remark"),
        (lambda row, text: text, None),
        (lambda row, text: "" if row == 7 else text, None),
        (lambda row, text: ("yes", "no")[row % 2], None),
    ],
)
def test_texts_that_are_empty_are_said_first(spoil: Any, severity: str | None) -> None:
    table = {
        "winner": np.where(YES, "a", "b"),
        "judge": np.where(SAID, "a", "b"),
        "text_a": [spoil(row, f"answer {row}") for row in range(N)],
        "text_b": [f"reply {row}" for row in range(N)],
    }
    given = {"reference": "winner", "annotators": ["judge"], "text_a": "text_a", "text_b": "text_b"}
    assert checked(table, "preference", **given).get("C35") == severity
