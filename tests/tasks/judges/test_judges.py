"""Labels of people on some rows and of a judge on all, from the table to what is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.golden.judged_rows import JUDGE, PEOPLE

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.inference.intervals.judge_assisted import assisted_errors
from adjudge.statistics.judges.tables import Assisted, JudgedTables, LabelFigure, LabelShares
from adjudge.tasks.judges import study

FAST: dict[str, Any] = {"replicates": 100}


def replies(rows: int = 1_500, labels: int = 150, seed: int = 1) -> dict[str, list[Any]]:
    random = np.random.default_rng(seed)
    good = random.random(rows) < 0.8
    judge = np.where(random.random(rows) < 0.92, good, ~good) * 1
    known = random.permutation(rows) < labels
    human = [int(value) if seen else None for value, seen in zip(good, known, strict=True)]
    return {"human": human, "judge": judge.tolist()}


def test_the_estimate_is_that_of_other_hands() -> None:
    made = adjudge.judges({"human": PEOPLE, "judge": JUDGE}, reference="human", judge="judge", **FAST)
    row = next(row for row in made.table if row.metric == "judge_assisted_mean")
    assert (row.low, row.high) == pytest.approx((0.713000585885, 0.965563961828), abs=1e-8)
    assert (row.method, row.n, row.note) == (
        "judge_assisted",
        40,
        "as good as 53 human labels; with fewer than 50 labels a judge hardly does",
    )


def test_what_the_judge_saved_is_said() -> None:
    made = adjudge.judges(replies(), reference="human", judge="judge", **FAST)
    assisted, alone = made["judge_assisted_mean"], made["labelled_mean"]
    assert assisted.interval.high - assisted.interval.low < alone.interval.high - alone.interval.low
    assert assisted.note.startswith("as good as ")
    assert made.panels["What the judge is worth"].to_pandas()["worth"][0] > 200
    assert "150 human labels with the judge's help are as good as " in str(made)


def test_two_systems_are_compared_on_the_scale_of_one() -> None:
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 900)
    table = {
        "old": np.where(random.random(900) < 0.7, truth, 1 - truth).tolist(),
        "new": np.where(random.random(900) < 0.85, truth, 1 - truth).tolist(),
        "judge": np.where(random.random(900) < 0.9, truth, 1 - truth).tolist(),
        "human": [int(one) if row < 200 else None for row, one in enumerate(truth)],
    }
    roles: dict[str, Any] = {"reference": "human", "judge": "judge", "prediction": ["old", "new"]}
    roles["metrics"] = ["judge_assisted_mean"]
    made = adjudge.judges(table, **roles, **FAST)
    (row,) = (row for row in made.table if row.baseline == "old" and row.method == "judge_assisted")
    each = [made.get("judge_assisted_mean", system=name).value for name in ("old", "new")]
    assert row.system == "new"
    assert row.estimate == pytest.approx(each[1] - each[0], abs=0.03)
    assert 0 < row.low < row.estimate
    assert row.p is not None
    assert row.p < 0.001
    turned = adjudge.judges(table, **roles, baseline="new", **FAST)
    (other,) = (row for row in turned.table if row.baseline == "new" and row.method == "judge_assisted")
    assert (other.system, other.estimate) == ("old", pytest.approx(-row.estimate))
    # By hand: people's and the judge's differences, on a scale of 1.
    h = np.array([(new == y) - (old == y) * 1.0 for new, old, y in zip(table["new"], table["old"], truth, strict=True)])
    j = np.array(
        [(n == g) - (o == g) * 1.0 for n, o, g in zip(table["new"], table["old"], table["judge"], strict=True)]
    )
    n, more = 200, 700
    weight = np.cov(h[:n], j[:n])[0, 1] / ((1 + n / more) * j.var(ddof=1))
    left = h[:n] - weight * j[:n]
    assert row.estimate == pytest.approx(weight * j[n:].mean() + left.mean(), abs=1e-12)
    guarded = ((left - left.mean()) ** 2).sum() + 2
    error = np.sqrt(weight**2 * j[n:].var(ddof=1) / more + guarded / ((n + 1) * (n + 2)))
    assert (row.high - row.low) / 2 == pytest.approx(1.9719565442 * error, abs=1e-9)


def answered(rows: int = 900, labels: int = 200, seed: int = 3) -> dict[str, list[Any]]:
    """Three labels, two systems, and a judge who is right nine times in ten."""
    random, names = np.random.default_rng(seed), np.array(["bad", "good", "mixed"])
    truth = random.integers(0, 3, rows)
    said = {
        name: names[np.where(random.random(rows) < right, truth, (truth + random.integers(1, 3, rows)) % 3)].tolist()
        for name, right in (("old", 0.7), ("new", 0.85), ("judge", 0.9))
    }
    return {"human": [names[one] if row < labels else None for row, one in enumerate(truth)], **said}


def kappa(truth: np.ndarray, said: np.ndarray, weights: np.ndarray) -> float:
    """Cohen's kappa of weighted rows, from its definition."""
    observed = weights @ (truth == said)
    expected = sum(float(weights @ (truth == one)) * float(weights @ (said == one)) for one in np.unique(truth))
    return float((observed - expected) / (1 - expected))


