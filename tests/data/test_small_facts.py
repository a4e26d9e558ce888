"""Small steps of reading that a wrong answer could come from: each with what must come out."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import adjudge
from adjudge import metrics
from adjudge.data.cubes.meaning import CubeMeaning, CubeSystem
from adjudge.data.cubes.sql import cells_sql
from adjudge.data.facts import ends
from adjudge.data.formats import imported
from adjudge.data.formats.inspect_ai import LETTERS
from adjudge.data.formats.outcomes import _accepted, _is_yes_or_no
from adjudge.data.judgements.annotations import Annotations, Spans, TagReport
from adjudge.data.judgements.columns import JointJudgements, Judgements
from adjudge.data.judgements.labels import labels_of
from adjudge.data.judgements.pair_votes import PairVotes
from adjudge.data.judgements.queries import Policy
from adjudge.data.judgements.ratings import Ratings
from adjudge.data.keys import keys_of_rows
from adjudge.data.runs import Runs
from adjudge.data.table_facts import SUBTOTALS, SWAPPED, TableFacts
from adjudge.errors import SettingError


def test_runs_of_a_random_order() -> None:
    """Wald and Wolfowitz: 1 + 2 · 4 · 6 / 10, with a variance of 4.8 · 3.8 / 9."""
    runs = Runs.of(np.array([True, True, True, True, False, False, False, False, False, False]))
    assert (runs.rows, runs.wrong, runs.runs) == (10, 4, 2)
    assert runs.expected == pytest.approx(5.8)
    assert runs.fewer == pytest.approx((5.8 - 2 - 0.5) / np.sqrt(4.8 * 3.8 / 9))


def test_parts_of_runs_add_up() -> None:
    wrong = np.array([True, False, False, True, True, False, True])
    for cut in range(len(wrong) + 1):
        assert Runs.of(wrong[:cut]) + Runs.of(wrong[cut:]) == Runs.of(wrong)


def test_an_answer_that_a_system_never_gives_is_never_right() -> None:
    reference = labels_of(["c", "c", "a", "b"], "reference")
    systems = [Judgements(reference, prediction=labels_of(given, "prediction")) for given in ("abab", "bbaa")]
    losses = JointJudgements(tuple(systems)).unit_losses([0.5, 0.5])
    assert losses.losses.T.tolist() == [[1, 1, 0, 0], [1, 1, 0, 1]]


@pytest.mark.parametrize(
    ("reference", "prediction", "right", "accepted"),
    [
        ("a", "b", 1, "b"),
        ("a", "b", 0, "a"),
        ("a", "a", 0, "not a"),
        (["a", "b"], "c", 0, "a"),
        (None, "c", 0, None),
        ("a", "b", None, None),
    ],
)
def test_what_a_scorer_accepted(reference: object, prediction: object, right: object, accepted: str | None) -> None:
    assert _accepted(reference, prediction, right) == accepted


def test_scores_that_say_right_or_wrong() -> None:
    told = [[0, 1], [1, None], [0], [True, False], [0, 1, 0.5], [None], []]
    assert [_is_yes_or_no(values) for values in told] == [True] * 4 + [False] * 3


def test_letters_of_a_grade() -> None:
    """As Inspect's `value_to_float` reads them: correct, partial, incorrect, no answer."""
    assert LETTERS == {"C": 1, "P": 0.5, "I": 0, "N": 0}


def test_scores_that_failed_are_counted_once_each(tmp_path: Path) -> None:
    path = tmp_path / "gpt-4_single.jsonl"
    rows = [
        {"question_id": 81, "model": "m", "judge": ["gpt-4", "single-v1"], "turn": 1, "score": score, "judgment": "x",
         "user_prompt": "p", "tstamp": 1.0}
        for score in (9, -1, 7, -1, None)
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)))
    found = imported([path], {})
    assert found is not None
    assert sum(found.left_out.values()) == 3
    assert found.columns["score"] == [9, 7]


def test_games_that_failed_are_no_votes(tmp_path: Path) -> None:
    path = tmp_path / "gpt-4_pair.jsonl"
    games = [
        ("model_1", "model_1"),
        ("model_1", "model_2"),
        ("error", "model_1"),
        ("model_2", "model_2"),
        ("tie", "tie"),
        ("tie", "model_2"),
    ]
    rows = [
        {"question_id": place, "model_1": "x", "model_2": "y", "g1_winner": one, "g2_winner": two, "judge": ["j", "v"],
         "g1_user_prompt": "", "g1_judgment": "", "g2_user_prompt": "", "g2_judgment": "", "turn": 1, "tstamp": 1.0}
        for place, (one, two) in enumerate(games)
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)))
    found = imported([path], {})
    assert found is not None
    assert found.columns["winner"] == ["a", "tie", "b", "tie", "tie"]
    assert sum(found.left_out.values()) == 1
    assert "1 tie is of two orders that contradict each other." in found.remarks


