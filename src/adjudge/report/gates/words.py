"""Verdicts in words: the same lines for the terminal, the page and Markdown."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from adjudge.errors import noted, quoted, with_minus
from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.gates.requirement_scope import THERE_IS_NO
from adjudge.evaluation.gates.requirements import FLIPS
from adjudge.evaluation.gates.verdicts import (
    DECLARED,
    EXPIRED,
    FAILED,
    INCONCLUSIVE,
    MISSING,
    NOT_APPLICABLE,
    PASSED,
    Judgement,
    Verdict,
)
from adjudge.report import words
from adjudge.report.answers.answer import Step
from adjudge.report.numbers import about, agreeing, number

MARKS = {PASSED: "✓", FAILED: "✗", INCONCLUSIVE: "?", NOT_APPLICABLE: "–", DECLARED: "●", EXPIRED: "✗", MISSING: "✗"}
OF_EVIDENCE = (DECLARED, EXPIRED, MISSING)  # the verdicts on what no table measures
HEAD = ["Verdict", "Requirement", "Estimate", "Limit", "Bound", "n", "Method", "Why"]
MOST_LEVELS = 8
MOST_MORE = 20  # times as many units as there are: more is no advice
MOST_MORE_PLACES = 9  # beyond those that the interval supports
TOO_NEAR = "more rows will hardly settle it: the estimate is too near the bound"
_OF_THE_SIZE = re.compile(r"^n is [\d,]+, and ")
_OF_THE_LIMIT = re.compile("(from|to|the (lower|upper) limit) ")


@dataclass(frozen=True, slots=True)
class RequirementLine:
    """One requirement, or one level of it, ready to show; the gate's interval is drawn with the bound as a tick."""

    mark: str
    verdict: str
    name: str
    estimate: str
    limit: str
    bound: str
    n: str
    method: str
    why: str
    level: bool = False
    metric: str = ""  # where the name does not say it
    more: str = ""  # what the other cells do not say
    low: float | None = None
    high: float | None = None
    point: float | None = None
    tick: float | None = None

    @property
    def cells(self) -> list[str]:
        """The line as cells of a table with the head `HEAD`."""
        mark = f"{self.mark} {self.verdict}"
        return [mark, self.name, self.estimate, self.limit, self.bound, self.n, self.method, self.why]


def lines(judgement: Judgement, levels: int = MOST_LEVELS) -> list[RequirementLine]:
    """Every requirement, the worst first, with the levels that are not passed below it."""
    return [line for verdict in judgement.ordered for line in _with_levels(verdict, levels)]


def _with_levels(verdict: Verdict, most: int) -> Iterator[RequirementLine]:
    yield _line(verdict, verdict.requirement)
    if not verdict.levels:
        return
    open_ones = sorted(
        (leaf for leaf in verdict.levels if leaf.verdict in (FAILED, INCONCLUSIVE)),
        key=lambda leaf: (leaf.verdict != FAILED, leaf.slice),
    )
    for leaf in open_ones[:most]:
        yield _line(leaf, leaf.slice, level=True)
    if len(open_ones) > most:
        more = plural(len(open_ones) - most, "more level")
        yield RequirementLine("", "", f"{more}, in the file of verdicts", "", "", "", "", "", "", level=True)


def _line(verdict: Verdict, name: str, *, level: bool = False) -> RequirementLine:
    estimate, sign = supported(verdict.estimate, verdict), "≥" if verdict.side == "at least" else "≤"
    end, side = _deciding(verdict)
    has_bound = verdict.bound is not None
    return RequirementLine(
        mark=MARKS[verdict.verdict],
        verdict=verdict.verdict,
        name=name,
        metric=_metric(verdict),
        estimate=estimate,
        limit="–" if end is None else f"{side} {supported(end, verdict)}",
        bound=f"{sign} {with_minus(verdict.bound, ',g')}" if has_bound else "–",
        n=f"{verdict.n:,}" if verdict.n else "–",
        method=words.method_name(verdict.method) if verdict.method != "none" else "–",
        why=why(verdict),
        level=level,
        more=_OF_THE_SIZE.sub("", why(verdict, whole=not level and verdict.limit is None, needs=False)),  # n is told
        low=verdict.low,
        high=verdict.high,
        point=verdict.estimate,
        tick=verdict.bound,
    )


def _metric(verdict: Verdict) -> str:
    """What was measured, where the requirement does not say it itself."""
    if not verdict.metric or verdict.metric in verdict.requirement:
        return ""
    what = f"{verdict.metric}{f'[{verdict.category}]' if verdict.category else ''}"
    what += f" of {verdict.system}" if f"({verdict.system})" in verdict.text else ""  # of a column: p95(seconds) <= 2
    return f"{what} against {verdict.baseline}" if verdict.baseline else what


def _deciding(verdict: Verdict) -> tuple[float | None, str]:
    """The end of the gate's interval that decided, and what it says: what failed is bounded from the other side."""
    other = verdict.high if verdict.side == "at least" else verdict.low
    if verdict.verdict != FAILED or other is None:
        return verdict.limit, verdict.side
    return other, "at most" if verdict.side == "at least" else "at least"


def supported(value: float | None, verdict: Verdict) -> str:
    """A number with the decimals that the gate's interval supports, and those that keep it on its side of the bound."""
    if value is None:
        return "–"
    if not math.isfinite(value):
        return words.number_text(value)
    limits = [] if verdict.bound is None else [verdict.bound]
    places = agreeing(value, words.decimals(value, verdict.low, verdict.high), limits, more=MOST_MORE_PLACES)
    return number(value, places, signed=verdict.baseline is not None and verdict.metric not in FLIPS)


