"""From an outcome to its first screen, by what its task declares."""

from __future__ import annotations

from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.evaluation.answers.answering import plural, usual_screen
from adjudge.evaluation.answers.claims import Claim, differing_slices, judge
from adjudge.evaluation.answers.evidence import metric_in
from adjudge.evaluation.answers.screen import Screen
from adjudge.evaluation.asking.arguments import SHARED
from adjudge.evaluation.comparison.not_paired import NOT_PAIRED
from adjudge.evaluation.cubes.widths import OF_CELLS
from adjudge.evaluation.declaration import Task
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.results import StateKey
from adjudge.metrics.catalogue import also
from adjudge.report import words
from adjudge.report.answers.answer import Answer, Block, Step
from adjudge.report.answers.grammars import label_of, unit_word
from adjudge.report.answers.verdict import UNANSWERED, AnsweredClaim, verdict_of
from adjudge.report.blocks.declared import block_of
from adjudge.report.blocks.standings import beside_block

FILES = frozenset({"html", "json", "csv", "markdown", "save", "flags", "all"})
FEW_ROWS = "C10"
COMPARING = ("best", "difference")  # grammars of two systems or more


def answer_of(outcome: Outcome, task: Task) -> Answer:
    """The first screen of an outcome."""
    with also(task.metrics):
        return _answer(outcome, task)


def _answer(outcome: Outcome, task: Task) -> Answer:
    usual, side_by_side = usual_screen(task.headline), beside_block(outcome, task)
    options = offered(task, counted=outcome.data.counted)
    if side_by_side is not None and _is_not_paired(outcome):  # results alone: there is no table to take rows from
        options -= {one.name for one in task.takes_away}
    for screen in (task.screen or usual, usual):  # results of elsewhere may know nothing that the task's own is about
        answers = {claim.key: one for claim in screen.claims if (one := _answered(claim, outcome)) is not None}
        verdict = verdict_of(outcome, screen, answers, options)
        if answers or verdict.findings or verdict.said.id != UNANSWERED:
            break
    blocks: list[Block] = [] if side_by_side is None else [side_by_side]
    for block in screen.blocks:
        content = block_of(outcome, block, answers)
        if content is not None and content.title not in {one.title for one in blocks}:
            blocks.append(content)
    return Answer(
        top=_top(outcome, task, screen),
        checks=[f"{check.sentence} ({check.key})" for check in outcome.checks if check.severity == SERIOUS],
        headline=verdict.headline + _apart(outcome, screen),
        findings=verdict.findings,
        blocks=blocks,
        steps=[_typed_whole(step, outcome) for step in verdict.steps],
        doubt=_doubt(outcome, screen),
        more=_more(outcome, options),
        remarks=[f"{check.sentence} ({check.key})" for check in _remarks(outcome)],
    )


def states_of(outcome: Outcome, task: Task) -> dict[StateKey, str]:
    """The state of every claim of the first screen: by metric, subject, and whether it is of two systems."""
    states: dict[StateKey, str] = {}
    with also(task.metrics):
        for claim in (task.screen or usual_screen(task.headline)).claims:
            for one in judge(claim, outcome):
                facts = one.evidence.facts
                metric = str(facts.get("metric", "")) or metric_in(outcome, claim.metric) or ""
                states.setdefault((metric, one.subject, isinstance(facts.get("baseline"), str)), one.state)
    return states


def offered(task: Task, *, counted: bool = False) -> frozenset[str]:
    """The options that the command of a task takes, or of cells: only these may be named in a next step."""
    if counted:
        return frozenset({"slices", *OF_CELLS, *FILES} - {"flags"})
    names = {setting.name for setting in (*task.settings, *SHARED)} | {role.name for role in task.roles}
    return frozenset(names | {one.name for one in task.takes_away} | FILES)


def _answered(claim: Claim, outcome: Outcome) -> AnsweredClaim | None:
    evidence = judge(claim, outcome)
    if not evidence:
        return None
    metric = str(evidence[0].evidence.facts.get("metric", "")) or metric_in(outcome, claim.metric) or None
    return AnsweredClaim(
        evidence,
        unit_word(metric),
        claim.difference,
        label_of(metric),
        differing_slices([one.evidence for one in evidence]),
        outcome.slice_columns,
    )


def _top(outcome: Outcome, task: Task, screen: Screen) -> list[str]:
    """The grey line: task, subject, what was used, level."""
    used = words.rows_used(outcome.data.rows, outcome.data.used, list(outcome.data.left_out))
    if _is_not_paired(outcome):
        used += f", in {len(outcome.systems)} results that are not paired"
    return [
        task.name.capitalize(),
        *(words.visible(part, 200) for part in screen.top(outcome)),
        used,
        f"{outcome.settings.level * 100:.6g} % intervals",
        *([f"data check: {plural(remarks, 'remark')}"] if (remarks := len(_remarks(outcome))) else []),
    ]


def _remarks(outcome: Outcome) -> list[Check]:
    """What the data check says that does not stand above the answer; notes of how a file is read stand below."""
    remarks = [check for check in outcome.checks if check.severity == REMARK]
    return sorted(remarks, key=lambda check: check.key == FEW_ROWS)  # that some are few, the tables say as well


def _doubt(outcome: Outcome, screen: Screen) -> str:
    """What the intervals take for granted, and whether differences are of the same rows."""
    parts = [screen.doubt(outcome)]
    if _is_not_paired(outcome):
        parts.append(f"Differences are less certain because they are {outcome.settings.choices['Differences']}.")
    return " ".join(part for part in parts if part)


def _typed_whole(step: Step, outcome: Outcome) -> Step:
    """A step whose option is one of the evaluation, which is typed whole where a gate's file was judged."""
    if step.command is None or outcome.gate is None or not outcome.gate.file_hash:
        return step
    text, command = step.text.removesuffix(":"), outcome.settings.command
    return Step(f"{text}, in the folder of the table:", f"{command} {step.command}") if command else Step(f"{text}.")


def _apart(outcome: Outcome, screen: Screen) -> str:
    """Why an answer about one of several results does not hold them against one another, and what to do."""
    answering = screen.answer(outcome) if _is_not_paired(outcome) else None
    if answering is None or answering.grammar in COMPARING:
        return ""
    return f" The results are not compared: they are {outcome.settings.choices['Differences']}."


def _is_not_paired(outcome: Outcome) -> bool:
    return str(outcome.settings.choices.get("Differences", "")).startswith(NOT_PAIRED)


def _more(outcome: Outcome, options: frozenset[str]) -> str:
    metrics, slices = len(outcome.metrics), len({row.slice for row in outcome.table}) - 1
    parts = [plural(metrics, "metric"), *([plural(slices, "slice")] if slices > 0 else [])]
    files = [f"--{name} FILE" for name in ("items", "queue", "consensus", "flags") if name in options]
    return " · ".join([f"--all: {', '.join(parts)}, every picture as a table", "--html page.html", *files])
