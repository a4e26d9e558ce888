"""The laws that every metric keeps, each a function of a metric that raises where the metric breaks it.

`test_metrics.py` runs them over the whole catalogue; `test_mutations.py` shows that a false declaration breaks them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from tests.laws.drawn import Draw, examples
from tests.laws.examples import EXAMPLES, Values, family, rows_for, stack_of, statistic_of, value
from tests.laws.examples import values_of as values_of_statistic
from tests.laws.rows import Making, Rows

from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.interval import Bounds
from adjudge.inference.resampling import RESAMPLED
from adjudge.metrics import catalogue
from adjudge.metrics.base import Direction, Metric
from adjudge.metrics.intervals import NEEDS

Law = Callable[[Metric], None]
# A metric with other parameters is mostly the same metric, and an average is the same for all metrics.
MANY, FEWER, FEWEST = 10, 5, 3
ROUNDING = 1e-9
BY_RESAMPLING = (*RESAMPLED, "none")

# Metrics with a small-sample correction count units, so their weights are in units of rows; an evaluation brings them
# to an average of one first. By name, and for which parameters.
OF_UNITS: dict[str, Callable[..., bool]] = {
    # Two ratings are drawn without replacement: n − 1 are left.
    **dict.fromkeys(("krippendorff_alpha", "interval_alpha"), lambda **_: True),
    **dict.fromkeys(("set_alpha", "macro_label_alpha", "label_alpha"), lambda **_: True),
    # Variances with divisor n − 1.
    **dict.fromkeys(("lower_limit_of_agreement", "upper_limit_of_agreement", "icc"), lambda **_: True),
    **dict.fromkeys(("true_score_variance", "prmse"), lambda **_: True),
    "preference_pairs": lambda **_: True,  # a count
    # λ
    **dict.fromkeys(("judge_assisted_mean", "judge_assisted_kappa", "judge_assisted_f_score"), lambda **_: True),
    "degradation": lambda of="correlation", **_: of == "smd",
    "quadratic_weighted_kappa": lambda ddof=0: ddof == 1,
    "standardized_mean_difference": lambda method="unpooled", **_: method in ("unpooled", "pooled"),
    "difference_of_standardized_means": lambda human_sd=None, **_: human_sd is None,
}


def _taken_too_many(metric: Metric, rows: Rows) -> Values:
    """Precision at volume: where more rows are to be taken than are positive, the rest is tied and all are taken."""
    at, share = metric.settings.get("at", 0.1), 1 / len(rows.categories or ())
    known = [rows.positive] if rows.positive else rows.categories or ()
    return {name or "": np.asarray(1.0 if at <= share else share) for name in known if metric.by_category} or {
        "": np.asarray(1.0 if at <= share else share)
    }


def _spread_of_ratings(metric: Metric, rows: Rows) -> Values:
    """Variance of true scores: there is no best one. Where raters agree, the variance of ratings less a given error."""
    times = np.isfinite(rows.first).sum(1)
    mean = np.nanmean(rows.first, axis=1)
    total, error = times.sum(), metric.settings.get("error_variance") or 0.0
    about = times @ (mean - times @ mean / total) ** 2 - (len(rows) - 1) * error
    return {"": np.asarray(about / (total - times @ times / total))}


def _patience(metric: Metric, rows: Rows) -> Values:
    """Rank-biased precision: a list that ends, or holds what is irrelevant, leaves something to be gained."""
    relevant = (rows.first >= 1).sum(1)
    return {"": np.mean(1 - metric.settings.get("p", 0.8) ** relevant)}


def _cascade(metric: Metric, rows: Rows) -> Values:
    """Expected reciprocal rank: not even an item of the top grade satisfies for sure."""
    top, at = metric.settings.get("top_grade", 4), metric.settings.get("at")
    totals = []
    for relevance in rows.first:
        stay, total = 1.0, 0.0
        for rank, grade in enumerate(sorted(relevance[~np.isnan(relevance)], reverse=True)[:at], 1):
            total += stay * (2**grade - 1) / 2**top / rank
            stay *= 1 - (2**grade - 1) / 2**top
        totals.append(total)
    return {"": np.mean(totals)}


def _all_persuaded(metric: Metric, rows: Rows) -> Values:
    """Uplift: there is no best one. Where only those of score 1 are helped, two straight lines."""
    treated, helped = rows.first[:, 1] == 1, rows.second == 1
    share, lift = helped.mean(), helped[treated].mean()
    area = lift * (share / 2 + 1 - share)
    return {"": np.asarray(area if metric.name == "uplift_auc" else area - lift / 2)}


def _watched_alike(metric: Metric, rows: Rows) -> Values:
    """Mean time between failures: no failure has no value. With one for each unit, the mean exposure."""
    return {"": np.mean(rows.first)}


def _mean_length(metric: Metric, rows: Rows) -> Values:
    """Length of answers: there is no best one."""
    lengths, chosen = rows.second, (rows.first == "b").astype(int)
    place = {"preferred": chosen, "rejected": 1 - chosen, "a": 0 * chosen, "b": 0 * chosen + 1}
    of = place[metric.settings.get("of", "preferred")]
    return {"": np.take_along_axis(lengths, of[:, None], axis=1).mean()}


def _all_good(metric: Metric, rows: Rows) -> Values:
    """Means have no best value: of rows that are all good it is 1."""
    return {"": np.asarray(1.0)}


def _as_the_judge_says(metric: Metric, rows: Rows) -> Values:
    """A judge without errors is not corrected: its share of the rows without a label."""
    return {"": np.asarray(rows.second[np.isnan(rows.first)].mean())}


# Perfect answers that do not reach `best`, or none at that scale: what they reach instead.
OTHERWISE: dict[str, Callable[[Metric, Rows], Values]] = {
    "precision_at_volume": _taken_too_many,
    "true_score_variance": _spread_of_ratings,
    "rank_biased_precision": _patience,
    "expected_reciprocal_rank": _cascade,
    "preference_pairs": lambda metric, rows: {"": np.asarray(float(len(rows)))},
    "answer_length": _mean_length,
    **dict.fromkeys(("uplift_auc", "qini"), _all_persuaded),
    "mean_time_between_failures": _watched_alike,
    # Logarithms end above 0: the shortest time is the unit it is measured in.
    "geometric_mean": lambda metric, rows: {"": np.asarray(1.0)},
    **dict.fromkeys(("judge_assisted_mean", "labelled_mean", "judge_mean"), _all_good),
    "rogan_gladen": _as_the_judge_says,
}


def of_units(metric: Metric) -> bool:
    return metric.name in OF_UNITS and OF_UNITS[metric.name](**metric.settings)


def draws(metric: Metric, law: str) -> Iterator[Draw]:
    return examples(FEWEST if metric.average else FEWER if metric.parameters else MANY, f"{law} of {metric!r}")


def same(one: Values, other: Values, tolerance: float = ROUNDING) -> bool:
    """Equal up to rounding; a category that only one side knows has no value there."""
    return all(
        np.allclose(one.get(name, np.nan), other.get(name, np.nan), rtol=tolerance, atol=tolerance, equal_nan=True)
        for name in {*one, *other}
    )


def check(holds: Any, metric: Metric, law: str, *shown: Any) -> None:
    assert holds, f"{metric} breaks the law of {law}: {' / '.join(map(str, shown))}"


def repetition(metric: Metric) -> None:
    """Integer weights equal repeated rows, and the formula of a stack is the stack of the formulas.

    A replicate is its rows repeated.
    """

    for draw in draws(metric, "repetition"):
        rows = rows_for(metric, draw)
        times = draw.random.poisson(1.0, size=(len(rows), 3)).astype(float)
        times[0] += 1  # no replicate is empty: an empty one has no array to compare with
        stacked = values_of_statistic(metric, stack_of(metric, rows, times))
        for place, repeated in enumerate(rows.repeated(of_one) for of_one in times.T):
            single, one = value(metric, repeated), {name: values[place] for name, values in stacked.items()}
            check(same(one, single), metric, "stacks", one, single)
        weights = times[:, -1] * (1.0 if rows.weights is None else rows.weights)
        weighted = value(metric, rows.weighing(weights))
        check(same(weighted, single), metric, "repetition", weighted, single)


def summation(metric: Metric) -> None:
    """Two parts, collected and added, equal the whole; neither the order of rows nor the names of labels matter.

    Names must keep their order and, where distance counts, their steps.
    """
    known = ("1", "2", "3", "a", "b", "c", "A", "B")

    for draw in draws(metric, "summation"):
        rows, random = rows_for(metric, draw, fewest=2), draw.random
        if len(rows) < 2:
            continue  # some rows say nothing and are left out
        whole = value(metric, rows)
        cut, place = int(random.integers(1, len(rows))), np.arange(len(rows))
        added = statistic_of(metric, rows.of(place[:cut])) + statistic_of(metric, rows.of(place[cut:]))
        parts = values_of_statistic(metric, added)
        check(same(parts, whole), metric, "parts", parts, whole)
        moved = value(metric, rows.of(random.permutation(len(rows))))
        check(same(moved, whole), metric, "order", moved, whole)
        if metric.settings.get("measurement") == "ratio":
            continue  # the ratio of two labels is not that of others with the same step
        names = {name: f"{name} again" for name in known} | dict(zip("123", ("11", "12", "13"), strict=True))
        if random.random() < 0.5:
            names |= dict(zip("123", "xyz", strict=True))
        named, other = (
            {names.get(name, name): values for name, values in whole.items()},
            value(metric, rows.renamed(names)),
        )
        check(same(named, other), metric, "names", named, other)


def rescaling(metric: Metric) -> None:
    """Rescaling all weights changes neither the value nor an interval by formula; it does where units are counted."""
    changed = []

    for draw in draws(metric, "rescaling"):
        rows, factor = rows_for(metric, draw, fewest=6, weighted=True), draw.one((1 / 50, 100.0))
        assert rows.weights is not None
        plain, scaled = (statistic_of(metric, one) for one in (rows, rows.weighing(rows.weights * factor)))
        a, b = values_of_statistic(metric, plain), values_of_statistic(metric, scaled)
        changed.append(not same(a, b))
        if of_units(metric):
            continue
        check(same(a, b), metric, "rescaled weights", a, b)
        for method in set(metric.intervals) - set(BY_RESAMPLING):
            limits = [closed_form(method, metric, statistic, 0.95) for statistic in (plain, scaled)]
            # Limits that rounding alone tells apart, of a correlation of 1, are as good as none.
            given = [one is not None and bool(np.any(one.high - one.low > ROUNDING)) for one in limits]
            check(given[0] == given[1], metric, "rescaled weights", method, *limits)
            if limits[0] is not None and limits[1] is not None:
                a, b = ({"low": one.low, "high": one.high} for one in limits if one is not None)
                # Effective rows go through a ratio of sums of squares and an inverse incomplete beta function.
                check(same(a, b, 1e-7), metric, "rescaled weights", method, a, b)
    check(any(changed) == of_units(metric), metric, "rescaled weights", "it counts no units after all")


def answers(metric: Metric, seed: int, making: Making) -> Rows:
    return EXAMPLES[metric.over].answers(metric, np.random.default_rng(seed), making)


def best(metric: Metric) -> None:
    """Perfect answers reach the declared best value, which no other value in the range is better than."""
    for seed, wide in enumerate((False, True)):
        rows = answers(metric, seed, Making(36, 0.0, wide, even=True))
        found = value(metric, rows)
        other = OTHERWISE.get(metric.name)
        expected = {name: np.asarray(metric.best) for name in found} if other is None else other(metric, rows)
        check(found, metric, "the best value", "there is no value")
        check(same(found, expected, 1e-12), metric, "the best value", found, expected)
    low, high = metric.range
    ends = {Direction.HIGHER: (high, np.inf), Direction.LOWER: (low, -np.inf)}
    if metric.direction in ends:
        end, beyond = ends[metric.direction]
        reached = (metric.best,) if metric.name in OTHERWISE else (metric.best, beyond)
        check(end in reached, metric, "the best value", f"{end} is better than {metric.best}")
    elif metric.direction is Direction.NEAREST:
        check(low < metric.best < high, metric, "the best value", metric.range)


def in_range(metric: Metric, found: Values) -> bool:
    low, high = metric.range
    flat = np.array([one for values in found.values() for one in np.ravel(values)])
    # A sum of squares may leave its range by a rounding error.
    return bool((np.isnan(flat) | ((flat >= low - ROUNDING) & (flat <= high + ROUNDING))).all())


def ranges(metric: Metric) -> None:
    """Every value stays in the declared range."""
    for amount in (0.0, 1.0):
        found = value(metric, answers(metric, 1, Making(36, amount, even=True)))
        check(in_range(metric, found), metric, "ranges", found)

    for draw in draws(metric, "ranges"):
        rows = rows_for(metric, draw)
        whole = rows if rows.weights is None else rows.weighing(np.ceil(rows.weights))
        # A unit of less than one item is no item where items are counted.
        found = value(metric, whole if of_units(metric) else rows)
        check(in_range(metric, found), metric, "ranges", found)


def symmetry(metric: Metric) -> None:
    """Swapping the two sides, or raters, changes nothing where that is declared; elsewhere it changes something.

    A metric declares it for all its parameters: without any, the whole family is looked at.
    """

    def changes(member: Metric, rows: Rows) -> bool:
        turned = EXAMPLES[metric.over].swapped(rows)  # sides of different kinds cannot be swapped
        return turned is None or not same(value(member, rows), value(member, turned))

    members = [metric] if metric.parameters else family(metric)
    changed = [member for member in members if changes(member, answers(member, 3, Making(36, 0.5, even=True)))]
    if not metric.symmetric:
        check(changed or metric.parameters, metric, "symmetry", "it is symmetric and does not say so")
        return
    check(not changed, metric, "symmetry", f"{changed} change")

    for draw in draws(metric, "symmetry"):
        rows = rows_for(metric, draw)
        check(not changes(metric, rows), metric, "symmetry", rows)


SEEDS = 4


def badness(metric: Metric, value: float) -> float:
    """How far a value is from good: larger is worse, whichever way is better."""
    away = {Direction.HIGHER: -value, Direction.LOWER: value, Direction.NEAREST: abs(value - metric.best)}
    return away[metric.direction]


def direction(metric: Metric) -> None:
    """The more answers are wrong, the worse the value is on average: never better, and worse in the end.

    Where there are values on both sides of the best one, it is worse on both.
    """

    def distance(seed: int, amount: float, mirrored: bool) -> float:
        making = Making(60, amount, wide=bool(seed % 2), even=True, mirrored=mirrored)
        found = value(metric, answers(metric, seed, making))
        return float(np.nanmean([badness(metric, float(one)) for one in found.values()]))

    def means(amounts: tuple[float, ...], mirrored: bool = False) -> np.ndarray:
        seeds = range(2 if metric.average else SEEDS)
        return np.nanmean([[distance(seed, amount, mirrored) for amount in amounts] for seed in seeds], axis=0)

    # Where what is perfect is something else, what is nearly so comes first.
    mean = means((0.3, 0.6, 1.0) if metric.name in OTHERWISE else (0.0, 0.3, 0.6, 1.0))
    worse = mean[-1] - mean[0]
    check(worse > ROUNDING, metric, "direction", mean)
    check((np.diff(mean) >= -0.05 * worse).all(), metric, "direction", mean)
    if metric.best not in metric.range:
        mean = means((0.0, 1.0), mirrored=True)
        check(mean[-1] - mean[0] > ROUNDING, metric, "direction", "on the other side", mean)


def degenerate(metric: Metric) -> None:
    """No units have no value; too few or too alike have none or one in range. Never a warning or an exception."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, rows in EXAMPLES[metric.over].degenerate(metric).items():
            statistic = statistic_of(metric, rows)
            found = values_of_statistic(metric, statistic)
            check(in_range(metric, found), metric, "degenerate rows", name, found)
            if name == "nothing":
                check(all(np.isnan(one).all() for one in found.values()), metric, "degenerate rows", name, found)
            for method in set(metric.intervals) - set(BY_RESAMPLING):
                closed_form(method, metric, statistic, 0.95)


