"""Small promises of the preference task: what comes first, what is drawn, what is said of two people."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from tests.tasks.preference.tables import annotated, evaluated, table_of

import adjudge
from adjudge import metrics
from adjudge.errors import SettingError

TABLE = table_of(80)
VOTES = {name: TABLE[name] for name in ("preferred_text", "polite")}


def test_a_column_of_two_words_may_hold_votes_in_other_words() -> None:
    """One word says nothing, two may be votes: the refusal names the column and what it says."""
    table = {"preferred_text": ["a", "b", "a", "b"], "batch": ["x"] * 4, "style": ["left", "right", "left", "left"]}
    with pytest.raises(SettingError, match='"style" says "left", "right"'):
        evaluated(table)


def test_the_first_column_leads() -> None:
    """Everybody is measured beside the reference first, and only then beside the answers of a model."""
    found = evaluated(TABLE, models=["m0"])
    systems = dict.fromkeys(row.system for row in found.table if row.metric == "preference_strength")
    assert ["Model: m0" in name for name in systems] == [False] * 3 + [True] * 3


def test_strengths_are_drawn_on_their_whole_range() -> None:
    """A strength lies between −1 and 1: colours of the picture are of that range, whatever was measured."""
    found = evaluated(TABLE, models=["m0"])
    panel = next(panel for panel in found.outcome.panels.matrices if panel.title == "Strengths side by side")
    assert panel.limits == (-1.0, 1.0)


def test_prompts_of_one_pair_each_change_nothing() -> None:
    """To draw prompts is then to draw pairs."""
    plain, prompted = evaluated(VOTES), evaluated(VOTES | {"prompt": [f"q{row}" for row in range(80)]})
    limits = [[(row.metric, row.method, row.low, row.high) for row in one.table] for one in (plain, prompted)]
    assert repr(limits[0]) == repr(limits[1])
    assert "counts of" in prompted.outcome.settings.draws
    repeated = evaluated(VOTES | {"prompt": [f"q{row // 2}" for row in range(80)]})
    assert "weights by" in repeated.outcome.settings.draws


def test_two_people_are_enough_to_agree(tmp_path: Path) -> None:
    """Of two people Krippendorff's alpha of their choices is told; of one there is nothing to tell."""
    pairs = annotated(TABLE)
    path = tmp_path / "pairs.json"
    told = []
    for people in ((), ("polite",)):
        for name in people:
            pairs["annotators"][name]["type"] = "human"
        path.write_text(json.dumps(pairs))
        told.append(
            [one for one in adjudge.preference(path, replicates=100).outcome.panels.tables if "agree?" in one.title]
        )
    assert told[0] == []
    (names, alpha, many), *others = told[1][0].rows
    assert (many, others) == (2, [])
    assert "preferred_text" in str(names)
    choices = [[vote if vote in ("a", "b") else None for vote in VOTES[name]] for name in VOTES]
    assert alpha == pytest.approx(metrics.krippendorff_alpha([list(row) for row in zip(*choices, strict=True)]))


def test_equal_strengths_differ_by_nothing() -> None:
    """And not by −0, which would be written so."""
    table = {"preferred_text": ["a", "b", "a", "b", "a"] * 8, "polite": ["a", "b", "a", "a", "tie"] * 8}
    found = evaluated(table | {"part": ["x"] * 20 + ["y"] * 20}, split="part")
    largest = next(row for row in found.table if row.metric == "largest_strength_difference")
    assert (largest.estimate, math.copysign(1.0, largest.estimate), largest.low) == (0.0, 1.0, 0.0)
    assert largest.high > 0.3


def test_of_many_levels_those_with_the_most_pairs_are_compared() -> None:
    """Every two of 120 levels would be 7,140 differences, each drawn 4,000 times."""
    random = np.random.default_rng(4)
    level = np.array([f"part {place % 120:03d}" for place in range(360)] + ["part 119"] * 30)
    vote = random.choice(["a", "b"], len(level))
    table = {"people": vote, "judge": np.where(random.random(len(level)) < 0.7, vote, "a"), "part": level}
    result = adjudge.preference(table, reference="people", annotators=["judge"], slices=["part"], replicates=100)
    (panel,) = (panel for panel in result.outcome.panels.tables if panel.title == "Differences between levels of part")
    assert "20 levels with fewer pairs are not compared" in panel.note
    compared = {row.category for row in result.table if row.metric == "strength_difference"}
    assert any("part 119" in pair for pair in compared)  # the last in order has the most