def test_columns_of_scores_stand_in_the_order_of_numbers() -> None:
    """As scikit-learn orders classes: 9 before 10."""
    scores = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.7, 0.2, 0.1]])
    evaluation = adjudge.evaluate([9, 10, 11, 9], scores, metrics=["accuracy"], replicates=100)
    assert evaluation.table.find("accuracy").estimate == 1.0


@pytest.mark.parametrize("given", [{"treatment": None}, {"treatment": ["t", "control"], "second": None}])
def test_uplift_needs_scores_and_arms(given: dict[str, object]) -> None:
    second = given.pop("second", [0.1, 0.2])
    with pytest.raises(SettingError, match="outcomes and scores"):
        metrics.qini([1, 0], second, **given)


def test_texts_with_a_backslash_in_each_dialect() -> None:
    meaning = CubeMeaning(
        task="classification",
        reference="label",
        systems=(CubeSystem("m", None, "score"),),
        slices=(),
        positive="a\\b'c",
    )
    for dialect, text in {
        "duckdb": "'a\\b''c'",
        "spark": "'a\\\\b\\'c'",
        "bigquery": "'a\\\\b\\'c'",
        "snowflake": "'a\\\\b\\'c'",
        "postgres": "'a\\b''c'",
    }.items():
        assert text in cells_sql(meaning, "t", dialect)


@pytest.mark.parametrize("least", [0, -1.0, float("nan")])
def test_relevance_begins_above_0(least: float) -> None:
    with pytest.raises(SettingError, match="above 0"):
        Policy(relevant_from=least)
    assert Policy(relevant_from=0.5).relevant_from == 0.5


def _marked(rater: tuple[str, ...], label: str) -> Annotations:
    one, no = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.bool_)
    spans = Spans((label,), one, one, one, one + 2, no, ~no, TagReport())
    return Annotations((label,), (spans,) * len(rater), rater)


def test_annotators_of_all_parts_keep_their_order_and_others_come_by_name() -> None:
    same = Annotations.joined([_marked(("zoe", "ann"), "LOC"), _marked(("zoe", "ann"), "PER")])
    assert (same.raters, same.categories, len(same)) == (("zoe", "ann"), ("LOC", "PER"), 2)
    others = Annotations.joined([_marked(("zoe", "ann"), "LOC"), _marked(("bob", "ann"), "LOC")])
    assert others.raters == ("ann", "bob", "zoe")
    assert others.of_rater("bob").annotated.tolist() == [False, True]


@pytest.mark.parametrize(("start", "end"), [(6, 10), (5, 9)])
def test_spans_after_an_emoji_are_placed_by_their_text(start: int, end: int, tmp_path: Path) -> None:
    """A browser counts 🐸 as two; whichever way a file counts, "Anna" is from 5 to 9 of "Hi 🐸 Anna"."""
    value = {"start": start, "end": end, "text": "Anna", "labels": ["PER"]}
    tasks = [
        {
            "id": 1,
            "data": {"text": "Hi 🐸 Anna"},
            "annotations": [
                {
                    "id": who,
                    "completed_by": who,
                    "result": [{"from_name": "ner", "to_name": "text", "type": "labels", "id": "r", "value": value}],
                }
                for who in (1, 2)
            ],
        }
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    found = imported([path], {})
    assert found is not None
    assert {json.dumps(rating) if not isinstance(rating, str) else rating for rating in found.columns["rating"]} == {
        '[["PER", 5, 9]]'
    }


def test_rows_without_an_order_have_no_sums_of_rows_above() -> None:
    """What else was counted stays."""
    facts = TableFacts(counted={(SUBTOTALS, "cost"): 3, (SWAPPED, "cost"): 2})
    assert facts.without_order().counted == {(SWAPPED, "cost"): 2}


def test_the_ends_of_keys_come_in_their_order() -> None:
    for keys, expected in (([7, 3], [3, 7]), ([7, 3, 9], [3, 9]), ([4], [4]), ([], [])):
        assert ends(np.array(keys, dtype=np.uint64)).tolist() == expected


def test_what_was_not_rated_stays_so_where_labels_become_numbers() -> None:
    measured = Ratings(np.array([[0, 1], [1, -1]]), ("2", "5"), ("ann", "ben")).measured
    assert measured.numbers is not None
    assert (measured.kinds.tolist(), measured.numbers.tolist()) == ([[0, 1], [1, -1]], [2.0, 5.0])


def test_pairs_of_two_parts_name_their_models_anew_and_leave_the_unknown_unknown() -> None:
    def part(names: tuple[str, ...], models: list[list[int]]) -> PairVotes:
        rows = len(models)
        return PairVotes(
            ("p",), np.zeros((rows, 1), np.int8), np.ones((rows, 2)), np.array(models), names, keys_of_rows(0, rows)
        )

    both = PairVotes.joined([part(("b", "c"), [[0, 1], [1, -1]]), part(("a", "b"), [[0, 1], [-1, 0]])])
    assert both.model_names == ("a", "b", "c")
    assert both.models.tolist() == [[1, 2], [2, -1], [0, 1], [-1, 0]]
