"""`adjudge adequacy`: hold a system against what it is for, characteristic by characteristic."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from adjudge.cli.gate import add_verdict_outputs, judge_file, write_files
from adjudge.cli.output import Parser, check_files, following, named_files, whoever_listens
from adjudge.errors import SettingError, printable, quoted
from adjudge.evaluation.gates.schema import purpose_schema
from adjudge.report import terminal
from adjudge.report.adequacy.adequacy import Adequacy, adequacy, check_purpose
from adjudge.report.gates import terminal as gate_terminal

FILES = {
    "junit": "the verdicts as JUnit XML, for continuous integration",
    "json": "standings, verdicts and trade-offs, for programs",
    "markdown": "standings and verdicts as Markdown",
    "html": "the whole report, as one page",
}
HELP = "Is it fit for its purpose? Exit codes: 0 passed, 1 failed, 2 could not run, 3 inconclusive."


def run(name: str, arguments: Sequence[str]) -> int:
    """Judge a purpose, or check its file."""
    missing = "A purpose must be given, but there is none. Give its file, such as purpose.toml."
    return judge_file(_parser().parse_args(arguments), _judge, purpose_schema, missing)


def _parser() -> argparse.ArgumentParser:
    parser = Parser("adequacy", HELP)
    parser.add_argument(
        "file", nargs="?", help="a purpose in TOML, JSON or YAML: tables with requirements, and evidence"
    )
    parser.add_argument(
        "--data", nargs="+", metavar="NAME=TABLE", default=[], help="read these tables instead of the file's own"
    )
    parser.add_argument("--check", action="store_true", help="check the file only; no data needed")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of the file, for editors")
    add_verdict_outputs(parser, FILES)
    parser.add_argument("--all", action="store_true", help="also print each requirement")
    return parser


def _judge(options: argparse.Namespace) -> int:
    if options.check:
        purpose = check_purpose(options.file)
        if not options.quiet:
            count = sum(len(table.requirements) for table in purpose.tables)
            contents = f"{count} requirement{'s' if count != 1 else ''}, {len(purpose.declared.evidence)} of evidence"
            print(f"{printable(options.file)}: {contents}, nothing wrong")
        return 0
    instead = _instead(options.data)
    purpose = check_purpose(options.file)
    own = [table.data_path for table in purpose.tables if table.data_path is not None]
    check_files(named_files(options, FILES), [options.file, *own, *instead.values()])
    with following(options) as progress:
        result = adequacy(options.file, instead, progress=progress)
    write_files(options, {name: partial(result.content, name) for name in FILES}, result.to_markdown)
    code = 1 if options.strict and result.exit_code == 3 else result.exit_code
    if not options.quiet:
        with whoever_listens():
            _show(result, code, everything=options.all)
    return code


def _show(result: Adequacy, code: int, *, everything: bool) -> None:
    terminal.render(replace(result.summary, gate=None))
    if everything:
        print()
        gate_terminal.show(result.judgement, code)


def _instead(given: Sequence[str]) -> dict[str, str]:
    """Tables by their names."""
    tables = {}
    for one in given:
        name, equals, path = one.partition("=")
        if not equals or not name or not path:
            raise SettingError(f"`--data` must be written NAME=TABLE, not {quoted(one)}.")
        if name in tables:
            raise SettingError(f"`--data` must name each table once, but {quoted(name)} is named twice.")
        tables[name] = path
    return tables
