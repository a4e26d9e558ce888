"""The answers that tasks with systems share: one beside a constant, two beside each other, the best of more."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from adjudge.evaluation.answers.claims import Claim, Evidence, Words, claim_of_gains
from adjudge.evaluation.answers.evidence import (
    EvidenceSource,
    against_baseline,
    against_rest,
    compared_margin,
    leader,
    metric_in,
    of_differences,
    row_of,
    standings_of,
)
from adjudge.evaluation.answers.screen import Answering, ForestOf, GridOf, Screen, SpokenNumber, StandingsOf
from adjudge.evaluation.outcome import Outcome
from adjudge.metrics.catalogue import in_sentence, parse

Named = Callable[[Outcome], str | None]
GAINS = Words(
    beyond="worse", looks="looks worse", within="better", low="{subject} is worse", looks_low="{subject} looks worse"
)


def measured(*patterns: str) -> Named:
    """Which of some metrics was measured, by the first pattern that fits."""
    return lambda outcome: metric_in(outcome, *patterns)


def answers_of(
    metric: Named,
    constant: Callable[[Outcome], str] | str,
    *,
    reads: str = "",
    unit: str = "row",
) -> tuple[Answering, Answering, Answering]:
    """The answers by one metric, the one of most systems first."""

    def alone(outcome: Outcome) -> Sequence[Evidence]:
        name = metric(outcome)
        evidence = [] if name is None else list(against_baseline(name)(outcome))
        return [one for one in evidence if one.subject == leader(outcome)]

    def of_two(outcome: Outcome) -> Sequence[Evidence]:
        name = metric(outcome)
        return [] if name is None else [one for one in of_differences(name)(outcome) if one.whole]

    def of_more(outcome: Outcome) -> Sequence[Evidence]:
        name = metric(outcome)
        return alone(outcome) if name is not None and standings_of(outcome, name) else []

    return (
        Answering("best", of_more, metric, constant, reads, unit=unit),
        Answering("difference", of_two, metric, constant, reads, unit=unit, margin=compared_margin),
        Answering("baseline", alone, metric, constant, reads, unit=unit),
    )


def top_subject(outcome: Outcome) -> str:
    """The subject of the top line."""
    rows = outcome.table.differences.rows
    if len(outcome.systems) == 2 and rows:
        return f"{rows[0].system} against {rows[0].baseline}"
    return outcome.systems[0] if len(outcome.systems) == 1 else f"{len(outcome.systems)} systems"


def drawn_together(outcome: Outcome, units: str = "Rows", *, tested: bool = True) -> str:
    """What the intervals take for granted; slices are `tested` where one is held against the rest, or two systems."""
    cluster = outcome.data.roles.get("cluster")
    sampling = f"{units} of one {cluster} are drawn together" if cluster else f"{units} are assumed to be independent"
    return (
        f"{sampling}; slices are corrected for multiple comparisons (Holm)."
        if outcome.slice_columns and tested
        else f"{sampling}."
    )


def figures(outcome: Outcome, *patterns: str) -> Iterator[tuple[str, str, SpokenNumber]]:
    """The name, the label and the figure of some metrics of the system that the screen is about, where known."""
    system = leader(outcome)
    for pattern in patterns:
        row = row_of(outcome, metric_in(outcome, pattern), system)
        if row is not None and not row.category and not math.isnan(row.low):
            known = parse(row.metric)
            yield row.metric, in_sentence(known), SpokenNumber(row.estimate, row.low, row.high, known.unit)


def difference_claim(*patterns: str, unit: str = "row") -> Claim:
    """Where one of two systems is better, and where it is worse: the whole, then every slice."""
    return claim_of_gains("difference", of_differences(*patterns), replace(GAINS, unit=unit))


def worse_than_rest(state: str = "is worse", *, better: str = "better", unit: str = "row", value: str = "") -> Words:
    """How slices are told beside the rest, where they are not as good: "has more errors", say."""
    word = state.partition(" ")[2]
    return Words(
        beyond=f"{word} than the rest",
        looks="looks worse",
        within=f"{better} than the rest",
        finding=word,
        finding_looks="looks worse",
        low=f"{{subject}} {state} than the rest",
        looks_low="{subject} looks worse than the rest",
        unit=unit,
        value=value,
    )


def of_one_system(source: EvidenceSource) -> EvidenceSource:
    """Evidence of the system that the screen is about, where it is not about a difference."""
    return lambda outcome: [] if outcome.table.differences.rows else source(outcome)


def systems_blocks(*patterns: str) -> tuple[StandingsOf, ForestOf]:
    """Of several systems, who may be the best; of two, where they differ."""
    return (
        StandingsOf("systems, best first", measured(*patterns)),
        ForestOf("difference", "gain, worst first", "gain"),
    )


def usual_screen(headline: Sequence[str]) -> Screen:
    """The screen of a task that declares none: its first figure, and slices beside the rest."""
    leading = (*headline, "*")
    return Screen(
        answers_of(measured(*leading), "the best constant answer"),
        lambda outcome: [top_subject(outcome)],
        (claim_of_gains("slices", against_rest(*leading), worse_than_rest(), order="value"),),
        blocks=(GridOf("slices", "worst slices", "slice", strip=False, p=True),),
        doubt=drawn_together,
    )


def p_text(p: float) -> str:
    """A p-value: two or three decimals, and never zero.

    >>> p_text(0.0231), p_text(0.1), p_text(0.00002), p_text(1.0)
    ('0.023', '0.10', '< 0.001', '1')
    """
    if math.isnan(p):
        return "–"
    if p < 0.001:
        return "< 0.001"
    if p > 0.995:
        return "1"
    return f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def plain(text: str) -> str:
    """A name inside a template: its braces are text.

    >>> plain("{x}").format()
    '{x}'
    """
    return text.replace("{", "{{").replace("}", "}}")


def many_of(one: str) -> str:
    """A noun of the usual kind for more than one.

    >>> many_of("row"), many_of("query"), many_of("survey")
    ('rows', 'queries', 'surveys')
    """
    return f"{one[:-1]}ies" if one.endswith("y") and one[-2:-1] not in "aeiou" else f"{one}s"


def plural(how_many: int, one: str, many: str = "") -> str:
    """A count with its noun.

    >>> plural(1, "row"), plural(1200, "row"), plural(2, "category")
    ('1 row', '1,200 rows', '2 categories')
    """
    return f"{how_many:,} {one if how_many == 1 else many or many_of(one)}"
