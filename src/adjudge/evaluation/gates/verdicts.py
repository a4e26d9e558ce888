"""What a gate said: plain data, kept with the evaluation, shown by every renderer and written into every file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from adjudge.errors import with_minus
from adjudge.evaluation.panels import finite
from adjudge.evaluation.results import Row

PASSED, FAILED, INCONCLUSIVE, NOT_APPLICABLE = "passed", "failed", "inconclusive", "not applicable"
DECLARED, EXPIRED, MISSING = "declared", "expired", "missing"
# The worst first: the order in which verdicts are shown.
ORDER = (FAILED, INCONCLUSIVE, EXPIRED, MISSING, PASSED, DECLARED, NOT_APPLICABLE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One requirement, or one level of it: what was found, the limit that decided, and the verdict."""

    requirement: str  # its name, or itself as text
    text: str
    verdict: str
    why: str = ""
    system: str = ""
    slice: str = "all"
    category: str = ""
    metric: str = ""
    baseline: str | None = None
    estimate: float | None = None
    limit: float | None = None  # the end of the gate's interval on the side of the bound
    side: str = "at least"
    bound: float | None = None
    low: float | None = None  # the gate's interval
    high: float | None = None
    confidence: float = 0.95
    method: str = "none"
    n: int = 0
    p_passed: float | None = None
    p_failed: float | None = None
    p_failed_adjusted: float | None = None  # Holm, over all requirements and levels of the gate
    units_needed: int | None = None  # more units that would settle it, if the estimate is true
    would_pass_at: float | None = None  # the bound that these data do prove
    must: bool = True
    undecided: str = "block"
    look: int = 1
    looks: int | str = 1
    levels: tuple[Verdict, ...] = ()
    owner: str = ""
    reason: str = ""
    link: str = ""
    characteristic: str = ""

    @property
    def leaves(self) -> tuple[Verdict, ...]:
        """Its levels, or itself where it has none."""
        return self.levels or (self,)

    @property
    def blocks(self) -> bool:
        """Whether it stops the release as it stands."""
        if not self.must:
            return False
        undecided = self.verdict == INCONCLUSIVE and self.undecided == "block"
        return self.verdict in (FAILED, MISSING, EXPIRED) or undecided


@dataclass(frozen=True, slots=True)
class Judgement:
    """All verdicts of a gate."""

    name: str
    verdict: str
    verdicts: tuple[Verdict, ...]
    source: str = ""  # the table that was judged
    fingerprint: str = ""  # of the table
    file_hash: str = ""  # of the file with the requirements
    systems: dict[str, str] = field(default_factory=dict)  # the fingerprint of each system's answers, where known
    candidates: int = 0  # how many were judged on these rows so far, where that is kept
    checks: tuple[str, ...] = ()  # what looks like a mistake in the table, and is to be looked at first
    rows: int = 0  # of the table; 0 where they are told elsewhere
    rows_used: int = 0
    left_out: dict[str, int] = field(default_factory=dict)  # rows, by the reason

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed, 3 inconclusive or nothing applicable."""
        return {PASSED: 0, FAILED: 1}.get(self.verdict, 3)

    def counted(self) -> dict[str, int]:
        """How many requirements have each verdict, the worst first."""
        words = [one.verdict for one in self.verdicts]
        return {word: words.count(word) for word in ORDER if word in words}

    @property
    def ordered(self) -> list[Verdict]:
        """The verdicts, the worst first."""
        return sorted(self.verdicts, key=lambda one: ORDER.index(one.verdict))

    @property
    def headline(self) -> str:
        """The verdict in one line, with the names of what stands in the way."""
        open_too = self.verdict != FAILED  # what failed is not to be read beside what is merely open
        blocking = [one.requirement for one in self.ordered if one.blocks and (open_too or one.verdict != INCONCLUSIVE)]
        names = ", ".join(blocking[:4]) + (f" and {len(blocking) - 4} more" if len(blocking) > 4 else "")
        counts = [f"{count} {word}" for word, count in self.counted().items()]
        if self.verdict == PASSED:
            open_ones = [one.requirement for one in self.verdicts if one.must and one.verdict == INCONCLUSIVE]
            names = ", ".join(open_ones[:4]) + (f" and {len(open_ones) - 4} more" if len(open_ones) > 4 else "")
            head = f"PASSED, with a warning: {names}." if names else "PASSED."
        else:
            head = f"{self.verdict.upper()}: {names}." if names else f"{self.verdict.upper()}."
        return f"{head} {', '.join(counts).capitalize() if counts else 'Nothing was judged'}."


def of_gate(verdicts: tuple[Verdict, ...]) -> str:
    """The verdict of a gate: all must pass, so that no correction is needed for their number."""
    if any(one.blocks and one.verdict != INCONCLUSIVE for one in verdicts):
        return FAILED
    if any(one.blocks for one in verdicts):
        return INCONCLUSIVE
    if all(one.verdict in (NOT_APPLICABLE, DECLARED, EXPIRED) for one in verdicts):  # nothing was measured
        return NOT_APPLICABLE
    return PASSED


def decided_by(blank: Verdict, row: Row, part: str) -> Verdict:
    """A verdict with what it tells of the row that decided."""
    return replace(
        blank,
        system=row.system,
        slice=part,
        category=row.category,
        metric=row.metric,
        baseline=row.baseline,
        estimate=finite(row.estimate),
        low=finite(row.low),
        high=finite(row.high),
        method=row.method,
        n=row.n,
    )


def limit_beyond(leaf: Verdict) -> str:
    """The limit of a verdict that failed, in words."""
    end = leaf.high if leaf.side == "at least" else leaf.low
    side = "upper" if leaf.side == "at least" else "lower"
    return "the limit" if end is None else f"the {side} limit {with_minus(end, '.4g')}"


def limit_that_passes(leaf: Verdict) -> str:
    """The limit of a verdict that passed, in words."""
    return f"the {'lower' if leaf.side == 'at least' else 'upper'} limit {with_minus(leaf.limit, '.4g')} reaches"
