"""`adjudge gate`: judge a release by a file of requirements, check such a file, or begin one from an evaluation."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from adjudge.cli.output import Parser, check_files, following, named_files, whoever_listens
from adjudge.errors import AdjudgeError, SettingError, listed, printable, quoted
from adjudge.evaluation.asking.settings import Progress
from adjudge.evaluation.declaration import Given
from adjudge.evaluation.gates.draft import drafted
from adjudge.evaluation.gates.ledger import needs_ledger
from adjudge.evaluation.gates.schema import schema
from adjudge.evaluation.take_away.saving import is_saved
from adjudge.evaluation.take_away.writing import Content, write_together, write_whole
from adjudge.report.evaluation import load
from adjudge.report.gates.gate import Gate, Verdicts
from adjudge.report.gates.junit import failed_to_run
from adjudge.report.gates.terminal import show
from adjudge.tasks import task_named

FILES = {
    "junit": "the verdicts as JUnit XML, for continuous integration",
    "json": "the verdicts, for programs",
    "markdown": "the verdicts as Markdown",
    "html": "the whole report with its verdicts, as one page",
    "save": "the evaluation with its verdicts, to be judged or shown again",
}
# Options of a plan, and the files it can be written to.
PLANNING = ("rows", "pilot", "power")
PLANS = ("json", "markdown")
SUMMARY = "GITHUB_STEP_SUMMARY"
HELP = "Judge a release by a file of requirements. Exit codes: 0 passed, 1 failed, 2 could not run, 3 inconclusive."


def run(name: str, arguments: Sequence[str]) -> int:
    """Judge, check or begin a gate."""
    if arguments and arguments[0] == "init":
        return _init(arguments[1:])
    missing = "A file of requirements must be given, but there is none. Begin one with: adjudge gate init"
    return judge_file(_parser().parse_args(arguments), _judge, schema, missing)


def judge_file(
    options: argparse.Namespace,
    judge: Callable[[argparse.Namespace], int],
    schema_of_file: Callable[[], Mapping[str, object]],
    missing: str,
) -> int:
    """The exit code of whatever judges a file; its schema, where that is asked for. What cannot run is JUnit, too."""
    if options.schema:
        print(json.dumps(schema_of_file(), indent=2))
        return 0
    if options.file is None:
        raise SettingError(missing)
    try:
        return judge(options)
    except AdjudgeError as error:
        if options.junit is not None:
            write_whole(options.junit, failed_to_run(Path(options.file).stem, str(error)))
        raise


def _parser() -> argparse.ArgumentParser:
    parser = Parser("gate", HELP)
    parser.add_argument("file", nargs="?", help="requirements in TOML, JSON or YAML; `init` begins one")
    parser.add_argument(
        "--data", metavar="TABLE", help="judge this table or saved evaluation, not the one that the file names"
    )
    parser.add_argument("--check", action="store_true", help="check the file only; no data needed")
    parser.add_argument(
        "--plan",
        action="store_true",
        help="before the run: the chance that each requirement passes, and the rows it needs",
    )
    parser.add_argument(
        "--rows", type=int, metavar="NUMBER", help="with --plan: the number of rows (default: as in the table)"
    )
    parser.add_argument("--pilot", metavar="FILE", help="with --plan: a saved evaluation that says what to expect")
    parser.add_argument(
        "--power", type=float, metavar="SHARE", help="with --plan: the chance of passing to plan for (default 0.8)"
    )
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of the file, for editors")
    add_verdict_outputs(parser, FILES)
    return parser


def add_verdict_outputs(parser: argparse.ArgumentParser, files: Mapping[str, str]) -> None:
    """The options of whatever ends in verdicts: files, each with a line of help, and what the exit code tells."""
    parser.add_argument("--strict", action="store_true", help="exit with 1, not 3, when inconclusive")
    parser.add_argument("--summary", action="store_true", help=f"add the verdicts to the file that {SUMMARY} names")
    for option, line in files.items():
        parser.add_argument(f"--{option}", metavar="FILE", help=f"write {line}")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")


def _judge(options: argparse.Namespace) -> int:
    gate = Gate.read(options.file)
    if options.check:
        if not options.quiet:
            count = len(gate.file.requirements)
            print(f"{printable(options.file)}: {count} requirement{'s' if count != 1 else ''}, nothing wrong")
        return 0
    if options.plan:
        return _plan(gate, options)
    if unused := [f"--{name}" for name in PLANNING if getattr(options, name) is not None]:
        raise SettingError(f"{listed(unused)} must come with --plan, but it is not there. Add it.")
    check_files(named_files(options, FILES), [options.file, options.data or gate.file.data_path or options.file])
    with following(options) as progress:
        verdicts = _verdicts(gate, options.data, progress)
    _write(verdicts, options)
    code = 1 if options.strict and verdicts.exit_code == 3 else verdicts.exit_code
    if not options.quiet:
        with whoever_listens():
            show(verdicts.judgement, code, steps=verdicts.steps, file=options.file)
    return code


def _plan(gate: Gate, options: argparse.Namespace) -> int:
    """What the gate can show before it is run."""
    if unused := [f"--{name}" for name in FILES if name not in PLANS and getattr(options, name) is not None]:
        raise SettingError(f"{listed(unused)} must be left out of a plan: nothing is judged yet.")
    inputs = [options.file, *(one for one in (options.data, options.pilot, gate.file.data_path) if one is not None)]
    check_files(named_files(options, FILES), inputs)
    given: Given = {} if options.power is None else {"power": options.power}
    planned = gate.plan(options.rows, table=options.data, pilot=options.pilot, **given)
    contents: dict[str, Callable[[], str | bytes]] = {"json": planned.to_json, "markdown": planned.to_markdown}
    write_together({path: contents[form]() for form in PLANS if (path := getattr(options, form)) is not None})
    if not options.quiet:
        with whoever_listens():
            planned.show()
    return 1 if options.strict and planned.exit_code else planned.exit_code


def _verdicts(gate: Gate, data: str | None, progress: Progress | None) -> Verdicts:
    if data is not None and is_saved(data):
        if needs_ledger(gate.file.requirements):
            raise SettingError("Looks must be counted on the table itself, but the data are a saved evaluation.")
        return gate.judge(load(data))
    return gate.run(data, progress=progress)


def _write(verdicts: Verdicts, options: argparse.Namespace) -> None:
    """The files that were asked for, and the summary of the step."""
    evaluation = verdicts.evaluation
    assert evaluation is not None
    contents: dict[str, Callable[[], Content]] = {
        "junit": verdicts.to_junit,
        "json": verdicts.to_json,
        "markdown": verdicts.to_markdown,
        "html": lambda: evaluation.content("html"),
        "save": lambda: evaluation.content("save"),
    }
    write_files(options, contents, verdicts.to_markdown)


def write_files(
    options: argparse.Namespace, contents: Mapping[str, Callable[[], Content]], summary: Callable[[], str]
) -> None:
    """The files that were asked for, and the summary of the step."""
    write_together({getattr(options, key): make() for key, make in contents.items() if getattr(options, key)})
    if options.summary and (where := os.environ.get(SUMMARY)):
        try:
            with open(where, "a", encoding="utf-8") as file:
                file.write(summary())
        except OSError as error:
            raise SettingError(f"{SUMMARY} must name a file that can be written, but: {error.strerror}.") from None


def _init(arguments: Sequence[str]) -> int:
    """Begin a gate from a saved evaluation."""
    parser = Parser("gate init", "Write a file of requirements: the bounds that a saved evaluation would prove today.")
    parser.add_argument("saved", metavar="FILE", help="an evaluation written with --save")
    parser.add_argument("--out", metavar="FILE", help="write here instead of printing")
    options = parser.parse_args(arguments)
    outcome = load(options.saved).outcome
    text = drafted(outcome, task_named(outcome.task).headline)
    if options.out is None:
        print(text, end="")
        return 0
    if os.path.exists(options.out):
        raise SettingError(f"`--out` must be a new file, but {quoted(options.out)} is there already. Name another.")
    write_whole(options.out, text)
    print(f"gate: {printable(options.out)}")
    return 0
