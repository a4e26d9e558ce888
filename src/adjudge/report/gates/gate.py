"""A gate in the hand: read from a file, run on its table or judged on an evaluation; verdicts to show and write."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from inspect import signature
from pathlib import Path

from adjudge.diagnosis.checks.check import serious_sentences
from adjudge.errors import InputError, SettingError, did_you_mean, literal, quoted
from adjudge.evaluation.asking.arguments import SHARED, checked_arguments
from adjudge.evaluation.asking.border import bordered
from adjudge.evaluation.asking.command import command_of
from adjudge.evaluation.asking.settings import Progress
from adjudge.evaluation.gates.file import GateFile, evidence_verdicts, gate_of, read_gate
from adjudge.evaluation.gates.judging import Looks, judged
from adjudge.evaluation.gates.ledger import FILE, KeyedAnswers, Ledger, ledger_answers, needs_ledger
from adjudge.evaluation.gates.plans import Sizes, planned_requirement, sizes_of
from adjudge.evaluation.gates.verdicts import PASSED, Judgement, Verdict, of_gate
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.planning.size_plans import Goal
from adjudge.evaluation.take_away.exports import encoded
from adjudge.evaluation.take_away.writing import write_whole
from adjudge.report.answers.answer import Step
from adjudge.report.evaluation import Evaluation, evaluate, load
from adjudge.report.gates import words as gate_words
from adjudge.report.gates.junit import junit
from adjudge.report.gates.plan import GatePlan
from adjudge.report.markdown import markdown_of
from adjudge.report.words import CHECK_FIRST
from adjudge.tasks import task_named

# What GitHub takes of a step's summary, with room for what other steps wrote.
MOST_SUMMARY = 1_000_000


@dataclass(frozen=True)
class Verdicts:
    """What a gate said. Iterate over it for each verdict; `exit_code` is what the command would end with.

    >>> verdicts = Gate.of("accuracy >= 0.5").run({"a": ["x", "y"] * 50, "b": ["x", "y"] * 50}, reference="a",
    ...     prediction="b")
    >>> verdicts.passed, [verdict.verdict for verdict in verdicts], verdicts.exit_code
    (True, ['passed'], 0)
    """

    judgement: Judgement
    evaluation: Evaluation | None = None

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.judgement.verdicts)

    def __len__(self) -> int:
        return len(self.judgement.verdicts)

    @property
    def passed(self) -> bool:
        """Whether the gate passed."""
        return self.judgement.verdict == PASSED

    @property
    def exit_code(self) -> int:
        """0 passed, 1 failed, 3 inconclusive or nothing applicable."""
        return self.judgement.exit_code

    @property
    def steps(self) -> list[Step]:
        """What to look at where it did not pass: commands that evaluate the table again."""
        answer = None if self.passed or self.evaluation is None else self.evaluation.summary.answer
        return [] if answer is None else [step for step in answer.steps if step.command]

    @property
    def table(self) -> list[dict[str, object]]:
        """One record for each requirement, or for each level of one."""
        records = []
        for verdict in self:
            for leaf in verdict.leaves:
                record = asdict(leaf)
                del record["levels"]
                records.append(record)
        return records

    def to_json(self) -> bytes:
        """The verdicts for programs."""
        return encoded({"schema_version": 1, "exit_code": self.exit_code, **asdict(self.judgement)})

    def to_junit(self) -> str:
        """The verdicts as JUnit XML."""
        return junit(self.judgement)

    @bordered
    def to_markdown(self, most: int = MOST_SUMMARY) -> str:
        """The verdicts as Markdown, as GitHub shows it in a step's summary; levels are cut where it grows too long."""
        text = ""
        for levels in (400, 30, 5, 0):
            text = markdown_of(self.judgement, levels)
            if len(text.encode()) < most:
                return text
        cut = "\n\nThe rest is cut: the file of verdicts has it.\n"
        return text.encode()[: most - len(cut) - 4].decode("utf-8", "ignore").rpartition("\n")[0] + cut

    def __repr__(self) -> str:
        return "\n  ".join(
            [
                f"{gate_words.title(self.judgement)}: {self.judgement.headline}",
                *(f"{CHECK_FIRST}: {sentence}" for sentence in self.judgement.checks),
                *(f"{line.mark} {line.verdict}: {line.name}; {line.why}" for line in gate_words.lines(self.judgement)),
            ]
        )