def why(verdict: Verdict, *, whole: bool = True, needs: bool = True) -> str:
    """Why the verdict is as it is, and what would settle it; not `whole`, without the limit that stands beside it."""
    beside = not whole and verdict.limit is not None and _OF_THE_LIMIT.match(verdict.why)
    parts = [verdict.why.partition("; ")[2] if beside else verdict.why]
    if needs and verdict.verdict == INCONCLUSIVE and verdict.units_needed:
        parts.append(
            TOO_NEAR
            if _too_near(verdict)
            else f"about {about(verdict.units_needed)} more would settle it, if the estimate is true"
        )
    if verdict.looks != 1:
        parts.append(f"look {verdict.look} of {verdict.looks}")
    if not verdict.must:
        parts.append("for information only: it does not decide")
    elif whole and verdict.verdict == INCONCLUSIVE and verdict.undecided != "block":
        parts.append(f"undecided = {quoted(verdict.undecided)}, so it does not stop the release")
    return noted(*parts)


def _too_near(verdict: Verdict) -> bool:
    """Whether more units than anybody collects would be needed."""
    return not verdict.levels and (verdict.units_needed or 0) > MOST_MORE * max(verdict.n, 1)


def proven(judgement: Judgement) -> list[str]:
    """What these data do show, of what is undecided."""
    sentences = []
    for verdict in judgement.ordered:
        if verdict.verdict == INCONCLUSIVE and verdict.would_pass_at is not None and verdict.bound is not None:
            sign = "≥" if verdict.side == "at least" else "≤"
            what = f"{verdict.metric}{f' for {verdict.category}' if verdict.category else ''}"
            what += f" against {verdict.baseline}" if verdict.baseline else ""
            each = " of every level" if verdict.levels else ""
            sentences.append(f"These data show: {what}{each} {sign} {_promised(verdict.would_pass_at, verdict.side)}.")
    return sentences


def _promised(bound: float, side: str) -> str:
    """A bound that the data show, in three digits, never rounded to more than they do.

    >>> _promised(0.8957, "at least"), _promised(0.8951, "at most"), _promised(1234.5, "at least"), _promised(0, "")
    ('0.895', '0.896', '1,234', '0')
    """
    places = max(0, 2 - math.floor(math.log10(abs(bound)))) if bound else 0
    return number((math.floor if side == "at least" else math.ceil)(bound * 10**places) / 10**places, places)


def next_steps(judgement: Judgement, file: str = "FILE") -> list[Step]:
    """What would settle each requirement that is open."""
    plan = f"adjudge gate {shlex.quote(file)} --plan" if judgement.file_hash else ""
    steps = (_next_step(verdict, plan) for verdict in judgement.ordered if verdict.verdict == INCONCLUSIVE)
    return [step for step in steps if step is not None]


def _next_step(verdict: Verdict, plan: str) -> Step | None:
    """How many more units would settle it or some of its levels, or what to do where no number of units would."""
    name = quoted(verdict.requirement)
    open_leaves = [leaf for leaf in verdict.leaves if leaf.verdict == INCONCLUSIVE]
    waiting = [leaf for leaf in open_leaves if leaf.units_needed]
    settled = [leaf for leaf in waiting if not _too_near(leaf)]
    if settled:
        parts = [f"{leaf.slice} {about(leaf.units_needed or 0)}" for leaf in settled if verdict.levels]
        more = f" ({', '.join(parts[:6])}{' …' if len(parts) > 6 else ''})" if parts else ""
        needed = sum(leaf.units_needed or 0 for leaf in settled)
        units = "unit" if needed == 1 else "units"
        some = "" if len(settled) == len(open_leaves) else f"{len(settled)} of {len(open_leaves)} open levels of "
        return Step(f"About {about(needed)} more {units}{more} would settle {some}{name}, if the estimate is true.")
    if any(THERE_IS_NO in leaf.why for leaf in open_leaves):
        return Step(f"Name a slice that the table has in {name}: it speaks of one that is not there.")
    if any(_is_short(leaf) for leaf in open_leaves):
        return Step(f"More units would more likely fail {name}: the estimate is on the wrong side of the bound.")
    if waiting or any(leaf.limit is not None for leaf in open_leaves):
        return Step(f"More units will hardly settle {name}: the estimate is too near the bound.")
    if plan and not verdict.characteristic:  # of a purpose there is no plan
        return Step(f"See how many rows {name} needs:", plan)
    return None


def _is_short(leaf: Verdict) -> bool:
    """Whether the estimate itself does not meet the bound, so that no number of units is likely to."""
    if leaf.limit is None or leaf.estimate is None or leaf.bound is None:
        return False
    return leaf.estimate <= leaf.bound if leaf.side == "at least" else leaf.estimate >= leaf.bound


def title(judgement: Judgement) -> str:
    """The gate, its table and what was judged, in one line."""
    parts = [f"Gate {judgement.name}" if judgement.name else "Requirements"]
    parts += [judgement.source] if judgement.source else []
    if judgement.rows:
        parts.append(words.rows_used(judgement.rows, judgement.rows_used, list(judgement.left_out)))
    evidence = sum(one.verdict in OF_EVIDENCE for one in judgement)
    judged = f"{plural(len(judgement.verdicts) - evidence, 'requirement')} judged"
    parts.append(f"{judged}, {evidence} of evidence" if evidence else judged)
    if judgement.candidates > 1:
        parts.append(f"candidate {judgement.candidates} on these rows")
    return " · ".join(parts)
