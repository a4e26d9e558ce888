"""Which models win: Bradley and Terry's strengths, ties by Davidson's model, win rates, Elo; ranks with their doubt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import listed
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.intervals.votes import tango_limits_each
from adjudge.inference.logistic import anchored_fit, reach_of_groups
from adjudge.statistics.base import Array, Codes, ratio
from adjudge.statistics.cells import generator

DRAWS = 4_000
MOST_NAMED = 4
HELD = 2**20  # differences of draws that are held at once


@dataclass(frozen=True, slots=True)
class Games:
    """Pairs whose two answers are by different models, and how each ended: 1 the first won, 0 the second, ½ a tie."""

    first: Codes
    second: Codes
    outcome: Array
    weight: Array
    prompts: Codes
    models: tuple[str, ...]

    @property
    def wins(self) -> Array:
        """How often each model beat each other, (models, models)."""
        return self._counted(self.outcome == 1, self.first, self.second) + self._counted(
            self.outcome == 0, self.second, self.first
        )

    @property
    def ties(self) -> Array:
        """How often two models tied, both ways."""
        once = self._counted(self.outcome == 0.5, self.first, self.second)
        return once + once.T

    def _counted(self, rows: NDArray[np.bool_], winner: Codes, loser: Codes) -> Array:
        size = len(self.models)
        cells = winner[rows] * size + loser[rows]
        sums = np.bincount(cells, weights=self.weight[rows], minlength=size**2)
        return sums.astype(np.float64).reshape(size, size)


@dataclass(frozen=True, slots=True)
class Strengths:
    """One number for each model, with the covariance; `note` says what the numbers cannot say.

    Models that met, directly or through others, are a part: strengths are centred, and ranked, in each part alone.
    """

    models: tuple[str, ...]
    parts: Codes
    values: Array
    covariance: Array
    deviance: float
    freedom: int
    note: str = ""
    log_tie: float = np.nan
    place: tuple[float, float] | None = None  # what the first place is worth, in log odds, and its standard error
    groups: int = 0  # prompts that errors were summed by

    @property
    def errors(self) -> Array:
        """Standard errors of the centred strengths."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))

    def difference(self, first: int, second: int) -> tuple[float, float]:
        """How much stronger the first is, and the standard error."""
        c = self.covariance
        spread = c[first, first] + c[second, second] - 2 * c[first, second]
        return float(self.values[first] - self.values[second]), float(np.sqrt(max(spread, 0.0)))

    def reach(self, level: float) -> float:
        """How many standard errors an interval reaches."""
        return reach_of_groups(level, self.groups)

    def chance(self, first: int, second: int, level: float) -> tuple[float, float, float]:
        """How likely the first beats the second, with its limits; a tie is half a win."""
        value, error = self.difference(first, second)
        ends = np.array([value, value - self.reach(level) * error, value + self.reach(level) * error])
        low, middle, high = np.sort(1 / (1 + np.exp(-ends)))
        return float(middle), float(low), float(high)


def _design(first: Codes, second: Codes, size: int) -> Array:
    x = np.zeros((len(first), size))
    rows = np.arange(len(first))
    x[rows, first] += 1
    x[rows, second] -= 1
    return x


def always_in_one_place(games: Games) -> list[str]:
    """Models whose answers always came first, or always second: their strength cannot be told from the place."""
    size = len(games.models)
    firsts, seconds = (np.bincount(codes, minlength=size) for codes in (games.first, games.second))
    return [games.models[k] for k in np.flatnonzero((firsts == 0) | (seconds == 0))]


def bradley_terry(games: Games, *, anchor: float = 0.5, by_prompt: bool = True, with_place: bool = False) -> Strengths:
    """Strengths with P(i beats j) = 1 / (1 + exp(θj − θi)); a tie is half a win. Errors are by prompt.

    Half a win and half a loss against a neutral opponent are added for each model: an unbeaten one has a strength, too.
    `with_place` adds what it is worth to come first, which only an order drawn at random can tell.
    """
    size = len(games.models)
    x = _design(games.first, games.second, size)
    if with_place:
        x = np.concatenate([x, np.ones((len(x), 1))], axis=1)
    groups = np.unique(games.prompts, return_inverse=True)[1].reshape(-1) if by_prompt else None
    fit = anchored_fit(x, games.outcome, games.weight, anchor=anchor, groups=groups)
    played = games.wins + games.ties / 2
    met = np.triu(played + played.T, 1) > 0
    theta, parts = fit.beta[:size], parts_of(games)
    return Strengths(
        games.models,
        parts,
        _centred(theta, parts),
        _centred(_centred(fit.covariance[:size, :size], parts).T, parts),
        _pair_deviance(played, theta),
        max(int(met.sum()) - size + len(np.unique(parts)), 0),
        what_is_unknown(games, parts),
        place=(float(fit.beta[size]), float(fit.errors[size])) if with_place else None,
        groups=fit.groups,
    )