def test_kappa_with_a_judge_is_that_of_slopes_taken_by_small_steps() -> None:
    """λ, estimate and error from what a little more of each row does to kappa: no formula of a slope."""
    table, step = answered(), 1e-6
    human = np.array([one or "" for one in table["human"]])
    judge, said = np.array(table["judge"]), np.array(table["new"])
    n, m = 200, 700
    alone = np.full(n, 1 / n)

    def slopes(truth: np.ndarray, answer: np.ndarray, share: float) -> np.ndarray:
        """What a row more of each kind adds to kappa of the mixture of labels and what the judge has more elsewhere."""

        def value(extra_truth: str = "", extra_answer: str = "") -> float:
            rows = [(human[:n], said[:n], alone)]
            rows += [(judge[:n], said[:n], -share * alone), (judge[n:], said[n:], np.full(m, share / m))]
            if extra_truth:
                rows.append((np.array([extra_truth]), np.array([extra_answer]), np.array([step])))
            return kappa(*(np.concatenate(part) for part in zip(*rows, strict=True)))

        known = {pair: (value(*pair) - value()) / step for pair in set(zip(truth, answer, strict=True))}
        return np.array([known[pair] for pair in zip(truth, answer, strict=True)])

    h, j, k = (slopes(*rows, 0.0) for rows in ((human[:n], said[:n]), (judge[:n], said[:n]), (judge[n:], said[n:])))
    weight = np.cov(h, j)[0, 1] / ((1 + n / m) * np.concatenate([j, k]).var(ddof=1))
    tables = JudgedTables.of_arrays(table["human"], table["new"], judge=table["judge"])
    figure = adjudge.metrics.judge_assisted_kappa
    made = adjudge.judges(table, reference="human", judge="judge", prediction="new", **FAST)["judge_assisted_kappa"]
    mixed = np.concatenate([alone, -weight * alone, np.full(m, weight / m)])
    truth = np.concatenate([human[:n], judge[:n], judge[n:]])
    by_hand = kappa(truth, np.concatenate([said[:n], said[:n], said[n:]]), mixed)
    assert made.value == pytest.approx(by_hand, abs=1e-6)
    h, j, k = (slopes(*rows, weight) for rows in ((human[:n], said[:n]), (judge[:n], said[:n]), (judge[n:], said[n:])))
    left = h - weight * j
    plain = left.var(ddof=0) * n + weight**2 * k.var(ddof=1) / m * (n + 1) * (n + 2)
    guarded = assisted_errors(figure, tables) ** 2 * (n + 1) * (n + 2)
    reach = max(slopes(np.array([a]), np.array([p]), weight)[0] - slopes(np.array([b]), np.array([p]), weight)[0]
                for a in np.unique(said) for b in np.unique(said) for p in np.unique(said))  # fmt: skip
    assert guarded == pytest.approx(plain + 2 * reach**2, rel=1e-3)
    assert made.n == 200


