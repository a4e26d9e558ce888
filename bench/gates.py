"""How often gates pass what violates them: `python -m bench.gates` simulates the boundary and writes the table.

Each design has its truth exactly at the bound, so that every *passed* is false. Limits are those of the product; only
variances of weighted and clustered rows, which the product takes from replicates, are worked out by formula here.
"""

from __future__ import annotations

import csv
import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binom, norm

from adjudge import regression
from adjudge.data.judgements.measured_columns import MeasuredColumns
from adjudge.evaluation.comparison.paired_answers import FEW_DIFFER
from adjudge.evaluation.comparison.smoothed_pairs import AnswersTogether, draws_where_they_differ
from adjudge.evaluation.gates.column_limits import ColumnRows, column_reach
from adjudge.evaluation.gates.limits import NoLimit, Number, limit_of
from adjudge.evaluation.gates.requirement_rows import simultaneous_bounds
from adjudge.evaluation.gates.requirement_scope import errors_at
from adjudge.evaluation.measuring.rows import Measured
from adjudge.inference.differences.paired_areas import paired_areas
from adjudge.inference.differences.paired_shares import PairedShares, tango
from adjudge.inference.drawing import replicates_of
from adjudge.inference.intervals.quantiles import woodruff_reach
from adjudge.inference.reach import (
    Reach,
    added_reach,
    drawn_reach,
    guarded_variance,
    share_reach,
    share_sequence_reach,
    student_reach,
    unbounded_error,
    worth_reach,
)
from adjudge.inference.resampling import Bootstrap
from adjudge.metrics import cohen_kappa, f_score, mean_absolute_error, ndcg, quantile, r_squared, rmse, roc_auc
from adjudge.statistics.confusion import Confusion
from adjudge.statistics.systems.joint_rows import JointRows
from bench.gate_errors import ERRORS, HARDLY_SHOWN, HELD_OUT, mean_square
from bench.gates_page import write_page

LEVEL = 0.90  # of the two-sided interval: 5 % on one side
MOST = 0.06  # what is promised of methods that are not exact
REPLICATES = 500
HERE = Path(__file__).parents[1] / "docs" / "validation"
SAMPLES = 1_000


@dataclass(frozen=True)
class Result:
    """One design: how often it passed though it violates its bound."""

    what: str
    design: str
    n: int
    method: str
    passed: float
    samples: int  # 0: summed exactly over all that can be seen

    @property
    def error(self) -> float:
        """The standard error of the rate."""
        return math.sqrt(max(self.passed * (1 - self.passed), 1e-4) / self.samples) if self.samples else 0.0


def shares() -> Iterator[Result]:
    """Exact: every count that can be seen."""
    for n in (30, 50, 100, 200, 500, 1000, 2000):
        for bound in (0.5, 0.85, 0.95, 0.99):
            passed = [right for right in range(n + 1) if share_reach(right, n).limits(LEVEL)[0] >= bound]
            rate = float(binom.sf(passed[0] - 1, n, bound)) if passed else 0.0
            yield Result("share", f"bound {bound}", n, "clopper_pearson", rate, 0)


def paired_shares() -> Iterator[Result]:
    """Not worse by a margin, the loss exactly the margin: simulated counts, Tango's limit."""
    random = np.random.default_rng(1)
    for n in (50, 100, 200, 500, 2000):
        for gain, loss in ((0.0, 0.02), (0.02, 0.04), (0.05, 0.10), (0.10, 0.15)):
            counts = random.multinomial(n, [0.8 - gain - loss, gain, loss, 0.2], size=20 * SAMPLES)
            distinct, times = np.unique(counts[:, 1:3], axis=0, return_counts=True)
            low = [tango(PairedShares(n - b - c, b, c, 0), LEVEL)[0] for b, c in distinct.tolist()]
            passed = times[np.array(low) >= gain - loss].sum() / len(counts)
            yield Result("difference of shares", f"gain {gain}, loss {loss}", n, "tango", float(passed), len(counts))


def of_statistic(metric: Any, statistic: Any, category: str = "", seed: int = 0, *, by_formula: bool = False) -> Reach:
    """The product's limit for a metric of a statistic; replicates are not drawn where a formula gives it."""
    settings, kinds = Bootstrap(REPLICATES, seed), () if by_formula else ("multinomial", "bayesian")
    drawn_of = {kind: (replicates_of(statistic, None, kind, settings, str(seed)),) for kind in kinds}
    measured = Measured(
        system="",
        slice="all",
        rows=statistic.rows,
        statistics={metric.over: statistic},
        bootstrap=drawn_of.get("multinomial", ()),
        bayesian=drawn_of.get("bayesian", ()),
        positive=None,
        notes={},
        refused={},
    )
    return limit_of(Number(measured, metric, category))


