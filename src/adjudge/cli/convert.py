"""`adjudge convert`: a file of another tool as a table, or an adjudication queue as tasks for one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from adjudge.cli.output import Parser
from adjudge.data.formats.base import PICKS, TABLES
from adjudge.data.formats.records import objects_in
from adjudge.errors import SettingError, printable
from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.take_away.tables import taken_ending
from adjudge.evaluation.take_away.writing import Content, checked_output, write_whole
from adjudge.interop.formats import WRITERS, ExportQuestion, as_table, asked_in, queue_tasks, read_export


def run(name: str, arguments: Sequence[str]) -> int:
    """Write a table, or tasks."""
    parser = Parser(
        name, "Turn another tool's export into a table, or a queue (written by --queue) into tasks for a tool."
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="what a tool exported, or a queue in JSON lines")
    parser.add_argument(
        "--to",
        required=True,
        metavar="FILE",
        help="the file to write: a table (.csv, .tsv, .jsonl, .parquet), or tasks",
    )
    parser.add_argument(
        "--pick", nargs="+", metavar="NAME=VALUE", help=f"choices where the file leaves several: {', '.join(PICKS)}"
    )
    parser.add_argument("--table", choices=TABLES, help="which table to make, where the file allows several")
    tasks = parser.add_argument_group("a queue as tasks")
    tasks.add_argument(
        "--tasks-for", choices=[one.replace("_", "-") for one in WRITERS], help="write tasks for this tool"
    )
    tasks.add_argument(
        "--export", metavar="FILE", help="the export of Label Studio that the ratings come from: names, labels, texts"
    )
    tasks.add_argument("--question", help="the question to ask, where there are several")
    tasks.add_argument("--item", default="id", help="the key that names an item in it, such as data.doc (default id)")
    tasks.add_argument(
        "--with-text", action="store_true", help="also write the texts; otherwise only the names of items"
    )
    tasks.add_argument(
        "--shown", action="store_true", help="show the votes and the probable label; this may sway whoever decides"
    )
    options = parser.parse_args(arguments)
    target = checked_output(options.to)
    if any(os.path.exists(one) and os.path.exists(target) and os.path.samefile(target, one) for one in options.files):
        raise SettingError("`--to` must be a file of its own, but it is already read. Give another name.")
    if options.tasks_for is not None:
        return _tasks(options.files, target, options)
    tables = TABLES if options.table is None else (options.table,)
    imported_table = read_export(*options.files, pick=options.pick, tables=tables)
    if options.table is not None and imported_table.table != options.table:
        raise SettingError(f"`--table` must be one that the file can be, but it holds {imported_table.table}.")
    content: Content = as_table(imported_table).pieces(taken_ending(target, "--to"))
    write_whole(target, content)
    print(f"{plural(imported_table.rows, 'row')} of {imported_table.table}: {printable(str(target))}")
    for note in (*imported_table.doubts, *imported_table.notes):
        print(printable(note))
    return 0


def _tasks(files: Sequence[str], target: Path, options: object) -> int:
    given = vars(options)
    if len(files) != 1:
        raise SettingError("A queue must be one file, as `--queue` writes it.")
    queue_options = ExportQuestion()
    if given["export"] is not None:
        queue_options = asked_in(given["export"], given["question"], item=given["item"], with_text=given["with_text"])
    elif given["with_text"]:
        raise SettingError("`--with-text` needs `--export`: the queue does not hold the texts.")
    records = list(objects_in(Path(files[0])))
    write_whole(
        target, queue_tasks(records, given["tasks_for"].replace("-", "_"), queue_options, blind=not given["shown"])
    )
    print(f"{len(records):,} tasks: {printable(str(target))}")
    return 0
