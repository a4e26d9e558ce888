"""A metric of your own: a plain function of two arrays, with a bootstrap interval."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from adjudge.data.judgements.value_columns import Column
from adjudge.errors import SettingError, check_choice, literal, quoted
from adjudge.metrics.base import Direction, Metric
from adjudge.statistics.base import Array
from adjudge.statistics.numbers.value_pairs import ScoredPairs, ValuePairs

DIRECTIONS = {"higher": Direction.HIGHER, "lower": Direction.LOWER, "nearest": Direction.NEAREST}
OVER: dict[str, type[ValuePairs]] = {"prediction": ValuePairs, "score": ScoredPairs}
# What a function may call the weights of its rows.
WEIGHTS = ("weights", "sample_weight")

MOST_NAME = 100  # letters
ROUNDED = 1e-9

# The metrics of this session that are not in the catalogue, by name: reports look names up here too.
OWN: dict[str, Metric] = {}


def metric(
    function: Callable[..., float],
    *,
    name: str | None = None,
    label: str | None = None,
    direction: str | Direction = "higher",
    range: tuple[float, float] = (-np.inf, np.inf),
    best: float | None = None,
    of: str = "prediction",
    undefined: str = "the function gives no number here",
    references: tuple[str, ...] = ("the function itself",),
) -> Metric:
    """A metric from a function of two arrays, the reference and the prediction (or, with of="score", the score).

    A replicate is the rows that were drawn, repeated; a function with a keyword `weights` (or `sample_weight`) gets
    each distinct row once, with how often it counts. Other keywords with defaults are parameters: `own.using(…)`.
    Labels that all spell numbers are given as numbers. A `ValueError` or a division by zero is an undefined value.

    >>> from adjudge import estimate
    >>> def share_of_hits(reference, prediction):
    ...     return (reference == prediction).mean()
    >>> hits = metric(share_of_hits, label="Hits", range=(0, 1))
    >>> hits(["a", "b", "b", "b"], ["a", "b", "b", "a"])
    0.75
    >>> e = estimate(hits, ["a", "b", "b", "b"] * 10, ["a", "b", "b", "a"] * 10)
    >>> e.value, e.method, e.interval.low < 0.75 < e.interval.high
    (0.75, 'bootstrap', True)
    """
    if not isinstance(direction, Direction):
        check_choice("direction", direction, DIRECTIONS)
    way = direction if isinstance(direction, Direction) else DIRECTIONS[direction]
    check_choice("of", of, OVER)
    for argument, text in (("name", name), ("label", label), ("undefined", undefined)):
        if not isinstance(text, str | None):
            raise SettingError(f"`{argument}` must be a text, not {literal(text)}.")
    if not isinstance(references, (list, tuple)) or not all(isinstance(one, str) for one in references):
        raise SettingError(f"`references` must be a list of texts, not {literal(references)}.")
    low, high = _ends(range)
    known_as = _name(function, name)
    _check_takes_two(function)
    own = Metric(
        formula=_formula(function, (low, high)),
        name=known_as,
        label=label or known_as.replace("_", " ").capitalize(),
        over=OVER[of],
        direction=way,
        range=(low, high),
        best=_best(best, way, (low, high)),
        undefined=undefined,
        references=tuple(references),
    )
    OWN[known_as] = own
    return own


def _ends(range: object) -> tuple[float, float]:
    """The smallest and the largest value that a metric can have."""
    if not isinstance(range, Sequence) or isinstance(range, str) or len(range) != 2:
        raise SettingError(f"`range` must be two numbers, the smallest and the largest value, not {literal(range)}.")
    low, high = (_end("range", one) for one in range)
    if not low < high:
        raise SettingError(f"`range` must begin below its end, but it is {literal(range)}. Give the smaller one first.")
    return low, high


def _best(best: float | None, way: Direction, ends: tuple[float, float]) -> float:
    """The value that is best: an end of the range, unless told."""
    if best is None:
        if way is Direction.NEAREST:
            raise SettingError('`best` must be given with direction="nearest": the value that is best.')
        return ends[way is Direction.HIGHER]
    number = _end("best", best)
    if not ends[0] <= number <= ends[1]:
        raise SettingError(
            f"`best` must be in `range`, from {ends[0]:g} to {ends[1]:g}, but it is {number:g}. Give one of them anew."
        )
    return number


def _end(name: str, value: object) -> float:
    try:
        number = float(value) if isinstance(value, (int, float, np.number)) else np.nan
    except (OverflowError, TypeError):  # a whole number beyond any float, or one of the complex kind
        number = np.nan
    if np.isnan(number):
        kind = "two numbers" if name == "range" else "a number"
        raise SettingError(f"`{name}` must be {kind}, not {literal(value)}.")
    return number


def _name(function: Callable[..., float], name: str | None) -> str:
    """A name that reads back, and that no metric of the catalogue has."""
    from adjudge.metrics.catalogue import every

    if not callable(function):
        raise SettingError(f"A metric must be made of a function of two arrays, not of {literal(function)}.")
    known_as = str(name or getattr(function, "__name__", ""))
    if not known_as.isidentifier() or len(known_as) > MOST_NAME:
        raise SettingError(
            f"`name` must be one word of at most {MOST_NAME} letters, digits and _, but the function is "
            f"{quoted(known_as)}. Give another."
        )
    if known_as in {one.name for one in every()}:
        raise SettingError(f"`name` must be a new one, but {quoted(known_as)} is a metric already. Give another.")
    return known_as


def _check_takes_two(function: Callable[..., float]) -> None:
    """It can be called with a reference and a prediction, and weights where it asks for them."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some functions of compiled libraries do not say
        return
    weights = {word: None for word in WEIGHTS if word in list(signature.parameters)[2:]}
    try:
        signature.bind(None, None, **weights)
    except TypeError:
        raise SettingError(
            "A metric's function must take two arrays, the reference and the prediction, and no other argument without "
            f"a default but `weights`; it takes {quoted(str(signature))}. Wrap it in one that does."
        ) from None