def passing(reaches: Iterator[Reach | None], bound: float, *, lower: bool = True) -> tuple[float, str, int]:
    """How many of the limits lie on the side of the bound, and by which method; no limit never passes."""
    count, passed, method = 0, 0, "none"
    for reach in reaches:
        count += 1
        if reach is None:
            continue
        low, high = reach.at(LEVEL)
        passed += low >= bound if lower else high <= bound
        method = reach.method
    return passed / count, method, count


def tried(make: Callable[[], Reach]) -> Reach | None:
    try:
        return make()
    except NoLimit:
        return None


# Tables of decisions: rows are the reference.
TABLES: dict[str, np.ndarray] = {
    "two labels, 10 % positive": np.array([[0.08, 0.02], [0.03, 0.87]]),
    "two labels, even": np.array([[0.42, 0.08], [0.06, 0.44]]),
    "two labels, nearly all right": np.array([[0.29, 0.01], [0.005, 0.695]]),
}
ORDERED: dict[str, np.ndarray] = {
    "four points": np.array(
        [[0.12, 0.04, 0.01, 0.0], [0.05, 0.25, 0.06, 0.01], [0.01, 0.06, 0.22, 0.04], [0.0, 0.01, 0.04, 0.08]]
    ),
    "four points, seldom at the ends": np.array(
        [[0.01, 0.01, 0.0, 0.0], [0.02, 0.43, 0.06, 0.0], [0.0, 0.07, 0.35, 0.01], [0.0, 0.0, 0.02, 0.02]]
    ),
}


def confusion(probabilities: np.ndarray, counts: np.ndarray) -> Confusion:
    size = len(probabilities)
    table = counts.reshape(size, size).astype(np.float64)
    return Confusion(tuple("12345678"[:size]), table, table.copy(), int(table.sum()))


def tables() -> Iterator[Result]:
    """F, kappa and weighted kappa of tables of decisions."""
    random = np.random.default_rng(2)
    jobs = [("F", f_score, "1", TABLES), ("kappa", cohen_kappa, "", TABLES)]
    jobs += [("QWK", cohen_kappa.using(weighting="quadratic"), "", ORDERED)]
    jobs += [("macro F", f_score.averaged("macro"), "", ORDERED)]
    for what, metric, category, designs in jobs:
        for design, p in designs.items():
            truth = Number(_measured(metric, confusion(p, p * 1e6)), metric, category).value
            for n in (30, 50, 100, 300, 1000, 2000):
                counts = random.multinomial(n, p.ravel() / p.sum(), size=SAMPLES)
                reaches = (
                    tried(partial(of_statistic, metric, confusion(p, c), category, i)) for i, c in enumerate(counts)
                )
                rate, method, count = passing(reaches, truth)
                yield Result(what, design, n, method, rate, count)


def _measured(metric: Any, statistic: Any) -> Measured:
    return Measured("", "all", statistic.rows, {metric.over: statistic}, (), (), None, {}, {})


def areas() -> Iterator[Result]:
    """AUC of normal scores, also where one kind is spread wider."""
    random = np.random.default_rng(3)
    for positives, negatives in ((15, 60), (20, 20), (50, 200), (100, 400), (400, 1600)):
        for distance, spread in ((1.5, 1.0), (2.5, 1.0), (3.2, 1.0), (2.0, 2.0)):
            truth = float(norm.cdf(distance / math.hypot(1.0, spread)))
            labels = ["p"] * positives + ["n"] * negatives

            def one() -> Reach:
                score = np.concatenate([random.normal(distance, spread, positives), random.normal(size=negatives)])  # noqa: B023
                return of_statistic(roc_auc, roc_auc.statistic_of(labels, score, positive="p"), "p")  # noqa: B023

            rate, method, count = passing((tried(one) for _ in range(SAMPLES)), truth)
            design = f"AUC {truth:.3f}" + ("" if spread == 1 else ", unequal spread")
            yield Result("AUC", f"{positives} and {negatives}, {design}", positives + negatives, method, rate, count)


