"""What else could explain a strength: place, length, other traits; and what people say of the same traits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgements.pair_votes import PairVotes
from adjudge.data.judgements.votes import MISSING, A, B
from adjudge.diagnosis.preferences.trait_effects import (
    FEWEST_FOR_TRAIT,
    FoldedPairs,
    JointTraits,
    Lean,
    LengthControl,
    clusters,
    independent_kappa,
    joint_traits,
    lean,
    length_term,
    trait_correlations,
)
from adjudge.errors import percent, with_minus
from adjudge.evaluation.panels import Cell, MatrixPanel, Panels, TablePanel, finite
from adjudge.metrics import krippendorff_alpha
from adjudge.statistics.base import Array
from adjudge.statistics.preferences.votes import ASKED, CHOICE, VoteTable
from adjudge.tasks.preference.reading import MODEL
from adjudge.tasks.preference.shown_votes import ShownVotes

LEANS, MATTERS = 0.05, 0.01
LEVEL = 0.95


def leans_of(table: VoteTable, level: float = LEVEL) -> tuple[Lean, Lean]:
    """How the reference and the annotator lean, in the pairs that both were asked about."""
    effect = max(float(table.squares.sum() / max(float(table.total), 1e-300)), 1e-300)
    reference = table.counts[CHOICE, ASKED].sum(1) / effect
    annotator = table.counts[ASKED, CHOICE].sum(0) / effect
    return lean(reference[0], reference[1], level), lean(annotator[0], annotator[1], level)


def chance_warning(table: VoteTable, *, by_design: bool = False) -> str:
    """Why kappa with a chance of one half misleads; empty where it does not.

    Both must lean, and votes without any relation must give more than a hundredth. A model that always wrote the first
    answer leans by design: then the annotator decides.
    """
    reference, annotator = leans_of(table)
    if not reference.n or not annotator.n:
        return ""
    expected = independent_kappa(reference.share, annotator.share)
    fixed = by_design and reference.share in (0.0, 1.0)
    if annotator.p >= LEANS or (reference.p >= LEANS and not fixed) or abs(expected) <= MATTERS:
        return ""
    return (
        f"both lean to one place (a in {percent(reference.share)} and {percent(annotator.share)}): unrelated votes "
        f"would give {expected:.2f}; read kappa with observed chance"
    )


MOST_TRAITS, MOST_PEOPLE, TEXT = 200, 50, 400
LONGER = "(longer answer)"
TOO_FEW = f"Fewer than {FEWEST_FOR_TRAIT} pairs of the rarer choice for each column: only the order can be read."


@dataclass(frozen=True)
class Explanations:
    """What else could explain the strengths, where the pairs are at hand."""

    traits: _Traits
    lengths: list[LengthControl]  # of each trait; none where lengths are not known
    joint: JointTraits | None

    @property
    def names(self) -> list[str]:
        """The columns of the joint model."""
        return [*self.traits.names, *([LONGER] if self.traits.lengths_known else [])]

    def at_equal_length(self, place: int, level: float) -> tuple[float, float, float]:
        """The strength of a trait where answers are as long, with limits at a level."""
        one = self.lengths[place]
        if level != self.traits.level:
            one = self.traits.folded.controlled(self.traits.votes[:, place], level)
        return one.strength, one.low, one.high


def explanations_of(shown: ShownVotes) -> Explanations | None:
    """Every fit; None where the pairs are not at hand."""
    if shown.units is None:
        return None
    traits = _Traits.of(shown, shown.units.pairs)
    lengths = []
    if traits.lengths_known and len(traits.votes):
        lengths = [traits.folded.controlled(votes, shown.level) for votes in traits.votes.T]
    return Explanations(traits, lengths, _fitted_together(traits))


def explanation_panels(shown: ShownVotes, explanations: Explanations | None) -> Panels:
    """Place always; the rest where the pairs are at hand."""
    tables = [_position(shown)]
    if explanations is None or shown.units is None:
        return Panels(tables=tables)
    pairs, traits = shown.units.pairs, explanations.traits
    tables += [*_length(shown, explanations), *_joint(shown, explanations), *_alike(traits), *_people(shown, pairs)]
    return Panels(tables=[*tables, *_examples(shown, pairs)], matrices=list(_correlations(traits)))


def signs(votes: NDArray[np.int8]) -> Array:
    """+1 for a, −1 for b, 0 for neither."""
    return np.where(votes == A, 1.0, np.where(votes == B, -1.0, 0.0))


class _Traits:
    """The pairs in which the reference chose, and every annotator's votes there."""

    def __init__(self, names: list[str], votes: Array, folded: FoldedPairs, lengths_known: bool, level: float) -> None:
        self.names, self.votes, self.folded, self.lengths_known, self.level = names, votes, folded, lengths_known, level

    @cached_property
    def correlations(self) -> tuple[Array, Array, Array, Array]:
        """Of every two."""
        return trait_correlations(self.votes, self.folded.weight, self.level)

    @classmethod
    def of(cls, shown: ShownVotes, pairs: PairVotes) -> _Traits:
        """Of the first column."""
        names = [cell.annotator for cell in shown.first][:MOST_TRAITS]
        chose = pairs.votes[:, 0] <= B
        assert shown.units is not None
        votes = signs(pairs.votes[:, [pairs.names.index(name) for name in names]])[chose]
        known, place = np.unique(pairs.prompts[chose], return_inverse=True)
        repeated = shown.study.reading.cluster is not None and len(known) < int(chose.sum())
        folded = FoldedPairs.of(
            pairs.votes[chose, 0] == A,
            shown.units.weight[chose],
            length_term(pairs.lengths, shown.units.weight)[chose],
            place.reshape(-1) if repeated else None,
        )
        return cls(names, votes, folded, bool(np.isfinite(pairs.lengths).all(1).any()), shown.level)