@dataclass(frozen=True)
class Gate:
    """What must hold for a release.

    >>> gate = Gate.of("accuracy >= 0.9", "every language: recall[spam] >= 0.8")
    >>> [requirement.title for requirement in gate.file.requirements]
    ['accuracy >= 0.9', 'every language: recall[spam] >= 0.8']
    """

    file: GateFile

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Gate:
        """The gate in a TOML, JSON or YAML file."""
        gate = cls(read_gate(path))
        gate.check()
        return gate

    @classmethod
    def of(cls, *requirements: object, name: str = "") -> Gate:
        """A gate of requirements, each a line of text or a dict of keys."""
        return cls(gate_of({"gate": {"name": name}, "requirement": list(requirements)}))

    @property
    def task(self) -> str:
        """The task that the table is evaluated by."""
        usual: str = signature(evaluate).parameters["task"].default
        return self.file.task or usual

    def check(self) -> None:
        """Refuse a task, a role or a setting that there is not, without any data."""
        task = task_named(self.task)
        roles = [replace(role, required=False) for role in task.roles]
        checked_arguments(task.name, roles, (*task.settings, *SHARED), dict(self.file.given))

    def evaluate(self, table: object = None, *, progress: Progress | None = None, **given: object) -> Evaluation:
        """The evaluation that the gate asks for: its table, or another, with every limit it needs."""
        source = self.file.data_path if table is None else table
        if source is None:
            raise SettingError("A table must be given, or named as `data` in the gate, but there is none. Add it.")
        if "require" in given:
            raise SettingError("`require` must be left out of a gate: its own requirements are judged.")
        settings = {"task": self.task, **self.file.given, **given, "require": list(self.file.requirements)}
        evaluation = evaluate(source, progress=progress, **settings)
        if evaluation.outcome.settings.command:
            return evaluation
        typed = command_of(task_named(str(settings["task"])), source, {**self.file.given, **given})
        return replace(evaluation, outcome=evaluation.outcome.made_by(typed))  # requirements of a file cannot be typed

    def run(self, table: object = None, *, progress: Progress | None = None, **given: object) -> Verdicts:
        """Evaluate the table and judge it; where looks are counted, the ledger beside the file is kept."""
        evaluation = self.evaluate(table, progress=progress, **given)
        answers = self._answers(evaluation)
        self._check_frozen(answers)
        systems = {name: own.fingerprint for name, own in answers.items()}
        counted = needs_ledger(self.file.requirements)
        if not answers or not self.file.path or not (counted or (Path(self.file.path).parent / FILE).exists()):
            return self.judge(evaluation, systems=systems)
        ledger = Ledger.beside(self.file.path)
        looks = ledger.looks(self.file.requirements, answers)
        verdicts = self.judge(evaluation, looks=looks, systems=systems, candidates=looks.earlier + 1)
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        write_whole(ledger.path, ledger.with_judgement(self.file.requirements, answers, tuple(verdicts), now))
        return verdicts

    def plan(
        self,
        rows: int | None = None,
        *,
        table: object = None,
        pilot: Evaluation | str | os.PathLike[str] | None = None,
        power: float = 0.8,
    ) -> GatePlan:
        """Before the run: the chance of each requirement to pass with so many rows, and how many it needs.

        Without `rows` they are counted in `table` or in the gate's own, where that is there, slices too. What is
        expected stands in each requirement (`expect`), or a `pilot`, an evaluation, tells it.
        """
        goal = Goal(power, rows=rows)
        evaluated = None if pilot is None else pilot if isinstance(pilot, Evaluation) else load(pilot)
        sizes = Sizes(rows) if rows is not None else sizes_of(self.file, table)
        results = None if evaluated is None else evaluated.outcome.table
        return GatePlan(
            self.file.name,
            tuple(planned_requirement(one, sizes, results, goal.power) for one in self.file.requirements),
            goal.power,
        )

    def _answers(self, evaluation: Evaluation) -> dict[str, KeyedAnswers]:
        """What each system answered, where that is to be known again."""
        request, requirements = evaluation.request, self.file.requirements
        is_needed = needs_ledger(requirements) or self.file.frozen or any(one.versus for one in requirements)
        if request is None or not is_needed:
            return {}
        roles = evaluation.outcome.data.roles
        together = roles.get("cluster", request.study.reading.together)
        answers = {name: ledger_answers(request.source, roles, name, together) for name in evaluation.outcome.systems}
        return {name: own for name, own in answers.items() if own is not None}

    def _check_frozen(self, answers: Mapping[str, KeyedAnswers]) -> None:
        """Refuse a baseline that answers otherwise than when it was frozen."""
        for name, fingerprint in self.file.frozen.items():
            if name not in answers:
                raise SettingError(f"`frozen` must name a system, not {quoted(name)}. {did_you_mean(name, answers)}")
            if answers[name].fingerprint != fingerprint:
                raise InputError(
                    f"{quoted(name)} must answer as when it was frozen ({fingerprint}), but its answers are now "
                    f"{answers[name].fingerprint}. Judge against the frozen ones, or freeze these."
                )

    @bordered
    def judge(
        self,
        evaluation: Evaluation,
        *,
        looks: Looks | None = None,
        systems: Mapping[str, str] | None = None,
        candidates: int = 0,
    ) -> Verdicts:
        """The verdicts on an evaluation, also one that was saved; an estimate that it lacks is named."""
        outcome = getattr(evaluation, "outcome", None)
        if not isinstance(outcome, Outcome):
            raise SettingError(f"`evaluation` must be what `adjudge.evaluate` returns, not {literal(evaluation)}.")
        verdicts = (*judged(self.file.requirements, outcome, looks), *evidence_verdicts(self.file))
        judgement = Judgement(
            name=self.file.name,
            verdict=of_gate(verdicts),
            verdicts=verdicts,
            source=outcome.data.source,
            fingerprint=outcome.data.fingerprint,
            file_hash=self.file.file_hash,
            checks=serious_sentences(outcome.checks),
            rows=outcome.data.rows,
            rows_used=outcome.data.used,
            left_out=dict(outcome.data.left_out),
            systems=dict(systems or {}),
            candidates=candidates,
        )
        return Verdicts(judgement, Evaluation(replace(outcome, gate=judgement)))
