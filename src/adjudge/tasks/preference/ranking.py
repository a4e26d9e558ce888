"""Which models win: rankings, win rates, and how sure they are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from adjudge.data.pair_votes import PairVotes
from adjudge.data.votes import NEITHER, A, B
from adjudge.diagnosis.model_strengths import (
    Codes,
    Games,
    Strengths,
    always_in_one_place,
    bradley_terry,
    davidson,
    elo,
    rank_intervals,
    simultaneous_quantile,
    win_rates,
)
from adjudge.errors import SettingError, listed
from adjudge.evaluation.panels import ForestLine, ForestPanel, MatrixPanel, Panels, TablePanel
from adjudge.statistics.base import Array
from adjudge.tasks.preference.panels import Shown, Value, number, reach_of
from adjudge.tasks.preference.reading import MODEL, RANDOM

MOST_MODELS, FEW_PROMPTS = 200, 10
POINTS = 400 / np.log(10)  # Elo-like points of a strength


def games_of(pairs: PairVotes, weight: Array) -> Games | None:
    """The pairs of two models that the first column decided, ties included; None where there are none."""
    reference, models = pairs.votes[:, 0], pairs.models
    kept = (models >= 0).all(1) & (models[:, 0] != models[:, 1]) & (reference <= NEITHER)
    if not kept.any():
        return None
    used, codes = np.unique(models[kept], return_inverse=True)
    first, second = codes.reshape(-1, 2).T
    outcome = np.where(reference[kept] == A, 1.0, np.where(reference[kept] == B, 0.0, 0.5))
    names = tuple(pairs.model_names[code] for code in used)
    return Games(first, second, outcome, weight[kept], pairs.prompts[kept], names)


def ranking_panels(shown: Shown) -> Panels:
    """Strengths, ranks and win rates of models, where the pairs are at hand and somebody chose between models."""
    if shown.units is None or shown.study.reading.columns[0].startswith(MODEL):
        return Panels()
    games = games_of(shown.units.pairs, shown.units.weight)
    if games is None or len(games.models) > MOST_MODELS:
        return Panels()
    by_prompt = shown.study.reading.cluster is not None
    random_order = shown.study.order == RANDOM
    if random_order and (fixed := always_in_one_place(games)):
        raise SettingError(
            f"`order` must not be random where a model always has the same place, as {listed(fixed, 3)} has: its "
            "strength cannot be told from the place. Leave it out."
        )
    found = bradley_terry(games, by_prompt=by_prompt, with_place=random_order)
    order = np.argsort(-found.values, kind="stable")
    return Panels(
        forests=[_forest(shown, games, found, order)],
        matrices=[_rates(shown, games, order)],
        tables=[_table(shown, games, found, order), *_place(shown, found)],
    )


def _limits(found: Strengths, place: int, level: float) -> tuple[float, float, float]:
    reach = reach_of(level) * found.errors[place]
    return float(found.values[place]), float(found.values[place] - reach), float(found.values[place] + reach)


def _forest(shown: Shown, games: Games, found: Strengths, order: Codes) -> ForestPanel:
    played = games.wins + games.wins.T + games.ties
    lines = [
        ForestLine(games.models[k], *_limits(found, k, shown.level), round(float(played[k].sum())))
        for k in order.tolist()
    ]
    note = f"Bradley and Terry's strengths, centred; a tie is half a win. {found.note}".strip()
    return ForestPanel("Which models win?", note, "Strength (log odds)", lines, 0.0)


def _rates(shown: Shown, games: Games, order: Codes) -> MatrixPanel:
    rate, low, high, count = win_rates(games, shown.level)
    names = [games.models[k] for k in order]

    def sorted_list(values: Array) -> list[list[float | None]]:
        return [[number(one) for one in row] for row in values[np.ix_(order, order)]]

    n = np.rint(count[np.ix_(order, order)]).astype(int).tolist()
    note = "How often the row's answer was chosen over the column's; a tie is half. Tango's limits."
    lists = (sorted_list(rate), sorted_list(low), sorted_list(high))
    return MatrixPanel("Win rates", note, names, names, *lists, n, (0.0, 1.0))


def _table(shown: Shown, games: Games, found: Strengths, order: Codes) -> TablePanel:
    q = simultaneous_quantile(found.covariance, shown.level, shown.seed, "ranks of models")
    best, worst = rank_intervals(found.values, found.covariance, q)
    tied = davidson(games) if games.ties.any() else None
    points: dict[str, float] = {}
    if shown.study.rating == "elo":
        points = elo(zip(_named(games, games.first), _named(games, games.second), games.outcome.tolist(), strict=True))
    rows: list[list[Value]] = []
    for place, k in enumerate(order.tolist(), 1):
        value, low, high = _limits(found, k, shown.level)
        wide = [number(float(1000 + POINTS * one)) for one in (value, low, high)]
        with_ties = None if tied is None else number(float(tied.values[k]))
        ranks = f"{best[k]} to {worst[k]}" if best[k] < worst[k] else str(best[k])
        rows.append([place, games.models[k], number(value), number(low), number(high), ranks, *wide, with_ties])
        rows[-1].append(number(points[games.models[k]]) if points else "")
    head = ["rank", "model", "strength", "low", "high", "ranks that fit", "points", "points, low", "points, high"]
    head += ["with ties (Davidson)", "Elo, in this order"]
    fit = f"Deviance of pairs {found.deviance:.1f} on {found.freedom} degrees of freedom."
    prompts = len(np.unique(games.prompts))
    few = f" Only {prompts} prompts: read intervals with care." if prompts < FEW_PROMPTS else ""
    hold = "Ranks hold for all models together. Only differences of points mean something."
    note = f"{hold} {fit}{few} {found.note}".strip()
    return TablePanel("Ranking of models", note, head, rows)


def _place(shown: Shown, found: Strengths) -> Iterator[TablePanel]:
    """What it is worth to come first."""
    if found.place is None:
        return
    value, error = found.place
    ends = [value, value - reach_of(shown.level) * error, value + reach_of(shown.level) * error]
    shares = [float(1 / (1 + np.exp(-end))) for end in ends]
    note = "In the ranking of models: how often the answer that comes first beats one by an equal model."
    head = ["log odds", "low", "high", "share of wins", "low of the share", "high of the share"]
    yield TablePanel("Is it worth something to come first?", note, head, [[*map(number, ends), *map(number, shares)]])


def _named(games: Games, codes: Codes) -> list[str]:
    return [games.models[code] for code in codes.tolist()]
