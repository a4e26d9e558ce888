"""What is the label? Votes, and models that weigh raters by how reliable they turn out to be.

Items rated alike share their label, so the models run on distinct rows of ratings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.ratings import Ratings
from adjudge.diagnosis.raters.distinct_ratings import DistinctRatings, distinct
from adjudge.errors import SettingError, literal
from adjudge.statistics.base import Array, ratio

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Pseudo-ratings added to each cell of a rater's table: a rater with few items is not called infallible.
SMOOTHING = 0.01
ITERATIONS = 500
# Stop when an iteration adds less than this to the log-likelihood, in units of its size.
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Majority:
    """The most frequent label of each item. A tie has no label: `labels` is -1 and `tied` is True."""

    labels: NDArray[np.int64]
    share: Array
    votes: NDArray[np.int64]
    tied: NDArray[np.bool_]
    leading: NDArray[np.bool_]  # (items, K), all labels with the most votes


@dataclass(frozen=True, slots=True)
class Consensus:
    """Labels by a model. An item without ratings has the prior as its probabilities and the label -1.

    `errors[rater, true, said]` is how often a rater says one category when another is true; `accuracy` is
    how often each rater is expected to be right.
    """

    raters: tuple[str, ...]
    probabilities: Array  # (items, K)
    labels: NDArray[np.int64]
    votes: NDArray[np.int64]
    prior: Array
    errors: Array  # (raters, K, K)
    accuracy: Array
    log_likelihood: float
    iterations: int
    converged: bool

    @property
    def certainty(self) -> Array:
        """The probability of each item's most probable label."""
        return np.asarray(self.probabilities.max(1)) if self.probabilities.size else np.zeros(len(self.labels))


@dataclass(frozen=True, slots=True)
class Mace(Consensus):
    """Labels by MACE: a rater knows the label with probability `competence`, or else draws it from `spam`."""

    competence: Array
    spam: Array  # (raters, K)


def majority(ratings: Ratings | DistinctRatings) -> Majority:
    """The label with the most votes. Ties are reported and never broken.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> votes = majority(ratings_of([["a", "a", "b"], ["a", "b", None], [None, None, None]]))
    >>> votes.labels.tolist(), votes.votes.tolist(), votes.tied.tolist()
    ([0, -1, -1], [3, 2, 0], [False, True, False])
    """
    table = distinct(ratings)
    votes, most = table.said.sum(1), table.said.max(1, initial=0.0)
    leading = (table.said == most[:, None]) & (most[:, None] > 0)
    single = leading.sum(1) == 1
    labels = np.where(single, leading.argmax(1) if leading.size else -1, -1)
    share, tied, at = ratio(most, votes), leading.sum(1) > 1, table.place
    return Majority(labels[at], share[at], votes.astype(np.int64)[at], tied[at], leading[at])


def dawid_skene(
    ratings: Ratings | DistinctRatings, smoothing: float = SMOOTHING, iterations: int = ITERATIONS
) -> Consensus:
    """Dawid and Skene's model (1979): every rater has a table of errors, every category a share.

    Fitted by expectation and maximisation from the shares of votes, until the log-likelihood (with the
    smoothing as its prior) stops rising. Columns with the same rater's name are repeated readings of one rater.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> model = dawid_skene(ratings_of([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "b", "a"]]))
    >>> model.labels.tolist(), model.accuracy.round(1).tolist()
    ([0, 1, 0, 1], [1.0, 1.0, 0.5])
    """
    if not smoothing >= 0:
        raise SettingError(f"`smoothing` must be a number of at least 0, not {literal(smoothing)}.")
    table = distinct(ratings)
    size = len(table.categories)

    def maximised(tables: Array, shares: Array) -> tuple[Array, Array, float]:
        given = tables + smoothing
        errors = _shares(given, given.sum(1, keepdims=True), 1 / max(size, 1))
        with np.errstate(divide="ignore"):
            penalty = smoothing * np.log(errors).sum() if smoothing else 0.0
        return errors, shares, float(penalty)

    fit = _fitted(table, maximised, iterations)
    return Consensus(**_described(table, fit))


