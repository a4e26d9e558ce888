"""Mistakes that gave a plausible number without a word: each beside a table that looks alike and is right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.evaluation.tables import checked, gravest
from tests.written import csv_file

import adjudge
from adjudge import metrics
from adjudge.errors import BadValue, SettingError

RANDOM = np.random.default_rng(41)
N = 240
ROWS = np.arange(N)
Y = np.exp(RANDOM.normal(5, 1, N)).round(2)
P = (Y * np.exp(RANDOM.normal(0, 0.2, N))).round(2)
NUMBERS = {"reference": "y", "prediction": "p"}
DAYS = np.array([int(f"2024{month:02d}{day:02d}") for month in range(1, 13) for day in range(1, 21)])


def written(folder: Path, table: dict[str, Any]) -> str:
    return str(csv_file(folder / "table.csv", table))


@pytest.mark.parametrize(
    ("y", "p", "key"),
    [
        ((100 * Y).round(), [float(f"{100 * one:,.0f}".replace(",", ".")) for one in P], "C12"),  # 1.250 for 1250
        (Y, (Y - P).round(2), "C12"),
        (Y, (P - Y).round(2), "C12"),
        (Y, (P / Y).round(3), "C12"),
        (Y, P.argsort().argsort() + 1, "C34"),
        (RANDOM.permutation(DAYS), RANDOM.permutation(DAYS), "C34"),
        (np.where(ROWS % 40 == 0, 999999, Y), P, "C22"),
        (np.where(ROWS % 40 == 0, 9999.99, Y), P, "C22"),
        (np.where(ROWS % 40 == 0, -(2.0**63), Y), P, "C22"),
        (np.where(ROWS % 20 == 0, 9, ROWS % 2), RANDOM.random(N), "C22"),
    ],
)
def test_numbers_that_are_none_of_what_they_stand_for(y: Any, p: Any, key: str, tmp_path: Path) -> None:
    table = {"y": y, "p": p}
    assert checked(table, "regression", **NUMBERS)[key] == "serious"
    streamed = adjudge.regression(written(tmp_path, table), **NUMBERS, engine="stream", replicates=100).checks
    assert key in {check.key for check in streamed if check.severity == "serious"}


@pytest.mark.parametrize(
    ("y", "p"),
    [
        (Y, P),
        (Y.argsort().argsort() + 1, P.argsort().argsort() + 1),  # places beside places
        (Y - Y.mean(), Y - P),  # what is predicted lies around zero as well
        (Y, np.full(N, np.median(Y)) + RANDOM.normal(0, 1, N)),  # no skill, at the right level
        (Y + 1e15, P + 1e15),  # the last row is the mean to as many digits as a number has
        (Y, np.where(ROWS % 50 == 0, np.inf, P)),  # whatever is left out adds up to nothing
        (20_000_000 + RANDOM.integers(0, 200_000, N), 20_000_000 + RANDOM.integers(0, 200_000, N)),  # amounts, no days
        (ROWS % 2 + (ROWS % 7 == 0), RANDOM.random(N)),
    ],
)
def test_numbers_that_are(y: Any, p: Any) -> None:
    assert "serious" not in checked({"y": y, "p": p}, "regression", **NUMBERS).values()


@pytest.mark.parametrize(
    ("times", "quantile", "severity"), [(1, 0.9, "serious"), (1.28, 0.1, "serious"), (1.28, 0.9, None)]
)
def test_means_and_other_quantiles_in_place_of_a_quantile(times: float, quantile: float, severity: str | None) -> None:
    """Errors of the logarithm have a standard deviation of 0.2: so many of them make the nine tenths."""
    p = (P * np.exp(0.2 * times * (times > 1))).round(2)
    assert checked({"y": Y, "p": p}, "regression", **NUMBERS, quantile=quantile).get("C13") == severity


@pytest.mark.parametrize("label", [0, False, "no", "False", "0"])
def test_a_lone_label_is_not_what_a_score_speaks_of(label: object) -> None:
    """As an evaluation says; of two arrays it was the label itself, whatever it was."""
    score = [0.1, 0.2, 0.3]
    assert metrics.brier_score([label] * 3, score) == pytest.approx(0.14 / 3)
    assert np.isnan(metrics.average_precision([label] * 3, score))
    assert adjudge.estimate("brier_score", [label] * 3, score).value == pytest.approx(0.14 / 3)


def test_of_a_lone_word_nobody_knows_which_label_a_score_speaks_of() -> None:
    with pytest.raises(SettingError, match="`positive` must say"):
        metrics.brier_score(["ham"] * 3, [0.1, 0.2, 0.3])
    assert np.isnan(metrics.roc_auc(["ham"] * 3, [0.1, 0.2, 0.3], positive="spam"))


@pytest.mark.parametrize("words", [("True", "False"), ("TRUE", "FALSE"), ("true", "false")])
@pytest.mark.parametrize("settings", [{}, {"engine": "stream"}, {"missing": "NA"}])
def test_truth_values_are_numbers_from_a_file_as_from_a_frame(
    words: tuple[str, str], settings: dict[str, Any], tmp_path: Path
) -> None:
    table = {"hours": [24] * 40, "failed": [words[row % 2] for row in range(40)]}
    given = {"exposure": "hours", "failures": "failed", **settings}
    from_file = adjudge.failures(written(tmp_path, table), **given)["mean_time_between_failures"].value
    frame = {"hours": [24] * 40, "failed": [row % 2 == 0 for row in range(40)]}
    assert from_file == adjudge.failures(frame, **given)["mean_time_between_failures"].value == 48


def test_systems_that_fail_alike_in_every_row() -> None:
    failed = RANDOM.poisson(1, 60)
    given = {"exposure": "hours", "failures": ["old", "new"]}
    assert checked({"hours": [24] * 60, "old": failed, "new": failed}, "failures", **given)["C24"] == "serious"
    once = {"hours": RANDOM.uniform(1, 90, 60), "old": [1] * 60, "new": [1] * 60}
    assert "C24" not in checked(once, "failures", **given)  # every watch ended with a failure


def logs_said(hours: float, failed: Any, given: Any) -> set[str]:
    """What is said first of two logs, the first of 60 days of 24 hours."""
    old = {"hours": [24] * 60, "failed": list(given)}
    new = {"hours": [hours] * 60, "failed": list(failed)}
    roles = {"task": "failures", "exposure": "hours", "failures": "failed"}
    found = adjudge.compare(old, new, names=["old", "new"], **roles, replicates=100).checks
    return {check.key for check in found if check.severity == "serious"}


def test_logs_in_two_units_and_one_log_twice() -> None:
    failed, other = RANDOM.poisson(0.5, 60), RANDOM.permutation(RANDOM.poisson(0.5, 60))
    assert not logs_said(24, other, failed)
    assert "C12" in logs_said(24 * 60, failed[::-1], failed)
    assert "C12" in logs_said(1, failed[::-1], failed)
    assert "C12" not in logs_said(24 * 60, 60 * failed, failed)  # rows of two months
    assert "C42" in logs_said(24, failed, failed)


VOTES = RANDOM.choice(["a", "b"], 100)
SINGLE = {"pair": np.repeat(np.arange(100), 3), "who": ["ann", "ben", "model"] * 100, "vote": np.repeat(VOTES, 3)}
ONE_BY_ONE = {"pair": "pair", "annotator": "who", "vote": "vote", "reference": "ann"}


def test_single_votes_in_other_words_are_said() -> None:
    """Of a column for each annotator they were; of a row for each vote they were no votes without a word."""
    turned = np.where(RANDOM.random(300) < 0.2, np.where(SINGLE["vote"] == "a", "b", "a"), SINGLE["vote"])
    plain = {**SINGLE, "vote": turned}
    assert "C28" not in checked(plain, "preference", **ONE_BY_ONE)
    digits = [str("ab".index(one)) if who == "model" else one for who, one in zip(SINGLE["who"], turned, strict=True)]
    assert checked({**plain, "vote": digits}, "preference", **ONE_BY_ONE)["C28"] == "serious"
    swapped = {**ONE_BY_ONE, "pair": "who", "annotator": "pair", "reference": "0"}
    assert checked(plain, "preference", **swapped)["C28"] == "serious"


def tagged(begin: str, inside: str) -> list[str]:
    """Sixty sentences with a span of two words and one of one."""
    return [f"O {begin}-PER {inside}-PER O {begin}-ORG O" for _ in range(60)]


def some_wrong(tags: list[str]) -> list[str]:
    return [row.replace("ORG", "LOC") if place % 5 == 0 else row for place, row in enumerate(tags)]


def test_tags_of_another_scheme_match_nothing_and_that_is_said() -> None:
    given: dict[str, Any] = {"raters": ["gold", "guess"], "measurement": "spans"}
    gold = tagged("B", "I")
    assert "C34" not in checked({"gold": gold, "guess": some_wrong(gold)}, "agreement", **given)
    other = some_wrong(tagged("I", "I"))
    assert checked({"gold": gold, "guess": other}, "agreement", **given)["C34"] == "serious"
    assert "C34" not in checked({"gold": gold, "guess": other}, "agreement", **given, mode="conll")
    pieces = some_wrong(tagged("B", "B"))
    assert checked({"gold": gold, "guess": pieces}, "agreement", **given)["C34"] == "remark"


def test_a_suite_that_was_answered_by_what_is_missing() -> None:
    want = RANDOM.choice(["good", "bad"], 200)
    right = np.where(RANDOM.random(200) < 0.8, want, "bad")
    suite = {"what": ["x"] * 200, "want": want, "new": np.where(ROWS[:200] % 10 == 0, "NA", right)}
    given = {"phenomenon": "what", "expect": "want", "prediction": "new"}
    assert checked(suite, "diagnostic", **given)["C22"] == "serious"
    assert "C22" not in checked({**suite, "new": right}, "diagnostic", **given)


def test_scores_of_a_suite_that_are_percentages_need_a_tolerance() -> None:
    before = RANDOM.random(60).round(3)
    scores = np.ravel([before, before + 0.2], order="F")
    suite = {
        "what": ["x"] * 120,
        "group": np.repeat(np.arange(60), 2),
        "kind": ["mft", "dir"] * 60,
        "want": ["good", "up"] * 60,
        "said": ["good", "bad"] * 60,
    }
    given = {
        "phenomenon": "what",
        "group": "group",
        "kind": "kind",
        "expect": "want",
        "prediction": "said",
        "score": "s",
    }
    assert "C12" not in checked({**suite, "s": scores}, "diagnostic", **given)
    assert checked({**suite, "s": 100 * scores}, "diagnostic", **given)["C12"] == "serious"
    assert "C12" not in checked({**suite, "s": 100 * scores}, "diagnostic", **given, tolerance=10)


QUERIES = 30
ITEMS = [(f"q{query}", f"d{query}_{item}") for query in range(QUERIES) for item in range(12)]
GRADES = (RANDOM.random(len(ITEMS)) < 0.3).astype(int)
FOUND = GRADES + RANDOM.normal(size=len(ITEMS))


def trec_files(
    folder: Path, scores: Any, query: str = "{}", document: str = "{}", *, kept: int = QUERIES, ranked: bool = True
) -> Any:
    """Judgements and a run, its ranks by what `FOUND` says, with other scores or names."""
    qrels, run = folder / "qrels.txt", folder / "run.txt"
    qrels.write_text("".join(f"{q} 0 {d} {g}\n" for (q, d), g in zip(ITEMS, GRADES, strict=True)))
    ranks = {place: (rank + 1) * ranked for rank, place in enumerate(np.argsort(-FOUND))}
    lines = [
        f"{query.format(q)} Q0 {document.format(d)} {ranks[place]} {scores[place]:.6f} sys\n"
        for place, (q, d) in enumerate(ITEMS)
        if int(q[1:]) < kept
    ]
    run.write_text("".join(lines))
    return gravest(adjudge.ranking(str(qrels), runs=str(run), replicates=100).checks)


def test_a_run_that_goes_with_its_judgements(tmp_path: Path) -> None:
    assert not trec_files(tmp_path, FOUND)


def test_a_run_without_ranks_of_its_own(tmp_path: Path) -> None:
    """Many write 0, or 1, in their place."""
    assert not trec_files(tmp_path, FOUND, ranked=False)


def test_a_run_whose_scores_contradict_its_ranks(tmp_path: Path) -> None:
    assert trec_files(tmp_path, -FOUND)["C28"] == "serious"
    noise = RANDOM.normal(size=len(ITEMS))
    assert trec_files(tmp_path, noise)["C28"] == "serious"


def test_a_run_that_answers_half_of_the_queries(tmp_path: Path) -> None:
    assert trec_files(tmp_path, FOUND, kept=15)["C29"] == "serious"
    assert trec_files(tmp_path, FOUND, kept=29)["C29"] == "remark"


def test_a_run_that_names_things_otherwise_is_not_called_reversed(tmp_path: Path) -> None:
    documents = trec_files(tmp_path, FOUND, document="{}.txt")
    assert documents["C1"] == "serious"
    assert "C3" not in documents
    queries = trec_files(tmp_path, FOUND, query="query-{}")
    assert queries["C29"] == "serious"
    assert "C3" not in queries


def test_numbers_with_the_minus_behind_them() -> None:
    y = RANDOM.normal(0, 10, 80).round(1)
    p = [f"{-one}-" if one < 0 else str(one) for one in y + 0.5]
    assert checked({"y": y, "p": p}, "regression", **NUMBERS)["C20"] == "serious"


def test_a_matrix_with_a_row_for_each_rater() -> None:
    """As other packages take it: 100 raters of two items, where two rated a hundred."""
    ratings = RANDOM.integers(0, 3, (2, 100))
    assert "C34" in str(adjudge.estimate("krippendorff_alpha", ratings.tolist()))
    assert "C34" not in str(adjudge.estimate("krippendorff_alpha", ratings.T.tolist()))


TRUTH = RANDOM.choice(["spam", "ham"], 600, p=[0.3, 0.7])
OTHER = np.where(TRUTH == "spam", "ham", "spam")
JUDGED = {
    "people": np.where(RANDOM.random(600) < 0.25, TRUTH, None),
    "judge": np.where(RANDOM.random(600) < 0.9, TRUTH, OTHER),
    "answer": np.where(RANDOM.random(600) < 0.85, TRUTH, OTHER),
}
ANSWERED = {"reference": "people", "judge": "judge", "prediction": "answer"}


def test_answers_that_people_and_the_judge_never_give() -> None:
    """All of them were wrong, without a word."""
    assert not checked(JUDGED, "judges", **ANSWERED)
    with pytest.raises(BadValue, match="must use the labels of people and the judge"):
        checked({**JUDGED, "answer": (JUDGED["answer"] == "spam").astype(int)}, "judges", **ANSWERED)


def test_labelled_rows_that_the_judge_calls_otherwise_than_the_rest() -> None:
    """The judge finds as many answers right in them, and another label in most."""
    spam = np.where((TRUTH == "spam") & (RANDOM.random(600) < 0.5), TRUTH, None)
    assert checked({**JUDGED, "people": spam}, "judges", **ANSWERED)["C31"] == "serious"


AXIS = {"characteristic": "accuracy", "metric": "accuracy", "column": ["y", "{system}"], "worst": 0.5, "target": 1}
SPEED = {"characteristic": "efficiency", "metric": "mean", "column": "{system}_ms", "worst": 400, "target": 100}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({**AXIS, "worst": 1, "target": 0.5}, SPEED),
        (AXIS, {**SPEED, "worst": 100, "target": 400}),
        ({**AXIS, "worst": 50, "target": 100}, SPEED),
    ],
)
def test_a_target_that_is_worse_than_the_worst_or_no_value(first: dict[str, Any], second: dict[str, Any]) -> None:
    """The utility went the wrong way, or was the same for all."""
    table = {"y": list("ab") * 40, "v1": list("ab") * 40, "v2": list("aabb") * 20}
    table |= {"v1_ms": [200.0, 210.0] * 40, "v2_ms": [300.0, 310.0] * 40}
    assert adjudge.tradeoffs(table, ["v1", "v2"], [{**AXIS, "weight": 1}, {**SPEED, "weight": 1}]).utility is not None
    with pytest.raises(SettingError, match="`target` of"):
        adjudge.tradeoffs(table, ["v1", "v2"], [{**first, "weight": 1}, {**second, "weight": 1}])


def test_votes_in_the_other_order_that_still_call_the_first_shown_a() -> None:
    chosen = np.where(RANDOM.random(300) < 0.8, np.resize(VOTES, 300), "a")
    again = np.where(RANDOM.random(300) < 0.85, chosen, np.where(chosen == "a", "b", "a"))
    pairs = {"winner": np.resize(VOTES, 300), "judge": chosen, "again": again}
    given = {"reference": "winner", "annotators": ["judge"], "swapped": {"judge": "again"}}
    assert not checked(pairs, "preference", **given)
    assert checked({**pairs, "again": np.where(again == "a", "b", "a")}, "preference", **given)["C3"] == "serious"
    assert checked({**pairs, "again": chosen}, "preference", **given)["C4"] == "serious"
    place = np.where(RANDOM.random(300) < 0.9, "a", "b")  # who prefers a place says the opposite in the other order
    other = np.where(RANDOM.random(300) < 0.9, "b", "a")
    assert "C3" not in {**checked({**pairs, "judge": place, "again": other}, "preference", **given)}


LISTS = {"q": [q for q, _ in ITEMS], "rel": GRADES, "s": FOUND}
IN_LISTS = {"query": "q", "relevance": "rel", "score": ["s", "t"]}


def test_two_systems_that_score_every_item_alike() -> None:
    assert checked({**LISTS, "t": FOUND}, "ranking", **IN_LISTS)["C24"] == "serious"
    assert "C24" not in checked({**LISTS, "t": FOUND + RANDOM.normal(0, 1e-6, len(ITEMS))}, "ranking", **IN_LISTS)


def test_grades_from_0_to_100_have_no_exponential_gains() -> None:
    given = {"query": "q", "relevance": "rel", "score": "s"}
    large = {**LISTS, "rel": 100 * GRADES}
    assert checked(large, "ranking", **given, metrics=["ndcg(at=5)"])["C19"] == "serious"
    assert "C19" not in checked(large, "ranking", **given, metrics=["ndcg(at=5, gain=linear)"])
    assert "C19" not in checked(LISTS, "ranking", **given)