def intervals(metric: Metric) -> None:
    """Every declared method gives limits around the value of ordinary rows; one without limits is declared alone.

    A method that stands instead of another gives limits, or leaves them to that one.
    """
    declared = metric.intervals
    check(declared and len(set(declared)) == len(declared), metric, "intervals", declared)
    check(declared == ("none",) or {"bootstrap", "none"} & {*declared} == {"bootstrap"}, metric, "intervals", declared)
    if metric.parameters:
        return  # some methods are of some parameters only: they are looked for in the whole family
    rows = answers(metric, 4, Making(60, 0.4, wide=False, even=True))
    left = set(declared) - set(BY_RESAMPLING)
    for member in family(metric):
        statistic = statistic_of(member, rows)
        middle = np.ravel(member.values(statistic))
        for method in set(declared) - set(BY_RESAMPLING):
            bounds = closed_form(method, member, statistic, 0.95)
            if NEEDS[method].instead_of:
                left -= {method}
                other = closed_form(NEEDS[method].instead_of, member, statistic, 0.95)
                bounds = other if bounds is None or other is None else _filled(bounds, other)
            if bounds is None:
                continue
            left -= {method}
            low, high = np.ravel(bounds.low) - ROUNDING, np.ravel(bounds.high) + ROUNDING
            check(((low <= middle) & (middle <= high)).all(), member, "intervals", middle, bounds)
            check(in_range(member, {"low": bounds.low, "high": bounds.high}), member, "intervals", bounds)
    check(not left, metric, "intervals", f"{left} give none")


