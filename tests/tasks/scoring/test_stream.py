"""Scoring block by block: the same figures and pictures as in memory, and a sentence about what is not there."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.tasks.scoring.test_scoring import evaluated, rows_of, table_of
from tests.written import csv_file

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.tasks.scoring.reading import ScoreReading

ASKED = {
    "two raters": {"slices": ["l1"]},
    "three raters and two systems": {"raters": ["h1", "h2", "h3"], "prediction": ["engine", "other"]},
    "any rater first": {"raters": ["h2", "h3"], "rated_by": "any", "slices": ["l1"]},
    "weights": {"weight": "w", "slices": ["l1"]},
    "no scale": {"min": None, "max": None, "slices": ["l1"]},
    "many human scores": {"raters": ["fine"], "slices": ["l1"]},
    "a training table": {"training": table_of(150, seed=8)},
}


def streamed() -> dict[str, list]:
    table = table_of(400)
    table["w"] = np.random.default_rng(1).gamma(2.0, 1.0, 400).tolist()
    table["fine"] = [h + place % 40 / 100 for place, h in enumerate(table["h1"])]
    table["h1"][:70] = [None] * 70  # a first block without a response, and levels that come late
    return table


def numbers_in(value, path=()) -> dict[tuple, object]:
    if isinstance(value, dict):
        return {k: v for name, part in value.items() for k, v in numbers_in(part, (*path, name)).items()}
    if isinstance(value, list):
        return {k: v for place, part in enumerate(value) for k, v in numbers_in(part, (*path, place)).items()}
    return {path: value}


def differences_in(evaluation: adjudge.Evaluation) -> dict[tuple, float]:
    rows = evaluation.table.differences.first_methods()
    return {(row.system, row.baseline, row.slice, row.metric): row.estimate for row in rows}


@pytest.mark.parametrize("name", ASKED)
def test_small_blocks_give_the_same_estimates_and_pictures(name: str, monkeypatch) -> None:
    asked = ASKED[name] | {"metrics": None}
    whole = evaluated(streamed(), **asked)
    monkeypatch.setattr(ScoreReading, "block_rows", 64)
    parts = evaluated(streamed(), engine="stream", **asked)
    ours, theirs = rows_of(parts), rows_of(whole)
    assert set(theirs) - set(ours) == {key for key in theirs if key[2] == "spearman"}
    for key, row in ours.items():
        other = theirs[key]
        assert (row.estimate, row.n) == pytest.approx((other.estimate, other.n), rel=1e-9, abs=1e-9, nan_ok=True), key
        if "replicates" not in row.note + other.note:  # blocks have their own draws
            assert row.note == other.note
    minus, expected_minus = (differences_in(e) for e in (parts, whole))
    assert set(expected_minus) - set(minus) == {key for key in expected_minus if key[3] == "spearman"}
    assert bool(minus) == (name == "three raters and two systems")
    for key, estimate in minus.items():
        assert estimate == pytest.approx(expected_minus[key], rel=1e-9, abs=1e-9, nan_ok=True), key
    assert parts.left_out == whole.left_out
    assert parts.outcome.data.categories == whole.outcome.data.categories
    pictures = [msgspec.to_builtins(e.outcome.panels) for e in (parts, whole)]
    for panels in pictures:
        drawn = ("Flags", "Every difference to engine")  # these have intervals, and p-values by draws
        panels["tables"] = [panel for panel in panels["tables"] if not panel["title"].startswith(drawn)]
        panels["forests"] = [panel for panel in panels["forests"] if "score difference" in panel["title"]]
        if name == "many human scores":  # cut into bins by the first block
            panels["forests"] = [panel for panel in panels["forests"] if "Conditional" not in panel["title"]]
            panels["tables"] = [panel for panel in panels["tables"] if "Fairness" not in panel["title"]]
    ours, theirs = (numbers_in(panels) for panels in pictures)
    assert ours.keys() == theirs.keys()
    for where, value in theirs.items():
        expected = pytest.approx(value, rel=1e-8, abs=1e-8) if isinstance(value, float) else value
        assert ours[where] == expected, where


def test_the_same_blocks_give_the_same_bytes(tmp_path: Path) -> None:
    path = csv_file(tmp_path / "scores.csv", streamed())
    memory, stream = (evaluated(path, slices=["l1"], weight="w", engine=engine) for engine in ("memory", "stream"))
    kept = [record for record in memory.table.records() if record["metric"] != "spearman"]
    assert stream.table.records() == kept
    assert (memory.outcome.settings.engine, stream.outcome.settings.engine) == ("memory", "stream")
    assert "Spearman" in stream.outcome.settings.choices["Not computed when streaming"]


def test_what_cannot_be_streamed_is_said() -> None:
    with pytest.raises(AdjudgeError, match="must have all scores at once"):
        evaluated(engine="stream", metrics=["spearman", "prmse"])


def by_person(rows: int = 400) -> dict[str, list]:
    """Every person's responses one after another, some of them left out."""
    table = streamed()
    order = np.argsort(table["who"], kind="stable")[:rows]
    return {name: [values[row] for row in order] for name, values in table.items()}


def test_people_may_be_streamed_when_their_responses_stand_together(monkeypatch) -> None:
    asked = {"candidate": "who", "slices": ["l1"], "raters": ["h1", "h2", "h3"], "min_items": 2, "weight": "w"}
    monkeypatch.setattr(ScoreReading, "block_rows", 64)
    memory, stream = (evaluated(by_person(), engine=engine, **asked) for engine in ("memory", "stream"))
    kept = [record for record in memory.table.records() if record["metric"] != "spearman"]
    assert stream.table.records() == kept
    assert stream.left_out == memory.left_out
    assert 'candidate "who" has fewer than 2 responses left' in stream.left_out
    monkeypatch.setattr(ScoreReading, "block_rows", 2**15)
    whole = rows_of(evaluated(by_person(), **asked))
    for key, row in rows_of(memory).items():
        assert (row.estimate, row.n) == pytest.approx((whole[key].estimate, whole[key].n), rel=1e-9, nan_ok=True), key


def test_people_who_come_again_far_apart_are_refused_when_streaming(monkeypatch) -> None:
    monkeypatch.setattr(ScoreReading, "block_rows", 64)
    with pytest.raises(AdjudgeError, match=r'`candidate` must have .* of "who" occurs? again far apart'):
        evaluated(streamed(), engine="stream", candidate="who")
    scattered, gathered = (evaluated(table, candidate="who") for table in (streamed(), by_person()))
    ours, theirs = rows_of(scattered), rows_of(gathered)
    for key, row in ours.items():
        assert (row.estimate, row.n) == pytest.approx((theirs[key].estimate, theirs[key].n), rel=1e-9, nan_ok=True), key


def test_ids_that_repeat_in_another_block_are_refused(monkeypatch) -> None:
    table = table_of(100) | {"id": [*map(str, range(99)), "3"]}
    monkeypatch.setattr(ScoreReading, "block_rows", 32)
    with pytest.raises(AdjudgeError, match='"id" repeats 1 id, far apart'):
        evaluated(table, id="id")


def test_too_many_levels_are_refused_over_all_blocks(monkeypatch) -> None:
    from adjudge.data import facts

    monkeypatch.setattr(ScoreReading, "block_rows", 32)
    monkeypatch.setattr(facts, "MOST_LEVELS", 20)
    with pytest.raises(AdjudgeError, match=r"has more\. Is it an identifier"):
        evaluated(table_of(100), slices=["who"])
