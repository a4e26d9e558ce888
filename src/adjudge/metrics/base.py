"""What a metric is: a formula of a statistic, with everything there is to say about it declared beside it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from adjudge.data.label_values import among
from adjudge.errors import AdjudgeError, SettingError, check_choice, listed, literal, quoted
from adjudge.metrics.declaration import ArrayKeywords, Declaration, parameter_in_words
from adjudge.metrics.intervals import Mean, Quantity, Share, Tail, Unseen, check_intervals
from adjudge.metrics.rating_counts import counts_of_ratings
from adjudge.metrics.score_cells import Extremes
from adjudge.statistics.base import AnyStatistic, Array, ratio
from adjudge.statistics.categories import can_be_pooled, has_categories
from adjudge.statistics.curves.curve import Curves
from adjudge.statistics.judges.tables import Assisted
from adjudge.statistics.moments import Moments
from adjudge.statistics.queries.values import QueryValue
from adjudge.statistics.ratings.patterns import Patterns
from adjudge.statistics.ratings.vectors import RatingVectors

AVERAGES = ("macro", "micro", "weighted")

Parameters = Mapping[str, Any]  # Any: of whatever formula, each of the type that the formula declares
OfEachUnit = tuple[QueryValue, ...] | Callable[[Array], Array]  # values of queries, or what makes one of each row's


class Direction(Enum):
    """Which way is better."""

    HIGHER = "higher is better"
    LOWER = "lower is better"
    NEAREST = "closest to the best value is best"


@dataclass(frozen=True)
class Metric:
    """A formula of a statistic, and its declaration.

    Call it on arrays to get a number; on a statistic to get one value for each leading entry.
    """

    formula: Callable[..., Array]
    name: str
    label: str
    over: type[AnyStatistic]
    direction: Direction
    range: tuple[float, float]
    best: float
    undefined: str
    references: Sequence[str]
    intervals: tuple[str, ...] = ("bootstrap",)
    per: str | None = None
    symmetric: bool = False
    probabilities: bool = False
    share: Callable[..., Share | None] | None = None
    mean: Callable[..., Mean | Moments] | None = None  # what the metric is the mean of, with its spread
    tail: Callable[..., Tail | Unseen] | None = None  # what rows add to it, and the largest of that: for heavy tails
    slopes: Callable[..., Array] | None = None  # how it changes with the weight of each kind of unit
    assisted: Callable[..., list[Assisted]] | None = None  # the figure of each category, and what rows add to its doubt
    ratings: Callable[..., Array] | None = None  # of each category, the weight of the ratings that it is a share of
    pairs: Callable[..., Array] | None = None  # the effective number of pairs behind a correlation
    rests_on: Callable[..., Array] | None = (
        None  # the effective number of units without which no method tells its doubt
    )
    flat: Callable[..., str] | None = None  # which part of it never varies, so that no draws tell how far it might
    quantity: Quantity | None = None  # what it is, for intervals that hold for nothing else
    baseline: Callable[..., Array] | None = None
    threshold: Callable[..., Array] | None = None
    traded: tuple[str, str] = ("", "")  # what a threshold is chosen for, and what it is held at
    check: Callable[..., None] | None = None
    parts: Callable[..., dict[str, Array]] | None = None  # observed and expected agreement
    mean_over: Metric | None = None  # of categories, the metric whose mean over those that are defined it is
    alone: str | None = None  # the average that stands for all categories where one number is asked for
    reading: Mapping[str, object] = field(default_factory=dict)  # how arrays are read, unless told otherwise
    rounded_only: bool | Callable[..., bool] = False  # of scores, those on the scale's points; may ask parameters
    unit: str = "coefficient"  # how it is read: share (in percent), coefficient, SD
    short: str = ""  # its name in a sentence, where that is another than the label
    each: Callable[..., OfEachUnit] | None = None  # what to work out for each unit before it is summed
    in_cells: Callable[..., Extremes] | None = None  # its least and largest value where scores stand in cells
    parameters: Parameters = field(default_factory=dict)  # each as the formula declares it

    def __post_init__(self) -> None:
        check_intervals(self)

    def __hash__(self) -> int:
        return hash(self.name_with_parameters)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metric) and self.name_with_parameters == other.name_with_parameters

    def __repr__(self) -> str:
        return self.name_with_parameters

    @cached_property
    def name_with_parameters(self) -> str:
        """The name that prints and reads back."""
        if not self.parameters:
            return self.name
        return f"{self.name}({', '.join(f'{key}={value}' for key, value in sorted(self.parameters.items()))})"

    @property
    def full_label(self) -> str:
        """The label with its bound parameters, for people."""
        words = [parameter_in_words(key, value) for key, value in sorted(self.parameters.items())]
        if "at" in self.parameters:
            return f"{self.label}{' ' if ' at ' in self.label else '@'}{' '.join(words)}"
        return f"{self.label} ({', '.join(words)})" if words else self.label

    @property
    def better(self) -> str:
        """Which way is better, for people.

        >>> from adjudge.metrics import accuracy, standardized_mean_difference
        >>> accuracy.better, standardized_mean_difference.better
        ('higher is better', 'closest to 0 is best')
        """
        if self.direction is Direction.NEAREST:
            return f"closest to {self.best:g} is best"
        return str(self.direction.value)

    @property
    def average(self) -> str | None:
        """How categories are averaged; None when they are not."""
        average = self.parameters.get("average")
        return None if average is None else str(average)

    @property
    def by_category(self) -> bool:
        """Whether there is one value for each category."""
        return self.per == "category" and self.average is None

    @property
    def by_itself(self) -> Metric:
        """The metric of each category, not averaged; itself where it is no average.

        >>> from adjudge.metrics import recall
        >>> recall.averaged("macro").by_itself
        recall
        """
        if self.mean_over is not None or self.average is None:
            return self.mean_over or self
        return replace(self, parameters={name: value for name, value in self.parameters.items() if name != "average"})

    @cached_property
    def settings(self) -> Parameters:
        """The parameters of the formula itself, each as it is fixed or by default."""
        return {name: self.parameters.get(name, usual) for name, usual in (self.formula.__kwdefaults__ or {}).items()}

    def serves(self, rounded: bool) -> bool:
        """Whether the metric says something of scores that are rounded to the scale, or of those that are not.

        >>> from adjudge.metrics import degradation, exact_agreement
        >>> exact_agreement.serves(rounded=False), degradation.using(of="qwk").serves(rounded=False)
        (False, True)
        """
        only = self.rounded_only(**self.settings) if callable(self.rounded_only) else self.rounded_only
        return rounded or not only

    def using(self, **parameters: object) -> Metric:
        """The same metric with parameters fixed.

        >>> from adjudge.metrics import f_score
        >>> f_score.using(beta=2)
        f_score(beta=2)
        """
        for name, value in parameters.items():
            if isinstance(value, int) and abs(value) > sys.float_info.max:
                raise SettingError(f"`{name}` must be a number of at most 308 digits, not {literal(value)}.")
        allowed = {*self.settings, *(["average"] if self.per == "category" else [])}
        if "level" in parameters and "measurement" in allowed:
            raise SettingError("`level` is the confidence level; the level of measurement is `measurement`.")
        if unknown := set(parameters) - allowed:
            takes = f"It takes: {listed(sorted(allowed))}." if allowed else "It takes none."
            raise SettingError(f"`{self.name}` has no parameter {listed(sorted(unknown))}. {takes}")
        check_choice("average", parameters.get("average", "macro"), AVERAGES, literal)
        if parameters.get("average") == "micro" and not hasattr(self.over, "pooled"):
            why = "each category has its own scores. Use macro or weighted"
            raise SettingError(f"`{self.name}` has no micro average: {why}.")
        changed = replace(self, parameters={**self.parameters, **parameters})
        try:
            str(changed)
            if self.check is not None:
                self.check(**changed.settings)
        except AdjudgeError:
            raise
        except Exception:  # of what has no text, or cannot be compared with a number
            shown = ", ".join(f"{name}={literal(value)}" for name, value in parameters.items())
            raise SettingError(f"`{self.name}` must have parameters of their kind, not {shown}.") from None
        return changed

    def averaged(self, kind: str) -> Metric:
        """One number over all categories: "macro", "micro" or "weighted".

        >>> from adjudge.metrics import recall
        >>> recall.averaged("macro")(["a", "a", "b"], ["a", "b", "b"])
        0.75
        """
        if self.per != "category":
            raise SettingError(f"`{self.name}` is one number already: there are no categories to average over.")
        return self.using(average=kind)

    def values(self, statistic: object) -> Array:
        """The formula's values: (…) for one number, (…, K) for one by category."""
        if self.per is None:
            return np.asarray(self.formula(statistic, **self.settings))
        assert has_categories(statistic), "what a metric by category is over"
        if self.average == "micro":
            assert can_be_pooled(statistic), "see `using`"
            return np.asarray(statistic.pooled(lambda part: self.formula(part, **self.settings)))
        each = np.asarray(statistic.each_category(lambda part: self.formula(part, **self.settings)))
        if self.average is None:
            return each
        weight = np.ones_like(each) if self.average == "macro" else statistic.category_weight
        defined = ~np.isnan(each)
        return np.asarray(ratio(np.where(defined, each * weight, 0).sum(-1), (weight * defined).sum(-1)))

    @np.errstate(all="ignore")  # what is undefined is NaN, and NumPy need not warn of it on the way
    def __call__(
        self,
        reference: object,
        prediction: object = None,
        *,
        weights: Sequence[float] | Array | None = None,
        positive: object = None,
        categories: Sequence[object] | None = None,
        **options: object,
    ) -> float:
        """The metric of two arrays, as a float; those of many raters take one matrix of items × raters.

        `prediction` is a label for each row or, for score metrics, a score for each row (or one for each category: then
        give `categories`, the order of the columns). `options` are parameters of the metric, or of how arrays are read.
        """
        metric = self.with_options(options)
        sums = metric.statistic_of(reference, prediction, weights=weights, positive=positive, categories=categories)
        return float(metric.one_value(sums, positive))

    def statistic_of(self, first: object, second: object = None, **given: Unpack[ArrayKeywords]) -> AnyStatistic:
        """What the formula divides, from arrays that are read as the metric declares.

        >>> from adjudge.metrics import accuracy
        >>> accuracy.statistic_of(["a", "b", "b"], ["a", "a", "b"]).counts.tolist()
        [[1.0, 0.0], [1.0, 1.0]]
        """
        return self.over.of_arrays(first, second, **given, **self.array_options)

    @property
    def array_options(self) -> dict[str, object]:
        """How arrays are read, and what is to be worked out for each unit."""
        return {**self.reading, **({} if self.each is None else {"each": self.each(**self.settings)})}

    def with_options(self, options: Mapping[str, object]) -> Metric:
        """The metric with those of the options that say how arrays are read, and others as its parameters."""
        parameters = {name: value for name, value in options.items() if name not in self.reading}
        reading = {name: options.get(name, usual) for name, usual in self.reading.items()}
        read = replace(self, reading=reading) if reading else self
        return read.using(**parameters) if parameters else read

    def made_of(
        self,
        first: object,
        second: object = None,
        *,
        weights: Sequence[float] | Array | None = None,
        categories: Sequence[object] | None = None,
        **options: object,
    ) -> dict[str, float]:
        """What a coefficient of agreement is made of: observed and expected agreement, and how much was rated.

        >>> from adjudge.metrics import cohen_kappa
        >>> parts = cohen_kappa.made_of(["a", "a", "b", "b"], ["a", "b", "b", None])
        >>> parts["items"], parts["paired_items"], round(parts["observed"], 3), round(parts["expected"], 3)
        (4.0, 3.0, 0.667, 0.444)
        """
        if self.parts is None and not issubclass(self.over, (Patterns, RatingVectors)):
            raise SettingError(f"`{self.name}` is not made of ratings.")
        metric, parts = self.with_options(options), {}
        if self.parts is not None:
            statistic = metric.statistic_of(first, second, weights=weights, categories=categories)
            parts = self.parts(statistic, **metric.settings)
        said = {name: float(part) for name, part in parts.items()}
        return said | counts_of_ratings(self.over, first, second, categories)

    def one_value(self, statistic: object, positive: object = None) -> Array:
        """The value as one number: of the positive category, when the metric is by category."""
        if self.by_category and positive is None and self.alone is not None:
            return self.averaged(self.alone).values(statistic)
        values = self.values(statistic)
        if not self.by_category:
            return values
        assert has_categories(statistic), "what a metric by category is over"
        if not statistic.categories:
            return np.full(values.shape[:-1], np.nan)
        return np.asarray(values[..., self.place_of(statistic.categories, positive)])

    def place_of(self, known: tuple[str, ...], positive: object) -> int:
        """Where the positive category stands among those there is a value for."""
        if len(known) == 1:
            return 0
        if positive is None:
            raise SettingError(
                f"`{self.name}` is one number for each category. Give `positive=` one of {listed(known)}, "
                f'or use {self.name}.averaged("macro").'
            )
        if (label := among(positive, known)) not in known:
            raise SettingError(f"`positive` must be one of {listed(known)}, not {quoted(positive)}.")
        return known.index(label)

    def threshold_of(
        self,
        reference: object,
        score: object,
        *,
        weights: Sequence[float] | Array | None = None,
        positive: object = None,
        categories: Sequence[object] | None = None,
        **parameters: object,
    ) -> float:
        """The threshold at which the value is reached: rows scoring at least this are taken.

        >>> from adjudge.metrics import precision_at_recall
        >>> precision_at_recall.threshold_of([0, 1, 1], [0.2, 0.7, 0.9], at=0.5)
        0.9
        """
        if self.threshold is None:
            raise SettingError(f"`{self.name}` has no threshold.")
        statistic = self.statistic_of(reference, score, weights=weights, positive=positive, categories=categories)
        assert isinstance(statistic, Curves), "what a metric with a threshold is over"
        place = self.place_of(statistic.categories, positive)
        return float(self.threshold(statistic.curves[place], **self.using(**parameters).settings))


def metric(**declaration: Unpack[Declaration]) -> Callable[[Callable[..., Array]], Metric]:
    """Declare a formula as a metric; its name is the function's, and `best` the better end of its range."""
    if (direction := declaration["direction"]) is not Direction.NEAREST:
        declaration.setdefault("best", (max if direction is Direction.HIGHER else min)(declaration["range"]))

    def declare(formula: Callable[..., Array]) -> Metric:
        declared_metric = Metric(formula=formula, name=formula.__name__, **declaration)
        object.__setattr__(declared_metric, "__doc__", formula.__doc__)
        return declared_metric

    return declare