def _filled(bounds: Bounds, other: Bounds) -> Bounds:
    """The limits of a method, those of another where there are none; both reach from inside to outside."""
    missing = np.isnan(bounds.low)
    low, high = (np.where(missing, b, a) for a, b in ((bounds.low, other.low), (bounds.high, other.high)))
    assert ((low <= other.low) & (high >= other.high)).all()
    return Bounds(bounds.method, low, high)


def names(metric: Metric) -> None:
    """The name reads back to the metric, and nothing else has it."""
    read = catalogue.parse(repr(metric))
    check(read == metric and hash(read) == hash(metric), metric, "names", read)
    check(read.parameters == metric.parameters and read.formula is metric.formula, metric, "names", read)


def declaration(metric: Metric) -> None:
    """What people are told is there, and no other metric has the label."""
    check(metric.label and metric.undefined and metric.formula.__doc__, metric, "the declaration", "words are missing")
    check(metric.references and all(metric.references), metric, "the declaration", "no reference")
    others = {other.label for other in catalogue.every() if other.name != metric.name}
    check(metric.label not in others, metric, "the declaration", f"{metric.label} is another's label")
    check(metric.range[0] <= metric.best <= metric.range[1], metric, "the declaration", metric.best, metric.range)
    check(metric.full_label.startswith(metric.label), metric, "the declaration", metric.full_label)


LAWS: tuple[Law, ...] = (
    repetition,
    summation,
    rescaling,
    best,
    ranges,
    symmetry,
    direction,
    degenerate,
    intervals,
    names,
    declaration,
)
