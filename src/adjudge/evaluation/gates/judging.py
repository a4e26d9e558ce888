"""Judging requirements: reads the table of results and nothing else, so that a saved evaluation can be judged later."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from adjudge.diagnosis.checks.check import serious_sentences
from adjudge.errors import InputError, SettingError, did_you_mean, noted, quoted, with_minus
from adjudge.evaluation.gates.indexed_rows import IndexedRows, RowsOfNumber
from adjudge.evaluation.gates.requirement_scope import (
    FEW_UNITS,
    GAP,
    TRUSTED,
    absent,
    errors_at,
    levels_of,
    present,
    system_of,
)
from adjudge.evaluation.gates.requirements import FLIPS, Bound, Requirement
from adjudge.evaluation.gates.verdicts import (
    FAILED,
    INCONCLUSIVE,
    NOT_APPLICABLE,
    PASSED,
    Judgement,
    Verdict,
    decided_by,
    limit_beyond,
    limit_that_passes,
    of_gate,
)
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.panels import finite
from adjudge.evaluation.results import WHOLE_NAME, Row
from adjudge.inference.intervals.interval import normal_quantile
from adjudge.inference.many.multiplicity import holm
from adjudge.inference.planning.units_needed import units_needed
from adjudge.inference.reach import UNSEEN_ERRORS


@dataclass(frozen=True, slots=True)
class Looks:
    """Which look at growing data this is, for each requirement, and how many candidates saw these rows before."""

    numbers: Mapping[int, int] = field(default_factory=dict)  # by the place of the requirement; 1 where missing
    earlier: int = 0
    sizes: Mapping[int, tuple[int, ...]] = field(default_factory=dict)  # units at each look up to this one
    passed: frozenset[int] = frozenset()  # requirements that passed at an earlier look, which stays shown


def judged(requirements: Sequence[Requirement], outcome: Outcome, looks: Looks | None = None) -> tuple[Verdict, ...]:
    """The verdict of each requirement; *failed* pays for their number, *passed* need not."""
    return judged_together([(one, outcome) for one in requirements], looks)


def judged_together(requests: Sequence[tuple[Requirement, Outcome]], looks: Looks | None = None) -> tuple[Verdict, ...]:
    """The same of requirements each on an outcome of its own: they are one gate all the same."""
    looks, requirements = looks or Looks(), [one for one, _ in requests]
    outcomes = {id(outcome): outcome for _, outcome in requests}
    indexed = {key: IndexedRows.of(outcome.table) for key, outcome in outcomes.items()}
    judges = (_Judge(one, of, indexed[id(of)], place, looks) for place, (one, of) in enumerate(requests))
    verdicts = [judge.verdict() for judge in judges]
    leaves = [leaf for verdict in verdicts for leaf in verdict.leaves]
    adjusted = iter(holm([math.nan if leaf.p_failed is None else leaf.p_failed for leaf in leaves]))
    return tuple(
        _settled(one, verdict, [next(adjusted) for _ in verdict.leaves])
        for one, verdict in zip(requirements, verdicts, strict=True)
    )


def with_verdicts(requirements: Sequence[Requirement], outcome: Outcome) -> Outcome:
    """The same outcome, judged; as it is where nothing is required."""
    if not requirements:
        return outcome
    verdicts, data = judged(requirements, outcome), outcome.data
    gate = Judgement("", of_gate(verdicts), verdicts, data.source, data.fingerprint)
    return replace(outcome, gate=replace(gate, checks=serious_sentences(outcome.checks)))


def _settled(requirement: Requirement, verdict: Verdict, adjusted: Sequence[float]) -> Verdict:
    """The verdict once all p-values of the gate are known."""
    leaves = []
    for leaf, p in zip(verdict.leaves, adjusted, strict=True):
        known = None if math.isnan(p) else float(p)
        failed = known is not None and known < requirement.false_alarm and leaf.verdict == INCONCLUSIVE
        settled = replace(leaf, p_failed_adjusted=known)
        if failed:
            why = f"{limit_beyond(settled)} lies beyond {with_minus(settled.bound)}"
            settled = replace(settled, verdict=FAILED, why=why, units_needed=None)
        leaves.append(settled)
    if not verdict.levels:
        return leaves[0]
    return _summed(verdict, tuple(leaves))


def _summed(verdict: Verdict, levels: tuple[Verdict, ...]) -> Verdict:
    """A requirement of every level: its worst level speaks for all."""
    applicable = [leaf for leaf in levels if leaf.verdict != NOT_APPLICABLE]
    words = {leaf.verdict for leaf in applicable}
    word = FAILED if FAILED in words else INCONCLUSIVE if INCONCLUSIVE in words else PASSED
    word = word if applicable else NOT_APPLICABLE
    worst = [leaf for leaf in applicable if leaf.verdict == word]
    named = ", ".join(leaf.slice for leaf in worst[:5]) + (f" and {len(worst) - 5} more" if len(worst) > 5 else "")
    passed = sum(leaf.verdict == PASSED for leaf in levels)
    why = f"{passed} of {len(levels)} levels passed" + (f"; {word}: {named}" if word in (FAILED, INCONCLUSIVE) else "")
    proven = [leaf.would_pass_at for leaf in applicable if leaf.would_pass_at is not None]
    worst_of = min if verdict.side == "at least" else max
    least = worst_of(proven, default=None) if len(proven) == len(applicable) else None
    more = [leaf.units_needed for leaf in worst if leaf.units_needed is not None]
    return replace(
        verdict,
        verdict=word,
        why=why,
        levels=levels,
        would_pass_at=least,
        # Where more rows would more likely fail a level, no number of rows settles the whole.
        units_needed=sum(more) if len(more) == len(worst) and word == INCONCLUSIVE else None,
    )


@dataclass(frozen=True)
class _Judge:
    """One requirement against one table of results."""

    requirement: Requirement
    outcome: Outcome
    rows: IndexedRows  # of the table of the outcome
    place: int
    looks: Looks

    @property
    def look(self) -> int:
        return self.looks.numbers.get(self.place, 1)

    def verdict(self) -> Verdict:
        """The verdict, as far as it does not depend on the other requirements."""
        r, blank = self.requirement, self._blank()
        if r.when is not None and not self._exists(r.when):
            return replace(blank, verdict=NOT_APPLICABLE, why=f"there is no {r.when}")
        if (why := self._spent()) is not None:
            return replace(blank, verdict=INCONCLUSIVE, why=why)
        slices = self._slices()
        if not slices:
            if r.every:
                return replace(blank, verdict=NOT_APPLICABLE, why=f"there is no level of {' or '.join(r.every)}")
            return replace(blank, verdict=INCONCLUSIVE, why=absent(r.slice or WHOLE_NAME, self._every))
        leaves = tuple(self._leaf(part, blank) for part in slices)
        return replace(blank, levels=leaves, system=leaves[0].system) if r.every else leaves[0]

    def _spent(self) -> str | None:
        """Why no look is left."""
        r, sizes = self.requirement, self._sizes
        if r.looks != "any" and self.look > r.planned_looks:
            return f"look {self.look} of {r.planned_looks} that were planned: nothing can be concluded from more looks"
        if isinstance(r.looks, tuple) and len(sizes) > 1 and sizes[-2] >= r.looks[-1]:
            return f"all {r.looks[-1]:,} units that were planned had been seen: nothing can be concluded from more"
        return None

    @property
    def _sizes(self) -> tuple[int, ...]:
        """How many units there were at each look so far, as planned where it is not known."""
        planned = self.requirement.looks if isinstance(self.requirement.looks, tuple) else ()
        return self.looks.sizes.get(self.place, planned[: self.look])

    def _blank(self) -> Verdict:
        r = self.requirement
        return Verdict(
            requirement=r.title,
            text=r.text,
            verdict=INCONCLUSIVE,
            slice=r.slice or WHOLE_NAME,
            metric=r.measure_name,
            side=r.holds[0].side,
            bound=r.holds[0].value,
            confidence=r.confidence,
            must=r.must,
            undecided=r.when_undecided,
            look=self.look,
            looks="any" if r.looks == "any" else r.planned_looks,
            owner=r.owner,
            reason=r.reason,
            link=r.link,
            characteristic=r.characteristic,
        )

    def _exists(self, name: str) -> bool:
        """Whether a role, a slice column or a slice is there."""
        outcome = self.outcome
        names = {*outcome.data.roles, *outcome.data.roles.values(), *outcome.slice_columns, *outcome.systems}
        names |= {role.partition(" of ")[0] for role in outcome.data.roles}
        return present(name, names, outcome.slice_columns, self.rows.slices)

    def _slices(self) -> list[str]:
        """The slices it speaks of, as far as they are in the table."""
        r = self.requirement
        if r.gap is not None:
            return [GAP.format(r.gap)]
        if r.every:
            for column in r.every:
                if column not in self.outcome.slice_columns and not r.column:
                    known = self.outcome.slice_columns
                    raise SettingError(
                        f"`every` must be a slice of the evaluation, not {quoted(column)}. "
                        f"{did_you_mean(column, known)}"
                    )
            return [name for name in self._every if any(name.startswith(f"{column} = ") for column in r.every)]
        name = r.slice or WHOLE_NAME
        return [name] if name in self.rows.slices and name != r.original else []

    @property
    def _every(self) -> list[str]:
        """All slices of the table, but for that of the originals."""
        return [name for name in self.rows.slices if name != self.requirement.original]

    def _leaf(self, part: str, blank: Verdict) -> Verdict:
        """One level, or all rows."""
        r = self.requirement
        number = self._number(part)
        if (unlimited := self._first(number.unlimited)) is not None:
            return self._without_limit(unlimited, part, blank)
        sides = [self._side(bound, number) for bound in r.holds]
        # Of several bounds the one that is furthest from being shown speaks.
        bound, row, p, _ = max(sides, key=lambda side: side[2])
        n_enough = row.n >= r.minimum_n and FEW_UNITS not in row.note
        before = self.place in self.looks.passed
        passed = before or (n_enough and all(self._met(*side[:3]) for side in sides))
        leaf = replace(
            decided_by(blank, row, part),
            limit=finite(row.low if bound.lower else row.high),
            side=bound.side,
            bound=bound.value,
            p_passed=finite(p),
            p_failed=finite(min(contrary for *_, contrary in sides)) if n_enough else None,
            would_pass_at=finite(row.low if bound.lower else row.high),
        )
        if passed:
            why = "passed at an earlier look" if before else f"{limit_that_passes(leaf)} {with_minus(bound.value)}"
            if self._timed and not before:
                why = f"p {p:.2g} is at most {self._error:.2g}, what this look may spend at {self._sizes[-1]:,} units"
            return replace(leaf, verdict=PASSED, why=why)
        if not n_enough:
            few = row.note if FEW_UNITS in row.note else f"n is {row.n}, and at least {r.minimum_n} are asked for"
            more, least = self._undecided(leaf, bound, row).units_needed, max(r.minimum_n - row.n, 1)
            return replace(leaf, why=few, units_needed=None if more is None else max(more, least))
        return self._undecided(leaf, bound, row)

    def _met(self, bound: Bound, row: Row, p: float) -> bool:
        """Whether the limit is on the side of the bound, also for as many candidates as saw these rows."""
        early = p <= self._error
        return early if self._timed else bound.met(row.low, row.high) and (self._candidates == 1 or early)

    @property
    def _timed(self) -> bool:
        """Whether looks came at other numbers of units than were planned."""
        planned = self.requirement.looks
        return isinstance(planned, tuple) and self._sizes != planned[: self.look]

    @property
    def _candidates(self) -> int:
        return self.looks.earlier + 1 if self.requirement.reuse == "bonferroni" else 1

    @property
    def _error(self) -> float:
        """How often the verdict may be *passed* by mistake at this look."""
        looks = self.requirement.looks
        if self._timed and isinstance(looks, tuple):
            spent = errors_at(self._sizes, looks[-1], 1 - self.requirement.confidence)
            return spent[-1] / self._candidates
        return (1 - self._level) / 2 / self._candidates

    @property
    def _level(self) -> float:
        """The level of the two-sided interval whose end decides at this look."""
        levels = levels_of(self.requirement)
        return levels[min(self.look, len(levels)) - 1]

    def _number(self, part: str) -> RowsOfNumber:
        """The rows of the number in one slice."""
        r, measure = self.requirement, self.requirement.measure_name
        every = list(self.rows.systems)
        named = list(self.rows.measured.get(measure, every))
        systems = [name for name in self.outcome.systems if name in named] or named
        known = systems if r.system in (None, "candidate", *systems) else named
        system = r.column_text or system_of(r.system, known, r.versus)
        baseline = None if r.versus is None else system_of(r.versus, every, None, "versus")
        return self.rows.of_number((system, part, measure, baseline))

    def _first(self, rows: Iterable[Row]) -> Row | None:
        """The first row of its category."""
        category = self.requirement.category
        own = (row for row in rows if category is None or row.category == category or row.metric in FLIPS)
        return next(own, None)

    def _side(self, bound: Bound, number: RowsOfNumber) -> tuple[Bound, Row, float, float]:
        """One bound with the row that decides, the p-value of its being met, and that of the contrary."""
        level = self._level
        at_level = (row for row in number.limits.get(bound.text, ()) if math.isclose(row.level, level, rel_tol=1e-9))
        own, other = self._first(at_level), self._first(number.limits.get(bound.contrary, ()))
        if own is not None and other is not None and own.p is not None and other.p is not None:
            return bound, own, own.p, other.p
        return self._by_stricter(bound, number.estimates, level)

    def _by_stricter(self, bound: Bound, rows: Sequence[Row], level: float) -> tuple[Bound, Row, float, float]:
        """From limits at a higher level, of an evaluation not made for this gate: they prove at least as much."""
        row = self._first(row for row in rows if row.method in TRUSTED and row.level >= level - 1e-9)
        if bound.share != 1 or row is None or self.requirement.looks != 1 or self.requirement.versus_slice:
            raise InputError(
                f"The evaluation must hold a limit for {quoted(self.requirement.text)}, but it holds none that a gate "
                "can use. Evaluate the table again with this requirement."
            )
        error = (1 - row.level) / 2
        note = f"by the {100 * row.level:g} % interval of a saved evaluation, which asks for more than the gate"
        row = replace(row, note=noted(row.note, note))
        p = error if bound.met(row.low, row.high) else 1.0
        return bound, row, p, error if bound.missed(row.low, row.high) else 1.0

    def _without_limit(self, row: Row, part: str, blank: Verdict) -> Verdict:
        by_rows = row.note.startswith("undefined:") and bool(self.requirement.every)
        word = NOT_APPLICABLE if by_rows else INCONCLUSIVE
        return replace(decided_by(blank, row, part), verdict=word, why=row.note)

    def _undecided(self, leaf: Verdict, bound: Bound, row: Row) -> Verdict:
        """The verdict with why nothing is decided, and how many more units would be needed if the estimate is true."""
        end = row.low if bound.lower else row.high
        reaches = f"{'from' if bound.lower else 'to'} {with_minus(end, '.4g')}, needed {with_minus(bound.value)}"
        if UNSEEN_ERRORS in row.note:
            reaches = f"{reaches}; {UNSEEN_ERRORS}"
        beyond = row.estimate < bound.value if bound.lower else row.estimate > bound.value
        if beyond or row.estimate == bound.value:
            return replace(leaf, why=f"{reaches}; with more rows it would more likely fail")
        needed = _units_needed(row, bound, self._error)
        more = None if needed is None else max(needed - row.n, 1)
        return replace(leaf, why=reaches, units_needed=more)


def _units_needed(row: Row, bound: Bound, error: float) -> int | None:
    """Units with which four of five such tables would pass, were the estimate true."""
    to_low, to_high = (abs(row.estimate - end) / normal_quantile(row.level) for end in (row.low, row.high))
    near, far = (to_low, to_high) if bound.lower else (to_high, to_low)
    unseen, share = UNSEEN_ERRORS in row.note, row.method == "clopper_pearson"
    return units_needed(
        *(row.estimate, bound.value, row.n, near),
        shown=far if unseen else None,
        at_least=bound.lower,
        alpha=error,
        share=share,
    )
