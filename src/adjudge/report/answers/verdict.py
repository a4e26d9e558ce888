"""From judged claims to words: one headline with at most one "but", findings with the worst first, and next steps."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from shlex import quote

from adjudge.errors import with_minus
from adjudge.evaluation.answers.answering import many_of, p_text, plural
from adjudge.evaluation.answers.claims import ALONE, BEYOND, FEW, LOOKS, UNDECIDED, Judged, units_to_settle
from adjudge.evaluation.answers.screen import Advice, Answering, Remark, Screen, SpokenNumber
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.slice_search.search import search_remarks
from adjudge.report.answers.answer import Finding, Step
from adjudge.report.answers.grammars import SpokenClause, answer_said
from adjudge.report.answers.order import of_several, ordered
from adjudge.report.numbers import UNITS, Unit, estimate_text, shared_places
from adjudge.report.words import spoken_slice

MOST_FINDINGS, MOST_STEPS, MOST_SUBJECTS = 5, 3, 3
# What looks beyond is worth the headline only if it is unlikely to be the luck of many looks.
WORTH_SAYING = 0.2
BAD_NEWS = ("worse", "worse, small", "below", BEYOND, LOOKS)  # clauses to which a worse slice is no "but"


@dataclass(frozen=True, slots=True)
class SpokenVerdict:
    """What is said before any table."""

    headline: str
    findings: list[Finding]
    steps: list[Step]
    said: SpokenClause


@dataclass(frozen=True)
class AnsweredClaim:
    """A claim's subjects with how their numbers read."""

    judged: Sequence[Judged]
    unit: Unit
    difference: bool  # the estimates are differences: signs, and points instead of percent
    label: str = ""
    differing: Mapping[str, float] = field(default_factory=dict)  # adjusted p of a slice that differs from the rest
    columns: Collection[str] = ()  # whose values are slices

    @property
    def parts(self) -> list[Judged]:
        """All but the whole, the worst first."""
        return [one for one in ordered(self.judged) if not one.evidence.whole]

    @property
    def level(self) -> float:
        """The level of the intervals."""
        return self.judged[0].evidence.level if self.judged else 0.95

    @property
    def places(self) -> int:
        """The decimals of all estimates: the whole's, or those of most subjects."""
        spans = [(one.evidence.low, one.evidence.high) for one in self.judged]
        whole = [(one.evidence.low, one.evidence.high) for one in self.judged if one.evidence.whole]
        return shared_places(whole or spans, self.unit)

    def name(self, one: Judged) -> str:
        """What a subject is called in a sentence."""
        return spoken_slice(one.subject, self.columns)

    def where(self, one: Judged) -> str:
        """Which units a subject is about."""
        return one.claim.words.where.format(subject=self.name(one))

    def span(self, one: Judged) -> str:
        """A subject's interval, of which no end crosses a limit by rounding."""
        low, high = one.evidence.low, one.evidence.high
        return self.unit.span(low, high, self.places, signed=self.difference, limits=one.good)

    def estimate(self, one: Judged) -> str:
        """A subject's estimate without what stands behind it."""
        limits = [self.unit.scaled(limit) for limit in one.good]
        return estimate_text(self.unit.scaled(one.evidence.estimate), self.places, limits, signed=self.difference)

    def value(self, one: Judged) -> str:
        """An estimate with its interval, signed, rounded by its limits."""
        if math.isnan(one.evidence.low) or math.isnan(one.evidence.high):
            return self.unit.text(one.evidence.estimate, 2)
        suffix = self.unit.difference if self.difference else self.unit.suffix
        return f"{self.estimate(one)}{suffix} {self.span(one)}"


UNANSWERED = "none"  # the clause of a screen that finds nothing of what it is about


