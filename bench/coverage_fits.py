"""How often the intervals of fits of pairs hold the true value, with 100 and 200 pairs.

    python -m bench.coverage_fits [--samples 500] [--out docs/validation]

writes fits.csv, a line for each population, size and number, and the part of votes.md about fits. Pairs have nothing in
common, or belong to prompts of four: then half of the choices of a prompt follow one common draw, which leaves the
chance of each choice as it is.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adjudge.diagnosis.preferences.judge_errors import corrected_strength
from adjudge.diagnosis.preferences.model_strengths import (
    Games,
    bradley_terry,
    ranks_of_strengths,
    simultaneous_quantile,
)
from adjudge.diagnosis.preferences.strength_differences import by_prompt, largest_difference, unpaired_difference
from adjudge.diagnosis.preferences.trait_effects import FoldedPairs, joint_traits, length_term
from adjudge.inference.intervals.closed_form import closed_form
from adjudge.inference.intervals.numbers import student_quantile
from adjudge.metrics import preference_strength
from adjudge.statistics.base import Array
from bench.coverage_votes import FITS, table_of

LEVEL = 0.95
SIZES = (100, 200)
PROMPT = 4
Random = np.random.Generator
Found = dict[str, list[tuple[float, float, float]]]  # by number: the truth and its limits, one for each that is told
Record = tuple[str, int, str, float, float, int]


def common(random: Random, n: int, *, prompts: bool) -> Array:
    """Even numbers between 0 and 1 that decide choices: in half of the pairs of a prompt the same one."""
    own = random.random(n)
    if not prompts:
        return own
    return np.where(random.random(n) < 0.5, random.random(n // PROMPT)[np.arange(n) // PROMPT], own)


def groups_of(n: int, *, prompts: bool) -> NDArray[np.int64] | None:
    """Which prompt each pair belongs to."""
    return np.arange(n) // PROMPT if prompts else None


def expit(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def lengths(relevance: float, trait: float, length: float, along: float) -> Callable[[Random, int, bool], Found]:
    """A trait and the length both decide; `along` of the votes say what is longer."""

    def sample(random: Random, n: int, prompts: bool) -> Found:
        difference = random.normal(0, 200, n)
        votes = np.where(random.random(n) < along, np.sign(difference), random.choice([-1.0, 1.0], n))
        votes = np.where(random.random(n) < relevance, votes, 0.0)
        chose_a = common(random, n, prompts=prompts) < expit(trait * votes + length * np.tanh(difference / 200))
        sides = np.stack([1000 + difference, np.full(n, 1000.0)], axis=-1)
        folded = FoldedPairs.of(chose_a, np.ones(n), length_term(sides), groups_of(n, prompts=prompts))
        one = folded.controlled(votes, LEVEL)
        return {"strength_at_equal_length": [(relevance * float(np.tanh(trait / 2)), one.low, one.high)]}

    return sample


def joint(truth: tuple[float, ...], against: float) -> Callable[[Random, int, bool], Found]:
    """Several traits in one model; the second mostly says the contrary of the first."""

    def sample(random: Random, n: int, prompts: bool) -> Found:
        votes = random.choice([-1.0, 0.0, 1.0], (n, len(truth)), p=[0.4, 0.2, 0.4])
        votes[:, 1] = np.where(random.random(n) < against, -votes[:, 0], votes[:, 1])
        chose_a = common(random, n, prompts=prompts) < expit(votes @ np.array(truth))
        signed = votes * np.where(chose_a, 1.0, -1.0)[:, None]
        model = joint_traits(signed, np.ones(n), groups_of(n, prompts=prompts))
        low, high = model.limits(LEVEL)
        return {"joint_coefficient": list(zip(truth, low.tolist(), high.tolist(), strict=True))}

    return sample


def models(strengths: tuple[float, ...], place: float = 0.0) -> Callable[[Random, int, bool], Found]:
    """Models that meet at random; `place` is what coming first is worth."""
    theta = np.array(strengths) - np.mean(strengths)
    size = len(theta)

    def sample(random: Random, n: int, prompts: bool) -> Found:
        first = random.integers(0, size, n)
        second = (first + random.integers(1, size, n)) % size
        won = common(random, n, prompts=prompts) < expit(theta[first] - theta[second] + place)
        units = np.arange(n) // PROMPT if prompts else np.arange(n)
        games = Games(first, second, won.astype(float), np.ones(n), units, tuple(map(str, range(size))))
        fit = bradley_terry(games, by_prompt=prompts, with_place=place != 0)
        reach = fit.reach(LEVEL)
        found: Found = {"model_strength": [], "model_strength_difference": []}
        for k in range(size):
            ends = fit.values[k] + np.array([-reach, reach]) * fit.errors[k]
            found["model_strength"].append((theta[k], *ends))
            for other in range(k + 1, size):
                value, error = fit.difference(k, other)
                limits = (value - reach * error, value + reach * error)
                found["model_strength_difference"].append((theta[k] - theta[other], *limits))
        q = simultaneous_quantile(fit.covariance, LEVEL, 1, "coverage")
        best, worst = ranks_of_strengths(fit.values, fit.covariance, np.zeros(size, dtype=np.int64), q)
        stronger, weaker = ((theta[:, None] < theta - 1e-9).sum(1), (theta[:, None] > theta + 1e-9).sum(1))
        held = all(best[k] <= 1 + stronger[k] and worst[k] >= size - weaker[k] for k in range(size))
        found["ranks, all at once"] = [(0.0, 0.0 if held else 1.0, float(np.mean(np.subtract(worst, best))))]
        if fit.place is not None:
            value, error = fit.place
            found["worth_of_first_place"] = [(place, value - reach * error, value + reach * error)]
        return found

    return sample


def slices(truth: tuple[tuple[float, float], ...]) -> Callable[[Random, int, bool], Found]:
    """Shares of agreement and disagreement of several slices of a table, each with its part of the pairs."""

    def sample(random: Random, n: int, prompts: bool) -> Found:
        each = n // len(truth)
        tables = [table_of(*random.multinomial(each, [up, down, 1 - up - down]).tolist()) for up, down in truth]
        limits = []
        for table in tables:
            bounds = closed_form("tango", preference_strength, table, LEVEL)
            assert bounds is not None
            limits.append((float(preference_strength.values(table)), float(bounds.low), float(bounds.high)))
        strengths = [up - down for up, down in truth]
        _, low, high = unpaired_difference(limits[0], limits[1])
        found: Found = {"strength_difference": [(strengths[0] - strengths[1], low, high)]}
        if len(truth) > 2:
            errors = np.array([high - low for _, low, high in limits]) / 2 / student_quantile(LEVEL, 1e9)
            q = simultaneous_quantile(np.diag(errors**2), LEVEL, 1, "coverage")
            values, between = np.array([one[0] for one in limits]), np.sqrt(errors[:, None] ** 2 + errors**2)
            _, low, high = largest_difference(values, between, q)
            found["largest_strength_difference"] = [(max(strengths) - min(strengths), low, high)]
        return found

    return sample


def columns(first: float, second: float) -> Callable[[Random, int, bool], Found]:
    """Two columns of the same prompts, of four pairs each, some of them measured in one column only."""

    def sample(random: Random, n: int, prompts: bool) -> Found:
        lean = random.uniform(-0.3, 0.3, n // PROMPT)[np.arange(n) // PROMPT]
        votes = np.stack([np.where(random.random(n) < 0.5 + lean + s / 2, 1.0, -1.0) for s in (first, second)], axis=-1)
        votes = np.where(random.random((n, 2)) < 0.2, np.nan, votes)
        both = by_prompt(votes, np.arange(n) // PROMPT)
        reach = student_quantile(LEVEL, len(both.influence) - 1) * float(both.errors[0, 1])
        value = float(both.values[0] - both.values[1])
        return {"strength_difference_by_prompt": [(first - second, value - reach, value + reach)]}

    return sample


def judge(right: float) -> Callable[[Random, int, bool], Found]:
    """A judge of all pairs, and people on a quarter of them."""

    def sample(random: Random, n: int, prompts: bool) -> Found:
        people = random.choice([1.0, 0.0, -1.0], n, p=[0.5, 0.3, 0.2])
        said = np.where(random.random(n) < right, people, random.choice([1.0, 0.0, -1.0], n))
        some = n // 4
        one = corrected_strength(people[:some], said[:some], said[some:], LEVEL)
        return {"corrected_strength": [(0.3, one.low, one.high)]}

    return sample


POPULATIONS: dict[str, tuple[Callable[[Random, int, bool], Found], tuple[bool, ...]]] = {
    "trait alone, relevance .5": (lengths(0.5, 0.8, 0.0, 0.0), (False, True)),
    "trait and length, relevance .8": (lengths(0.8, 0.8, 1.0, 0.0), (False, True)),
    "length alone, which the trait follows": (lengths(0.8, 0.0, 1.0, 0.5), (False, True)),
    "strong trait, relevance .2": (lengths(0.2, 2.0, 0.5, 0.2), (False, True)),
    "four traits, two contrary": (joint((0.6, 0.0, 0.4, 0.0), 0.8), (False, True)),
    "four traits, one strong": (joint((1.5, -0.5, 0.0, 0.3), 0.3), (False, True)),
    "four even models": (models((0.0, 0.0, 0.0, 0.0)), (False, True)),
    "four models, strong gaps": (models((1.5, 0.5, -0.5, -1.5)), (False, True)),
    "four models, coming first helps": (models((0.6, 0.2, -0.2, -0.6), 0.4), (False, True)),
    "two slices alike": (slices(((0.3, 0.2), (0.3, 0.2))), (False,)),
    "five slices, one apart": (slices(((0.5, 0.1), (0.3, 0.2), (0.3, 0.2), (0.3, 0.2), (0.3, 0.2))), (False,)),
    "two columns of the same prompts": (columns(0.3, 0.1), (True,)),
    "a judge right in 9 of 10": (judge(0.9), (False,)),
    "a judge right in 6 of 10": (judge(0.6), (False,)),
}


def records(samples: int) -> Iterator[Record]:
    """Every population in every size."""
    for place, (name, (sample, ways)) in enumerate(POPULATIONS.items()):
        for prompts in ways:
            for n in SIZES:
                random = np.random.default_rng([17, place, prompts, n])
                ends: dict[str, list[tuple[float, float, float]]] = {}
                for _ in range(samples):
                    for number, limits in sample(random, n, prompts).items():
                        ends.setdefault(number, []).extend(limits)
                for number, limits in ends.items():
                    truth, low, high = np.array(limits).T
                    known = np.isfinite(high - low)
                    held = ((low <= truth + 1e-12) & (truth <= high + 1e-12))[known]
                    where = f"{name}{', prompts of four' if prompts else ''}"
                    width = float((high - low)[known].mean())
                    yield where, n, number, float(held.mean()), width, int(known.sum())


def page(found: list[Record]) -> str:
    """The figures as Markdown."""
    lines = [FITS, "", f"Written by `python -m bench.coverage_fits`; level {LEVEL:.0%}. In prompts of four pairs half"]
    lines += [
        "of the choices follow one draw of the prompt, and errors are by prompt. Ranks hold where all of them do;"
    ]
    lines += ["their width is how many other ranks fit. Draws are of samples, times the numbers told of each.", ""]
    lines += ["| number | population | pairs | coverage | mean width | draws |", "|---|---|---|---|---|---|"]
    for where, n, number, held, width, draws in sorted(found, key=lambda one: one[2]):
        lines.append(f"| {number} | {where} | {n} | {held:.3f} | {width:.3f} | {draws:,} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--out", type=Path, default=Path("docs/validation"))
    options = parser.parse_args()
    found = list(records(options.samples))
    with (options.out / "fits.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["population", "n", "number", "coverage", "width", "draws"])
        writer.writerows([*one[:3], f"{one[3]:.4f}", f"{one[4]:.4f}", one[5]] for one in found)
    votes = options.out / "votes.md"
    head = votes.read_text().partition(FITS)[0].rstrip() if votes.exists() else ""
    votes.write_text(f"{head}\n\n{page(found)}")


if __name__ == "__main__":
    main()
