"""Which models win: rankings, win rates, and how sure they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from adjudge.data.judgements.pair_votes import PairVotes
from adjudge.data.judgements.votes import NEITHER, A, B
from adjudge.diagnosis.preferences.model_strengths import (
    Games,
    Strengths,
    always_in_one_place,
    bradley_terry,
    davidson,
    drawn_strengths,
    elo,
    ranks_of_strengths,
    simultaneous_quantile,
    win_rates,
)
from adjudge.errors import SettingError, listed
from adjudge.evaluation.panels import Cell, ForestLine, ForestPanel, MatrixPanel, Panels, TablePanel, finite
from adjudge.statistics.base import Array, Codes
from adjudge.tasks.preference.reading import MODEL, RANDOM
from adjudge.tasks.preference.shown_votes import ShownVotes

MOST_MODELS, FEW_PROMPTS, DOUBTED = 200, 10, 0.05
POINTS = 400 / np.log(10)  # Elo-like points of a strength


def games_of(pairs: PairVotes, weight: Array) -> Games | None:
    """The pairs of two models that the first column decided, ties included; None where none are, or too many models."""
    reference, models = pairs.votes[:, 0], pairs.models
    kept = (models >= 0).all(1) & (models[:, 0] != models[:, 1]) & (reference <= NEITHER)
    if not kept.any():
        return None
    used, codes = np.unique(models[kept], return_inverse=True)
    first, second = codes.reshape(-1, 2).T
    outcome = np.where(reference[kept] == A, 1.0, np.where(reference[kept] == B, 0.0, 0.5))
    if len(used) > MOST_MODELS:
        return None
    names = tuple(pairs.model_names[code] for code in used)
    return Games(first, second, outcome, weight[kept], pairs.prompts[kept], names)


@dataclass(frozen=True)
class RankedModels:
    """Models that were compared, with their strengths, each part's strongest first, and what goes with them."""

    games: Games
    strengths: Strengths
    order: list[int]
    ranks: tuple[list[int], list[int]]  # the best and the worst that fit, by model
    rates: tuple[Array, Array, Array, Array]  # of every two models, with limits, and of how many pairs
    draws: Array | None  # (replicates, models)
    level: float

    @cached_property
    def played(self) -> Array:
        """Pairs of each model."""
        return np.asarray((self.games.wins + self.games.wins.T + self.games.ties).sum(1))

    def limits(self, place: int, level: float) -> tuple[float, float, float]:
        """The strength of a model with its limits."""
        return self._around(float(self.strengths.values[place]), float(self.strengths.errors[place]), level)

    def difference(self, first: int, second: int, level: float) -> tuple[float, float, float]:
        """How much stronger one is than another, with limits."""
        return self._around(*self.strengths.difference(first, second), level)

    def drawn_limits(self, place: int, level: float) -> tuple[float, float, float]:
        """The strength of a model with limits from drawing prompts."""
        assert self.draws is not None, "prompts were drawn"
        low, high = np.quantile(self.draws[:, place], [(1 - level) / 2, (1 + level) / 2])
        return float(self.strengths.values[place]), float(low), float(high)

    def rate(self, first: int, second: int, level: float) -> tuple[float, float, float]:
        """The win rate of one against another, with limits."""
        rates = self.rates if level == self.level else win_rates(self.games, level)
        value, low, high = (float(one[first, second]) for one in rates[:3])
        return value, low, high

    def _around(self, value: float, error: float, level: float) -> tuple[float, float, float]:
        reach = self.strengths.reach(level) * error
        return value, value - reach, value + reach

    @property
    def pairs(self) -> Iterator[tuple[int, int]]:
        """Every two models that met, the stronger first."""
        for place, k in enumerate(self.order):
            for other in self.order[place + 1 :]:
                if self.rates[3][k, other] > 0:
                    yield k, other

    def worth_of_place(self, level: float) -> tuple[float, float, float]:
        """What it is worth to come first, in log odds, with limits; NaN where that was not fitted."""
        return self._around(*(self.strengths.place or (np.nan, np.nan)), level)


def ranked_models(shown: ShownVotes) -> RankedModels | None:
    """Strengths, ranks and win rates of models, where the pairs are at hand and somebody chose between models."""
    if shown.units is None or shown.study.reading.columns[0].startswith(MODEL):
        return None
    games = games_of(shown.units.pairs, shown.units.weight)
    if games is None:
        return None
    by_prompt = shown.study.reading.cluster is not None
    random_order = shown.study.order == RANDOM
    if random_order and (fixed := always_in_one_place(games)):
        raise SettingError(
            f"`order` must not be random where a model always has the same place, as {listed(fixed, 3)} has: its "
            "strength cannot be told from the place. Leave it out."
        )
    strengths = bradley_terry(games, by_prompt=by_prompt, with_place=random_order)
    q = simultaneous_quantile(strengths.covariance, shown.level, shown.seed, "ranks of models")
    replicates = 0 if random_order else shown.page.request.bootstrap.replicates
    return RankedModels(
        games,
        strengths,
        np.lexsort((-strengths.values, strengths.parts)).tolist(),
        ranks_of_strengths(strengths.values, strengths.covariance, strengths.parts, q),
        win_rates(games, shown.level),
        drawn_strengths(games, replicates, shown.seed, by_prompt=by_prompt),
        shown.level,
    )