def paired_auc() -> Iterator[Result]:
    """The difference of two AUC, the loss exactly the margin."""
    random = np.random.default_rng(4)
    for positives, negatives in ((15, 60), (50, 200), (100, 400)):
        for high, low, r in ((3.2, 2.9, 0.9), (2.5, 2.2, 0.9), (1.5, 1.2, 0.5)):
            n, truth = positives + negatives, float(norm.cdf(low / math.sqrt(2)) - norm.cdf(high / math.sqrt(2)))
            is_positive = np.arange(n) < positives
            labels = np.where(is_positive, "p", "n")

            def one() -> Reach:
                common = random.normal(size=n) * math.sqrt(r)  # noqa: B023
                scores = [
                    common + random.normal(size=n) * math.sqrt(1 - r) + d * is_positive  # noqa: B023
                    for d in (low, high)  # noqa: B023
                ]
                parts = [of_statistic(roc_auc, roc_auc.statistic_of(labels, s, positive="p"), "p") for s in scores]  # noqa: B023
                both = paired_areas(is_positive, *scores)  # noqa: B023
                return added_reach(parts[0], parts[1], both.correlation)

            rate, method, count = passing((tried(one) for _ in range(SAMPLES)), truth)
            yield Result("difference of AUC", f"{positives} and {negatives}, loss {-truth:.3f}", n, method, rate, count)


FIRST = ("normal", "t with 5 degrees", "t with 3 degrees", "lognormal", "one in twenty fivefold")
OF_SIZES = (*FIRST, "one in thirty tenfold", *HELD_OUT)