def test_right_answers_are_counted_alike_by_values_and_by_labels() -> None:
    """The share of right answers as a figure of labels is the mean that a judge helps with, to the last digits."""
    table = answered()
    tables = JudgedTables.of_arrays(table["human"], table["new"], judge=table["judge"])
    zeros = np.zeros(3)

    def right(of: LabelShares) -> LabelFigure:
        return LabelFigure(of.hits.sum(-1), zeros, zeros, np.ones(3))

    made = adjudge.judges(table, reference="human", judge="judge", prediction="new", **FAST)["judge_assisted_mean"]
    one = tables.worked_out(right)
    assert float(one.value) == pytest.approx(made.value, abs=1e-12)
    assert tables.error(one) * 1.9719565442 == pytest.approx(made.value - made.interval.low, abs=1e-9)


def test_the_labels_of_a_table_are_measured_at_once_and_their_errors_worked_out_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """40 rows of 60 labels in 54 slices took 18 seconds: labels one by one, and all their errors for each of them."""
    labels = [f"label {row % 20}" for row in range(40)]
    table = {"human": labels, "judge": labels[1:] + labels[:1], "old": labels[::-1], "new": labels[2:] + labels[:2]}
    weighed, errors = list[object](), list[object]()
    weight, worked_out = JudgedTables._weight, study.assisted_errors
    monkeypatch.setattr(JudgedTables, "_weight", lambda *given: weighed.append(given) or weight(*given))
    monkeypatch.setattr(study, "assisted_errors", lambda *given: errors.append(given) or worked_out(*given))
    made = adjudge.judges(table, reference="human", judge="judge", prediction=["old", "new"], **FAST, ok=["C14"])
    assert len([row for row in made.table if row.metric == "judge_assisted_f_score" and row.baseline]) == 20
    assert len(errors) == 3, "of kappa, F, and the mean of F"
    of_two = [tables for tables, *_ in weighed if tables.labels == ("others", "one")]
    assert {tables.counts.shape[-2] for tables in of_two} == {20}


def test_how_far_one_label_moves_a_figure_is_found_without_a_table_of_all_labels() -> None:
    for size in (1, 2, 5):
        steps = np.random.default_rng(size).normal(size=(2, 2, size))
        every = steps[:, 0, :, None] + np.eye(size) * steps[:, 1, None]
        assert Assisted(*np.zeros((3, 1)), steps).reach == pytest.approx((every.max(-2) - every.min(-2)).max())


def test_two_systems_are_compared_by_kappa_and_f_on_the_same_labels() -> None:
    roles: dict[str, Any] = {"reference": "human", "judge": "judge", "prediction": ["old", "new"]}
    rules = ["judge_assisted_kappa of new >= old + 0.1", "judge_assisted_f_score[bad] of new >= 0.7"]
    made = adjudge.judges(answered(), **roles, require=rules, **FAST)
    rows = {(row.metric, row.category): row for row in made.table if row.test == "judge_assisted"}
    each = [made.get("judge_assisted_kappa", system=name).value for name in ("old", "new")]
    row = rows["judge_assisted_kappa", ""]
    assert row.estimate == pytest.approx(each[1] - each[0], abs=0.03)
    assert 0.1 < row.low < row.high < 0.45
    assert row.p is not None
    assert row.p < 1e-6
    assert {label for name, label in rows if name == "judge_assisted_f_score"} == {"bad", "good", "mixed"}
    assert made.outcome.gate is not None
    kept, of_bad = made.outcome.gate.verdicts
    assert (kept.verdict, kept.method, kept.estimate, kept.n) == ("passed", "judge_assisted", row.estimate, 200)
    assert (of_bad.verdict, of_bad.category) == ("passed", "bad")
    turned = adjudge.judges(answered(), **roles, baseline="new", **FAST)
    other = next(r for r in turned.table if r.baseline and r.metric == "judge_assisted_kappa")
    assert other.estimate == pytest.approx(-row.estimate, abs=1e-12)


