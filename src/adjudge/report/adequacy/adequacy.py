"""Is it fit for its purpose? Every characteristic with its requirements, judged together on tables of their own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import cast

from adjudge.diagnosis.checks.check import SERIOUS
from adjudge.errors import SettingError, did_you_mean, literal, quoted
from adjudge.evaluation.adequacy.characteristics import EXTERNAL, INTERNAL, CharacteristicStanding, characteristics_of
from adjudge.evaluation.adequacy.purpose_file import Purpose, parsed_purpose, read_purpose
from adjudge.evaluation.adequacy.tradeoffs import Tradeoffs, axis_of, traded
from adjudge.evaluation.asking.border import bordered
from adjudge.evaluation.asking.settings import Progress, checked_form
from adjudge.evaluation.gates.column_requirements import columns_outcome
from adjudge.evaluation.gates.file import GateFile, evidence_verdicts
from adjudge.evaluation.gates.judging import judged_together
from adjudge.evaluation.gates.verdicts import PASSED, Judgement, Verdict, of_gate
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.take_away.exports import encoded
from adjudge.evaluation.take_away.writing import Written
from adjudge.report.adequacy import page as adequacy_page
from adjudge.report.gates.gate import Gate, Verdicts
from adjudge.report.summary import Summary


@dataclass(frozen=True)
class Adequacy(Written):
    """What `adjudge.adequacy` returns: a standing for each characteristic, and the verdicts behind them.

    >>> document = {"purpose": {"name": "triage"}, "table": [{"name": "log", "requirement": [
    ...     {"metric": "quantile(0.5)", "column": "ms", "at_most": 80, "characteristic": "efficiency"}]}]}
    >>> found = adequacy(document, {"log": {"ms": [20.0, 35.0, 41.0, 60.0] * 25}})
    >>> found.passed, found["efficiency"].verdict, found["usability"].verdict
    (True, 'passed', 'nothing measured')
    """

    purpose: Purpose
    judgement: Judgement
    outcomes: Mapping[str, Outcome]  # by table
    tradeoffs: Tradeoffs | None = None  # versions weighed against each other, where the purpose asks for it

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.judgement.verdicts)

    @bordered
    def __getitem__(self, name: str) -> CharacteristicStanding:
        for one in (*self.external, *self.internal):
            if one.name == name:
                return one
        raise SettingError(f"There must be a characteristic of this name. {did_you_mean(name, [*EXTERNAL, *INTERNAL])}")

    @property
    def external(self) -> list[CharacteristicStanding]:
        """The eight characteristics that users see, also those that nothing was measured of."""
        return characteristics_of(self.judgement.verdicts, EXTERNAL)

    @property
    def internal(self) -> list[CharacteristicStanding]:
        """The seven that makers see: declared, expired, missing or not declared; never passed."""
        return characteristics_of(self.judgement.verdicts, INTERNAL)

    @property
    def passed(self) -> bool:
        """Whether everything that must hold was shown to hold."""
        return self.judgement.verdict == PASSED

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed, 3 inconclusive or nothing applicable."""
        return self.judgement.exit_code

    @property
    def verdicts(self) -> Verdicts:
        """The verdicts, as a gate gives them."""
        return Verdicts(self.judgement)

    @property
    def summary(self) -> Summary:
        """All that a page or a terminal shows."""
        return adequacy_page.summary_of(self)

    def to_json(self) -> bytes:
        """The standings, the verdicts and the trade-offs, for programs."""
        shown = [
            {"characteristic": one.name, "kind": kind, "verdict": one.verdict, "measured": one.measured}
            for kind, standings in (("external", self.external), ("internal", self.internal))
            for one in standings
        ]
        head = {"schema_version": 1, "exit_code": self.exit_code, "about": dict(self.purpose.about)}
        weighed = {} if self.tradeoffs is None else {"tradeoffs": self.tradeoffs.as_dict()}
        return encoded({**head, "characteristics": shown, **asdict(self.judgement), **weighed})

    def to_html(self) -> str:
        """The whole report as one page."""
        return adequacy_page.html_of(self)

    def to_markdown(self) -> str:
        """The standings and the verdicts as Markdown."""
        return adequacy_page.markdown_of_standings(self) + "\n" + self.verdicts.to_markdown()

    def to_junit(self) -> str:
        """The verdicts as JUnit XML."""
        return self.verdicts.to_junit()

    @property
    def forms(self) -> dict[str, Callable[[], str | bytes]]:
        """Files can be written as html, json, junit or markdown."""
        return {"html": self.to_html, "json": self.to_json, "junit": self.to_junit, "markdown": self.to_markdown}

    def __repr__(self) -> str:
        lines = [f"  {one.name}: {one.verdict}" for one in self.external]
        return "\n".join([self.summary.answer.headline if self.summary.answer else "", *lines])


