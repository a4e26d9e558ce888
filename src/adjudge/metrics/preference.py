"""How one annotator's votes go with another's, and what is chosen: formulas over tables of votes and sums of pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from adjudge.errors import check_choice, literal
from adjudge.metrics.base import Direction, metric
from adjudge.metrics.intervals import HINKLEY, Mean, Quantity, Share
from adjudge.statistics.base import Array, ratio
from adjudge.statistics.preferences.choice_sums import CHOSE, PAIRS, ChoiceSums
from adjudge.statistics.preferences.votes import (
    AGREED,
    BOTH_ASKED,
    CHOSEN,
    CHOSEN_OF_BOTH,
    DISAGREED,
    VoteTable,
    counts_of,
)

OVER, CHANCE = ("both", "reference"), ("half", "observed")
CHOICES, AGREEMENTS = counts_of(AGREED, DISAGREED), counts_of(AGREED)
BALANCE = AGREEMENTS - counts_of(DISAGREED)
# What relevance divides, as weights of the counts of a table of votes.
RATIOS = {"both": (counts_of(CHOSEN_OF_BOTH), counts_of(BOTH_ASKED)), "reference": (CHOICES, counts_of(CHOSEN))}
NEVER = "there is no pair in which both chose an answer"


def _relevant(table: VoteTable, over: str) -> tuple[Array, Array]:
    """In how many pairs the annotator chose, and of how many."""
    if over == "both":
        return table.chose, table.both_asked
    return table.agreed + table.disagreed, table.reference_chose


def _relevance_share(table: VoteTable, *, over: str = "both") -> Share:
    part, whole = _relevant(table, over)
    return Share(part, whole, whole * table.effect(*RATIOS[over]), freedom=table.freedom)


def _agreed_share(table: VoteTable) -> Share:
    both = table.agreed + table.disagreed
    return Share(table.agreed, both, both * table.effect(AGREEMENTS, CHOICES), freedom=table.freedom)


@metric(
    over=VoteTable,
    label="Relevance",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    undefined="there is no pair that both were asked about",
    intervals=("guarded_wilson", "wilson", "clopper_pearson", "bootstrap"),
    share=_relevance_share,
    check=lambda *, over="both": check_choice("over", over, OVER, literal),
    references=["Feedback Forensics 0.5.0, documentation of metrics", "Wilson 1927 (interval)"],
    unit="share",
)
def preference_relevance(table: VoteTable, *, over: str = "both") -> Array:
    """Share of pairs in which the annotator chose one of the two answers.

    Of the pairs that both annotators were asked about (`over="both"`); or of all pairs in which the reference chose,
    where one that the annotator never saw counts as not relevant (`over="reference"`, as Feedback Forensics computes).

    Undefined when there is no such pair.

    >>> preference_relevance(["a", "b", "a", "b"], ["a", "tie", "b", None])
    0.6666666666666666
    """
    return np.asarray(ratio(*_relevant(table, over)))


@metric(
    over=VoteTable,
    label="Accuracy of votes",
    direction=Direction.HIGHER,
    range=(0.0, 1.0),
    undefined=NEVER,
    intervals=("guarded_wilson", "wilson", "clopper_pearson", "bootstrap"),
    share=_agreed_share,
    symmetric=True,
    references=["Feedback Forensics 0.5.0, documentation of metrics", "Wilson 1927 (interval)"],
    unit="share",
)
def preference_accuracy(table: VoteTable) -> Array:
    """Share of the pairs in which both annotators chose an answer, and in which they chose the same.

    Undefined when there is no pair in which both chose.

    >>> preference_accuracy(["a", "b", "a", "b"], ["a", "tie", "b", "b"])
    0.6666666666666666
    """
    return np.asarray(ratio(table.agreed, table.agreed + table.disagreed))


def _kappa_share(table: VoteTable, *, chance: str = "half") -> Share | None:
    if chance == "observed":
        return None
    return replace(_agreed_share(table), through=lambda share: 2 * share - 1)


@metric(
    over=VoteTable,
    label="Kappa of votes",
    direction=Direction.HIGHER,
    range=(-1.0, 1.0),
    undefined=f"{NEVER}, or all choices are the same",
    intervals=("guarded_wilson", "wilson", "bayesian", "bootstrap"),
    share=_kappa_share,
    symmetric=True,
    check=lambda *, chance="half": check_choice("chance", chance, CHANCE, literal),
    references=[
        "Cohen 1960",
        "Feedback Forensics 0.5.0, documentation of metrics",
        "Wilson 1927 (interval, chance one half)",
    ],
)
def preference_kappa(table: VoteTable, *, chance: str = "half") -> Array:
    """Agreement beyond chance where both annotators chose an answer: (observed − chance) / (1 − chance).

    Chance is one half where one of the two did not know which answer came first (`chance="half"`); otherwise it
    follows from how often each chose the first (`chance="observed"`, Cohen's kappa).

    Undefined when there is no pair in which both chose; with observed chance, also when all choices are the same.

    >>> preference_kappa(["a", "b", "a", "b"], ["a", "b", "b", "b"], chance="observed")
    0.5
    """
    both = table.both_chose
    total = both.sum((-2, -1))
    observed = ratio(table.agreed, total)
    if chance == "half":
        return np.asarray(2 * observed - 1)
    first, second = (ratio(both.sum(side), total[..., None]) for side in (-1, -2))
    expected = (first * second).sum(-1)
    return np.asarray(ratio(observed - expected, 1 - expected))


def balance(table: VoteTable, over: str) -> tuple[Array, Array, Array, float]:
    """Pairs agreed and disagreed on, of how many, and how many times too large these counts are for an interval.

    With `over="both"` as many pairs as give the relevance of the annotator's votes, those on ties of the reference too.
    """
    agreed, disagreed = table.agreed, table.disagreed
    chose, whole = _relevant(table, over)
    if over == "both":
        whole = np.where(agreed + disagreed > 0, ratio((agreed + disagreed) * whole, chose), whole)
    effect = table.effect(BALANCE, RATIOS[over][1])
    return agreed, disagreed, whole, effect


@metric(
    over=VoteTable,
    label="Strength",
    direction=Direction.HIGHER,
    range=(-1.0, 1.0),
    undefined="there is no pair that both were asked about",
    intervals=("tango", "plus_three", "bootstrap"),
    quantity=Quantity.BALANCE_OF_VOTES,
    check=lambda *, over="both": check_choice("over", over, OVER, literal),
    references=[
        "Feedback Forensics 0.5.0, documentation of metrics",
        "Tango 1998 (interval)",
        "Agresti & Caffo 2000 (interval with added votes)",
    ],
)
def preference_strength(table: VoteTable, *, over: str = "both") -> Array:
    """Agreement beyond chance that is also relevant: kappa with a chance of one half, times relevance.

    (agreed − disagreed) / pairs where the reference always chose. Above 0 the reference prefers what the annotator
    chooses, below 0 the other; near 0 it does not matter, or seldom applies. `over` as in preference_relevance.

    Undefined when there is no such pair; 0 when the annotator never chose.

    >>> preference_strength(["a", "b", "a", "b"], ["a", "tie", "a", "b"])
    0.75
    """
    agreed, disagreed, whole, _ = balance(table, over)
    return np.asarray(ratio(agreed - disagreed, whole))


SEVEN = "Feedback Forensics 0.5.0, documentation of general statistics"
OF_PAIRS = {"all": PAIRS, "chosen": CHOSE}
OF_ANSWERS = {"preferred": "chosen", "rejected": "rejected", "a": "length_a", "b": "length_b"}


def _share_of(value: str) -> Callable[[ChoiceSums], Share]:
    """The share that a value of pairs is, in as many effective pairs as it is worth."""

    def share(sums: ChoiceSums) -> Share:
        part, whole = sums.sums.of(value), sums.over(value)
        squares = np.asarray(ratio(whole**2, sums.effective_pairs(value)))
        return Share(part, whole, squares, freedom=sums.freedom(value))

    return share


@metric(
    over=ChoiceSums,
    label="Number of preference pairs",
    direction=Direction.HIGHER,
    range=(0.0, np.inf),
    undefined="there are no pairs",
    intervals=("none",),
    check=lambda *, of="all": check_choice("of", of, tuple(OF_PAIRS), literal),
    references=[SEVEN],
)
def preference_pairs(sums: ChoiceSums, *, of: str = "all") -> Array:
    """How many pairs there are, or in how many of them one of the two answers was chosen (`of="chosen"`).

    Undefined when there is no pair.

    >>> preference_pairs(["a", "b", "tie"]), preference_pairs(["a", "b", "tie"], of="chosen")
    (3.0, 2.0)
    """
    return np.asarray(np.where(sums.total > 0, sums.sums.of(OF_PAIRS[of]), np.nan))


@metric(
    over=ChoiceSums,
    label="Share preferring the first answer",
    direction=Direction.NEAREST,
    range=(0.0, 1.0),
    best=0.5,
    undefined="there is no pair in which an answer was chosen",
    intervals=("guarded_wilson", "wilson", "clopper_pearson", "bootstrap"),
    share=_share_of("chose_a"),
    references=[SEVEN, "Wilson 1927 (interval)"],
    unit="share",
)
def prefers_first(sums: ChoiceSums) -> Array:
    """Share of choices that are the first answer: one half where the place does not matter.

    Undefined when there is no choice.

    >>> prefers_first(["a", "b", "tie", "a"])
    0.6666666666666666
    """
    return sums.mean("chose_a")


@metric(
    over=ChoiceSums,
    label="Share preferring the longer answer",
    direction=Direction.NEAREST,
    range=(0.0, 1.0),
    best=0.5,
    undefined="there is no choice between answers of different length",
    intervals=("guarded_wilson", "wilson", "clopper_pearson", "bootstrap"),
    share=_share_of("longer"),
    references=[SEVEN, "Wilson 1927 (interval)"],
    unit="share",
)
def prefers_longer(sums: ChoiceSums) -> Array:
    """Share of choices that are the longer answer; answers of equal length count as neither.

    Undefined when there is no choice between answers of different length.

    >>> prefers_longer(["a", "b", "a"], [[20, 10], [20, 10], [5, 5]])
    0.5
    """
    return sums.mean("longer")


def _mean_length(sums: ChoiceSums, *, of: str = "preferred") -> Mean:
    value = OF_ANSWERS[of]
    return Mean(sums.mean(value), sums.spread(value), sums.effective_pairs(value))


@metric(
    over=ChoiceSums,
    label="Average length of answers",
    direction=Direction.LOWER,
    range=(0.0, np.inf),
    undefined="there is no choice between answers whose lengths are known",
    intervals=("jackknife_hill", "student", "bootstrap"),
    mean=_mean_length,
    check=lambda *, of="preferred": check_choice("of", of, tuple(OF_ANSWERS), literal),
    references=[SEVEN, HINKLEY, "Student 1908 (interval)"],
)
def answer_length(sums: ChoiceSums, *, of: str = "preferred") -> Array:
    """How many characters answers have on average, in the pairs in which one was chosen.

    Of the chosen answers (`of="preferred"`), of the others ("rejected"), of the first ("a") or second ("b") ones.
    Nothing is good or bad about a length; between equally good answers, the shorter is less to read.

    Undefined when there is no such pair.

    >>> answer_length(["a", "b"], [[20, 10], [30, 16]]), answer_length(["a", "b"], [[20, 10], [30, 16]], of="rejected")
    (18.0, 20.0)
    """
    return sums.mean(OF_ANSWERS[of])
