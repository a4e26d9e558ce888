"""What the task measures: figures by hand, weights, prompts, splits, models, and tables with little in them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.tasks.preference.tables import SMALL, annotated, evaluated, table_of

import adjudge
from adjudge.data.judgements.pair_votes import chosen_pairs
from adjudge.diagnosis.preferences.judge_errors import corrected_strength
from adjudge.errors import AdjudgeError, ColumnNotFound
from adjudge.evaluation.panels import TablePanel
from adjudge.inference.intervals.votes import tango_limits_each
from adjudge.statistics.preferences.choice_sums import ChoiceSums
from adjudge.statistics.weights import Weights

Z = 1.959963984540054


def list_of(evaluation: Any, title: str) -> TablePanel:
    return next(panel for panel in evaluation.outcome.panels.tables if panel.title == title)


def column(panel: TablePanel, name: str, key: int = 0) -> dict[Any, Any]:
    return {row[key]: row[panel.columns.index(name)] for row in panel.rows}


def test_figures_by_hand() -> None:
    found = evaluated()
    assert found["preference_accuracy"].value == 3 / 4
    assert found["preference_kappa"].value == 1 / 2
    assert found["preference_relevance"].value == 5 / 6  # six pairs both were asked about, in five of them it chose
    assert found["preference_strength"].value == pytest.approx(1 / 2 * 5 / 6)
    assert found["preference_relevance(over=reference)"].value == 4 / 6
    assert found["preference_strength(over=reference)"].value == pytest.approx(2 / 6)
    counts = list_of(found, "Votes")
    assert column(counts, "tie") == {"preferred_text": 1, "polite": 1}
    assert column(counts, "missing") == {"preferred_text": 0, "polite": 1}


def test_intervals_count_the_pairs_behind_them() -> None:
    strength = evaluated().get("preference_strength(over=reference)")
    low, high = tango_limits_each(3, 1, 6, Z)
    assert [strength.interval.low, strength.interval.high] == pytest.approx([float(low), float(high)])
    assert strength.n == 6
    assert evaluated()["preference_kappa"].n == 4


def test_swapping_both_answers_of_a_pair_changes_nothing() -> None:
    table = table_of(300)
    turned = {name: list(values) for name, values in table.items()}
    other = {"a": "b", "b": "a"}
    for row in np.flatnonzero(np.random.default_rng(2).random(300) < 0.5):
        for name in ("preferred_text", "polite", "odd", "verbose"):
            turned[name][row] = other.get(table[name][row], table[name][row])
        for what in ("text", "model"):
            turned[f"{what}_a"][row], turned[f"{what}_b"][row] = table[f"{what}_b"][row], table[f"{what}_a"][row]
    one, two = (evaluated(each, models=True) for each in (table, turned))
    for metric in ("preference_strength", "preference_relevance", "preference_kappa"):
        for system in one.outcome.systems:
            assert one.get(metric, system=system).value == pytest.approx(two.get(metric, system=system).value)
    for title, what in (("Is it only the length?", "at equal length"), ("Ranking of models", "strength")):
        key = 1 if title.startswith("Ranking") else 0
        found, again = (column(list_of(each, title), what, key) for each in (one, two))
        assert found == pytest.approx(again, abs=1e-9)


def test_weights_are_repetitions() -> None:
    weights = [3, 1, 2, 1, 1, 2, 1]
    weighted = evaluated(SMALL | {"w": weights}, weight="w")
    repeated = evaluated(
        {name: np.repeat(np.array(values, dtype=object), weights).tolist() for name, values in SMALL.items()}
    )
    counts = [metric for metric in weighted.outcome.metrics if metric.startswith("preference_pairs")]
    for metric in weighted.outcome.metrics:
        if metric not in counts:
            assert weighted[metric].value == pytest.approx(repeated[metric].value)
    # A count is in units of a pair: weights are brought to one on average.
    assert [weighted[metric].value for metric in counts] == pytest.approx(
        [repeated[metric].value * len(weights) / sum(weights) for metric in counts]
    )


def test_prompts_widen_intervals_by_what_their_pairs_have_in_common() -> None:
    table = table_of(200)
    four = {name: [value for value in values for _ in range(4)] for name, values in table.items() if name != "id"}
    alone, together = evaluated(four), evaluated(four | {"prompt": [f"q{row // 4}" for row in range(800)]})
    width = [
        one.interval.high - one.interval.low
        for one in (e.get("preference_strength", system="polite") for e in (alone, together))
    ]
    assert width[1] == pytest.approx(2 * width[0], rel=0.03)
    bootstrap = together.get("preference_strength", system="polite", method="bootstrap").interval
    assert bootstrap.high - bootstrap.low == pytest.approx(width[1], rel=0.25)
    p = [column(list_of(e, "What the reference prefers"), "p")["odd"] for e in (alone, together)]
    assert p[1] > p[0]


def test_a_prompt_may_stand_anywhere_and_may_be_missing() -> None:
    table = table_of(300, prompts=100)
    table["prompt"][::7] = [None] * len(table["prompt"][::7])
    order = np.random.default_rng(3).permutation(300)
    shuffled = {name: [values[row] for row in order] for name, values in table.items()}
    one, two = (evaluated(each).get("preference_strength", system="polite") for each in (table, shuffled))
    assert (one.value, one.interval) == (two.value, two.interval)


def test_splits() -> None:
    table = table_of()
    found = evaluated(table, split="category")
    for level in ("chat", "code"):
        keep = [one == level for one in table["category"]]
        part = {name: [v for v, kept in zip(values, keep, strict=True) if kept] for name, values in table.items()}
        alone = evaluated(part).get("preference_strength", system="polite")
        inside = found.get("preference_strength", system="polite", slice=f"category = {level}")
        assert (inside.value, inside.interval) == (alone.value, alone.interval)
    differences = list_of(found, "Differences between levels of category")
    assert set(column(differences, "difference")) == {"polite", "odd", "verbose"}
    assert evaluated(table, slices="category").table.rows == found.table.rows


def test_models_are_columns_and_are_ranked() -> None:
    table = table_of()
    found = evaluated(table, models=True, rating="elo")
    wrote = [
        {"a": 1, "b": -1}.get(vote, 0) * (1 if a == "m0" else -1)
        for vote, a, b in zip(table["polite"], table["model_a"], table["model_b"], strict=True)
        if "m0" in (a, b) and a != b and vote is not None
    ]
    assert found.get("preference_strength", system="polite · Model: m0").value == pytest.approx(np.mean(wrote))
    ranking = list_of(found, "Ranking of models")
    assert [row[1] for row in ranking.rows] == ["m0", "m1", "m2"]
    assert all(isinstance(row[-1], float) for row in ranking.rows)
    rates = next(panel for panel in found.outcome.panels.matrices if panel.title == "Win rates")
    assert rates.values[0][0] is None
    assert rates.values[0][2] == pytest.approx(1 - rates.values[2][0])
    assert list_of(found, "Differences between models").rows
    assert "Model: m1" not in {
        cell for row in list_of(evaluated(table, models=["m0"]), "What the reference prefers").rows for cell in row
    }


def test_a_reference_is_not_needed_where_models_are_compared() -> None:
    table = {name: values for name, values in table_of().items() if name != "preferred_text"}
    found = evaluated(table, models=True, annotators=["polite", "odd"])
    assert found.outcome.systems == ["polite", "odd"]
    assert found.outcome.data.roles["reference"].startswith("Model: m0")


def test_tests_are_adjusted_over_everything_shown() -> None:
    found = evaluated(table_of(), split="category")
    prefers = list_of(found, "What the reference prefers")
    assert "all 9 strengths" in prefers.note
    p, holm, rate = (column(prefers, name) for name in ("p", "p, Holm", "p, false discoveries"))
    table = table_of()
    both = [(v, r) for v, r in zip(table["odd"], table["preferred_text"], strict=True) if v in ("a", "b")]
    agreed = sum(v == r for v, r in both)
    assert p["odd"] == pytest.approx(stats.binomtest(agreed, len(both)).pvalue)
    assert all(p[name] <= rate[name] <= holm[name] for name in p)


def test_a_trait_that_is_length_is_told_so_and_place_is_warned_of() -> None:
    found = evaluated(table_of())
    length = list_of(found, "Is it only the length?")
    assert abs(column(length, "goes with length")["verbose"]) > 0.7
    assert "length" in column(length, "note")["verbose"]
    leaning = {"preferred_text": ["a"] * 70 + ["b"] * 30, "judge": ["a"] * 45 + ["b"] * 25 + ["a"] * 20 + ["b"] * 10}
    warned = evaluated(leaning)
    assert "unrelated votes would give 0.12" in warned["preference_kappa"].note
    assert "unrelated votes would give 0.12" in column(list_of(warned, "Does the place decide?"), "warning")["judge"]
    assert found.get("preference_kappa", system="polite").note == ""


def test_people_put_judges_right() -> None:
    random = np.random.default_rng(5)
    table = table_of(600)
    person = [vote if random.random() < 0.9 else "tie" for vote in table["polite"]]
    table["person"] = [vote if row < 100 else None for row, vote in enumerate(person)]
    found = evaluated(table, labels={"polite": "person"}, annotators=["polite", "odd"])
    row = list_of(found, "Strength put right by people").rows[0]
    assert row[:2] == ["polite", "person"]
    assert row[4] < row[3] < row[5]
    assert "person" not in found.outcome.systems

    def with_reference(votes: list[Any], rows: slice) -> np.ndarray:
        """1 as the reference, −1 against it, 0 for neither, where the judge was asked."""
        each = zip(votes[rows], table["preferred_text"][rows], table["polite"][rows], strict=True)
        return np.array(
            [0.0 if vote not in ("a", "b") else 1 - 2.0 * (vote != ref) for vote, ref, asked in each if asked]
        )

    labelled, others = slice(100), slice(100, 600)
    people, judge = (with_reference(table[name], labelled) for name in ("person", "polite"))
    by_hand = corrected_strength(people, judge, with_reference(table["polite"], others), 0.95)
    assert found.get("corrected_strength", system="polite").value == pytest.approx(by_hand.strength)
    assert row[4:6] == pytest.approx([by_hand.low, by_hand.high])
    few = evaluated(table | {"person": [None] * 598 + ["a", "b"]}, labels=["polite=person"], annotators=["polite"])
    assert list_of(few, "Strength put right by people").rows[0][-1].startswith("too few")


def test_texts_are_private_unless_asked_for() -> None:
    table = table_of() | {"text_a": [f"secret {row} " + "x" * (row % 40) for row in range(400)]}
    assert "secret" not in repr(evaluated(table).outcome)
    shown = list_of(evaluated(table, examples=4), "Examples of pairs")
    assert len(shown.rows) == 4
    assert "secret" in repr(shown.rows)
    plain, again = (evaluated(table, examples=n).get("preference_strength", system="polite") for n in (0, 4))
    assert plain == again


def test_overall_statistics_keep_equal_lengths_apart() -> None:
    table = {
        "preferred_text": ["a", "a", "b", "a", "tie"],
        "t": ["a", "b", "b", None, "a"],
        "text_a": ["xx", "x", "xxx", "xx", "x"],
        "text_b": ["x", "xxx", "x", "yy", "y"],
    }
    found = list_of(evaluated(table), "Overall statistics")
    row = dict(zip(found.columns[:4], found.rows[0][:4], strict=True))
    assert row["Number of preference pairs"] == 5
    assert row["pairs it chose between"] == 4
    assert row["Prop preferring text_a"] == 3 / 4
    assert column(found, "Prop preferring longer text")["preferred_text"] == pytest.approx(1 / 3)
    assert column(found, "Prop of equally long texts")["preferred_text"] == pytest.approx(1 / 4)
    lengths = list_of(evaluated(table), "Overall statistics of lengths")
    assert column(lengths, "Avg len pref. text")["preferred_text"] == pytest.approx((2 + 1 + 1 + 2) / 4)
    assert column(lengths, "Avg len rej. text")["preferred_text"] == pytest.approx((1 + 3 + 3 + 2) / 4)


def test_words_are_made_from_the_data() -> None:
    found = evaluated(annotated(table_of()), models=True)
    words = {(row[0], row[1]): row[-1] for row in list_of(found, "What the reference prefers").rows}
    said = words["AI: is polite", "Default: preferred_text"]
    assert said.startswith("“is polite” tells the answers apart in ")
    assert said.endswith("it is encouraged")
    assert "m0's answer in" in words["AI: is polite", "Model: m0"]


@pytest.mark.parametrize(
    "table",
    [
        {"preferred_text": ["a"], "t": ["a"]},
        {"preferred_text": ["a", "b"], "t": ["tie", "tie"]},
        {"preferred_text": ["a", "a"], "t": ["a", "a"]},
        {"preferred_text": ["a", "b", "a"], "t": [None, None, None], "model_a": ["x"] * 3, "model_b": ["x"] * 3},
        {
            "preferred_text": ["a", "b"],
            "t": ["b", "a"],
            "text_a": ["", None],
            "text_b": ["x", "y"],
            "prompt": ["q", "q"],
        },
        {"preferred_text": ["a", "b"], "t": ["a", "b"], "model_a": ["x", "x"], "model_b": ["y", "y"]},
    ],
)
def test_little_is_no_reason_to_stop(table: dict[str, list[Any]]) -> None:
    found = evaluated(table, reference="preferred_text", annotators="t")
    for row in found.table:
        assert math.isfinite(row.estimate) or row.note.startswith("undefined")
    assert found.outcome.panels.tables


def test_a_reference_that_never_chose_is_refused() -> None:
    with pytest.raises(AdjudgeError, match="never says a or b"):
        evaluated({"preferred_text": ["tie", "left"], "t": ["a", "b"]}, reference="preferred_text", annotators="t")


@pytest.mark.parametrize("labels", [{10**5000: "q"}, {"q": 10**5000}])
def test_labels_of_endless_numbers_are_no_columns(labels: dict) -> None:
    votes = {"p": ["a", "b", "a"], "q": ["b", "b", "a"], "r": ["a", "b", "b"]}
    with pytest.raises(ColumnNotFound, match="`labels` must name a column") as refused:
        adjudge.evaluate(votes, "preference", reference="p", annotators=["q", "r"], labels=labels)
    assert len(str(refused.value)) < 300


def test_the_place_is_counted_where_the_order_was_drawn() -> None:
    table = table_of()
    found = evaluated(table, order="random")
    value, low, high, *shares = list_of(found, "Is it worth something to come first?").rows[0]
    assert low < value < high
    assert shares == pytest.approx([1 / (1 + np.exp(-end)) for end in (value, low, high)])
    assert not [panel for panel in evaluated(table).outcome.panels.tables if "come first" in panel.title]
    fixed = {
        **table,
        "model_a": [max(a, b) for a, b in zip(table["model_a"], table["model_b"], strict=True)],
        "model_b": [min(a, b) for a, b in zip(table["model_a"], table["model_b"], strict=True)],
    }
    with pytest.raises(AdjudgeError, match="cannot be told from the place"):
        evaluated(fixed, order="random")
    with pytest.raises(AdjudgeError, match='`order` must be "random"'):
        evaluated(table, order="fixed")


def test_the_general_statistics_are_rows() -> None:
    table = {
        "preferred_text": ["a", "b", "a", "tie", "a", "b"] * 10,
        "polite": ["a", "b", "b", "a", "a", "b"] * 10,
        "text_a": ["xxxx", "xx", "xxx", "x", "xx", "x"] * 10,
        "text_b": ["x", "xxxxx", "xxxx", "x", "xx", "xxx"] * 10,
        "part": ["one"] * 30 + ["two"] * 30,
    }
    found = adjudge.preference(table, reference="preferred_text", split="part", replicates=100)
    expected = {
        "preference_pairs": (60, 60),
        "preference_pairs(of=chosen)": (50, 60),
        "prefers_first": (0.6, 50),
        "prefers_longer": (0.75, 40),  # of four in each six: one pair is of equal length, one a tie
        "answer_length": (17 / 5, 50),
        "answer_length(of=rejected)": (10 / 5, 50),
        "answer_length(of=a)": (12 / 5, 50),
        "answer_length(of=b)": (15 / 5, 50),
    }
    of_reference = [row for row in found.table.first_methods() if row.system == "preferred_text"]
    rows = {row.metric: (pytest.approx(row.estimate), row.n) for row in of_reference if row.slice == "all"}
    assert rows["prefers_longer"] == expected["prefers_longer"]
    assert {row.slice for row in of_reference} == {"all", "part = one", "part = two"}
    assert found.outcome.systems == ["polite"]
    bounded = [row for row in of_reference if not row.metric.startswith("preference_pairs")]
    assert all(row.low < row.estimate < row.high for row in bounded)
    without = adjudge.preference({k: v for k, v in table.items() if not k.startswith("text_")}, replicates=100)
    assert {row.metric for row in without.table if row.system == "preferred_text"} == {
        "preference_pairs",
        "preference_pairs(of=chosen)",
        "prefers_first",
    }
    assert {name: rows[name] for name in expected} == expected


def test_pairs_of_a_prompt_that_are_alike_count_once() -> None:
    """Twenty copies of each pair tell no more than one does; the t of so many prompts is not that of pairs."""
    votes = ["a"] * 14 + ["b"] * 6
    lengths = [[10 + place, 20] for place in range(20)]
    once = chosen_pairs(votes, lengths)
    place = np.repeat(np.arange(20), 20)
    copies = replace(once.of_rows(place), prompts=place.astype(np.uint64))
    one, many = (ChoiceSums.collect(pairs, Weights(len(pairs))) for pairs in (once, copies))
    for value in ("chose_a", "chosen"):
        assert float(many.mean(value)) == pytest.approx(float(one.mean(value)))
        assert float(many.effective_pairs(value)) == pytest.approx(19)  # G − 1 of G: the sample's own mean is known


def test_what_is_fitted_is_rows_with_intervals() -> None:
    """Every figure of the panels, and the tests beside strengths, stand in the result."""
    table = table_of()
    found = evaluated(table, models=True, split="category", rating="elo")
    rows = {(row.metric, row.system, row.category, row.method): row for row in found.table}
    ranking = {row[1]: row for row in list_of(found, "Ranking of models").rows}
    for model, row in ranking.items():
        own = rows["model_strength", model, "", "wald"]
        assert [own.estimate, own.low, own.high] == row[2:5]
        assert own.note.startswith("rank ")
        drawn = rows["model_strength", model, "", "bootstrap"]
        assert drawn.low < own.estimate < drawn.high
    for model, against, n, *numbers in list_of(found, "Win rates beside the ranking").rows:
        rate, chance = (
            rows[name, model, f"against {against}", method]
            for name, method in (("win_rate", "tango"), ("win_probability", "wald"))
        )
        assert [rate.estimate, rate.low, rate.high, chance.estimate, chance.low, chance.high] == numbers
        assert n == rate.n
    for title, method in (("Differences between models", "simultaneous"),):
        for name, most, least, *numbers in list_of(found, title).rows:
            own = rows["largest_strength_difference_by_prompt", name, f"{most} − {least}", method]
            assert [own.estimate, own.low, own.high, own.p, own.p_adjusted] == numbers
            each = rows["strength_difference_by_prompt", name, " − ".join(sorted([most, least])), "guarded_t"]
            assert abs(each.estimate) == pytest.approx(own.estimate)
    assert rows["strength_difference", "polite", "category = chat − category = code", "square_and_add"].p is not None
    equal = column(list_of(found, "Is it only the length?"), "at equal length")
    assert {name: rows["strength_at_equal_length", name, "", "wald"].estimate for name in equal} == equal
    together = column(list_of(found, "Which explain the choice together?"), "coefficient together")
    assert rows["joint_coefficient", "polite", "", "wald"].estimate == together["polite"]


def test_strengths_are_tested_in_their_rows() -> None:
    found = evaluated(table_of(), split="category")
    prefers = list_of(found, "What the reference prefers")
    exact, middle, adjusted = (column(prefers, name) for name in ("p", "mid-p", "p, Holm"))
    for name, p in exact.items():
        rows = {row.method: row for row in found.table.where(system=name, slice="all", metric="preference_strength")}
        assert (rows["tango"].p, rows["tango"].p_adjusted, rows["tango"].family) == (p, adjusted[name], 9)
        assert rows["tango"].test == "exact binomial, two-sided"
        assert (rows["plus_three"].test, rows["plus_three"].p) == ("binomial, mid-p", middle[name])
        assert middle[name] < p
    weighted = table_of() | {"w": [1.0, 3.0] * 200}
    alone, heavy = (
        column(list_of(evaluated(weighted, **more), "What the reference prefers"), "p")["odd"]
        for more in ({}, {"weight": "w"})
    )
    assert heavy != alone


def test_few_prompts_cannot_be_surer_than_all_ways_to_turn_them() -> None:
    table = {"preferred_text": ["a"] * 12, "t": ["a"] * 12, "prompt": ["p", "q", "r", "s"] * 3}
    assert column(list_of(evaluated(table), "What the reference prefers"), "p")["t"] == 2**-3


def test_judges_are_put_right_by_votes_elsewhere_and_by_the_other_order() -> None:
    random = np.random.default_rng(5)
    table = table_of(600)

    def blurred(votes: list[Any]) -> list[Any]:
        return [vote if random.random() < 0.8 else random.choice(["a", "b", "tie"]) for vote in votes]

    judged = table | {"judge": blurred(table["polite"]), "again": blurred(table["polite"])}
    other = table_of(400, seed=9)
    elsewhere = {"judge": blurred(other["polite"]), "polite": other["polite"]}
    here = {name: values for name, values in judged.items() if name != "polite"}
    found = evaluated(
        here,
        annotators=["judge", "odd"],
        labels={"judge": "polite"},
        labels_from=elsewhere,
        swapped={"judge": "again"},
    )
    own = found.get("corrected_strength", system="judge")
    truth = evaluated(table).get("preference_strength", system="polite").value
    assert own.method == "judge_table"
    assert own.interval.low < truth < own.interval.high
    assert own.value > found.get("preference_strength", system="judge").value
    both = [
        (a, b) for a, b in zip(judged["judge"], judged["again"], strict=True) if a in ("a", "b") and b in ("a", "b")
    ]
    turned = found.get("turned_votes", system="judge")
    assert (turned.value, turned.n) == (pytest.approx(np.mean([a != b for a, b in both])), len(both))
    with pytest.raises(AdjudgeError, match="`labels_from` must come with `labels`"):
        evaluated(here, labels_from=elsewhere)
    with pytest.raises(ColumnNotFound, match="`labels_from` must name a column"):
        evaluated(here, labels={"judge": "nobody"}, labels_from=elsewhere)


def test_votes_that_nobody_knows_are_not_all_told() -> None:
    table = {"vote": [f"word {k}" for k in range(40)], "judge": ["a", "b"] * 20}
    with pytest.raises(AdjudgeError, match=r'"vote" says "word 2"; 37 more\)\. Write votes as one of a, b'):
        adjudge.evaluate(table, "preference", reference="vote", annotators=["judge"])


def test_models_that_never_met_are_said_first_and_ranked_apart() -> None:
    """Strengths of models in parts that no pair connects cannot be compared, so each part has ranks of its own."""
    rows = [{"model_a": a, "model_b": b, "winner": who} for a, b in ("AB", "AC", "BC", "XY") for who in ("a", "b", "b")]
    made = adjudge.preference(rows, models=True, replicates=100)
    (check,) = (check for check in made.checks if check.key == "C7")
    assert check.severity == "serious"
    assert '"A", "B", "C" / "X", "Y"' in check.sentence
    assert "Check the data first" in str(made)
    (ranking,) = (table for table in made.outcome.panels.tables if table.title == "Ranking of models")
    assert [row[:2] for row in ranking.rows] == [[1, "C"], [2, "B"], [3, "A"], [1, "Y"], [2, "X"]]
    strengths = {row.system: row.estimate for row in made.table.where(metric="model_strength", method="wald")}
    assert strengths["X"] + strengths["Y"] == pytest.approx(0)
    polite = [row | {"polite": "ab"[place % 2]} for place, row in enumerate(rows)]
    beside = adjudge.preference(polite, reference="winner", annotators="polite", replicates=100)
    assert [check.severity for check in beside.checks if check.key == "C7"] == ["remark"]
    joined = [*rows, {"model_a": "A", "model_b": "X", "winner": "a"}]
    said = [check for check in adjudge.preference(joined, models=True, replicates=100).checks if check.key == "C7"]
    assert [check.severity for check in said] == ["remark"]
    assert '"X", "Y" never beat another model or tied with it' in said[0].sentence