def _position(shown: ShownVotes) -> TablePanel:
    """Who leans to one place, and what unrelated votes would give then."""
    rows: list[list[Cell]] = []
    for place, cell in enumerate(shown.first):
        reference, annotator = leans_of(cell.table, shown.level)
        kappa = independent_kappa(reference.share, annotator.share)
        warning = chance_warning(cell.table, by_design=cell.column.startswith(MODEL))
        for name, one in ((cell.column, reference), (cell.annotator, annotator))[place > 0 :]:
            its = name == cell.annotator
            said = warning if its else "leans to one place" if one.p < LEANS else ""
            numbers = [finite(one.share), finite(one.low), finite(one.high), finite(one.p)]
            rows.append([name, *numbers, finite(kappa) if its else None, said])
    note = (
        "The share of choices that are the first answer: one half where the order is random. Kappa and "
        "strength take one half for granted: unrelated votes of two that lean give the kappa shown."
    )
    head = ["annotator", "share of a", "low", "high", "p", "kappa of unrelated votes", "warning"]
    return TablePanel("Does the place decide?", note, head, rows)


def _length(shown: ShownVotes, explanations: Explanations) -> Iterator[TablePanel]:
    if not explanations.lengths:
        return
    rows: list[list[Cell]] = []
    for name, cell, one in zip(explanations.traits.names, shown.first, explanations.lengths, strict=False):
        numbers = [finite(x) for x in (cell.strength, one.strength, one.low, one.high, one.correlation)]
        rows.append([name, *numbers, one.note])
    note = (
        "What the strength would be if both answers were equally long: logistic regression of the choice on the trait "
        "and on tanh of the difference in length, half a choice each way added. Where a trait goes with length, the "
        "question itself may be empty."
    )
    head = ["annotator", "strength", "at equal length", "low", "high", "goes with length", "note"]
    yield TablePanel("Is it only the length?", note, head, rows)


def _fitted_together(traits: _Traits) -> JointTraits | None:
    """All traits at once."""
    if len(traits.names) < 2 or not len(traits.votes):
        return None
    folded = traits.folded
    signed = traits.votes * folded.sign[:, None]
    if traits.lengths_known:
        signed = np.concatenate([signed, folded.terms[folded.place][:, None]], axis=1)
    chose_a = int((folded.sign > 0).sum())
    return joint_traits(signed, folded.weight, folded.prompts, min(chose_a, len(signed) - chose_a))


