"""Reading at its edges: nothing at all, exactly the bound, one field that is missing; each with what must come out."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

import adjudge
from adjudge.data.decode import _parsed
from adjudge.data.dialect import Dialect
from adjudge.data.formats import imported
from adjudge.data.formats.annotated_pairs import Pairs, _two_merged
from adjudge.data.formats.choices import SAME_SYSTEM, _pairs
from adjudge.data.formats.offsets import Offsets
from adjudge.data.formats.sample import CUT, _value
from adjudge.data.formats.votes import NO_VERDICT, _reward
from adjudge.data.judgements.columns import Scores, refuse_beyond
from adjudge.data.judgements.queries import _together
from adjudge.data.judgements.span_cells import _span, gathered
from adjudge.data.judgements.treated import check_arms
from adjudge.data.runs import Runs
from adjudge.data.source import MOST_NUMBER, Batch, Text, open_source
from adjudge.data.tables.files import Files
from adjudge.data.tables.joining import _different
from adjudge.data.tables.profiles import Profile
from adjudge.errors import BadValue, InputError, SettingError


def test_no_rows_have_no_runs() -> None:
    """None are expected, none are missing, and a single row cannot be out of order."""
    assert Runs().expected == 0.0
    assert (Runs() + Runs.of(np.array([True, False]))) == Runs.of(np.array([True, False]))
    assert Runs.of(np.array([True])).fewer == 0.0
    assert (Runs().rows, Runs().wrong, Runs().runs) == (0, 0, 0)


def test_the_largest_number_may_be_given_and_none_beyond() -> None:
    refuse_beyond(np.array([MOST_NUMBER, -MOST_NUMBER, 0.0]), "Ratings")
    with pytest.raises(BadValue, match="Ratings must lie within"):
        refuse_beyond(np.array([MOST_NUMBER * 1.001]), "Ratings")


def test_a_result_of_a_reward_model_says_whether_the_chosen_answer_won() -> None:
    """RewardBench writes 1 where the chosen answer scored higher, which is the first here, and 0 otherwise."""
    votes = [_reward({"id": 3, "model": "m", "results": result}) for result in (1, 0)]
    assert [vote["winner"] for vote in votes if not isinstance(vote, str)] == ["a", "b"]
    assert _reward({"id": 3, "model": "m", "results": 0.5}) == NO_VERDICT
    by_score = _reward({"id": 3, "model": "m", "scores_chosen": 0.1, "scores_rejected": 0.4})
    assert not isinstance(by_score, str)
    assert by_score["winner"] == "b"


@pytest.mark.parametrize("answers", [{}, {"prediction": None}, {"prediction": None, "score": None}])
def test_a_system_without_a_column_is_refused(answers: dict[str, None]) -> None:
    with pytest.raises(SettingError, match="`systems` must map each name to its columns"):
        adjudge.classification({"y": ["a", "b"] * 9}, reference="y", systems={"x": answers})


def test_answers_of_one_system_are_no_choice_between_systems() -> None:
    """Three answers, the second chosen: one pair of two systems, and one of the same."""
    answers = [
        {"within_turn_id": 0, "model_name": "x", "model_response": "one", "if_chosen": False},
        {"within_turn_id": 1, "model_name": "y", "model_response": "two", "if_chosen": True},
        {"within_turn_id": 2, "model_name": "y", "model_response": "three", "if_chosen": False},
    ]
    first, second = _pairs(answers)
    assert not isinstance(first, str)
    assert (first["system_a"], first["system_b"], first["winner"]) == ("x", "y", "b")
    assert second == SAME_SYSTEM


def test_the_beginning_of_a_record_that_was_cut_off() -> None:
    """What of an object can be read is; a list that was cut off tells nothing."""
    text = '[{"a": 1, "b": "te'
    assert _value(text, 1) == {"a": 1, "b": CUT}
    assert _value('{"x": [1, 2', 6) is CUT
    assert _value("12 34", 3) == 34


def test_a_sample_that_failed_is_left_out_of_a_log(tmp_path: Path) -> None:
    """Events of OpenAI's evals: two matches, of which the second had an error; samplings are neither."""
    events = [
        {"spec": {"completion_fns": ["gpt"], "eval_name": "e"}},
        {"run_id": "1", "sample_id": "s.0", "type": "sampling", "data": {"sampled": ["x"]}},
        {
            "run_id": "1",
            "sample_id": "s.0",
            "type": "match",
            "data": {"correct": True, "expected": "x", "sampled": "x"},
        },
        {
            "run_id": "1",
            "sample_id": "s.1",
            "type": "match",
            "data": {"correct": False, "expected": "x", "sampled": "y"},
        },
        {"run_id": "1", "sample_id": "s.1", "type": "error", "data": {"message": "timeout"}},
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, events)), encoding="utf-8")
    table = imported([path], {})
    assert table is not None
    assert list(table.columns["item"]) == ["s.0"]
    assert sum(table.left_out.values()) == 1