def test_labels_by_cluster_are_drawn_and_count_labels() -> None:
    table = answered() | {"user": [row // 3 for row in range(900)]}
    roles: dict[str, Any] = {"reference": "human", "judge": "judge", "prediction": "new", "cluster": "user"}
    made = adjudge.judges(table, **roles, require=["judge_assisted_kappa >= 0.5"], **FAST)
    assert made["judge_assisted_kappa"].method == "bootstrap"
    assert made.outcome.gate is not None
    assert made.outcome.gate.verdicts[0].n == 200  # not the 300 users, of whom most have no label


def test_kappa_and_f_are_left_out_of_answers_in_words_of_their_own() -> None:
    table = answered() | {"new": [f"text {row}" for row in range(900)]}
    made = adjudge.judges(table, reference="human", judge="judge", prediction="new", ok="C1", **FAST)
    assert "judge_assisted_kappa" not in {row.metric for row in made.table}
    assert made.outcome.settings.choices["Kappa and F"] == "left out: there are more than 500 labels"


def test_kappa_and_f_of_many_labels() -> None:
    random = np.random.default_rng(5)
    truth = random.integers(0, 60, 600)
    columns = {name: np.where(random.random(600) < right, truth, random.integers(0, 60, 600)) for name, right in
               (("judge", 0.9), ("old", 0.7), ("new", 0.8))}  # fmt: skip
    table = {name: [f"l{one}" for one in column] for name, column in {"human": truth, **columns}.items()}
    roles: dict[str, Any] = {"reference": "human", "judge": "judge", "prediction": ["old", "new"]}
    both = ["judge_assisted_kappa", "judge_assisted_f_score"]
    whole = adjudge.judges(table, **roles, metrics=both, **FAST)  # people labelled all rows: the judge cannot help
    for name in ("old", "new"):
        expected = adjudge.metrics.cohen_kappa(table["human"], table[name])
        assert whole.get("judge_assisted_kappa", system=name).value == pytest.approx(expected, abs=1e-12)
        of_label = adjudge.metrics.f_score(table["human"], table[name], positive="l7")
        found = whole.table.find("judge_assisted_f_score", system=name, category="l7")
        assert found.estimate == pytest.approx(of_label, abs=1e-12)
    table["human"] = [label if row < 200 else None for row, label in enumerate(table["human"])]
    made = adjudge.judges(table, **roles, metrics=both[:1], **FAST)
    assert made.table.find("judge_assisted_kappa", system="new", baseline="old").low > 0
    refused = "judge_assisted_f_score is not: there are more than 500 labels"
    texts = table | {"new": [f"text {row}" for row in range(600)]}
    with pytest.raises(AdjudgeError, match=refused):
        adjudge.judges(texts, **(roles | {"prediction": "new"}), metrics=["judge_assisted_f_score"], ok="C1", **FAST)


def test_labels_that_are_no_random_part_are_said_first() -> None:
    table = replies()
    table["human"] = [human if judge else None for human, judge in zip(table["human"], table["judge"], strict=True)]
    made = adjudge.judges(table, reference="human", judge="judge", **FAST)
    assert [(check.key, check.severity) for check in made.outcome.checks] == [("C31", "serious")]
    quiet = adjudge.judges(table, reference="human", judge="judge", calibration="elsewhere", **FAST)
    assert not quiet.outcome.checks
    assert not adjudge.judges(replies(), reference="human", judge="judge", **FAST).outcome.checks


def test_a_random_part_of_skewed_amounts_is_let_pass() -> None:
    """Thirty of 300 log-normal amounts, drawn at random, that miss the large ones: 4.5 of their own errors apart."""
    amounts = np.exp(1.5 * np.random.default_rng(146).standard_normal(300))
    table = {"human": [*amounts[:30].tolist(), *[None] * 270], "judge": amounts.tolist()}
    made = adjudge.judges(table, reference="human", judge="judge", ok="C4", **FAST)
    assert not [check for check in made.checks if check.key == "C31"]
    moved = table | {"judge": [*amounts[:30].tolist(), *(amounts[30:] + 20).tolist()]}
    made = adjudge.judges(moved, reference="human", judge="judge", ok="C4", **FAST)
    assert [check.severity for check in made.checks if check.key == "C31"] == ["serious"]


def test_labels_that_are_hardly_two_are_said_first() -> None:
    table = answered()
    table["human"][:3], table["judge"][:2], table["new"][5] = ["Good", "bad ", "N/A"], ["GOOD", "bad"], "Mixed"
    made = adjudge.judges(table, reference="human", judge="judge", prediction="new", **FAST)
    told = [(check.key, check.severity) for check in made.outcome.checks]
    assert told == [("C2", "serious")] * 2 + [("C22", "serious")]  # what differs in case, and what in blanks
    in_case, in_blanks = (check.sentence for check in made.outcome.checks[:2])
    assert all(name in in_case for name in ("GOOD", "Good", "Mixed")), in_case
    assert "bad " in in_blanks
    assert not adjudge.judges(answered(), reference="human", judge="judge", prediction="new", **FAST).outcome.checks


def test_a_gate_is_judged_by_what_both_say(tmp_path: Path) -> None:
    (tmp_path / "gate.toml").write_text(
        '[gate]\ntask = "judges"\nreference = "human"\njudge = "judge"\n'
        '[[requirement]]\nmetric = "judge_assisted_mean"\nat_least = 0.7\n'
        '[[requirement]]\nmetric = "judge_assisted_mean"\nat_least = 0.95\n'
    )
    verdicts = adjudge.Gate.read(tmp_path / "gate.toml").run(replies())
    assert [(one.verdict, one.method) for one in verdicts] == [
        ("passed", "judge_assisted"),
        ("failed", "judge_assisted"),
    ]


def test_labels_are_what_a_gate_counts() -> None:
    """Rows that only the judge saw are no evidence of their own: twelve labels decide nothing."""
    made = adjudge.judges(
        replies(labels=12), reference="human", judge="judge", require=["judge_assisted_mean >= 0.1"], **FAST
    )
    assert made.outcome.gate is not None
    (verdict,) = made.outcome.gate.verdicts
    assert (verdict.verdict, verdict.n) == ("inconclusive", 12)


def test_rows_to_label_next_keep_labelled_rows_a_random_part() -> None:
    random = np.random.default_rng(5)
    judge = random.integers(0, 2, 2_000)
    good = np.where(judge == 1, random.random(2_000) < 0.98, random.random(2_000) < 0.5) * 1
    known = random.permutation(2_000) < 300
    table: dict[str, list[Any]] = {
        "human": [int(one) if seen else None for one, seen in zip(good, known, strict=True)],
        "judge": judge.tolist(),
        "name": [f"r{row}" for row in range(2_000)],
    }
    roles: dict[str, Any] = {"reference": "human", "judge": "judge", "id": "name"}
    queue = adjudge.judges(table, **roles, **FAST).queue.to_pandas()
    assert set(queue["name"]) == {f"r{row}" for row in np.flatnonzero(~known)}
    assert queue["name"].is_unique
    assert queue["judge"][:400].mean() == pytest.approx(queue["judge"].mean(), abs=0.1)  # four standard errors
    assert queue["row"][:400].mean() == pytest.approx(1_000, abs=120)
    assert queue.equals(adjudge.judges(table, **roles, **FAST).queue.to_pandas())
    for row in queue["row"][:400] - 1:
        table["human"][row] = int(good[row])
    later = adjudge.judges(table, **roles, **FAST)
    assert not later.outcome.checks
    assert later["judge_assisted_mean"].interval.low < 0.74 < later["judge_assisted_mean"].interval.high


def test_weights_mend_rows_that_were_chosen_on_purpose() -> None:
    """1 / the chance of what happened to a row makes both parts stand for the whole; of labels alone it does not."""
    random = np.random.default_rng(6)
    judge = random.integers(0, 2, 4_000)
    good = np.where(judge == 1, random.random(4_000) < 0.97, random.random(4_000) < 0.5) * 1
    chance = np.where(judge == 1, 0.05, 0.3)
    known = random.random(4_000) < chance
    human = [int(one) if seen else None for one, seen in zip(good, known, strict=True)]
    table = {"human": human, "judge": judge.tolist(), "w": np.where(known, 1 / chance, 1 / (1 - chance)).tolist()}
    wrong = table | {"w": np.where(known, 1 / chance, 1.0).tolist()}
    roles: dict[str, Any] = {"reference": "human", "judge": "judge"}
    said = [
        [check.key for check in adjudge.judges(given, **roles, weight="w", **FAST).checks] for given in (table, wrong)
    ]
    assert said[0].count("C31") == 0
    assert "C31" in said[1]
    made = adjudge.judges(table, **roles, weight="w", **FAST)["judge_assisted_mean"]
    assert made.interval.low < 0.5 * 0.97 + 0.5 * 0.5 < made.interval.high


def test_words_grades_weights_and_clusters() -> None:
    table = replies()
    words = {side: [None if one is None else ("bad", "good")[one] for one in table[side]] for side in table}
    shares = [
        adjudge.judges(given, reference="human", judge="judge", **more, **FAST)["judge_assisted_mean"]
        for given, more in ((table, {}), (words, {"positive": "good"}))
    ]
    assert (shares[0].value, shares[0].interval) == (shares[1].value, shares[1].interval)
    grades = {side: [None if one is None else 20.0 + 5 * one for one in table[side]] for side in table}
    made = adjudge.judges(grades, reference="human", judge="judge", **FAST)
    assert made["judge_assisted_mean"].value == pytest.approx(20 + 5 * shares[0].value)
    assert "values are not all 0 or 1" in made["judge_kappa"].note
    heavy = adjudge.judges(table | {"w": [2.0] * 1_500}, reference="human", judge="judge", weight="w", **FAST)
    assert heavy["judge_assisted_mean"].interval == pytest.approx(shares[0].interval)
    grouped = {**table, "who": [f"p{row // 5}" for row in range(1_500)]}
    clustered = adjudge.judges(grouped, reference="human", judge="judge", cluster="who", **FAST)
    assert clustered["judge_assisted_mean"].method == "bootstrap"


def test_a_label_that_is_no_number_is_refused_unless_it_stands_for_nothing() -> None:
    table = {"h": ["1", "0", "1", "?", ""], "j": [1, 0, 1, 1, 0]}
    made = adjudge.judges(table, reference="h", judge="j", missing=["?", ""], **FAST)
    assert made["labelled_mean"].n == 3
    with pytest.raises(AdjudgeError, match="must be numbers or empty"):
        adjudge.judges(table, reference="h", judge="j", **FAST)
    with pytest.raises(AdjudgeError, match="a number"):
        adjudge.metrics.judge_assisted_mean([1, 0], [1, None])


def test_labels_from_elsewhere_are_not_taken_as_a_random_part(tmp_path: Path) -> None:
    made = adjudge.judges(replies(), reference="human", judge="judge", calibration="elsewhere", **FAST)
    assert "judge_assisted_mean" not in {row.metric for row in made.table}
    made.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "As people would judge the rows without a label" in page
    assert "Labels are from elsewhere" in page
    assert "assumed to be a random sample" not in page


def test_nothing_is_left_to_label(tmp_path: Path) -> None:
    made = adjudge.judges(replies(200, 200), reference="human", judge="judge", **FAST)
    made.report(tmp_path / "page.html")
    assert "Label the rows that tell most next" not in (tmp_path / "page.html").read_text()


def test_a_judge_on_another_scale_is_told_and_changes_nothing_but_its_help() -> None:
    people = [1, 0, 1, 1, 0, 1, 0, 1] * 8 + [None] * 200
    judge = [1, 0, 1, 1, 0, 1, 1, 1] * 8 + [1, 0, 1, 1] * 50
    asked = {"reference": "h", "judge": "j"}
    same, graded = (
        adjudge.judges({"h": people, "j": [times * one for one in judge]}, **asked)["judge_assisted_mean"]
        for times in (1, 5)
    )
    assert "another scale" in graded.note
    assert "another scale" not in same.note
    assert graded.value == pytest.approx(same.value, abs=1e-9), "λ makes up for it"