def _formula(function: Callable[..., float], ends: tuple[float, float]) -> Callable[..., Array]:
    """The function as a formula of pairs of values, which must lie in its range."""
    keywords = _keywords(function)
    weighted = next((word for word in WEIGHTS if word in keywords), None)
    defaults = {word: default for word, default in keywords.items() if word not in WEIGHTS}

    def formula(pairs: ValuePairs, **parameters: object) -> Array:
        def value(first: Column, second: Column, weights: Array) -> float:
            if not len(weights):
                return np.nan
            if weighted is not None:
                return _within(ends, _number(function, (first, second), {**parameters, weighted: weights}))
            times = np.rint(weights).astype(np.int64)
            if not np.allclose(times, weights):
                raise SettingError(
                    "Rows that weigh more or less than one need a function of weights. Give it a keyword `weights`."
                )
            return _within(ends, _number(function, (np.repeat(first, times), np.repeat(second, times)), parameters))

        return pairs.calls(value)

    formula.__kwdefaults__ = defaults
    formula.__doc__ = function.__doc__
    return formula


def _within(ends: tuple[float, float], number: float) -> float:
    """The number, refused where the metric was declared not to reach it; what was rounded may lie beside an end."""
    low, high = ends
    room = ROUNDED * max(1.0, abs(number))
    if np.isfinite(number) and not low - room <= number <= high + room:
        raise SettingError(
            f"A metric's function must give numbers in its `range`, from {low:g} to {high:g}, but it gave {number:g}. "
            "Give another range, or none."
        )
    return number


def _keywords(function: Callable[..., float]) -> dict[str, object]:
    """The keywords of a function that have a default, beyond its first two arguments."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some functions of compiled libraries do not say
        return {}
    named = [one for one in parameters[2:] if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return {one.name: one.default for one in named if one.default is not one.empty or one.name in WEIGHTS}


def _number(function: Callable[..., float], arrays: tuple[Column, Column], keywords: Mapping[str, object]) -> float:
    """What the function gives; NaN where it has no answer, as for one label only."""
    try:
        answer = function(*arrays, **keywords)
    except (ValueError, ArithmeticError):
        return np.nan
    try:
        return float(answer)
    except (TypeError, ValueError, OverflowError):
        raise SettingError(
            f"A metric's function must give a number, but it gave {literal(answer)}. Where it has none, give nan."
        ) from None