def test_spans_are_placed_by_the_way_of_counting_that_fits_more_of_them() -> None:
    """After an emoji UTF-16 counts one more than code points do; a span that fits neither way is odd."""
    offsets = Offsets("file")
    assert offsets.fits == {"code points": 0, "UTF-16 units": 0}
    offsets.seen("😀ab", [["X", 2, 3, "a"], ["X", 0, 1, "z"]])
    assert offsets.fits == {"code points": 0, "UTF-16 units": 1}
    assert offsets.odd == 1


def test_a_list_without_queries_is_one_query_and_no_items_are_none() -> None:
    assert _together(None, 3)[0].tolist() == [0, 3]
    assert _together(None, 0)[0].tolist() == [0]


def test_some_rows_of_scores_keep_what_is_inside_of_their_cells() -> None:
    plain, inside = Scores(("a",), np.array([[0.1], [0.2]])), np.array([[1.0, 2, 3], [4, 5, 6]])
    assert plain.of_rows(np.array([1])).inside is None
    kept = Scores(("a",), np.array([[0.1], [0.2]]), inside).of_rows(np.array([1])).inside
    assert kept is not None
    assert kept.tolist() == [[4.0, 5.0, 6.0]]


SPAN = {"start": "0", "end": "4", "label": "PER"}
WHERE = ("item", "rater")


def test_a_row_is_a_span_or_says_that_nothing_was_marked() -> None:
    """From 0, to a whole number beyond it, up to the largest place."""
    assert _span(dict(SPAN), WHERE) == ["PER", 0, 4]
    assert _span({**SPAN, "start": "3"}, WHERE) == ["PER", 3, 4]
    assert _span({"start": None, "end": " ", "label": ""}, WHERE) is None
    for wrong in ({"start": "4"}, {"start": "5"}, {"start": "-1"}, {"start": "0.5"}, {"end": "4.5"}, {"end": "x"}):
        with pytest.raises(BadValue, match="A span must start at 0 or later"):
            _span({**SPAN, **wrong}, WHERE)
    with pytest.raises(BadValue, match="A span must have all of"):
        _span({**SPAN, "end": None}, WHERE)


def test_one_arm_is_the_control() -> None:
    check_arms(("control", "drug"), None)
    check_arms(("a", "b"), "b")
    check_arms(("a",), None)
    with pytest.raises(SettingError, match="must be one of"):
        check_arms(("a", "b"), "c")
    with pytest.raises(SettingError, match="must say which arm"):
        check_arms(("a", "b"), None)
    with pytest.raises(BadValue, match="must have two values"):
        check_arms(("a", "b", "control"), None)


def test_missing_values_are_the_same_on_both_sides_and_differ_from_any_text() -> None:
    """Numbers written otherwise are the same: 1 and 1.0; a missing value is the same as a missing one alone."""
    one = Text(np.array([0, 1, -1, -1, 0]), ("1", "x"))
    other = Text(np.array([0, 1, -1, 1, -1]), ("1.0", "x"))
    assert _different(one, other).tolist() == [False, False, False, True, True]


@pytest.mark.parametrize(
    ("distinct", "present", "is_key"),
    [(10, 20, True), (20, 20, False), (1, 20, False), (2, 200, False), (5, 200, True)],
)
def test_a_column_of_keys_repeats_but_not_too_often(distinct: int, present: int, is_key: bool) -> None:
    """More than one value, one of them more than once, and more than one in fifty rows."""
    values = tuple(f"k{place}" for place in range(distinct))
    assert ("keys" in Profile("c", present, values, present, None).holds) == is_key