def model_panels(shown: ShownVotes, ranked: RankedModels | None) -> Panels:
    """What is shown of models."""
    if ranked is None:
        return Panels()
    return Panels(
        forests=[_forest(ranked)],
        matrices=[_rates(ranked)],
        tables=[_table(shown, ranked), _beside(ranked), *_place(ranked)],
    )


def _forest(ranked: RankedModels) -> ForestPanel:
    lines = [
        ForestLine(ranked.games.models[k], *ranked.limits(k, ranked.level), round(float(ranked.played[k])))
        for k in ranked.order
    ]
    note = f"Bradley and Terry's strengths, centred; a tie is half a win.{_unknown(ranked)}"
    return ForestPanel("Which models win?", note, "Strength (log odds)", lines, 0.0)


def _unknown(ranked: RankedModels) -> str:
    """What the pairs do not say of strengths, as a sentence to go on with."""
    return f" Of strengths: {ranked.strengths.note}." if ranked.strengths.note else ""


def _rates(ranked: RankedModels) -> MatrixPanel:
    order = ranked.order
    names = [ranked.games.models[k] for k in order]

    def sorted_list(values: Array) -> list[list[float | None]]:
        return [[finite(one) for one in row] for row in values[np.ix_(order, order)]]

    rate, low, high, count = ranked.rates
    n = np.rint(count[np.ix_(order, order)]).astype(int).tolist()
    note = "How often the row's answer was chosen over the column's; a tie is half. Tango's limits."
    return MatrixPanel(
        "Win rates", note, names, names, sorted_list(rate), sorted_list(low), sorted_list(high), n, (0.0, 1.0)
    )


def _beside(ranked: RankedModels) -> TablePanel:
    """Each win rate beside what one strength for each model gives."""
    from scipy.special import chdtrc

    rows: list[list[Cell]] = []
    for k, other in ranked.pairs:
        rates = [finite(float(one[k, other])) for one in ranked.rates[:3]]
        chances = map(finite, ranked.strengths.chance(k, other, ranked.level))
        names = (ranked.games.models[k], ranked.games.models[other])
        rows.append([*names, round(float(ranked.rates[3][k, other])), *rates, *chances])
    strengths = ranked.strengths
    note = "Win rates of two models, and what one strength for each model gives."
    if strengths.freedom > 0:
        p = float(chdtrc(strengths.freedom, strengths.deviance))
        enough = "are not explained by one strength for each model" if p < DOUBTED else "are as one strength gives"
        of = f"{strengths.freedom} degree{'s' * (strengths.freedom > 1)} of freedom"
        note += f" Deviance {strengths.deviance:.1f} on {of} (p {p:.2g}): the win rates {enough}."
    head = ["model", "against", "n", "win rate", "low", "high", "win probability", "low", "high"]
    return TablePanel("Win rates beside the ranking", note, head, rows)


def _table(shown: ShownVotes, ranked: RankedModels) -> TablePanel:
    games, (best, worst) = ranked.games, ranked.ranks
    tied = davidson(games) if games.ties.any() else None
    points: dict[str, float] = {}
    if shown.study.rating == "elo":
        points = elo(zip(_named(games, games.first), _named(games, games.second), games.outcome.tolist(), strict=True))
    rows: list[list[Cell]] = []
    parts = ranked.strengths.parts[ranked.order]
    for place, k in enumerate(ranked.order):
        value, low, high = ranked.limits(k, ranked.level)
        wide = [finite(float(1000 + POINTS * one)) for one in (value, low, high)]
        with_ties = None if tied is None else finite(float(tied.values[k]))
        ranks = f"{best[k]} to {worst[k]}" if best[k] < worst[k] else str(best[k])
        rows.append(
            [
                int((parts[: place + 1] == parts[place]).sum()),
                games.models[k],
                finite(value),
                finite(low),
                finite(high),
                ranks,
                *wide,
                with_ties,
            ]
        )
        rows[-1].append(finite(points[games.models[k]]) if points else "")
    head = ["rank", "model", "strength", "low", "high", "ranks that fit", "points", "points, low", "points, high"]
    head += ["with ties (Davidson)", "Elo, in this order"]
    prompts = len(np.unique(games.prompts))
    few = f" Only {prompts} prompts: read intervals with care." if prompts < FEW_PROMPTS else ""
    hold = "Ranks hold for all models together. Only differences of points mean something."
    note = f"{hold}{few}{_unknown(ranked)}"
    return TablePanel("Ranking of models", note, head, rows)


def _place(ranked: RankedModels) -> Iterator[TablePanel]:
    """What it is worth to come first."""
    if ranked.strengths.place is None:
        return
    ends = ranked.worth_of_place(ranked.level)
    shares = [float(1 / (1 + np.exp(-end))) for end in ends]
    note = "In the ranking of models: how often the answer that comes first beats one by an equal model."
    head = ["log odds", "low", "high", "share of wins", "low of the share", "high of the share"]
    yield TablePanel("Is it worth something to come first?", note, head, [[*map(finite, ends), *map(finite, shares)]])


def _named(games: Games, codes: Codes) -> list[str]:
    return [games.models[code] for code in codes.tolist()]