def errors() -> Iterator[Result]:
    """RMSE and MAE at most a bound, R² at least one."""
    random, words = np.random.default_rng(5), {rmse: "RMSE", mean_absolute_error: "MAE", r_squared: "R²"}
    for design, draw in ERRORS.items():
        many = draw(np.random.default_rng(50), 8_000_000)
        # The fourth moments of some are infinite, and means of their squares known badly.
        square = {"t with 3 degrees": 3.0, "t with 4 degrees": 2.0}.get(design, float((many**2).mean()))
        truths = {rmse: math.sqrt(square), mean_absolute_error: float(np.abs(many).mean()), r_squared: 1 - square / 100}
        for metric, truth in truths.items():
            # Designs that came later are of what is at stake: squares of few rows.
            if metric is not rmse and design not in OF_SIZES:
                continue
            for n in _sizes(design) if metric is rmse else (30, 100, 300):

                def one() -> Reach:
                    y = random.normal(size=n) * 10  # noqa: B023
                    return of_statistic(metric, metric.statistic_of(y, y + draw(random, n)), by_formula=True)  # noqa: B023

                often = metric is rmse and n <= 300 and design not in HARDLY_SHOWN
                reaches = (tried(one) for _ in range(2 * SAMPLES // 5 if often else SAMPLES // 5))
                rate, method, count = passing(reaches, truth, lower=metric is r_squared)
                what = f"{words[metric]}, errors that few rows show" if design in HARDLY_SHOWN else words[metric]
                yield Result(what, design, n, method, rate, count)


def _sizes(design: str) -> tuple[int, ...]:
    """Numbers of rows; more of the usual designs."""
    if design in HARDLY_SHOWN:
        return 30, 100, 300, 1000
    return (30, 50, 100, 300, 1000, 2000) if design in FIRST else (30, 50, 100, 300, 1000)


def _in_groups(random: np.random.Generator, groups: int, mean: float) -> np.ndarray:
    """Clusters of very unequal size: which each row is of."""
    sizes = np.maximum(random.poisson(mean * random.lognormal(-0.125, 0.5, groups)), 1)
    return np.repeat(np.arange(groups), sizes)


# By cluster, with the mean square.
BY_CLUSTER: dict[str, tuple[Callable[[np.random.Generator, np.ndarray, int], np.ndarray], float]] = {
    "normal, ICC 0.3": (
        lambda random, of, k: math.sqrt(0.3) * random.normal(size=k)[of] + math.sqrt(0.7) * random.normal(size=len(of)),
        1.0,
    ),
    "spread of clusters lognormal, 0.4": (
        lambda random, of, k: random.lognormal(0, 0.4, k)[of] * random.normal(size=len(of)),
        math.exp(0.32),
    ),
    "one row in twenty fivefold": (
        lambda random, of, k: random.normal(size=len(of)) * np.where(random.random(len(of)) < 0.05, 5, 1),
        2.2,
    ),
    "t with 5 degrees, moved by cluster": (
        lambda random, of, k: 0.5 * random.normal(size=k)[of] + random.standard_t(5, len(of)),
        0.25 + 5 / 3,
    ),
}
WEIGHED = ("normal", "t with 5 degrees", "one in twenty fivefold")


def _judged_rmse(reference: np.ndarray, error: np.ndarray, **unit: np.ndarray) -> Reach | None:
    """The limit of the RMSE of a whole evaluation."""
    made = regression(
        {"y": reference, "p": reference + error, **unit},
        reference="y",
        prediction="p",
        metrics=["rmse"],
        require=["rmse <= 1"],
        replicates=100,
        **dict(zip(unit, unit, strict=True)),
    )
    assert made.outcome.gate is not None
    (verdict,) = made.outcome.gate.verdicts
    if verdict.high is None:
        return None
    low, high = float(verdict.low or 0.0), float(verdict.high)
    return Reach(verdict.method, float(verdict.estimate or 0.0), lambda level: (low, high), float(verdict.n))


def units() -> Iterator[Result]:
    """RMSE of rows in clusters, and of rows of unequal weight, from whole evaluations."""
    random = np.random.default_rng(14)
    for design, (draw, square) in BY_CLUSTER.items():
        for groups, mean in ((15, 8), (40, 6)):

            def clustered() -> Reach | None:
                of = _in_groups(random, groups, mean)  # noqa: B023
                return _judged_rmse(random.normal(size=len(of)), draw(random, of, groups), cluster=of.astype(str))  # noqa: B023

            rate, method, count = passing((clustered() for _ in range(SAMPLES // 12)), math.sqrt(square), lower=False)
            yield Result("RMSE in clusters", design, groups, method, rate, count)
    for design in WEIGHED:
        bound = math.sqrt(mean_square(ERRORS[design]))
        for n in (50, 100):

            def weighted() -> Reach | None:
                return _judged_rmse(random.normal(size=n), ERRORS[design](random, n), weight=random.gamma(2.0, size=n))  # noqa: B023

            rate, method, count = passing((weighted() for _ in range(SAMPLES // 12)), bound, lower=False)
            yield Result("RMSE, gamma weights", design, n, method, rate, count)


def rankings() -> Iterator[Result]:
    """NDCG of queries with one relevant item, whose place is drawn."""
    random = np.random.default_rng(6)
    designs = {
        "mostly first": np.array([0.85, 0.05, 0.04, 0.03, 0.03]),
        "nearly always first": np.array([0.97, 0.01, 0.01, 0.005, 0.005]),
        "anywhere": np.array([0.3, 0.25, 0.2, 0.15, 0.1]),
    }
    metric = ndcg.using(at=5)
    for design, p in designs.items():
        truth = float((p / np.log2(np.arange(2, 7))).sum())
        for n in (30, 100, 300, 1000):

            def one() -> Reach:
                places = random.choice(5, n, p=p)  # noqa: B023
                relevant = [[1.0 if i == place else 0.0 for i in range(5)] for place in places]
                return of_statistic(metric, metric.statistic_of(relevant, [[5.0, 4, 3, 2, 1]] * n))  # noqa: B023

            rate, method, count = passing((tried(one) for _ in range(SAMPLES if n < 300 else SAMPLES // 2)), truth)
            yield Result("NDCG", design, n, method, rate, count)


# Of two systems: the chance of each answer given the label, (label, first, second).
def pair_design(prevalence: float, both: float, only_first: float, only_second: float) -> np.ndarray:
    """Two labels, the same chances of right and wrong for both."""
    p = np.zeros((2, 2, 2))
    for label, share in ((0, prevalence), (1, 1 - prevalence)):
        wrong = 1 - label
        p[label, label, label] = share * both
        p[label, label, wrong] = share * only_first
        p[label, wrong, label] = share * only_second
        p[label, wrong, wrong] = share * (1 - both - only_first - only_second)
    return p


def four_point_pairs() -> np.ndarray:
    """Four ordered points, the second system right a little more often; wrong answers are one point off."""
    p = np.zeros((4, 4, 4))
    for label, share in enumerate((0.1, 0.35, 0.4, 0.15)):
        near = label - 1 if label == 3 else label + 1
        p[label, label, label], p[label, near, near] = share * 0.75, share * 0.12
        p[label, label, near], p[label, near, label] = share * 0.05, share * 0.08
    return p


def paired_tables() -> Iterator[Result]:
    """Differences of F, kappa and weighted kappa, drawn from the rows and imagined disagreements."""
    random = np.random.default_rng(7)
    twos = {
        "even, few differ": pair_design(0.5, 0.85, 0.02, 0.04),
        "10 % positive, few differ": pair_design(0.1, 0.85, 0.02, 0.04),
        "even, only losses": pair_design(0.5, 0.9, 0.0, 0.02),
        "30 % positive, many differ": pair_design(0.3, 0.7, 0.1, 0.15),
    }
    jobs = [("F", f_score, 0, twos), ("kappa", cohen_kappa, None, twos)]
    jobs += [("QWK", cohen_kappa.using(weighting="quadratic"), None, {"four points": four_point_pairs()})]
    jobs += [("macro F", f_score.averaged("macro"), None, {"four points": four_point_pairs()})]
    for what, metric, at, designs in jobs:
        for design, p in designs.items():
            for n in (50, 100, 300, 1000, 2000):
                counts = random.multinomial(n, p.ravel(), size=SAMPLES)
                truth = _difference(joint_rows(p, p.ravel() * 1e6), metric, at)
                reaches = (_paired_reach(joint_rows(p, c), (metric, at), i) for i, c in enumerate(counts))
                rate, method, count = passing(reaches, truth)
                yield Result(f"difference of {what}", design, n, method, rate, count)


def joint_rows(p: np.ndarray, counts: np.ndarray) -> JointRows:
    """The distinct rows of two systems."""
    index = np.argwhere(np.ones(p.shape, dtype=bool))
    kept = counts > 0
    codes = np.full((int(kept.sum()), 5), -1, dtype=np.int64)
    codes[:, [0, 1, 3]] = index[kept]
    weights = counts[kept].astype(np.float64)
    return JointRows(tuple("12345678"[: len(p)]), (None, None), codes, weights, weights.copy(), int(weights.sum()))


def _difference(joint: JointRows, metric: Any, at: int | None) -> float:
    a, b = (metric.values(joint.table_of(place)) for place in (0, 1))
    return float(a - b if at is None else a[at] - b[at])


def _paired_reach(joint: JointRows, of: tuple[Any, int | None], seed: int) -> Reach | None:
    value = _difference(joint, *of)
    if math.isnan(value):
        return None
    tables = (lambda rows: rows.table_of(0), lambda rows: rows.table_of(1))
    together = AnswersTogether(joint, (0, 1), tables)
    a, b = draws_where_they_differ(together, of, Bootstrap(REPLICATES, seed), "bench")
    units = joint.rows
    if of[1] is not None:
        share = of[0].share(joint.table_of(0))
        units = float(np.asarray(share.whole)[of[1]]) if share is not None and share.through is None else joint.rows
    return drawn_reach("paired_bayesian", value, a - b, units, units)


def clusters() -> Iterator[Result]:
    """Shares and differences of shares of clustered rows."""
    random = np.random.default_rng(8)
    for groups, size, icc, truth in (
        (10, 10, 0.2, 0.85), (20, 10, 0.2, 0.85), (50, 10, 0.2, 0.85), (100, 10, 0.2, 0.85),
        (20, 20, 0.5, 0.9), (50, 20, 0.5, 0.9), (100, 5, 0.1, 0.95),
    ):  # fmt: skip
        a, b = truth * (1 / icc - 1), (1 - truth) * (1 / icc - 1)

        def one() -> Reach:
            sizes = random.poisson(size - 1, groups) + 1  # noqa: B023
            right = random.binomial(sizes, random.beta(a, b, groups)).astype(np.float64)  # noqa: B023
            n, value = float(sizes.sum()), float(right.sum() / sizes.sum())
            units = n**2 / float((sizes**2.0).sum())
            variance = guarded_variance(float(((right - value * sizes) ** 2).sum()) / n**2, units, n, 1.0)
            return worth_reach(value, variance, (0.0, 1.0), units=units, rows=n)

        rate, method, count = passing((one() for _ in range(4 * SAMPLES)), truth)
        yield Result("share in clusters", f"{groups} of {size}, ICC {icc}, bound {truth}", groups, method, rate, count)
    for groups, size, gain, loss in (
        (10, 10, 0.02, 0.05), (20, 10, 0.02, 0.05), (50, 10, 0.02, 0.05), (100, 10, 0.0, 0.02), (200, 10, 0.0, 0.02),
    ):  # fmt: skip
        rate, method, count = passing(
            (clustered_pair(random, groups, size, gain, loss) for _ in range(4 * SAMPLES)), gain - loss
        )
        design = f"{groups} of {size}, gain {gain}, loss {loss}"
        yield Result("difference in clusters", design, groups, method, rate, count)


def clustered_pair(random: np.random.Generator, groups: int, size: int, gain: float, loss: float) -> Reach:
    """Two systems on clustered rows: in some clusters the second is right where the first is not, and the reverse."""
    sizes = random.poisson(size - 1, groups) + 1
    old = random.binomial(sizes, random.beta(0.85 * 4, 0.15 * 4, groups))
    shares = [random.beta(p * 4, (1 - p) * 4, groups) if p else np.zeros(groups) for p in (loss / 0.85, gain / 0.15)]
    new = old - random.binomial(old, shares[0]) + random.binomial(sizes - old, shares[1])
    n, units = float(sizes.sum()), float(sizes.sum() ** 2 / (sizes**2.0).sum())

    def variance(right: np.ndarray) -> float:
        return float(((right - right.sum() / n * sizes) ** 2).sum()) / n**2

    worth = [
        min(n, p * (1 - p) / v) if (v := variance(right)) > 0 and 0 < (p := float(right.sum() / n)) < 1 else units
        for right in (new, old)
    ]
    value = float((new - old).sum() / n)
    error = math.sqrt(guarded_variance(variance(new - old), units, max(min(worth), 2.0), 1.0))
    return student_reach("paired_guarded", value, error, units)


def paired_kappas() -> Iterator[Result]:
    """Differences of kappa whose cells cannot be smoothed: rows in clusters, and rows of unequal weight."""
    random = np.random.default_rng(13)
    designs = {
        "even, few differ": pair_design(0.5, 0.85, 0.02, 0.04),
        "10 % positive, few differ": pair_design(0.1, 0.85, 0.02, 0.04),
        "30 % positive, many differ": pair_design(0.3, 0.7, 0.1, 0.15),
    }
    for design, p in designs.items():
        truth = _difference(joint_rows(p, p.ravel() * 1e6), cohen_kappa, None)
        for groups in (20, 50, 100):
            shares = random.dirichlet(p.ravel() * 4 + 1e-9, size=(SAMPLES // 2, groups))  # ICC 0.2
            sizes = random.poisson(9, (SAMPLES // 2, groups)) + 1
            tables = (random.multinomial(n, q).astype(np.float64) for n, q in zip(sizes, shares, strict=True))
            rate, method, count = passing((kappa_reach(random, one) for one in tables), truth)
            yield Result("difference of kappa in clusters", f"10 rows each, {design}", groups, method, rate, count)
        for n in (100, 300):

            def weighted() -> np.ndarray:
                rows = random.multinomial(1, p.ravel(), size=n)  # noqa: B023
                return np.asarray(rows * random.gamma(2.0, size=(n, 1)))  # noqa: B023

            rate, method, count = passing((kappa_reach(random, weighted()) for _ in range(SAMPLES // 2)), truth)
            yield Result("difference of weighted kappa", f"gamma weights, {design}", n, method, rate, count)


def kappa_reach(random: np.random.Generator, units: np.ndarray) -> Reach | None:
    """The limit of a difference of kappa, from tables of units (units, label × first × second) that are drawn."""
    size = round(units.shape[1] ** (1 / 3))
    draws = random.multinomial(len(units), np.full(len(units), 1 / len(units)), size=REPLICATES // 2) @ units
    both = np.concatenate([units.sum(0)[None], draws]).reshape(-1, size, size, size)
    kappas = [_kappa(both.sum(axis)) for axis in (3, 2)]
    weight = units.reshape(-1, size, size, size)[..., ~np.eye(size, dtype=bool)].sum((1, 2))
    counted = bool((units == np.rint(units)).all())  # rows of clusters; otherwise every unit is a row
    if (weight.sum() if counted else np.count_nonzero(weight)) < FEW_DIFFER:
        return None
    totals = units.sum(1)
    rows = float(totals.sum() if counted else totals.sum() ** 2 / (totals**2).sum())
    drawn = float(totals.sum() ** 2 / (totals**2).sum())
    worth = [_worth((one[0] + 1) / 2, one[1:].var() / 4, rows) for one in kappas]
    error = math.sqrt(guarded_variance(float((kappas[0] - kappas[1])[1:].var()), drawn, min(worth), 2.0))
    return student_reach("paired_guarded", float(kappas[0][0] - kappas[1][0]), error, drawn)


def _kappa(tables: np.ndarray) -> np.ndarray:
    total = tables.sum((-2, -1))
    expected = (tables.sum(-1) * tables.sum(-2)).sum(-1) / total**2
    return np.asarray((np.trace(tables, axis1=-2, axis2=-1) / total - expected) / (1 - expected))


def _worth(share: float, variance: float, rows: float) -> float:
    return max(min(share * (1 - share) / variance, rows), 2.0) if variance > 0 else 2.0


def weights() -> Iterator[Result]:
    """Shares of weighted rows, the weights apart from the answers or not."""
    random = np.random.default_rng(9)
    for n in (50, 100, 300, 1000):
        for design, lean in (("weights apart from answers", 0.0), ("wrong rows weigh more", 0.7)):
            bound = 0.9
            odds = bound / (1 - bound) * math.exp(lean)  # of rows, so that the weighted share is the bound

            def one() -> Reach:
                right = random.random(n) < odds / (1 + odds)  # noqa: B023
                w = np.exp(random.normal(0, 0.7, n) + lean * ~right)  # noqa: B023
                value = float((w * right).sum() / w.sum())
                variance = float((w**2 * (right - value) ** 2).sum()) / w.sum() ** 2
                rows = float(w.sum() ** 2 / (w**2).sum())
                variance = guarded_variance(variance, rows, rows, 1.0)
                return worth_reach(value, variance, (0.0, 1.0), units=rows, rows=rows)

            rate, method, count = passing((one() for _ in range(4 * SAMPLES)), bound)
            yield Result("weighted share", design, n, method, rate, count)


def paired_means() -> Iterator[Result]:
    """Differences of means: in a known range, where few units may lose much, and of errors."""
    random = np.random.default_rng(13)
    for n in (30, 50, 100, 300, 1000):
        for design, differ in (("one unit in ten differs", 0.1), ("every unit differs a little", 1.0)):
            loss = 0.5 if differ < 1 else 0.03

            def bounded() -> Reach:
                d = np.where(random.random(n) < differ, -random.beta(2 * loss, 2 * (1 - loss), n), 0.0)  # noqa: B023
                error = math.sqrt(guarded_variance(float(d.var()) / n, n, n, 1.0))  # noqa: B023
                return student_reach("paired_guarded", float(d.mean()), error, n)  # noqa: B023

            rate, method, count = passing((bounded() for _ in range(4 * SAMPLES)), -loss * differ)
            yield Result("difference of means in [0, 1]", design, n, method, rate, count)
        for design, metric in (("squares, normal errors", "RMSE"), ("sizes, normal errors", "MAE")):

            def errors_of() -> Reach:
                common = random.normal(size=n)  # noqa: B023
                two = common + 0.5 * random.normal(size=n)  # noqa: B023
                one = 1.05 * (common + 0.5 * random.normal(size=n))  # noqa: B023
                power = 2 if metric == "RMSE" else 1  # noqa: B023
                a, b = np.abs(one) ** power, np.abs(two) ** power
                roots = [math.sqrt(x.mean()) if power == 2 else float(x.mean()) for x in (a, b)]
                adds = a / (2 * roots[0]) - b / (2 * roots[1]) if power == 2 else a - b
                error = unbounded_error(float(adds.var()) / n, n)  # noqa: B023
                return student_reach("paired_student", roots[0] - roots[1], error, n)  # noqa: B023

            truth = 0.05 * math.sqrt(1.25) * (1.0 if metric == "RMSE" else math.sqrt(2 / math.pi))
            rate, method, count = passing((errors_of() for _ in range(4 * SAMPLES)), truth, lower=False)
            yield Result(f"difference of {metric}", design, n, method, rate, count)


def gaps() -> Iterator[Result]:
    """The largest gap exactly the bound: two levels apart, the others between or at the ends."""
    random = np.random.default_rng(10)
    for shares_of, design in (
        ((0.9, 0.85), "two levels"),
        ((0.9, 0.85, 0.875), "three"),
        ((0.95, 0.95, 0.9, 0.9, 0.9), "five"),
    ):
        for n in (100, 400, 2000):

            def one() -> Reach:
                return simultaneous_bounds([share_reach(int(random.binomial(n, p)), n) for p in shares_of])  # noqa: B023

            bound = max(shares_of) - min(shares_of)
            rate, method, count = passing((one() for _ in range(SAMPLES)), bound - 1e-12, lower=False)
            yield Result("gap", f"{design} of n rows each", n, method, rate, count)


def p95_reach(values: Any) -> Reach:
    """The 95th percentile as a gate limits it."""
    reach = column_reach(quantile, ColumnRows(MeasuredColumns(values[:, None])), Bootstrap())
    assert isinstance(reach, Reach)
    return reach


def quantiles() -> Iterator[Result]:
    """p95 of a column at most its true value: exact whatever the distribution."""
    random = np.random.default_rng(11)
    for n in (60, 100, 300, 1000):
        rate, method, count = passing(
            (p95_reach(random.exponential(size=n)) for _ in range(4 * SAMPLES)), -math.log(0.05), lower=False
        )
        yield Result("p95", "exponential", n, method, rate, count)
    for clusters, size, alike in ((70, 20, 0.6), (80, 10, 0.2), (200, 5, 0.5)):

        def clustered() -> Reach:
            shared = np.repeat(random.normal(size=clusters) * math.sqrt(alike), size)  # noqa: B023
            values = np.exp(shared + random.normal(size=clusters * size) * math.sqrt(1 - alike))  # noqa: B023
            return woodruff_reach(values, 0.95, clusters=np.repeat(np.arange(clusters), size))  # noqa: B023

        rate, method, count = passing((clustered() for _ in range(SAMPLES // 2)), math.exp(norm.ppf(0.95)), lower=False)
        yield Result("p95", f"lognormal, clusters of {size}, ICC {alike}", clusters, method, rate, count)
    for n in (100, 300, 1000):

        def weighted() -> Reach:
            return woodruff_reach(random.exponential(size=n), 0.95, random.gamma(2.0, size=n))  # noqa: B023

        rate, method, count = passing((weighted() for _ in range(SAMPLES // 2)), -math.log(0.05), lower=False)
        yield Result("p95", "exponential, gamma weights", n, method, rate, count)


def looks() -> Iterator[Result]:
    """Twenty looks at growing rows, any number allowed: passed at one of them at least."""
    random, bound = np.random.default_rng(12), 0.85
    passed = 0
    grid = {
        (r, n): share_sequence_reach(r, n).limits(LEVEL)[0]
        for n in range(50, 1001, 50)
        for r in range(int(n * 0.8), n + 1)
    }
    for _ in range(4 * SAMPLES):
        right = np.cumsum(random.random(1000) < bound)[49::50]
        passed += any(grid.get((int(r), 50 * (k + 1)), 0.0) >= bound for k, r in enumerate(right))
    planned = (100, 400, 1000)
    errors_spent = errors_at(planned, planned[-1], 0.05)
    crossed = 0
    for _ in range(20 * SAMPLES):
        right = np.cumsum(random.random(1000) < bound)
        crossed += any(
            float(binom.sf(right[n - 1] - 1, n, bound)) <= spent for n, spent in zip(planned, errors_spent, strict=True)
        )
    rate = crossed / (20 * SAMPLES)
    yield Result("share, planned looks", "at 100, 400 and 1,000 rows", 1000, "clopper_pearson", rate, 20 * SAMPLES)
    yield Result("share, any looks", "20 looks, 50 to 1,000 rows", 1000, "e_value", passed / (4 * SAMPLES), 4 * SAMPLES)


PARTS: dict[str, Callable[[], Iterator[Result]]] = {
    "shares": shares, "paired_shares": paired_shares, "tables": tables, "areas": areas, "paired_auc": paired_auc,
    "errors": errors, "units": units, "paired_means": paired_means, "rankings": rankings,
    "paired_tables": paired_tables, "paired_kappas": paired_kappas, "clusters": clusters, "weights": weights,
    "gaps": gaps, "quantiles": quantiles, "looks": looks,
}  # fmt: skip


def main(names: list[str]) -> None:
    """Simulate the named parts, or all, and write the figures of all."""
    for name in names or PARTS:
        started = time.process_time()
        results = list(PARTS[name]())
        for one in results:
            mark = " !" if one.passed - 2 * one.error > MOST else ""
            print(f"{one.what:24} {one.design:44} {one.n:5} {one.method:18} {one.passed:7.2%} ± {one.error:.2%}{mark}")
        print(f"{name}: {time.process_time() - started:.0f} s", flush=True)
        _keep(name, results)
    write_page()


def _keep(part: str, results: list[Result]) -> None:
    """The figures of one part, in place of its former ones."""
    path = HERE / "gates.csv"
    rows = list(csv.reader(path.open(encoding="utf-8")))[1:] if path.exists() else []
    rows = [row for row in rows if row[0] != part]
    rows += [[part, r.what, r.design, str(r.n), r.method, f"{r.passed:.4f}", str(r.samples)] for r in results]
    order = list(PARTS)
    rows.sort(key=lambda row: order.index(row[0]))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([["part", "what", "design", "n", "method", "false_pass", "samples"], *rows])


if __name__ == "__main__":
    main(sys.argv[1:])
