"""Strengths of models in draws of whole prompts: Bradley and Terry's fit of many tables of games at once."""

from __future__ import annotations

import numpy as np

from adjudge.diagnosis.preferences.model_strengths import Games
from adjudge.statistics.base import Array
from adjudge.statistics.cells import generator

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
    parts = []
    for start in range(0, replicates, TILE):
        tile = min(TILE, replicates - start)
        times = random.multinomial(count, np.full(count, 1 / count), size=tile)[:, prompts]
        place = cells + size**2 * np.arange(tile)[:, None]
        sums = [
            np.bincount(place.reshape(-1), weights=(times * one).reshape(-1), minlength=tile * size**2)
            for one in (won, lost)
        ]
        first, second = (one.astype(np.float64).reshape(tile, size, size) for one in sums)
        parts.append(fitted(first + second.transpose(0, 2, 1), 0.5))
    return np.concatenate(parts)


def fitted(wins: Array, anchor: float) -> Array:
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
    return np.asarray(theta - theta.mean(1, keepdims=True))