def verdict_of(
    outcome: Outcome, screen: Screen, answers: Mapping[str, AnsweredClaim], options: frozenset[str]
) -> SpokenVerdict:
    """The headline, the findings and the next steps."""
    answering = screen.answer(outcome)
    said = _unanswered(outcome) if answering is None else answer_said(outcome, answering)
    remarks = [*screen.remarks(outcome), *search_remarks(outcome)]
    but = exception(screen, answers, said, next((remark.but for remark in remarks if remark.but), ""))
    headline = _joined(said.text, but or _open(screen, answers, said))
    ranked = [(0, finding) for finding in said.findings]
    ranked += [*_findings(screen, answers), *((remark.rank, _remark(remark)) for remark in remarks)]
    findings = [finding for _, finding in sorted(ranked, key=lambda one: one[0])]
    steps = [*_steps(answering, said, answers, options), *_advice(screen.steps(outcome), options)]
    return SpokenVerdict(headline, findings[:MOST_FINDINGS], _first_steps(steps), said)


def _unanswered(outcome: Outcome) -> SpokenClause:
    rows = plural(outcome.data.used, "row")
    if not any(math.isfinite(row.estimate) for row in outcome.table):
        return SpokenClause(UNANSWERED, f"Nothing was measured of {rows}.")
    return SpokenClause(UNANSWERED, f"No answer: of {rows} other figures were measured than the answer is about.")


def _joined(answer: str, end: str) -> str:
    return f"{answer.removesuffix('.')}{end}." if end else answer


def exception(screen: Screen, answers: Mapping[str, AnsweredClaim], said: SpokenClause, remark: str = "") -> str:
    """At most one "but": the worst of what is beyond, of a slice that differs, of what looks beyond.

    `remark` is what the task itself says to be beyond.
    """
    if said.id in ("undefined", "too few", UNANSWERED):
        return ""
    every = [answers[claim.key] for claim in screen.claims if claim.excepts and claim.key in answers]
    # Where the whole is worse, a slice that is worse is no exception.
    every = [one for one in every if not any(x.evidence.whole and x.side and x.state == BEYOND for x in one.judged)]
    joined = ", and " if said.id in BAD_NEWS else ", but "
    for state in (BEYOND, "differs", LOOKS):
        if state == "differs" and remark:
            return f"{joined}{remark}"
        for one in every:
            if state == "differs":
                subjects = [x for x in one.parts if _gains_less(x, one)]
            elif state == BEYOND:
                subjects = [x for x in one.parts if x.state == BEYOND]
            else:
                subjects = [x for x in one.parts if x.state in (LOOKS, ALONE) and x.p_adjusted < WORTH_SAYING]
            if subjects:
                return f"{joined}{_clause(subjects, state, one)}"
    return said.exception


def _gains_less(one: Judged, answer: AnsweredClaim) -> bool:
    """Whether a slice is shown to differ from the others, and gains less than they do."""
    differs = answer.differing.get(one.subject, 1.0) < 1 - answer.level
    return differs and one.evidence.estimate < float(one.evidence.facts.get("rest", -math.inf))


def _clause(subjects: Sequence[Judged], state: str, answer: AnsweredClaim) -> str:
    worst, words = subjects[0], subjects[0].claim.words
    others = sum(one.side == worst.side for one in subjects) - 1  # what errs the other way is no more of the same
    more = f"{others} more {words.one if others == 1 else words.many}" if others else ""
    if state == "differs":
        if more:
            return f"{answer.name(worst)} and {more} do not share the gain"
        return f"{answer.name(worst)} {'gains less' if worst.evidence.low > 0 else 'does not share the gain'}"
    low, whose = worst.side < 0, worst.evidence.facts.get("whose", "")
    start = f"{whose} " if whose else ""
    if state == BEYOND:
        return start + of_several(words.low if low else words.high, answer.name(worst), more)
    return f"{start}{of_several(words.looks_low if low else words.looks_high, answer.name(worst), more)}, undecided"


