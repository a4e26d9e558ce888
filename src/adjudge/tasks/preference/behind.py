"""What else could explain a strength: place, length, other traits; and what people say of the same traits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from adjudge.data.pair_votes import PairVotes
from adjudge.data.votes import MISSING, A, B
from adjudge.diagnosis.strength_differences import corrected_strength
from adjudge.diagnosis.trait_effects import (
    FoldedPairs,
    clusters,
    independent_kappa,
    joint_traits,
    length_term,
    trait_correlations,
)
from adjudge.evaluation.panels import MatrixPanel, Panels, TablePanel
from adjudge.metrics import krippendorff_alpha
from adjudge.statistics.base import Array, ratio
from adjudge.tasks.preference.panels import Shown, Value, number, reach_of
from adjudge.tasks.preference.position import LEANS, chance_warning, leans_of
from adjudge.tasks.preference.reading import MODEL

MOST_TRAITS, MOST_PEOPLE, FEWEST_LABELS, TEXT = 200, 50, 5, 400


def behind_panels(shown: Shown) -> Panels:
    """Place always; the rest where the pairs are at hand."""
    tables = [_position(shown)]
    if shown.units is None:
        return Panels(tables=tables)
    pairs = shown.units.pairs
    traits = _Traits.of(shown, pairs)
    tables += [*_length(shown, traits), *_joint(shown, traits), *_alike(traits), *_people(shown, pairs)]
    tables += [*_judges(shown, pairs), *_examples(shown, pairs)]
    return Panels(tables=tables, matrices=list(_correlations(traits)))


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
    def of(cls, shown: Shown, pairs: PairVotes) -> _Traits:
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
            length_term(pairs.lengths)[chose],
            place.reshape(-1) if repeated else None,
        )
        return cls(names, votes, folded, bool(np.isfinite(pairs.lengths).all(1).any()), shown.level)


def _position(shown: Shown) -> TablePanel:
    """Who leans to one place, and what unrelated votes would give then."""
    rows: list[list[Value]] = []
    for place, cell in enumerate(shown.first):
        reference, annotator = leans_of(cell.table, shown.level)
        kappa = independent_kappa(reference.share, annotator.share)
        warning = chance_warning(cell.table, by_design=cell.column.startswith(MODEL))
        for name, one in ((cell.column, reference), (cell.annotator, annotator))[place > 0 :]:
            its = name == cell.annotator
            said = warning if its else "leans to one place" if one.p < LEANS else ""
            numbers = [number(one.share), number(one.low), number(one.high), number(one.p)]
            rows.append([name, *numbers, number(kappa) if its else None, said])
    note = (
        "The share of choices that are the first answer, which should be one half where the order is random. Kappa and "
        "strength take one half for granted: unrelated votes of two that lean give the kappa shown."
    )
    head = ["annotator", "share of a", "low", "high", "p", "kappa of unrelated votes", "warning"]
    return TablePanel("Does the place decide?", note, head, rows)


def _length(shown: Shown, traits: _Traits) -> Iterator[TablePanel]:
    if not traits.lengths_known or not len(traits.votes):
        return
    rows: list[list[Value]] = []
    for place, (name, cell) in enumerate(zip(traits.names, shown.first, strict=False)):
        one = traits.folded.controlled(traits.votes[:, place], shown.level)
        numbers = [number(x) for x in (cell.strength, one.strength, one.low, one.high, one.correlation)]
        rows.append([name, *numbers, one.note])
    note = (
        "What the strength would be if both answers were equally long: logistic regression of the choice on the trait "
        "and on tanh of the difference in length, half a choice each way added. Where a trait goes with length, the "
        "question itself may be empty."
    )
    head = ["annotator", "strength", "at equal length", "low", "high", "goes with length", "note"]
    yield TablePanel("Is it only the length?", note, head, rows)


def _joint(shown: Shown, traits: _Traits) -> Iterator[TablePanel]:
    """All traits at once."""
    if len(traits.names) < 2 or not len(traits.votes):
        return
    signed = traits.votes * traits.folded.sign[:, None]
    length = traits.folded.terms[traits.folded.place][:, None]
    design = np.concatenate([signed, length], axis=1) if traits.lengths_known else signed
    joint = joint_traits(design, traits.folded.weight, traits.folded.prompts)
    reach, beta, errors = reach_of(shown.level), joint.fit.beta, joint.fit.errors
    alone = [cell.strength for cell in shown.first][: len(traits.names)]
    names, strengths = [*traits.names, "(longer answer)"], [*alone, float("nan")]
    order = np.argsort(-np.abs(beta), kind="stable")
    rows: list[list[Value]] = []
    for k in order:
        limits = (beta[k], beta[k] - reach * errors[k], beta[k] + reach * errors[k])
        worth = (float(np.tanh(beta[k] / 2)), joint.dropped[k])
        rows.append([names[k], *map(number, (strengths[k], *limits, *worth))])
    note = (
        "One logistic model of the choice with all annotators as columns; each coefficient is at given values of the "
        "others, and its limits hold also where two go together. Worth in the model is how much the deviance grows "
        f"without it. {joint.note}"
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
        return [[number(one) for one in row] for row in values]

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
    rows: list[list[Value]] = []
    for group in clusters(value):
        if len(group) > 1:
            others = [f"{traits.names[k]} ({value[group[0], k]:+.2f})" for k in group[1:]]
            rows.append([traits.names[group[0]], ", ".join(others), len(group)])
    if rows:
        note = "Average linkage on one less the size of the correlation, cut at 0.5. Count each group as one finding."
        yield TablePanel("One finding under several names", note, ["annotator", "says the same as", "n"], rows)


def _people(shown: Shown, pairs: PairVotes) -> Iterator[TablePanel]:
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
        [[", ".join(people), number(alpha), len(people)]],
    )


def _judges(shown: Shown, pairs: PairVotes) -> Iterator[TablePanel]:
    """Strengths of judges put right by people's votes on the same trait."""
    rows: list[list[Value]] = []
    reference = pairs.votes[:, 0]
    for judge, person in shown.study.labels.items():
        said, right = (pairs.votes[:, pairs.names.index(name)] for name in (judge, person))
        asked = (reference <= B) & (said != MISSING)
        x, h = signs(said) * signs(reference), signs(right) * signs(reference)
        labelled = asked & (right != MISSING)
        others = asked & (right == MISSING)
        if labelled.sum() < FEWEST_LABELS or others.sum() < 2:
            rows.append(
                [judge, person, int(labelled.sum()), *[None] * 6, "too few pairs with both, or without a person"]
            )
            continue
        one = corrected_strength(h[labelled], x[labelled], x[others], shown.level)
        right_share = float(ratio((said == right)[labelled].sum(), labelled.sum()))
        numbers = [one.strength, one.low, one.high, one.judge_only, one.people_only, right_share]
        rows.append([judge, person, one.labels, *map(number, numbers), ""])
    if rows:
        note = (
            "Prediction-powered: the judge on all pairs, put right by people on a random part of them. Labels must be "
            "a random part, and the judge must not have been tuned on them."
        )
        head = [
            "judge",
            "people",
            "labels",
            "corrected",
            "low",
            "high",
            "judge alone",
            "people alone",
            "judge right",
            "note",
        ]
        yield TablePanel("Strength put right by people", note, head, rows)


def _examples(shown: Shown, pairs: PairVotes) -> Iterator[TablePanel]:
    """Pairs with their texts, where that was asked for: of each of the strongest annotators with and against it."""
    if not shown.study.examples or pairs.texts is None:
        return
    rows: list[list[Value]] = []
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