@pytest.mark.parametrize(
    ("distinct", "present", "are_levels"),
    [(4, 20, True), (4, 19, False), (1, 20, False), (20, 100, True), (21, 200, False)],
)
def test_levels_of_a_slice_are_few_and_have_five_rows_each(distinct: int, present: int, are_levels: bool) -> None:
    values = tuple(f"l{place}" for place in range(distinct))
    assert ("levels" in Profile("c", present, values, present, None).holds) == are_levels


def test_a_decimal_comma_is_read_only_where_it_is_one() -> None:
    """1.234,5 is a number with a comma; a text with a comma, or a file of points, stays as it is."""
    with_comma, with_point = (Dialect(open_source({"x": ["1"]}), comma=comma) for comma in (True, False))
    assert [with_comma._written(text, number=False) for text in ("1.234,5", " 0,25 ", "a,b", "12")] == [
        "1234.5",
        "0.25",
        "a,b",
        "12",
    ]
    assert with_point._written("0,25", number=True) == "0,25"
    assert [with_comma._written("1.234", number=number) for number in (True, False)] == ["1234", "1.234"]


def _votes(ids: list[str | None], votes: list[int]) -> Pairs:
    return Pairs({"id": ids}, {"me": np.array(votes, dtype=np.int8)}, {})


def test_pairs_without_an_id_are_never_the_same_pair() -> None:
    """One pair is in both files, one is new, and one has no id: four pairs in all."""
    both, conflicts = _two_merged(_votes(["p", None], [0, 1]), _votes(["p", None, "q"], [1, 0, 1]), "second")
    assert both.columns["id"] == ["p", None, None, "q"]
    assert both.votes["me"].tolist() == [0, 1, 0, 1]
    assert conflicts == 1


def test_a_folder_of_principles_needs_its_pairs(tmp_path: Path) -> None:
    from adjudge.data.formats import icai

    (tmp_path / icai.TRAIN).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / icai.PRINCIPLES).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / icai.TRAIN).write_text("preferred_text\n", encoding="utf-8")
    (tmp_path / icai.PRINCIPLES).write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="must have rows and a column `preferred_text`"):
        icai.read_icai(tmp_path)


def test_a_span_that_is_marked_twice_is_one_and_counted() -> None:
    """Three rows of one rater in one item, two of them alike: one cell of two spans, and one left out."""
    texts = {"item": "iiii", "rater": "rrrs", "start": "0005", "end": "4496", "label": "AAAB"}
    columns = {name: Text(*_coded(list(text))) for name, text in texts.items()}
    parts = {role: role for role in ("start", "end", "label")}
    batch, left_out = gathered(Batch(4, columns), ("item", "rater"), parts)
    assert batch.rows == 2
    assert list(left_out.values()) == [1]
    only = {name: Text(column.codes[2:], column.labels) for name, column in columns.items()}
    assert gathered(Batch(2, only), ("item", "rater"), parts)[1] == {}


def _coded(texts: list[str]) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    labels = tuple(dict.fromkeys(texts))
    return np.array([labels.index(text) for text in texts], dtype=np.int64), labels


def test_the_rows_of_a_file_are_foreseen_by_its_bytes(tmp_path: Path) -> None:
    """Lines of equal length: as many as there are, the head among them."""
    path = tmp_path / "table.csv"
    path.write_text("a,b\n" + "1,2\n" * 999, encoding="utf-8")
    source = open_source(path)
    assert isinstance(source, Files)
    assert source.expected_rows() in (999, 1_000)


def test_text_that_is_no_number_is_told_from_what_is_missing() -> None:
    numbers = _parsed(pa.array(["1.5", " 2 ", None, "", "x"]), "p")
    assert numbers.values.tolist() == pytest.approx([1.5, 2.0, np.nan, np.nan, np.nan], nan_ok=True)
    assert numbers.missing.tolist() == [False, False, True, True, False]
    assert numbers.unreadable.tolist() == [False, False, False, False, True]