def _open(screen: Screen, answers: Mapping[str, AnsweredClaim], said: SpokenClause) -> str:
    """How many groups are undecided, where no exception qualifies."""
    if said.id in ("undefined", "too few", UNANSWERED):
        return ""
    for claim in screen.claims:
        parts = answers[claim.key].parts if claim.key in answers and claim.opens else []
        left = [one for one in parts if one.state in (LOOKS, ALONE, UNDECIDED, FEW)]
        if left:
            count, words = len(parts), claim.words
            which = words.one if count == 1 else words.many
            return f"; {len(left)} of {count} {which} {'is' if len(left) == 1 else 'are'} undecided"
    return ""


def _findings(screen: Screen, answers: Mapping[str, AnsweredClaim]) -> Iterator[tuple[int, Finding]]:
    """What is beyond, and what looks so, claim by claim, each with its rank."""
    for claim in screen.claims:
        if claim.key in answers and claim.listed:
            yield from _of_claim(answers[claim.key])


def _of_claim(answer: AnsweredClaim) -> Iterator[tuple[int, Finding]]:
    words = answer.judged[0].claim.words if answer.judged else None
    for rank, mark, states in ((1, "beyond", (BEYOND,)), (2, "looks", (ALONE, LOOKS))):
        own = [one for one in answer.parts if one.state in states]
        if not own or words is None:
            continue
        word = words.finding or words.beyond if mark == "beyond" else words.finding_looks or words.looks
        left = len(own) - MOST_SUBJECTS
        more = f"; {left} more: --all" if left > 0 else ""
        end = "" if mark == "beyond" else "; undecided"
        yield rank, Finding(mark, word, _subjects_text(own[:MOST_SUBJECTS], answer) + more + end)
    for one in answer.parts:
        if one.state not in (BEYOND, ALONE, LOOKS) and _gains_less(one, answer):
            yield 2, Finding("looks", "gains less", _subject_text(one, answer))
            return


def _subjects_text(subjects: Sequence[Judged], answer: AnsweredClaim) -> str:
    """Some subjects, each with its figure; what they were picked from stands once where it is the same for all."""
    parts = [_subject_text(one, answer).rpartition(" (adjusted p ") for one in subjects]
    if len(parts) > 1 and parts[0][1] and len({end for _, _, end in parts}) == 1:
        p, _, family = parts[0][2].partition(", ")
        return f"{'; '.join(text for text, _, _ in parts)} (adjusted p {p} each, {family}"
    return "; ".join(map("".join, parts))


def _subject_text(one: Judged, answer: AnsweredClaim) -> str:
    """A subject with its figure, its limit, how many units, and what it was picked from."""
    facts, words = one.evidence.facts, one.claim.words
    if "value" in facts:
        low, high = float(facts["low"]), float(facts["high"])
        places = answer.unit.places(low, high)
        value = f"{answer.unit.text(float(facts['value']), places)} {answer.unit.span(low, high, places)}"
        value = words.value.format(value=value) if words.value else f"{answer.label} {value}"
        rest = f", {answer.unit.text(float(facts['rest']), places)} for the rest" if "rest" in facts else ""
    else:
        value, rest = answer.value(one), ""
        value = words.value.format(value=value) if words.value else value
        if "rest" in facts:
            rest = f", {answer.unit.change(float(facts['rest']), answer.places)} on the others"
    unit = str(facts.get("unit", words.unit))
    text = f"{answer.name(one)}: {value} on {plural(one.evidence.n, unit)}{rest}{_limit(one)}"
    if "also" in facts:
        text += f", {facts['also']}"
    p = answer.differing.get(one.subject)
    if p is not None and p < 1 - answer.level and one.state != BEYOND:
        return f"{text}; the gains differ (adjusted p {p_text(p)}, {one.family} {words.many})"
    if math.isnan(one.p_adjusted):
        return text
    if one.family > 1:
        return f"{text} (adjusted p {p_text(one.p_adjusted)}, {one.family} {words.many})"
    return text


def _limit(one: Judged) -> str:
    low, high = one.good
    if math.isfinite(low) and math.isfinite(high):
        if low == high == 0:
            return ""
        return f", limit ±{high:g}" if low == -high else f", limits {with_minus(low)} and {with_minus(high)}"
    limit = low if math.isfinite(low) else high
    return f", limit {with_minus(limit)}" if math.isfinite(limit) and limit != 0 else ""


