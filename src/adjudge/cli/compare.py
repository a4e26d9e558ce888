"""`adjudge compare`: two tables or more, joined by an id; systems of one table; or evaluations that were saved."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from adjudge.cli.config import NONE, completed, config_for
from adjudge.cli.output import Parser, add_outputs, check_outputs, deliver, following
from adjudge.cli.task import TABLE, add_roles, add_settings, given_to, taken_tables
from adjudge.evaluation.declaration import Given
from adjudge.evaluation.take_away.saving import is_saved
from adjudge.interop.rsmtool_outputs import is_output_folder, read_outputs
from adjudge.report.compare import compare
from adjudge.tasks import task_named

TASK: str = (compare.__kwdefaults__ or {})["task"]
WHAT = "Is the difference real? Compare the systems of two tables or more, of one table, or of saved evaluations."


def run(name: str, arguments: Sequence[str]) -> int:
    """Compare what was named."""
    task = task_named(_task_in(arguments))
    options = Parser(
        name,
        WHAT,
        usage="adjudge compare TABLE [TABLE ...] [options]",
        first=("what is compared", "columns", "comparison", "outputs"),
        example="adjudge compare old.csv new.csv --id id --reference label --prediction guess",
    )
    options.add_argument(
        "tables",
        nargs="+",
        metavar="TABLE",
        help=f"{TABLE}; or a file written with --save; or an output folder of RSMTool",
    )
    compared = options.add_argument_group("what is compared")
    compared.add_argument("--task", default=task.name, help=f"what the tables are about (default {TASK})")
    compared.add_argument(
        "--names", nargs="+", metavar="NAME", help="names of the systems (default: those of the files)"
    )
    compared.add_argument(
        "--id", nargs="+", metavar="COLUMN", help="columns that name each row; tables are joined by them"
    )
    of_gold = options.add_argument_group("a gold standard in a file of its own")
    of_gold.add_argument("--gold", metavar="TABLE", help="the reference; every other table is then a submission")
    of_gold.add_argument(
        "--gold-raters", nargs="+", metavar="COLUMN", help="columns of the gold standard with each annotator's labels"
    )
    of_gold.add_argument(
        "--part", metavar="COLUMN", help="column of the gold standard that says train, development or test"
    )
    of_gold.add_argument(
        "--parts", nargs="+", metavar="TABLE", help="files of other parts, which must not share rows with it"
    )
    of_gold.add_argument(
        "--content", nargs="+", metavar="COLUMN", help="columns of the rows' content, which no two parts may share"
    )
    add_roles(options, task, but="id")
    add_settings(options, task)
    add_outputs(options, taken_tables(task))
    return _compared(options.parse_args(arguments), task.name)


def _compared(options: argparse.Namespace, task: str) -> int:
    check_outputs(options, [*options.tables, *(options.parts or ()), *([options.gold] if options.gold else ())])
    declared = task_named(task)
    typed = given_to(declared, options, ())
    if options.id is not None:
        typed["id"] = options.id if len(options.id) > 1 else options.id[0]
    tables = [read_outputs(one) if is_output_folder(one) else one for one in options.tables]
    folders = any(one is not path for one, path in zip(tables, options.tables, strict=True))
    names = options.names or ([Path(one).name for one in options.tables] if folders else None)
    if folders or any(map(is_saved, options.tables)):
        options.config = NONE  # what was evaluated is not asked again
        typed.pop("id", None)
    of_gold: Given = {name: getattr(options, name) for name in ("gold", "gold_raters", "part", "parts", "content")}
    of_gold = {name: value for name, value in of_gold.items() if value is not None}
    with completed(declared, options, typed) as given, following(options) as progress:
        evaluation = compare(*tables, task=task, names=names, progress=progress, **{**of_gold, **given})
    return deliver(evaluation, options)


def _task_in(arguments: Sequence[str]) -> str:
    """The task that was named, or the only one that the file of settings knows, before all other options are known."""
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    first.add_argument("--task")
    first.add_argument("--config")
    try:
        named = first.parse_known_args(list(arguments))[0]
    except argparse.ArgumentError:
        return TASK
    known = list(config_for(named.config).sections)
    return str(named.task or (known[0] if len(known) == 1 else TASK))
