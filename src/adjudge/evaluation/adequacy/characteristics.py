"""What makes a system adequate: eight characteristics that users see, and seven that only its makers do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.evaluation.gates.verdicts import DECLARED, EXPIRED, FAILED, INCONCLUSIVE, MISSING, PASSED, Verdict, of_gate

# As users see them, each measured by requirements or declared by evidence.
EXTERNAL = {
    "adaptability": "it can be used as it is in new applications",
    "integrity": "nobody gets at programs and data who must not",
    "efficiency": "what it takes of time, money and machines",
    "robustness": "it goes on working when input is invalid",
    "correctness": "it is free of faults in what was specified, designed and built",
    "reliability": "how long it runs before it fails",
    "usability": "how easily people learn and use it",
    "accuracy": "it is free of error: how well it does the job",
}
# As makers see them: no table of judgements measures these, so that they are declared, with a date.
INTERNAL = {
    "portability": "it can be changed to run elsewhere",
    "reusability": "parts of it can be used in other systems",
    "maintainability": "it can be changed with ease",
    "testability": "it can be tested, in parts and as a whole",
    "flexibility": "it can be changed for other uses",
    "understandability": "it can be understood as a whole",
    "readability": "its source can be read and understood",
}
NOTHING = "nothing measured"
NOT_DECLARED = "nothing declared"


@dataclass(frozen=True, slots=True)
class CharacteristicStanding:
    """A characteristic with what was measured or declared of it."""

    name: str
    meaning: str
    verdict: str
    verdicts: tuple[Verdict, ...]

    @property
    def measured(self) -> bool:
        """Whether a number stands behind it, and not only what somebody declares."""
        return any(leaf.low is not None or leaf.high is not None for one in self.verdicts for leaf in one.leaves)


def characteristics_of(verdicts: Sequence[Verdict], among: dict[str, str]) -> list[CharacteristicStanding]:
    """Every characteristic, also those that nothing was measured of.

    >>> passed = Verdict("a", "", "passed", characteristic="accuracy")
    >>> [one.verdict for one in characteristics_of([passed], EXTERNAL)][-2:]
    ['nothing measured', 'passed']
    """
    standings = []
    for name, meaning in among.items():
        own = tuple(one for one in verdicts if one.characteristic == name)
        standings.append(CharacteristicStanding(name, meaning, _word(own, among is INTERNAL), own))
    return standings


def _word(verdicts: tuple[Verdict, ...], internal: bool) -> str:
    """One word for a characteristic: that of its requirements; of evidence alone, *declared* and never *passed*."""
    if not verdicts:
        return NOT_DECLARED if internal else NOTHING
    words = {one.verdict for one in verdicts}
    evidence = {DECLARED, EXPIRED, MISSING}
    if words <= evidence:
        return next(word for word in (MISSING, EXPIRED, DECLARED) if word in words)
    judged = of_gate(tuple(one for one in verdicts if one.verdict not in evidence))
    stale = words & {MISSING, EXPIRED}
    return next(iter(stale)) if stale and judged == PASSED else judged


def headline_of(name: str, standings: Sequence[CharacteristicStanding], verdict: str) -> str:
    """The answer in one sentence: fit for its purpose, not fit, or not yet shown, and of what nothing is known."""
    by_word: dict[str, list[str]] = {}
    for one in standings:
        by_word.setdefault(one.verdict, []).append(one.name)
    unknown = by_word.get(NOTHING, [])
    rest = f"; nothing was measured of {_and(unknown)}" if unknown else ""
    if verdict == FAILED:
        bad = [*by_word.get(FAILED, []), *by_word.get(MISSING, []), *by_word.get(EXPIRED, [])]
        return f"Not fit for {name}: {_and(bad) or 'what is declared'} {'fail' if len(bad) > 1 else 'fails'}{rest}."
    if verdict == INCONCLUSIVE:
        unsettled = by_word.get(INCONCLUSIVE, [])
        are = "are" if len(unsettled) > 1 else "is"
        return f"Not shown to be fit for {name}: {_and(unsettled)} {are} undecided{rest}."
    if verdict == PASSED:
        return f"Fit for {name}, as far as it was measured{rest}."
    return f"Nothing was judged of {name}{rest}."


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