def mace(ratings: Ratings | DistinctRatings) -> Mace:
    """MACE (Hovy et al. 2013): a rater either knows the label, or spams from a distribution of its own.

    Expectation and maximisation from the shares of votes: one start, the same on every run.

    >>> from adjudge.data.judgements.ratings import ratings_of
    >>> model = mace(ratings_of([["a", "a", "a"], ["b", "b", "a"], ["a", "a", "a"], ["b", "b", "a"]]))
    >>> model.labels.tolist(), bool(model.competence[2] < model.competence[0])
    ([0, 1, 0, 1], True)
    """
    table = distinct(ratings)
    size, names = len(table.categories), tuple(dict.fromkeys(table.raters))
    state = {
        "competence": np.full(len(names), 0.5),
        "spam": np.full((len(names), size), 1 / max(size, 1)),
    }

    def maximised(tables: Array, shares: Array) -> tuple[Array, Array, float]:
        competence, spam = state["competence"][:, None], state["spam"]
        right = np.diagonal(tables, axis1=1, axis2=2)
        knew = right * _shares(competence, competence + (1 - competence) * spam, 0.0)
        guessed = tables.sum(2) - knew
        total = tables.sum((1, 2))
        competence = _shares(knew.sum(1) + SMOOTHING, total + 2 * SMOOTHING, 0.5)
        smoothed = guessed + SMOOTHING
        spam = _shares(smoothed, smoothed.sum(1, keepdims=True), 1 / max(size, 1))
        state.update(competence=competence, spam=spam)
        errors = (1 - competence)[:, None, None] * spam[:, :, None] + competence[:, None, None] * np.eye(size)
        logs = np.log(np.clip(np.concatenate([competence, 1 - competence, spam.reshape(-1)]), 1e-300, None))
        return errors, np.full(size, 1 / max(size, 1)), float(SMOOTHING * logs.sum())

    fit = _fitted(table, maximised, ITERATIONS)
    return Mace(**_described(table, fit), competence=state["competence"], spam=state["spam"])


@dataclass(frozen=True, slots=True)
class _Fit:
    posterior: Array  # (V, K)
    prior: Array
    errors: Array  # (raters, said, true)
    log_likelihood: float
    iterations: int
    converged: bool


Maximise = Callable[[Array, Array], tuple[Array, Array, float]]


def _fitted(table: DistinctRatings, maximise: Maximise, iterations: int) -> _Fit:
    """Expectation and maximisation on the distinct rows, from the shares of votes."""
    said, raters, size = _indicators(table), len(dict.fromkeys(table.raters)), len(table.categories)
    votes = table.said.sum(1)
    weight = table.counts * (votes > 0)
    posterior = _shares(table.said, votes[:, None], 1 / max(size, 1))
    total, turned = weight.sum(), said.T
    before, likelihood, step, converged = -np.inf, -np.inf, 0, False
    errors, prior = np.zeros((raters, size, size)), np.full(size, np.nan)
    for step in range(1, iterations + 1):  # noqa: B007
        weighted = posterior * weight[:, None]
        tables = (turned @ weighted).reshape(raters, size, size)
        shares = _shares(weighted.sum(0), total, 1 / max(size, 1))
        errors, prior, penalty = maximise(tables, shares)
        posterior, rows = _expected(said, errors, prior)
        likelihood = float(weight @ rows)
        gained = likelihood + penalty - before
        before = likelihood + penalty
        converged = bool(abs(gained) <= TOLERANCE * (1 + abs(before)))
        if converged:
            break
    return _Fit(posterior, prior, errors, likelihood, step, converged)


def _shares(part: Array, whole: Array, without: float) -> Array:
    """Each part of its whole; something else of what is nothing. Asked thousands of times: quicker than `ratio`."""
    nothing = whole == 0
    return np.where(nothing, without, part / np.where(nothing, 1.0, whole))


def _indicators(table: DistinctRatings) -> csr_array:
    """A sparse row for each distinct row of ratings, a column for each rater and each category it may give."""
    from scipy.sparse import csr_array

    size = len(table.categories)
    names = {name: place for place, name in enumerate(dict.fromkeys(table.raters))}
    who = np.array([names[name] for name in table.raters], dtype=np.int64)
    row, column = np.nonzero(table.rated)
    cell = who[column] * size + table.rows[row, column]
    return csr_array((np.ones(len(row)), (row, cell)), shape=(len(table.rows), len(names) * size))


def _expected(said: csr_array, errors: Array, prior: Array) -> tuple[Array, Array]:
    """Probabilities of the true category of each row, and the row's log-likelihood."""
    size = len(prior)
    if not size:
        return np.zeros((said.shape[0], 0)), np.zeros(said.shape[0])
    tiny = 1e-300
    logs = said @ np.log(np.maximum(errors, tiny)).reshape(-1, size) + np.log(np.maximum(prior, tiny))
    top = logs.max(1, keepdims=True)
    odds = np.exp(logs - top)
    total = odds.sum(1, keepdims=True)
    return odds / total, (top + np.log(total))[:, 0]


# `Any`: the fields of a consensus, each of its kind.
def _described(table: DistinctRatings, fit: _Fit) -> dict[str, Any]:
    """What a fit says of items and raters."""
    votes = table.said.sum(1)
    best = fit.posterior.argmax(1) if fit.posterior.size else np.full(len(votes), -1)
    right = np.diagonal(fit.errors, axis1=1, axis2=2)
    return {
        "raters": tuple(dict.fromkeys(table.raters)),
        "probabilities": fit.posterior[table.place],
        "labels": np.where(votes > 0, best, -1)[table.place],
        "votes": votes.astype(np.int64)[table.place],
        "prior": fit.prior,
        "errors": np.swapaxes(fit.errors, 1, 2),
        "accuracy": right @ fit.prior,
        "log_likelihood": fit.log_likelihood,
        "iterations": fit.iterations,
        "converged": fit.converged,
    }