def _centred(values: Array, parts: Codes) -> Array:
    """Values, (…, models), each less the mean of its part."""
    out = np.empty_like(values)
    for of_part in (parts == part for part in np.unique(parts)):
        out[..., of_part] = values[..., of_part] - values[..., of_part].mean(-1, keepdims=True)
    return out


def _pair_deviance(played: Array, beta: Array) -> float:
    """How far the win rates of pairs are from what one number for each model gives."""
    from scipy.special import expit, xlogy

    expected = (played + played.T) * expit(beta[:, None] - beta)
    return float(
        2 * np.triu(xlogy(played, ratio(played, expected)) + xlogy(played.T, ratio(played.T, expected.T)), 1).sum()
    )


def _reached(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which node can be reached from which, along edges."""
    reached = edges | np.eye(len(edges), dtype=bool)
    for middle in range(len(edges)):
        reached |= reached[:, [middle]] & reached[[middle], :]
    return reached


def parts_of(games: Games) -> Codes:
    """Which models met, directly or through others: for each the first of its part."""
    met = games.wins + games.ties > 0
    return np.asarray(_reached(met | met.T).argmax(1), dtype=np.int64)


def what_is_unknown(games: Games, parts: Codes) -> str:
    """What the games do not say of strengths: Ford 1957."""
    if parts.any():
        named = " / ".join(listed(_names(games, parts == part), MOST_NAMED) for part in np.unique(parts))
        return (
            "models that never met, directly or through others, cannot be ranked against each other: strengths and "
            f"ranks hold within each of {named}"
        )
    reached = _reached(games.wins + games.ties > 0)
    if reached.all():
        return ""
    # Who is reached by none but those it reaches was beaten by no other, and who reaches none but those that reach it
    # never beat another.
    unbeaten, winless = (np.asarray((one <= one.T).all(1)) for one in (reached.T, reached))
    if winless.sum() < unbeaten.sum():
        said = f"{listed(_names(games, winless), MOST_NAMED)} never beat another model or tied with it"
    else:
        said = f"no other model ever beat {listed(_names(games, unbeaten), MOST_NAMED)} or tied with it"
    return f"{said}: how far they are apart is not in the pairs, and rests on half a win that is added for each model"


def _names(games: Games, chosen: NDArray[np.bool_]) -> list[str]:
    return [games.models[place] for place in np.flatnonzero(chosen)]


def davidson(games: Games, *, anchor: float = 0.5) -> Strengths:
    """Ties as an outcome of their own (Davidson 1970): P(i) : P(j) : P(tie) = πi : πj : ν √(πi πj)."""
    size = len(games.models)
    wins, ties = games.wins, games.ties
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size) if (wins + wins.T + ties)[i, j] > 0]
    counts = np.array([[wins[i, j], wins[j, i], ties[i, j]] for i, j in pairs])
    features = np.zeros((len(pairs), 3, size + 1))
    for row, (i, j) in enumerate(pairs):
        features[row, 0, i] = features[row, 1, j] = 1
        features[row, 2, [i, j]], features[row, 2, size] = 0.5, 1
    beta, total = np.zeros(size + 1), counts.sum(1)
    for _ in range(100):
        logits = features @ beta
        p = np.exp(logits - logits.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        own = 1 / (1 + np.exp(-beta[:size]))
        centre = (p[:, :, None] * features).sum(1)
        slope = ((counts - total[:, None] * p)[:, :, None] * features).sum((0, 1))
        slope[:size] += anchor * (1 - 2 * own)
        around = features - centre[:, None]
        hessian = np.einsum("r,rc,rcd,rce->de", total, p, around, around)
        hessian[np.arange(size), np.arange(size)] += 2 * anchor * own * (1 - own)
        step = np.linalg.pinv(hessian) @ slope
        step *= min(1.0, 2 / max(np.abs(step).max(initial=0), 1e-300))
        beta = beta + step
        if np.abs(step).max(initial=0) < 1e-10:
            break
    deviance = -2 * float((counts * np.log(np.maximum(p, 1e-300))).sum())
    parts = parts_of(games)
    covariance = _centred(_centred(np.linalg.pinv(hessian)[:size, :size], parts).T, parts)
    freedom = 2 * len(pairs) - size + len(np.unique(parts)) - 1
    return Strengths(
        games.models, parts, _centred(beta[:size], parts), covariance, deviance, freedom, "", float(beta[size])
    )


def ranks_of_strengths(strengths: Array, covariance: Array, parts: Codes, q: float) -> tuple[list[int], list[int]]:
    """The best and the worst rank of each in its part, where differences beyond q standard errors are real.

    >>> ranks_of_strengths(np.array([1.0, 0.6, -1.7]), np.diag([0.04, 0.03, 0.06]), np.zeros(3, int), 2.57)
    ([1, 1, 3], [2, 2, 3])
    """
    difference, together = strengths[:, None] - strengths, parts[:, None] == parts
    spread = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
    better = together & (difference > q * np.sqrt(np.maximum(spread, 0.0)))
    np.fill_diagonal(better, False)
    return (1 + better.sum(0)).tolist(), (together.sum(1) - better.sum(1)).tolist()


def simultaneous_quantile(covariance: Array, level: float, seed: int, stream: str) -> float:
    """How many standard errors all differences of these numbers reach together, by normal draws."""
    size = len(covariance)
    first, second = np.triu_indices(size, 1)
    if not len(first):
        return normal_quantile(level)
    values, vectors = np.linalg.eigh(covariance)
    draws = generator(seed, stream).standard_normal((DRAWS, size)) @ (vectors * np.sqrt(np.maximum(values, 0.0))).T
    spread = covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]
    known = spread > 1e-12
    if not known.any():
        return normal_quantile(level)
    largest = largest_differences(draws, first[known], second[known], np.sqrt(spread[known]))
    return float(np.sort(largest)[min(int(np.ceil(level * (DRAWS + 1))), DRAWS) - 1])


def largest_differences(draws: Array, first: Codes, second: Codes, errors: Array) -> Array:
    """The largest of some differences in each draw, in standard errors; so many draws at once as can be held.

    >>> largest_differences(np.array([[0.0, 1.0, 3.0]]), np.array([0, 1]), np.array([1, 2]), np.array([1.0, 4.0]))
    array([1.])
    """
    step = max(1, HELD // len(first))
    parts = [draws[start : start + step] for start in range(0, len(draws), step)]
    return np.concatenate([(np.abs(part[:, first] - part[:, second]) / errors).max(1) for part in parts])


def win_rates(games: Games, level: float) -> tuple[Array, Array, Array, Array]:
    """Wins and half the ties of the row against the column, of all their pairs, with Tango's limits; and how many."""
    wins, ties = games.wins, games.ties
    count = wins + wins.T + ties
    low, high = tango_limits_each(wins, wins.T, count, normal_quantile(level))
    rate = ratio(wins + ties / 2, count)
    known = count > 0
    return rate, np.where(known, (1 + low) / 2, np.nan), np.where(known, (1 + high) / 2, np.nan), count


def elo(games: Iterable[tuple[str, str, float]], *, k: float = 32.0, start: float = 1500.0) -> dict[str, float]:
    """Elo's ratings after these games in this order, which they depend on: a named alternative, without an interval.

    >>> {name: round(rating) for name, rating in elo([("x", "y", 1), ("x", "y", 1)]).items()}
    {'x': 1531, 'y': 1469}
    """
    ratings: dict[str, float] = {}
    for first, second, outcome in games:
        one, other = ratings.get(first, start), ratings.get(second, start)
        moved = k * (outcome - 1 / (1 + 10 ** ((other - one) / 400)))
        ratings[first], ratings[second] = one + moved, other - moved
    return ratings


# Games times draws beyond which there are none: errors by prompt need no drawing.
MOST_DRAWN, TILE, STEPS = 4e7, 50, 30


def drawn_strengths(games: Games, replicates: int, seed: int, *, by_prompt: bool) -> Array | None:
    """Centred strengths, (replicates, models), of as many prompts drawn with replacement; None where it is too much."""
    if replicates < 1 or len(games.first) * replicates > MOST_DRAWN:
        return None
    size = len(games.models)
    prompts = np.unique(games.prompts, return_inverse=True)[1].reshape(-1) if by_prompt else np.arange(len(games.first))
    count, random = int(prompts.max(initial=-1)) + 1, generator(seed, "models by prompt")
    cells = games.first * size + games.second
    won, lost = games.weight * games.outcome, games.weight * (1 - games.outcome)
    tiles, parts = [], parts_of(games)
    for start in range(0, replicates, TILE):
        tile = min(TILE, replicates - start)
        times = random.multinomial(count, np.full(count, 1 / count), size=tile)[:, prompts]
        place = cells + size**2 * np.arange(tile)[:, None]
        sums = [
            np.bincount(place.reshape(-1), weights=(times * one).reshape(-1), minlength=tile * size**2)
            for one in (won, lost)
        ]
        first, second = (one.astype(np.float64).reshape(tile, size, size) for one in sums)
        tiles.append(fitted(first + second.transpose(0, 2, 1), 0.5, parts))
    return np.concatenate(tiles)


def fitted(wins: Array, anchor: float, parts: Codes) -> Array:
    """Newton's method for every table of wins, (…, models, models), with half a win and a loss added for each model."""
    size = wins.shape[-1]
    met, theta = wins + wins.transpose(0, 2, 1), np.zeros(wins.shape[:-1])
    diagonal = np.arange(size)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(theta[:, None, :] - theta[:, :, None]))
        own = 1 / (1 + np.exp(-theta))
        slope = (wins - met * chance).sum(2) + anchor * (1 - 2 * own)
        curved = met * chance * (1 - chance)
        hessian = -curved
        hessian[:, diagonal, diagonal] += curved.sum(2) + 2 * anchor * own * (1 - own)
        step = np.clip(np.linalg.solve(hessian, slope[..., None])[..., 0], -2.0, 2.0)
        theta = theta + step
        if np.abs(step).max(initial=0) < 1e-8:
            break
    return _centred(theta, parts)
