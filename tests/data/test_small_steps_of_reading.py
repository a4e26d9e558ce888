"""Small steps of reading that a whole evaluation hides, each at the place where it decides something."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import adjudge
from adjudge.data.formats import imported
from adjudge.data.formats.annotated_pairs import annotated_pairs
from adjudge.data.formats.inspect_ai import META, _row
from adjudge.data.judgements.annotations import TagReport
from adjudge.data.judgements.ratings import Ratings
from adjudge.data.judgements.score_types import MOST_NUMBER, Scaling
from adjudge.data.judgements.span_cells import annotations_of_cells
from adjudge.data.keys import Twins
from adjudge.data.pair_facts import _parts
from adjudge.data.row_moves import FEWEST
from adjudge.data.tables.file_formats import FORMATS, delimited_as
from adjudge.errors import BadValue, InputError, SettingError

GOLDEN = Path(__file__).parents[1] / "golden" / "formats"


def test_a_byte_that_is_no_text_is_found_in_its_line() -> None:
    for lines in (1, 2, 5):
        data = b'{"annotators": {},' + b"\n" * (lines - 1) + b'"comparisons": "\xff"}'
        with pytest.raises(InputError, match=f"but line {lines} is not"):
            annotated_pairs(data, "pairs.json")


def test_models_of_both_answers_are_read_where_answers_are_objects() -> None:
    answers = {f"response_{side}": {"text": f"answer {side}", "model": f"model {side}"} for side in "ab"}
    pair = {"id": "1", "prompt": "?", **answers, "annotations": {"x": {"pref": "a"}}}
    file = {"metadata": {"version": "2.0"}, "annotators": {"x": {"name": "x", "type": "human"}}, "comparisons": [pair]}
    read = annotated_pairs(file, "a dictionary")
    assert {name: read.columns[name] for name in ("model_a", "model_b", "text_b")} == {
        "model_a": ["model a"],
        "model_b": ["model b"],
        "text_b": ["answer b"],
    }


@pytest.mark.parametrize("named", [True, False])
def test_rows_that_pandas_numbered_keep_their_numbers(tmp_path: Path, named: bool) -> None:
    """`to_csv` writes the index first, without a name; without an index rows are counted from 0."""
    table = [",y_true,y_pred", "7,a,a", "9,b,a"]
    path = tmp_path / "predictions.csv"
    path.write_text("\n".join(line if named else line.partition(",")[2] for line in table) + "\n")
    read = imported([path])
    assert read is not None
    assert read.columns["item"] == (["7", "9"] if named else ["0", "1"])


def test_answers_to_a_message_are_in_the_order_they_were_shown_in_whatever_that_of_the_file(tmp_path: Path) -> None:
    whole = (GOLDEN / "prism" / "utterances.jsonl").read_text().splitlines()
    unnumbered = {name: value for name, value in json.loads(whole[1]).items() if name != "within_turn_id"}
    turned, without = tmp_path / "turned.jsonl", tmp_path / "without.jsonl"
    turned.write_text("\n".join([*whole[:3][::-1], *whole[3:]]) + "\n")
    without.write_text("\n".join([whole[0], json.dumps(unnumbered), *whole[2:]]) + "\n")
    first, second, last = (imported([path]) for path in (GOLDEN / "prism" / "utterances.jsonl", turned, without))
    assert first is not None
    assert second is not None
    assert last is not None
    assert dict(second.columns) == dict(first.columns)
    assert [first.columns[name][0] for name in ("system_a", "system_b")] == ["one", "two"]
    assert [first.columns[name][1] for name in ("system_a", "system_b")] == ["two", "three"]
    assert [last.columns[name][1] for name in ("system_a", "system_b")] == ["three", "two"]  # without a number: last


def test_no_rows_add_no_twins() -> None:
    rows, nothing = (Twins.of(np.array(keys, dtype=np.uint64)) for keys in ([3, 5, 3], []))
    assert (rows + nothing).again == (nothing + rows).again == 1
    assert (nothing + nothing).rows == 0


def test_scaling_takes_the_largest_number_there_may_be_and_none_beyond() -> None:
    assert Scaling(MOST_NUMBER, 1.0, -MOST_NUMBER, MOST_NUMBER).human_mean == -MOST_NUMBER
    for place in range(4):
        given = [0.0, 1.0, 0.0, 1.0]
        given[place] = np.nextafter(MOST_NUMBER, np.inf)
        with pytest.raises(SettingError, match="must be a number within"):
            Scaling(*given)


@pytest.mark.parametrize(("labels", "said"), [(("ill", "well"), "well"), (("ill", "well", "gone"), "not ill")])
def test_below_the_threshold_the_answer_is_the_other_label_where_there_is_one(labels: list[str], said: str) -> None:
    reference = [labels[row % len(labels)] for row in range(30)]
    score = [0.1 if row == 0 else 0.9 if label == "ill" else 0.2 for row, label in enumerate(reference)]
    made = adjudge.classification(
        {"y": reference, "s": score}, reference="y", score="s", positive="ill", threshold=0.5, replicates=100
    )
    first = made.taken("items").records()[0]
    assert (first["row"], first["score"], first["prediction"]) == (1, 0.1, said)


def test_a_title_above_the_head_of_a_file_does_not_make_it_one_column(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    for head, delimiter in (
        ("scores of May\na,b\n", ","),
        ("scores of May\na;b\n", ","),
        ("a;b\n1;2\n", ";"),
        ("a\n1\n", ","),
    ):
        path.write_text(head, encoding="utf-8")
        assert delimited_as(FORMATS[".csv"], path).delimiter == delimiter, head


def test_a_question_that_no_row_has_is_refused() -> None:
    path = GOLDEN / "label_studio" / "choices.csv"
    with pytest.raises(SettingError, match=', not "mood"'):
        imported([path], {"question": "mood"}, ("ratings",))


def test_short_plain_metadata_of_a_sample_becomes_a_column() -> None:
    given = {"level": "hard", "age": 7, "long": "x" * 61, "edge": "x" * 60, "list": ["a"], "nothing": None}
    row = _row({"id": 1, "scores": {}, "metadata": given}, [], "model")
    assert {name.removeprefix(META): value for name, value in row.items() if name.startswith(META)} == {
        "level": "hard",
        "age": 7,
        "edge": "x" * 60,
    }


def test_a_rating_without_tags_is_not_beside_one_with_tags() -> None:
    ratings = Ratings(np.array([[0, 1]]), ("[]", "B-PER O"), ("ann", "ben"))
    with pytest.raises(BadValue, match='item "text" has 0 and 2 tags'):
        annotations_of_cells(ratings, ["text"], "bio", "conll")


def test_no_tags_are_neutral_among_reports_of_tags() -> None:
    some = TagReport(5, 3, 2, 3, 1)
    assert TagReport() + some == some + TagReport() == some


def test_parts_of_series_that_follow_their_own_past_count_as_fewer_rows() -> None:
    """Bartlett 1935: (1 − ab) / (1 + ab) of the rows where both drift; all of them where one of them swings back."""
    random = np.random.default_rng(5)
    size = FEWEST
    steps = random.normal(size=(2, 2 * size))
    drifting, beside = np.cumsum(steps, axis=1)
    swinging = steps[0] * np.tile([1.0, -1.0], size) + 0.5 * np.tile([1.0, -1.0], size)
    for x, y in ((drifting, beside), (swinging, drifting)):
        signs = []
        for part in (slice(0, size), slice(size, None)):
            past = [np.corrcoef(side[part][:-1], side[part][1:])[0, 1] for side in (x, y)]
            rows = size * (1 - max(past[0] * past[1], 0.0)) / (1 + max(past[0] * past[1], 0.0))
            signs.append(np.arctanh(np.corrcoef(x[part], y[part])[0, 1]) * np.sqrt(max(rows - 3, 0.0)))
        assert _parts(x, y) == pytest.approx((min(signs), max(signs)))