@bordered
def adequacy(
    purpose: str | os.PathLike[str] | Mapping[str, object],
    tables: Mapping[str, object] | None = None,
    *,
    progress: Progress | None = None,
) -> Adequacy:
    """Hold a system against its purpose: a file, or what such a file holds. `tables` are read instead of its own.

    >>> evidence = [{"characteristic": "integrity", "statement": "access review", "date": "2026-11-02"}]
    >>> adequacy({"evidence": evidence})["integrity"].verdict
    'declared'
    """
    purpose_read = parsed_purpose(purpose) if isinstance(purpose, Mapping) else read_purpose(purpose)
    instead = dict(tables or {})
    known = [one.name for one in purpose_read.tables]
    for name in instead:
        if name not in known:
            raise SettingError(
                f"`tables` must name tables of the purpose, not {quoted(name)}. {did_you_mean(name, known)}"
            )
    outcomes = {one.name: _outcome(one, instead.get(one.name), progress) for one in purpose_read.tables}
    requests = [(requirement, outcomes[one.name]) for one in purpose_read.tables for requirement in one.requirements]
    verdicts = (*judged_together(requests), *evidence_verdicts(purpose_read.declared))
    prints = " ".join(filter(None, (one.data.fingerprint for one in outcomes.values())))
    judgement = Judgement(
        name=purpose_read.name,
        verdict=of_gate(verdicts),
        verdicts=verdicts,
        source=", ".join(one.data.source for one in outcomes.values()),
        fingerprint=prints,
        file_hash=purpose_read.file_hash,
        checks=tuple(
            f"{name}: {check.sentence} ({check.key})"
            for name, outcome in outcomes.items()
            for check in outcome.checks
            if check.severity == SERIOUS
        ),
    )
    weighed = None
    if (trade := purpose_read.trade) is not None:
        table = next(one for one in purpose_read.tables if one.name == trade.table)
        weighed = traded(
            _source(table, instead.get(table.name)), trade.systems, trade.axes, cluster=table.given.get("cluster")
        )
    return Adequacy(purpose_read, judgement, outcomes, weighed)


def _source(table: GateFile, instead: object) -> object:
    source = table.data_path if instead is None else instead
    if source is None:
        raise SettingError(f"The table {quoted(table.name)} must have its `data`, or be given, but is not. Add it.")
    return source


def _outcome(table: GateFile, instead: object, progress: Progress | None) -> Outcome:
    """What a table shows: by its task where it has one, and otherwise of its columns."""
    source = _source(table, instead)
    if not table.is_of_columns:
        gate = Gate(table)
        gate.check()
        return gate.evaluate(source, progress=progress).outcome
    without = [one.title for one in table.requirements if not one.column]
    if without:
        raise SettingError(
            f"The table {quoted(table.name)} must name its `task`, such as classification, for "
            f"{quoted(without[0])}; without one only metrics of a `column` can be required."
        )
    return columns_outcome(source, table.requirements, table.given)


@bordered
def tradeoffs(
    table: object,
    systems: Sequence[str],
    characteristics: Sequence[Mapping[str, object]],
    *,
    cluster: str | None = None,
) -> Tradeoffs:
    """Weigh systems of one table by several characteristics, under the same draws: fronts, utility, conflicts.

    Each characteristic names a `metric` and its `column`, in which {system} stands for the name of each system;
    `worst`, `target` and `weight` make a utility.

    >>> table = {"y": ["a", "b"] * 40, "old": ["a", "a"] * 40, "new": ["a", "b"] * 40, "old_ms": [9.0] * 80,
    ...     "new_ms": [5.0] * 80}
    >>> found = tradeoffs(table, ["old", "new"], [
    ...     {"characteristic": "accuracy", "metric": "accuracy", "column": ["y", "{system}"]},
    ...     {"characteristic": "efficiency", "metric": "mean", "column": "{system}_ms"}])
    >>> [place.state for place in found.fronts]
    ['dominated', 'on the front']
    """
    if not isinstance(characteristics, (list, tuple)):
        raise SettingError(f"`characteristics` must be a list of dictionaries, not {literal(characteristics)}.")
    called = cast("list[str]", checked_form("systems", "called", list(systems)))
    return traded(table, called, [axis_of(one) for one in characteristics], cluster=cluster)


def check_purpose(path: str | os.PathLike[str]) -> Purpose:
    """The purpose in a file, everything that can be known without data checked."""
    purpose = read_purpose(path)
    for table in purpose.tables:
        if not table.is_of_columns:
            Gate(table).check()
    return purpose