def _joint(shown: ShownVotes, explanations: Explanations) -> Iterator[TablePanel]:
    joint = explanations.joint
    if joint is None:
        return
    beta, (low, high) = joint.fit.beta, joint.limits(shown.level)
    alone = [*(cell.strength for cell in shown.first[: len(explanations.traits.names)]), float("nan")]
    rows: list[list[Cell]] = []
    for k in np.argsort(-np.abs(beta), kind="stable"):
        worth = (float(np.tanh(beta[k] / 2)), joint.dropped[k])
        rows.append([explanations.names[k], *map(finite, (alone[k], beta[k], low[k], high[k], *worth))])
    note = (
        "One logistic model of the choice with all annotators as columns; each coefficient is at given values of the "
        "others, and its limits hold also where two go together. Worth in the model is how much the deviance grows "
        f"without it, fitted again. {TOO_FEW if joint.few else ''}"
    ).strip()
    head = [
        "annotator",
        "strength alone",
        "coefficient together",
        "low",
        "high",
        "kappa together",
        "worth in the model",
    ]
    yield TablePanel("Which explain the choice together?", note, head, rows)


def _correlations(traits: _Traits) -> Iterator[MatrixPanel]:
    if len(traits.names) < 2:
        return
    value, low, high, both = traits.correlations

    def listed(values: Array) -> list[list[float | None]]:
        return [[finite(one) for one in row] for row in values]

    note = "How votes go together, whichever answer comes first: 1 always the same answer, −1 always the other."
    yield MatrixPanel(
        "Which annotators say the same?",
        note,
        traits.names,
        traits.names,
        listed(value),
        listed(low),
        listed(high),
        np.rint(both).astype(int).tolist(),
        (-1.0, 1.0),
    )


def _alike(traits: _Traits) -> Iterator[TablePanel]:
    """Annotators that are one finding."""
    if len(traits.names) < 2:
        return
    value = traits.correlations[0]
    rows: list[list[Cell]] = []
    for group in clusters(value):
        if len(group) > 1:
            others = [f"{traits.names[k]} ({with_minus(value[group[0], k], '+.2f')})" for k in group[1:]]
            rows.append([traits.names[group[0]], ", ".join(others), len(group)])
    if rows:
        note = "Average linkage on one less the size of the correlation, cut at 0.5. Count each group as one finding."
        yield TablePanel("One finding under several names", note, ["annotator", "says the same as", "n"], rows)


def _people(shown: ShownVotes, pairs: PairVotes) -> Iterator[TablePanel]:
    """How well people agree among themselves."""
    people = [name for name, group in shown.study.groups.items() if group in ("person", "reference", "annotator")]
    people = [name for name in people if name in pairs.names][:MOST_PEOPLE]
    if len(people) < 2:
        return
    votes = pairs.votes[:, [pairs.names.index(name) for name in people]]
    words = np.array(["a", "b", *[None] * MISSING], dtype=object)
    alpha = krippendorff_alpha(words[votes]) if (votes <= B).any() else float("nan")
    note = "Of their choices. For intervals, raters one by one and hard items: adjudge agreement, with these as raters."
    yield TablePanel(
        "Do people agree?",
        note,
        ["people", "Krippendorff's alpha", "n"],
        [[", ".join(people), finite(alpha), len(people)]],
    )


def _examples(shown: ShownVotes, pairs: PairVotes) -> Iterator[TablePanel]:
    """Pairs with their texts, where that was asked for: of each of the strongest annotators with and against it."""
    if not shown.study.examples or pairs.texts is None:
        return
    rows: list[list[Cell]] = []
    prompt, first, second = pairs.texts
    strongest = sorted(shown.first, key=lambda cell: -abs(cell.strength) if np.isfinite(cell.strength) else 0.0)
    reference = pairs.votes[:, 0]
    for cell in strongest:
        said = pairs.votes[:, pairs.names.index(cell.annotator)]
        for what, chosen in (("same", said == reference), ("other", (said != reference) & (said <= B))):
            for row in np.flatnonzero(chosen & (reference <= B))[:1]:
                choice = ["a", "b"][int(reference[row])]
                rows.append([cell.annotator, what, choice, *(text[row][:TEXT] for text in (prompt, first, second))])
    note = (
        "Whether the annotator chose the same answer as the reference or the other one, and which the reference chose."
    )
    head = ["annotator", "chose", "reference", "prompt", "a", "b"]
    yield TablePanel("Examples of pairs", note, head, rows[: shown.study.examples])
