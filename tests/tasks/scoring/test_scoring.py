"""The scoring task from table to outcome."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy.stats import spearmanr

import adjudge
from adjudge.cli.main import main
from adjudge.errors import AdjudgeError
from adjudge.evaluation.results import Row
from adjudge.statistics.scores import ranks as score_ranks
from adjudge.tasks.scoring.flags import FINE, FLAGGED, TOO_FEW, UNDECIDED, UNDEFINED, flag_rules

LEVELS = ("NA", "None", "01", "1", "St. Ives", "All data", "</script>")


def table_of(rows: int = 300, seed: int = 1) -> dict[str, list]:
    random = np.random.default_rng(seed)
    truth = random.normal(3.5, 1, rows)
    raters = np.clip(np.rint(truth[:, None] + random.normal(0, 0.5, (rows, 3))), 1, 6)
    seen = random.random((rows, 3)) < [1.0, 0.5, 0.3]
    level = random.integers(0, len(LEVELS), rows)
    return {
        "h1": raters[:, 0].tolist(),
        "h2": [float(v) if s else None for v, s in zip(raters[:, 1], seen[:, 1], strict=True)],
        "h3": [float(v) if s else None for v, s in zip(raters[:, 2], seen[:, 2], strict=True)],
        "engine": (truth + random.normal(0, 0.4, rows) + 0.5 * (level == 0)).tolist(),
        "other": (truth + random.normal(0, 0.8, rows)).tolist(),
        "l1": [LEVELS[code] for code in level],
        "who": [f"p{code}" for code in random.integers(0, rows // 3, rows)],
    }


ASKED = {"raters": ["h1", "h2"], "prediction": "engine", "min": 1, "max": 6, "replicates": 200}


def evaluated(table=None, **asked) -> adjudge.Evaluation:
    return adjudge.evaluate(table_of() if table is None else table, "scoring", **{**ASKED, **asked})


def rows_of(evaluation: adjudge.Evaluation) -> dict[tuple[str, str, str], Row]:
    return {(row.system, row.slice, row.metric): row for row in evaluation.table.estimates.first_methods()}


@pytest.fixture(scope="module")
def whole() -> adjudge.Evaluation:
    return evaluated(slices=["l1"])


def test_every_form_and_every_two_raters_are_in_the_table(whole) -> None:
    assert whole.outcome.systems[:2] == ["engine · raw_trim", "engine · raw_trim_round"]
    assert set(whole.outcome.systems) >= {"engine · raw", "h1 × h2"}
    found = rows_of(whole)
    assert found["h1 × h2", "all", "standardized_mean_difference(method=pooled)"].n < 300
    assert math.isfinite(found["engine · raw_trim", "all", "prmse"].low)
    assert ("engine · raw_trim", "all", "spearman") in found


def test_every_estimate_has_an_interval_or_a_reason(whole) -> None:
    for row in whole.table.first_methods():
        if row.method != "baseline":
            assert (row.low <= row.estimate <= row.high) or row.note, row


def test_degradation_of_kappa_is_of_rounded_scores_with_its_interval(whole) -> None:
    found = rows_of(whole)
    row = found["engine · raw_trim_round", "all", "degradation(of=kappa)"]
    system, raters = (found[name, "all", "cohen_kappa"] for name in ("engine · raw_trim_round", "h1 × h2"))
    assert row.estimate == pytest.approx(system.estimate - raters.estimate)
    assert row.low < row.estimate < row.high
    assert row.method == "jackknife_mover"
    assert ("engine · raw_trim", "all", "degradation(of=kappa)") not in found


def test_slices_keep_their_names_and_have_their_own_figures(whole) -> None:
    found = rows_of(whole)
    for level in LEVELS:
        row = found["engine · raw_trim", f"l1 = {level}", "difference_of_standardized_means"]
        assert math.isfinite(row.low)
        assert ("engine · raw_trim", f"l1 = {level}", "prmse") in found
    total = sum(
        row.n * row.estimate
        for (system, _, metric), row in found.items()
        if system == "engine · raw_trim" and metric == "difference_of_standardized_means"
    )
    assert total == pytest.approx(0.0, abs=1e-8)


def test_the_order_of_responses_changes_nothing(whole) -> None:
    order = np.random.default_rng(5).permutation(300)
    mixed = {name: [values[place] for place in order] for name, values in table_of().items()}
    again = rows_of(evaluated(mixed, slices=["l1"]))
    for key, row in rows_of(whole).items():
        other = again[key]
        assert (row.estimate, row.low, row.high) == pytest.approx(
            (other.estimate, other.low, other.high), rel=1e-9, abs=1e-9, nan_ok=True
        ), key


def test_chosen_metrics_alone() -> None:
    evaluation = evaluated(metrics=["prmse", "adjacent_agreement(tolerance=0.5)"], slices=["l1"])
    assert {row.metric for row in evaluation.table} == {"prmse", "adjacent_agreement(tolerance=0.5)"}


@pytest.mark.parametrize("kind", ["bca", "poisson", "bayesian"])
def test_every_kind_of_draw(kind: str) -> None:
    shown = ("engine · raw_trim", "all", "true_score_mse")
    every = evaluated(bootstrap=kind, slices=["l1"]).table
    row = next(row for row in every if (row.system, row.slice, row.metric) == shown and row.method == kind)
    assert row.low < row.estimate < row.high


def test_one_rater_and_no_scale() -> None:
    found = rows_of(evaluated(raters="h1", min=None, max=None, slices=["l1"]))
    assert {system for system, *_ in found} == {"engine · raw"}
    assert not any(metric.startswith(("prmse", "degradation")) for *_, metric in found)


def test_a_slice_of_one_response_is_said_not_dropped() -> None:
    table = table_of(60)
    table["l1"][0] = "alone"
    row = rows_of(evaluated(table, slices=["l1"]))["engine · raw_trim", "l1 = alone", "correlation"]
    assert (row.n, math.isnan(row.estimate)) == (1, True)
    assert row.note.startswith("undefined")


def test_several_systems_and_many_raters() -> None:
    evaluation = evaluated(raters=["h1", "h2", "h3"], prediction=["engine", "other"], slices=["l1"])
    found = rows_of(evaluation)
    pairs = {system for system, *_ in found if " × " in system}
    assert pairs == {"h1 × h2", "h1 × h3", "h2 × h3"}
    better, worse = (found[f"{name} · raw_trim", "all", "prmse"] for name in ("engine", "other"))
    assert better.estimate > worse.high


def test_people_are_resampled_together() -> None:
    by_response, by_person = rows_of(evaluated()), rows_of(evaluated(candidate="who"))
    key = ("engine · raw_trim_round", "all", "cohen_kappa")
    assert by_person[key].estimate == by_response[key].estimate
    assert by_person[key].method == "bootstrap"  # formulas take responses as independent
    assert by_person["engine · raw_trim_round", "all", "exact_agreement"].method == "bootstrap"
    assert by_person[key].low < by_person[key].estimate < by_person[key].high


def test_the_doubt_says_that_people_are_resampled_together() -> None:
    assert "Responses of one who are drawn together." in evaluated(candidate="who").summary.answer.doubt
    assert "drawn together" not in evaluated().summary.answer.doubt


def test_ranks_are_drawn_by_person() -> None:
    table = table_of(150)
    row = rows_of(evaluated(table, candidate="who", replicates=2000))["engine · raw_trim", "all", "spearman"]
    people, who = np.unique(table["who"], return_inverse=True)
    random = np.random.default_rng(0)
    system = np.clip(table["engine"], 0.5002, 6.4998)
    found = []
    for _ in range(2000):
        drawn = np.concatenate([np.flatnonzero(who == p) for p in random.integers(0, len(people), len(people))])
        found.append(spearmanr(np.array(table["h1"])[drawn], system[drawn]).statistic)
    assert row.method == "bootstrap"
    assert row.estimate == pytest.approx(spearmanr(table["h1"], system).statistic)
    low, high = np.quantile(found, [0.025, 0.975])
    assert (row.low, row.high) == pytest.approx((low, high), abs=0.1 * (high - low))


@pytest.mark.parametrize("kind", ["bca", "poisson", "bayesian"])
def test_ranks_of_many_scores_are_drawn_in_bins_by_every_kind(kind: str, monkeypatch) -> None:
    table = table_of(900)
    asked = {"candidate": "who", "bootstrap": kind, "replicates": 500}
    monkeypatch.setattr(score_ranks, "MOST_RANKS", 2_000)
    exact = rows_of(evaluated(table, **asked))["engine · raw_trim", "all", "spearman"]
    monkeypatch.setattr(score_ranks, "MOST_RANKS", 50)
    coarse = rows_of(evaluated(table, **asked))["engine · raw_trim", "all", "spearman"]
    assert (coarse.estimate, coarse.method) == (exact.estimate, kind)
    width = exact.high - exact.low
    assert (coarse.low, coarse.high) == pytest.approx((exact.low, exact.high), abs=0.05 * width)


def test_levels_that_look_missing_stay_apart() -> None:
    levels = ["NA", "None", "null", "nan", "(missing)", '"(missing)"', "missing", None, " ", "all"]
    table = table_of(200)
    table["l1"] = [levels[place % len(levels)] for place in range(200)]
    found = {name.removeprefix("l1 = ") for _, name, _ in rows_of(evaluated(table, slices=["l1"])) if name != "all"}
    kept = {"NA", "None", "null", "nan", '"(missing)"', '""(missing)""', "missing", "all"}
    assert kept < found
    assert found - kept in ({"(missing)"}, {"(missing)", " "})
    assert (
        sum(row.n for key, row in rows_of(evaluated(table, slices=["l1"])).items() if key[1:] == ("l1 = NA", "rmse"))
        == 60
    )


def test_draws_beyond_the_kept_units_agree_with_the_bootstrap(monkeypatch) -> None:
    from adjudge.statistics import linear_sums

    table = table_of(1500)
    exact = rows_of(evaluated(table, replicates=2000))
    monkeypatch.setattr(linear_sums, "MOST_KEPT", 10)
    normal = rows_of(evaluated(table, replicates=2000))
    for metric in ("quadratic_weighted_kappa", "prmse", "standardized_mean_difference", "degradation(of=qwk)"):
        a, b = (found["engine · raw_trim", "all", metric] for found in (exact, normal))
        width = a.high - a.low
        assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=0.12 * width)


def test_without_double_scoring_it_is_said() -> None:
    table = table_of(60)
    table["h2"] = [None] * 60
    row = rows_of(evaluated(table))["engine · raw_trim", "all", "prmse"]
    assert row.note == "undefined: no response has two ratings"
    given = rows_of(evaluated(table, error_variance=0.3))
    assert math.isfinite(given["engine · raw_trim", "all", "prmse(error_variance=0.3)"].estimate)
    lost = given["engine · raw_trim", "all", "degradation(of=correlation)"]
    assert lost.note == "undefined: no response has two ratings", "whatever is known of rater errors"


def test_few_double_scored_responses_are_said() -> None:
    table = table_of(200)
    table["h2"] = [value if place < 12 else None for place, value in enumerate(table["h2"])]
    note = rows_of(evaluated(table))["engine · raw_trim", "all", "rater_error_variance"].note
    assert "responses with two ratings" in note


@pytest.mark.parametrize("double", [4, 30])
def test_raters_who_never_differ_are_no_certainty(double: int) -> None:
    table = table_of(200)
    table["h2"] = [value if place < double else None for place, value in enumerate(table["h1"])]
    e = evaluated(table)
    found = rows_of(e)
    for metric in ("degradation(of=qwk)", "disattenuated_correlation", "prmse", "true_score_variance"):
        row = found["engine · raw_trim", "all", metric]
        assert row.method == "none"
        assert "two raters never differ, which is not certainty" in row.note
    assert "second rater" not in str(e)
    assert "the limit of 0.7: QWK" in str(e)
    judged = evaluated(table, require='degradation(of=qwk) of "engine · raw_trim" >= -0.5')
    assert [one.verdict for one in judged.outcome.gate.verdicts] == ["inconclusive"]


def test_what_rests_on_few_second_ratings_has_no_draws() -> None:
    table = table_of(200)
    second = np.array(table["h1"]) + [0, 1] * 100
    shown = ("engine · raw_trim", "all", "disattenuated_correlation")
    for again, method in ((8, "jackknife_hill"), (5, "none")):
        table["h2"] = [value if place < again else None for place, value in enumerate(second)]
        rows = [row for row in evaluated(table).table if (row.system, row.slice, row.metric) == shown]
        assert [row.method for row in rows] == [method]
    assert rows[0].note.startswith("too few units for an interval: 5, where 6 are needed")
    given = rows_of(evaluated(table, error_variance=0.3))
    assert given["engine · raw_trim", "all", "prmse(error_variance=0.3)"].method == "jackknife_hill"


def test_too_few_candidates_are_told_on_its_own_first_screen() -> None:
    text = str(evaluated(table_of(200) | {"who": ["a", "b"] * 100}, candidate="who"))
    assert text.startswith("Scoring · engine ·")
    assert "systems" not in text
    assert "Too few to say" in text


def test_scaling_by_parameters_and_by_a_training_table_agree() -> None:
    table = table_of()
    human, system = np.array(table["h1"]), np.array(table["engine"])
    by_table = rows_of(evaluated(table, training=table))
    parameters = {
        "human_mean": human.mean(),
        "human_sd": human.std(ddof=1),
        "system_mean": system.mean(),
        "system_sd": system.std(ddof=1),
    }
    by_number = rows_of(evaluated(table, scaling=parameters))
    key = ("engine · scale_trim", "all", "quadratic_weighted_kappa")
    assert by_table[key].estimate == pytest.approx(by_number[key].estimate)
    assert {system for system, *_ in by_table if system.startswith("engine")} == {
        f"engine · {form}" for form in ("raw", "raw_trim", "raw_trim_round", "scale", "scale_trim", "scale_trim_round")
    }


def test_panels_hold_the_sections_of_the_report(whole) -> None:
    panels = whole.outcome.panels
    assert {panel.title for panel in panels.tables} >= {"Flags", "Scores", "Responses"}
    assert [panel.system for panel in panels.confusions] == ["engine · raw_trim_round", "h1 × h2"]
    assert sum(map(sum, panels.confusions[0].counts)) == 300
    assert panels.bars[0].series == ["human", "engine · raw_trim_round"]
    assert all(sum(shares) == pytest.approx(1.0) for shares in panels.bars[0].values)
    titles = " ".join(panel.title for panel in panels.forests)
    assert "Difference of standardized means by l1" in titles
    assert "Conditional score difference by l1" in titles
    assert panels.matrices[0].rows == sorted(LEVELS)


def test_the_report_and_the_file_can_be_written(whole, tmp_path) -> None:
    page = whole.report(tmp_path / "r.html").read_text()
    assert "Flags" in page
    assert "<td></script>" not in page
    saved = adjudge.load(whole.save(tmp_path / "r.json"))
    assert saved.table.records() == whole.table.records()


@pytest.mark.parametrize(
    ("name", "estimate", "low", "high", "verdict"),
    [
        ("smd", 0.2, 0.16, 0.24, FLAGGED),
        ("smd", -0.2, -0.24, -0.16, FLAGGED),
        ("smd", 0.1, 0.05, 0.2, UNDECIDED),
        ("smd", 0.0, -0.1, 0.1, FINE),
        ("qwk", 0.6, 0.5, 0.69, FLAGGED),
        ("qwk", 0.75, 0.7, 0.8, FINE),
        ("qwk", 0.72, 0.65, 0.8, UNDECIDED),
        ("degradation", -0.2, -0.3, -0.11, FLAGGED),
        ("smd", 0.1, 0.0, 0.15, FINE),  # a limit itself is within
        ("smd", -0.1, -0.15, 0.0, FINE),
        ("smd", 0.2, 0.15, 0.2, UNDECIDED),
        ("smd", -0.2, -0.2, -0.15, UNDECIDED),
        ("qwk", 0.65, 0.6, 0.7, UNDECIDED),
        ("qwk", 0.5, math.nan, math.nan, TOO_FEW),
        ("qwk", math.nan, math.nan, math.nan, UNDEFINED),
    ],
)
def test_flags_are_decided_by_the_interval(name, estimate, low, high, verdict) -> None:
    rule = next(rule for rule in flag_rules(None) if rule.name == name)
    assert rule.verdict(Row("s", "all", "", "m", estimate, low, high, 0.95, "bootstrap", 9, "")) == verdict


def test_limits_can_be_changed() -> None:
    def flagged(**asked) -> int:
        (panel,) = (p for p in evaluated(**asked).outcome.panels.tables if p.title == "Flags")
        return sum(row[0] == FLAGGED for row in panel.rows)

    assert flagged(limits={"qwk": 0.99, "correlation": 0.99}) > flagged()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"min": 1, "max": None}, "`min` and `max` belong together"),
        ({"min": 6, "max": 1}, "`min` must be below `max`"),
        ({"min": None, "max": None, "step": 0}, "`step` must be given with `min` and `max`"),
        ({"min": None, "max": None, "tolerance": -1}, "`tolerance` must be given with `min` and `max`"),
        ({"min": "one"}, "`min` must be a number"),
        ({"engine": "sparks"}, "`engine` must be"),
        ({"tolerence": 1}, 'Did you mean "tolerance"'),
        ({"zeros": "drop"}, "`zeros` must be one of"),
        ({"flag": ["l1"]}, "`flag` must be given as COLUMN=VALUE"),
        ({"flag": ["l2=1"]}, '`flag` must name a column of the table, but there is no column "l2"'),
        ({"flag": ["l1=Mars"]}, "all 300 were left out"),
        ({"limits": ["smdd=1"]}, 'Did you mean "smd"'),
        ({"limits": ["smd=much"]}, "NAME=NUMBER"),
        ({"scaling": ["human_mean=1"]}, "`scaling` must give"),
        ({"scaling": ["human_mean=1"], "training": {"h1": [1]}}, "not from both"),
        ({"error_variance": -1}, "`error_variance` must be at least 0"),
        ({"metrics": ["roc_auc"]}, "must be ones that scoring can measure"),
        ({"prediction": "h1"}, "given as both"),
        ({"prediction": "engin"}, 'Did you mean "engine"'),
        ({"prediction": None}, "must be given"),
        ({"raters": []}, "`raters` must name one column or more"),
    ],
)
def test_what_cannot_be_asked_is_said(asked, message: str) -> None:
    with pytest.raises(AdjudgeError, match=message):
        evaluated(**asked)


def test_the_command(tmp_path, capsys) -> None:
    table = table_of(80)
    table["other"][0] = -1.0
    rows = zip(*table.values(), strict=True)
    lines = [",".join(table), *(",".join("" if v is None else str(v) for v in row) for row in rows)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(lines))
    out = tmp_path / "r.json"
    asked = f"scoring {path} --raters h1 h2 --prediction engine --slices l1 --min 1 --max 6 --replicates 100"
    code = main([*asked.split(), "--html", str(tmp_path / "r.html"), "--json", str(out)])
    assert code == 0
    assert "PRMSE" in capsys.readouterr().out
    assert json.loads(out.read_text())
    assert (
        main([*asked.split(), "--weight", "other", "--engine", "stream", "--json", str(out)]) == 2
    )  # some are negative
    assert "must not be negative" in capsys.readouterr().err
    assert main([*asked.split(), "--weight", "h1", "--engine", "stream", "--json", str(out)]) == 0
    assert main(["scoring", str(path), "--raters", "h1", "--prediction", "engin"]) == 2


def test_kappa_lost_beside_few_second_ratings_has_every_replicate() -> None:
    """Of many responses sums are drawn as normal numbers, which agree with one another only so far."""
    random = np.random.default_rng(2)
    truth = random.normal(3.5, 1, 5_000)
    table = {name: np.clip(np.rint(truth + random.normal(0, 0.5, 5_000)), 1, 6) for name in ("h1", "h2")}
    second = np.where(np.arange(5_000) < 60, table["h2"], np.nan)
    row = rows_of(evaluated({**table, "h2": second, "engine": truth}, metrics=["degradation(of=kappa)"]))
    found = row["engine · raw_trim_round", "all", "degradation(of=kappa)"]
    assert found.low < found.estimate < found.high
    assert "replicates" not in found.note


def test_few_people_are_read_as_few_units() -> None:
    """Eight people with ten responses all alike tell as much as eight responses."""
    table = table_of(60)
    people = {name: [column[row] for row in np.repeat(np.arange(8), 10)] for name, column in table.items()}
    people["who"] = [f"p{row // 10}" for row in range(80)]
    first = {name: column[:8] for name, column in table.items()}
    asked = {"metrics": ["correlation", "quadratic_weighted_kappa"], "replicates": 100}
    few, many = rows_of(evaluated(first, **asked)), rows_of(evaluated(people, candidate="who", **asked))
    for metric in asked["metrics"]:
        a, b = (found["engine · raw_trim", "all", metric] for found in (few, many))
        assert (b.low, b.high) == pytest.approx((a.low, a.high), rel=1e-6)
        assert a.method == b.method == "jackknife_hill"


def test_a_slice_of_few_responses_is_neither_flagged_nor_fine() -> None:
    table = table_of(200)
    table["l1"] = ["one"] + ["two"] * 2 + ["five"] * 5 + ["rest"] * 192
    evaluation = evaluated(table, slices=["l1"], replicates=100)
    rows = rows_of(evaluation)
    for level in ("one", "two"):
        for metric in ("quadratic_weighted_kappa", "correlation"):
            row = rows["engine · raw_trim", f"l1 = {level}", metric]
            assert np.isnan(row.low)
            assert "too few units" in row.note or np.isnan(row.estimate)
    flags = next(panel for panel in evaluation.outcome.panels.tables if panel.title == "Flags")
    verdicts = {row[0] for row in flags.rows if row[2] == "l1 = one" and "agreement" not in row[3]}
    assert verdicts <= {"too few to say", "undefined"}
    assert "too few to say" in verdicts


def test_agreement_of_all_is_not_certainty() -> None:
    table = table_of(120)
    table["engine"] = table["h1"]
    rows = list(evaluated(table, candidate="who", replicates=100).table)
    assert not [row for row in rows if row.low == row.high]
    assert [row for row in rows if "not certainty" in row.note]


@pytest.mark.parametrize("engine", ["memory", "stream"])
def test_ranks_of_scores_without_a_scale_are_refused_not_left_out(engine: str) -> None:
    table = {"human": [1, 2, 3, 4, 2, 3] * 10, "engine": [1.2, 2.1, 2.9, 3.7, 2.4, 3.3] * 10}
    with pytest.raises(AdjudgeError, match="trimmed to a scale; give `min` and `max`"):
        adjudge.scoring(table, raters=["human"], prediction="engine", metrics=["spearman"], engine=engine)
