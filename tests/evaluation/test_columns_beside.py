"""Columns that do not belong together row by row, codes, and columns made of others: said first, in every engine."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow
import pytest
from tests.evaluation.tables import checked

import adjudge
from adjudge.data.number_facts import NumberColumn
from adjudge.data.pair_facts import PairFacts
from adjudge.diagnosis.checks.raters import doubled_raters
from adjudge.errors import AdjudgeError

RANDOM = np.random.default_rng(17)
N = 300
LABEL = RANDOM.choice(["cat", "dog", "cow"], N)
GUESS = np.where(RANDOM.random(N) < 0.8, LABEL, RANDOM.choice(["cat", "dog", "cow"], N))
OTHER = np.where(RANDOM.random(N) < 0.7, LABEL, RANDOM.choice(["cat", "dog", "cow"], N))
YES = RANDOM.integers(0, 2, N)
SCORE = np.clip(0.25 + 0.5 * YES + RANDOM.normal(0, 0.18, N), 0.01, 0.99)
TRUE = RANDOM.normal(50, 10, N)
NEAR = TRUE + RANDOM.normal(0, 4, N)
GRADE = np.clip(np.round(RANDOM.normal(3.5, 1.2, N)), 1, 6)
SECOND = np.clip(GRADE + RANDOM.integers(-1, 2, N), 1, 6)
ENGINE = np.clip(GRADE + RANDOM.normal(0, 0.6, N), 0.6, 6.4)
TENTH = RANDOM.random(N) < 0.1
VOTE = RANDOM.choice(["a", "b"], N)
JUDGE = np.where(RANDOM.random(N) < 0.8, VOTE, np.where(VOTE == "a", "b", "a"))
SOME = np.where(RANDOM.random(N) < 0.5, YES.astype(float), np.nan)
SAID = np.where(RANDOM.random(N) < 0.9, YES, 1 - YES).astype(float)
QUERY = [f"q{row // 5}" for row in range(N)]
RELEVANCE = np.tile([3, 2, 1, 0, 0], N // 5)
ORDER = RELEVANCE + RANDOM.normal(0, 0.7, N)
HOURS = RANDOM.uniform(20, 200, N)
FAILED = RANDOM.poisson(HOURS / 100)
NAMES = [f"n{row}" for row in range(N)]
PRICE, ASKED = (5_000 * TRUE).round(), (5_000 * NEAR).round()
WEEK, ROWS = np.repeat(TRUE[::5], 5), np.arange(N)
ENDED = {"true": TRUE, "near": NEAR, "l": NEAR - 9, "u": NEAR + 9}
ENDS = {"lower": "l", "upper": "u"}

CLASSES = {"reference": "label", "prediction": "guess"}
SCORED = {"reference": "y", "score": "p"}
NUMBERS = {"reference": "true", "prediction": "near"}
GRADES = {"raters": ["h1", "h2"], "prediction": "e", "min": 1, "max": 6}
ORDERED = {"raters": ["h1", "h2"], "measurement": "ordinal"}
LISTS = {"query": "q", "relevance": "rel", "score": "s", "metrics": "ndcg"}
VOTES = {"reference": "human", "annotators": ["judge"]}
JUDGED = {"reference": "people", "judge": "judge"}
SUITE = {"case": "case", "phenomenon": "what", "expect": "expect", "prediction": ["new"]}
WATCHED = {"exposure": "hours", "failures": "failed"}
THREE = {"raters": ["h1", "h2", "h3"], "measurement": "interval"}

Columns = dict[str, Any]
ANSWERS: Columns = {"label": LABEL, "guess": GUESS}
SCORES: Columns = {"y": YES, "p": SCORE}
NUMBERED: Columns = {"true": TRUE, "near": NEAR}
RATED: Columns = {"h1": GRADE, "h2": SECOND, "e": ENGINE}
RATERS: Columns = {"h1": GRADE.astype(int), "h2": SECOND.astype(int)}
CASES: Columns = {"case": NAMES, "what": ["x", "y"] * (N // 2), "expect": LABEL, "new": GUESS}
RANKED: Columns = {"q": QUERY, "rel": RELEVANCE, "s": ORDER}
PAIRED: Columns = {"human": VOTE, "judge": JUDGE}
PEOPLE: Columns = {"people": SOME, "judge": SAID}
TIMES: Columns = {"hours": HOURS, "failed": FAILED}


def said(task: str, table: Columns, **given: Any) -> dict[str, str]:
    return checked(table, task, **given)


@pytest.mark.parametrize(
    ("task", "table", "given"),
    [
        ("classification", ANSWERS, CLASSES),
        ("classification", SCORES, SCORED),
        ("regression", NUMBERED, NUMBERS),
        ("scoring", RATED, GRADES),
        ("agreement", RATERS, ORDERED),
        ("ranking", RANKED, LISTS),
        ("preference", PAIRED, VOTES),
        ("judges", PEOPLE, JUDGED),
        ("diagnostic", CASES, SUITE),
        ("failures", TIMES, WATCHED),
        # Prices in steps, near to one another, ones that hold for a week, and mostly no demand.
        ("regression", {"true": PRICE.round(-4), "near": ASKED.round(-4)}, NUMBERS),
        ("regression", {"true": PRICE, "near": PRICE + ROWS % 9 - 4}, NUMBERS),
        ("regression", {"true": WEEK + 3 * np.sin(ROWS), "near": WEEK}, NUMBERS),
        ("regression", {name: column * (ROWS % 5 > 2) for name, column in ENDED.items()}, NUMBERS | ENDS),
    ],
)
def test_rows_that_belong_together_say_nothing(task: str, table: Columns, given: Columns) -> None:
    assert "serious" not in said(task, table, **given).values()


MISTAKES = [
    # Nothing said, or what the reference says.
    ("classification", SCORES | {"p": [0.5] * N}, SCORED, "C8"),
    ("regression", NUMBERED | {"l": NEAR, "u": NEAR}, NUMBERS | ENDS, "C34"),
    ("regression", {"true": PRICE, "near": np.where(TENTH, PRICE, ASKED)}, NUMBERS, "C4"),
    ("regression", {"true": PRICE / 7, "near": np.where(TENTH, PRICE / 7, ASKED.round())}, NUMBERS, "C4"),
    ("regression", {"true": PRICE, "near": PRICE.round(-3)}, NUMBERS, "C4"),
    ("regression", {"true": PRICE, "near": PRICE // 1000 * 1000}, NUMBERS, "C4"),
    ("regression", NUMBERED | {"near": np.repeat(NEAR[::4], 4)}, NUMBERS, "C22"),
    ("scoring", RATED | {"e": np.sort(ENGINE)}, GRADES, "C37"),
    # Moved by a row, or sorted apart.
    ("classification", ANSWERS | {"guess": np.roll(GUESS, 1)}, CLASSES, "C37"),
    ("classification", SCORES | {"p": np.roll(SCORE, -1)}, SCORED, "C37"),
    ("regression", NUMBERED | {"near": np.roll(NEAR, 1)}, NUMBERS, "C37"),
    ("scoring", RATED | {"e": np.roll(ENGINE, 1)}, GRADES, "C37"),
    ("scoring", RATED | {"h2": np.roll(SECOND, 1)}, GRADES, "C37"),
    ("agreement", RATERS | {"h2": np.roll(RATERS["h2"], 1)}, ORDERED, "C37"),
    ("agreement", {"a": LABEL, "b": np.roll(GUESS, 1)}, {"raters": ["a", "b"]}, "C37"),
    ("ranking", RANKED | {"s": np.roll(ORDER, 1)}, LISTS, "C37"),
    ("preference", PAIRED | {"judge": np.roll(JUDGE, 1)}, VOTES, "C37"),
    ("judges", PEOPLE | {"judge": np.roll(SAID, 1)}, JUDGED, "C37"),
    ("diagnostic", CASES | {"new": np.roll(GUESS, 1)}, SUITE, "C37"),
    # Codes that lie beside the values.
    ("regression", NUMBERED | {"near": np.where(TENTH, -1, NEAR)}, NUMBERS, "C22"),
    ("scoring", RATED | {"h1": np.where(TENTH, -1, GRADE)}, {"raters": ["h1", "h2"], "prediction": "e"}, "C22"),
    ("agreement", RATERS | {"h2": np.where(TENTH, 0, RATERS["h2"])}, ORDERED, "C22"),
    ("judges", PEOPLE | {"people": np.nan_to_num(SOME, nan=-1)}, JUDGED, "C22"),
    # Made of others.
    ("agreement", RATERS | {"h3": np.rint((GRADE + SECOND) / 2).astype(int)}, THREE, "C38"),
    ("agreement", RATERS | {"h3": (GRADE + SECOND) / 2}, THREE, "C38"),
    ("scoring", RATED | {"h3": (GRADE + SECOND) / 2}, GRADES | {"raters": ["h3", "h1", "h2"]}, "C38"),
    ("scoring", RATED | {"e": (GRADE + SECOND) / 2}, GRADES, "C38"),
    # On the other side, or under another name.
    ("classification", {"y_pred": GUESS, "y_true": LABEL}, {"reference": "y_pred", "prediction": "y_true"}, "C34"),
    ("regression", {"pred": NEAR, "actual": TRUE}, {"reference": "pred", "prediction": "actual"}, "C34"),
    ("failures", {"hours": FAILED, "failures": HOURS.round()}, {"exposure": "failures", "failures": "hours"}, "C34"),
    (
        "classification",
        {"a": (SCORE > 0.5).astype(int), "b": YES, "p": SCORE},
        {"reference": "a", "prediction": "b", "score": "p"},
        "C34",
    ),
    (
        "classification",
        {
            "label": np.searchsorted(["cat", "cow", "dog"], LABEL),
            "guess": np.searchsorted(["cat", "cow", "dog"], GUESS) + 1,
        },
        CLASSES,
        "C39",
    ),
    (
        "classification",
        {
            "label": LABEL,
            **{name: (of == LABEL) + RANDOM.random(N) for name, of in (("cat", "dog"), ("dog", "cat"), ("cow", "cow"))},
        },
        {"reference": "label", "score": {name: name for name in ("cat", "dog", "cow")}},
        "C39",
    ),
    (
        "classification",
        {"label": LABEL, **{name: -1.0 * (name == LABEL) + RANDOM.random(N) for name in ("cat", "dog", "cow")}},
        {"reference": "label", "score": {name: name for name in ("cat", "dog", "cow")}},
        "C3",
    ),
    (
        "classification",
        ANSWERS | {"guess": [f"{one}." if row % 2 else one for row, one in enumerate(GUESS)]},
        CLASSES,
        "C2",
    ),
    ("preference", PAIRED | {"judge": np.where(JUDGE == "a", "1", "2")}, VOTES, "C7"),
    (
        "preference",
        PAIRED | {"ma": ["x"] * N, "mb": ["x"] * N},
        VOTES | {"model_a": "ma", "model_b": "mb"},
        "C35",
    ),
    # On another scale.
    ("agreement", RATERS | {"h2": RATERS["h2"] - 1}, ORDERED, "C12"),
    ("scoring", RATED | {"h2": SECOND - 1}, GRADES, "C12"),
    ("scoring", RATED | {"e": ENGINE / 7}, {"raters": ["h1", "h2"], "prediction": "e"}, "C12"),
    ("scoring", RATED | {"h2": np.where(TENTH, 9, SECOND)}, GRADES, "C19"),
    ("scoring", {name: values - 1 for name, values in RATED.items()}, GRADES | {"min": 0, "max": 5}, "C7"),
    ("regression", NUMBERED | {"near": np.where(TENTH, 1000 * NEAR, NEAR)}, NUMBERS, "C12"),
    ("regression", NUMBERED | {"near": np.where(YES, TRUE, NEAR)}, NUMBERS, "C4"),
    (
        "regression",
        NUMBERED | {"near": [f"{one:.1f} kg" if row % 9 == 0 else one for row, one in enumerate(NEAR)]},
        NUMBERS,
        "C20",
    ),
    ("regression", {"true": [*TRUE, TRUE.mean()], "near": [*NEAR, NEAR.mean()]}, NUMBERS, "C32"),
    ("failures", {"hours": np.cumsum(HOURS), "failed": np.cumsum(FAILED)}, WATCHED, "C34"),
    (
        "failures",
        TIMES | {"minutes": 60 * HOURS, "new": FAILED[::-1]},
        {"exposure": ["hours", "minutes"], "failures": ["failed", "new"]},
        "C12",
    ),
    ("classification", ANSWERS, CLASSES | {"level": 0.05}, "C40"),
]


@pytest.mark.parametrize(("task", "table", "given", "key"), MISTAKES)
def test_what_does_not_belong_together_is_said_first(task: str, table: Columns, given: Columns, key: str) -> None:
    assert said(task, table, **given).get(key) == "serious"


@pytest.mark.parametrize(
    ("table", "key"),
    [
        (NUMBERED | {"true": np.sort(TRUE), "near": np.sort(NEAR)}, "C37"),  # so do running totals
        (NUMBERED | {"true": np.where(TENTH, 0, TRUE)}, "C22"),  # so do days without a sale
    ],
)
def test_what_may_be_as_it_should_is_a_remark(table: Columns, key: str) -> None:
    assert said("regression", table, **NUMBERS).get(key) == "remark"


STREAMED = [mistake for mistake in MISTAKES if mistake[0] != "preference" and mistake[3] != "C20"]


@pytest.mark.parametrize(("task", "table", "given", "key"), STREAMED)
def test_a_stream_that_can_be_read_once_says_the_same(task: str, table: Columns, given: Columns, key: str) -> None:
    columns = {name: [_plain(value) for value in values] for name, values in table.items()}
    found = adjudge.evaluate(
        pyarrow.table(columns).to_reader(100), task, engine="stream", replicates=100, **given
    ).checks
    assert (key, "serious") in {(check.key, check.severity) for check in found}


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


@pytest.mark.parametrize("cut", [1, 40, 299])
def test_facts_of_parts_add_to_those_of_the_whole(cut: int) -> None:
    column = np.where(TENTH, -99, np.arange(N))
    for values in (column, np.arange(N, dtype=np.float64), GRADE):
        whole = NumberColumn.of(values)
        both = NumberColumn.of(values[:cut]) + NumberColumn.of(values[cut:])
        for name in ("rows", "largest", "edges", "steps", "rises", "fractions"):
            assert getattr(both, name) == getattr(whole, name)
        assert both.total == pytest.approx(whole.total)
        assert (both.ends, dict(both.outer_codes)) == (whole.ends, dict(whole.outer_codes))
    one, two = (PairFacts.of_numbers(TRUE[part], NEAR[part]) for part in (slice(cut), slice(cut, None)))
    whole_pair = PairFacts.of_numbers(TRUE, NEAR)
    assert (one + two).sums == pytest.approx(whole_pair.sums)
    assert (one + two).times == whole_pair.times


def test_codes_are_peeled_from_the_outside() -> None:
    assert NumberColumn.of(np.array([1.0, 2, 5, 99, 999])).far_codes.keys() == {99, 999}
    assert not NumberColumn.of(np.array([-1.0, 0, 1])).far_codes
    assert not NumberColumn.of(np.array([0.0, 20, 40])).far_codes


def test_neighbours_alike_are_no_shift() -> None:
    walk = np.cumsum(RANDOM.normal(size=N))
    assert "C37" not in said("regression", {"true": walk, "near": walk + RANDOM.normal(0, 0.1, N)}, **NUMBERS)
    turns = np.array(["a", "b"] * (N // 2))
    assert "C37" not in said("classification", {"label": turns, "guess": turns[::-1]}, **CLASSES)


def test_what_most_say_is_remarked_until_it_is_sure() -> None:
    table = {"a": LABEL, "b": GUESS, "c": OTHER}
    most = [max(set(row), key=row.count) for row in zip(*(of.tolist() for of in table.values()), strict=True)]
    found = said("agreement", table | {"gold": most}, raters=[*table, "gold"])
    assert found["C38"] == "remark"
    assert "C38" not in said("agreement", table, raters=[*table])


def test_ratings_in_rows_are_looked_at_as_columns() -> None:
    def rows(*raters: Any) -> list[dict[str, Any]]:
        return [
            {"item": item, "rater": f"r{who}", "rating": str(_plain(of[item]))}
            for item in range(N)
            for who, of in enumerate(raters)
        ]

    def keys(*raters: Any) -> set[str]:
        found = adjudge.agreement(
            rows(*raters), item="item", rater="rater", rating="rating", measurement="ordinal", replicates=100
        ).checks
        return {check.key for check in found if check.severity == "serious"}

    first, second = RATERS.values()
    third = np.clip(first + RANDOM.integers(-1, 2, N), 1, 6)
    assert keys(first, second, third) == set()
    assert keys(first, second, third - 1) == {"C12"}
    assert keys(first, np.where(TENTH, 0, second), third) == {"C22"}


def test_raters_of_nearly_one_name() -> None:
    [check] = doubled_raters(["Ann", "Ben", "ann "])
    assert check.severity == "serious"
    assert '"Ann" and "ann "' in check.sentence
    [check] = doubled_raters(["ann@x.org", "ben", "ben@x.org", "cy@x.org", "cy@y.org", "cy"])
    assert check.severity == "serious"
    assert '"ben" and "ben@x.org" count as 2 raters, but differ only in the address' in check.sentence


def test_a_rater_under_two_names_never_meets_himself() -> None:
    def split(second: str, items: range, *, again: bool = False) -> list[str]:
        rows = [(row, name, "ab"[(row % 7 + len(name)) % 2]) for row in range(240) for name in ("ann", "cyril", "ben")]
        rows = [(row, second if name == "ben" and row in items else name, label) for row, name, label in rows]
        rows += [(1, second, "a")] * again
        table = dict(zip(("item", "rater", "rating"), map(list, zip(*rows, strict=True)), strict=True))
        result = adjudge.agreement(table, item="item", rater="rater", rating="rating", metrics="krippendorff_alpha")
        return [check.sentence for check in result.checks if check.key == "C2"]

    [said] = split("bne", range(100, 112))
    assert said == (
        '"bne" rated 12 items and never one that "ben" rated, who rated 95 % of all: misspelled? Spell them the same '
        "way if they are one rater."
    )
    assert split("dan", range(100, 112)) == []
    assert split("bne", range(100, 112), again=True) == []  # the two met
    assert split("bne", range(100, 190)) == []  # of as many items it may be another's name
    [said] = split("ben@x.org", range(100, 190))
    assert "differ only in the address behind the name" in said


def marked(spans: list[list[tuple[str, int, int]]], move: Any = lambda *span: span) -> list[str]:
    return [json.dumps([dict(zip(("label", "start", "end"), move(*span), strict=True)) for span in of]) for of in spans]


SPANS = [
    [(str(RANDOM.choice(["PER", "ORG"])), int(at), int(at + RANDOM.integers(3, 9))) for at in (0, 20, 60)]
    for _ in range(60)
]
FEWER = [[span for span in spans if RANDOM.random() < 0.85] for spans in SPANS]


@pytest.mark.parametrize(
    ("move", "key"),
    [
        (lambda label, start, end: (label, start, end), None),
        (lambda label, start, end: (label, start, end - 1), "C34"),
        (lambda label, start, end: (label, start + 1, end + 1), "C34"),
        (lambda label, start, end: (label, start // 5, end // 5 + 1), "C12"),
        (lambda label, start, end: (label.title(), start, end), "C2"),
    ],
)
def test_spans_that_are_counted_or_written_otherwise(move: Any, key: str | None) -> None:
    found = said("agreement", {"a": marked(SPANS), "b": marked(FEWER, move)}, raters=["a", "b"], measurement="spans")
    assert {name for name, severity in found.items() if severity == "serious"} == ({key} if key else set())


def test_spans_and_sets_that_are_copies_or_nothing() -> None:
    of_spans = {"raters": ["a", "b"], "measurement": "spans"}
    assert said("agreement", {"a": marked(SPANS), "b": marked(SPANS)}, **of_spans)["C4"] == "serious"
    assert said("agreement", {"a": marked(SPANS), "b": ["[]"] * 60}, **of_spans)["C8"] == "serious"
    of_sets = {"raters": ["a", "b"], "measurement": "sets"}
    sets = [sorted({str(RANDOM.choice(["x", "y", "z"])) for _ in range(2)}) for _ in range(N)]
    one, comma = (["|".join(of) for of in sets], [",".join(of) for of in sets])
    assert said("agreement", {"a": one, "b": one}, **of_sets)["C4"] == "serious"
    assert said("agreement", {"a": one, "b": comma}, **of_sets)["C2"] == "serious"


def test_remarks_of_scales_and_copies() -> None:
    assert said("scoring", RATED, **GRADES | {"min": 0, "max": 100})["C19"] == "remark"
    assert said("ranking", RANKED | {"rel": RELEVANCE + 1}, **LISTS)["C19"] == "remark"
    twice = {name: [*values, *values] for name, values in RANKED.items()}
    assert said("ranking", twice, **LISTS)["C5"] == "remark"
    assert said("judges", PEOPLE | {"people": YES}, **JUDGED)["C31"] == "remark"


def test_a_plan_at_the_chance_to_err_is_refused() -> None:
    with pytest.raises(AdjudgeError, match="errs in 5 of 100"):
        adjudge.plan("accuracy >= 0.9", expect=0.93, level=0.05)


def test_votes_against_the_reference_are_a_remark_and_of_traits_an_answer() -> None:
    table = PAIRED | {"judge": np.where(JUDGE == "a", "b", "a")}
    columns = {name: [_plain(value) for value in values] for name, values in table.items()}
    alone = adjudge.evaluate(columns, "preference", replicates=100, **VOTES).checks
    assert ("C3", "remark") in {(check.key, check.severity) for check in alone}
    columns["kind"] = columns["judge"]
    traits = adjudge.evaluate(columns, "preference", replicates=100, **VOTES | {"annotators": ["judge", "kind"]}).checks
    assert "C3" not in {check.key for check in traits}