def _remark(remark: Remark) -> Finding:
    """A task's own words with its figures in them."""
    texts = {name: figure_text(figure) for name, figure in remark.figures.items()}
    values = {f"{name}_value": figure_text(figure, alone=True) for name, figure in remark.figures.items()}
    return Finding(remark.mark, remark.word, remark.text.format(**texts, **values))


def figure_text(figure: SpokenNumber, *, alone: bool = False) -> str:
    """A figure with its interval, or alone.

    >>> figure_text(SpokenNumber(0.877, 0.826, 0.915, "share")), figure_text(SpokenNumber(212, unit="count"))
    ('88 % [83, 92]', '212')
    """
    if figure.unit == "count":
        return f"{figure.estimate:,.0f}"
    unit = UNITS[figure.unit]
    if math.isnan(figure.low) or math.isnan(figure.high):
        return unit.text(figure.estimate, 0 if figure.unit == "share" else 2, signed=figure.signed)
    places = unit.places(figure.low, figure.high)
    value = unit.text(figure.estimate, places, signed=figure.signed)
    span = unit.span(figure.low, figure.high, places, signed=figure.signed, limits=figure.limits)
    return value if alone else f"{value} {span}"


def _steps(
    answering: Answering | None,
    said: SpokenClause,
    answers: Mapping[str, AnsweredClaim],
    options: frozenset[str],
) -> Iterator[Step]:
    """Read what is worst, settle what is undecided, say what matters."""
    parts = [(one, each) for each in answers.values() for one in each.parts]
    worst = [(one, each) for one, each in parts if one.state in (BEYOND, ALONE, LOOKS)]
    worst += [(one, each) for one, each in parts if _gains_less(one, each)]
    readable = [(one, each) for one, each in worst if one.claim.reads]
    if readable and "items" in options:
        one, each = readable[0]
        units = plural(one.evidence.n, one.claim.words.unit)
        yield Step(f"Read the {units} {each.where(one)}, {one.claim.words.by} first:", "--items items.csv")
    if said.wants_margin and "margin" in options:
        yield Step("Set the smallest difference that matters:", f"--margin {quote(said.wants_margin)}")
    if said.id == "too few" and not said.wants_margin and answering is not None:
        yield Step(f"Collect more {many_of(answering.unit)} before reading these figures.")
    yield from _settling(said, answers)


def _settling(said: SpokenClause, answers: Mapping[str, AnsweredClaim]) -> Iterator[Step]:
    """How many more units would settle the answer, or else the first subject that is not."""
    if said.more:
        yield Step(said.more)
        return
    open_states = [(one, each) for each in answers.values() for one in each.parts if one.state in (LOOKS, ALONE)]
    open_states += [
        (one, each) for each in answers.values() for one in each.parts if one.state == UNDECIDED and one.claim.opens
    ]
    for one, each in open_states:
        more = units_to_settle(one)
        if more is not None and one.claim.settles:
            value = each.value(one).partition(" [")[0]
            what = "difference" if {"rest", "baseline"} & one.evidence.facts.keys() else "value"
            yield Step(
                f"About {more:,} more {many_of(one.claim.words.unit)} {each.where(one)} would settle it, "
                f"if the true {what} is {value}."
            )
            return


def _advice(advice: Iterable[Advice], options: frozenset[str]) -> Iterator[Step]:
    for one in advice:
        name = (one.command or "").removeprefix("--").partition(" ")[0]
        takes = not name or name in options
        if takes:
            yield Step(one.text, one.command)
        elif not one.needs:
            yield Step(one.text.removesuffix(":") + ".")


def _first_steps(steps: Sequence[Step]) -> list[Step]:
    """The first few, and each command once."""
    kept: dict[str, Step] = {}
    for step in steps:
        kept.setdefault(step.command or step.text, step)
    return list(kept.values())[:MOST_STEPS]
