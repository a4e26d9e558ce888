"""`adjudge merge` adds cubes; `adjudge reslice` answers other questions from one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

from adjudge.cli.output import Parser, add_outputs, check_files, check_outputs, deliver
from adjudge.cli.task import add_cell_settings, cell_settings
from adjudge.data.cubes.cube import Cube
from adjudge.data.cubes.files import read_cube
from adjudge.data.cubes.meaning import BAG
from adjudge.data.cubes.privacy import with_at_least
from adjudge.diagnosis.checks.check import refuse_stops
from adjudge.diagnosis.checks.counted import merged_checks
from adjudge.errors import SettingError, printable
from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.take_away.writing import write_whole
from adjudge.report.cubes import evaluate_cube

MIN_CELL = "join cells until each has this many rows, or say which column prevents it"


def run(name: str, arguments: Sequence[str]) -> int:
    """Either of the two commands."""
    return _merge(arguments) if name == "merge" else _reslice(arguments)


def _merge(arguments: Sequence[str]) -> int:
    parser = Parser("merge", "Add cubes of different days, sites or engines together, or make one safe to share.")
    parser.add_argument("cubes", metavar="CUBE", nargs="+", help="files written with --save-cube")
    parser.add_argument("--save-cube", metavar="FILE", required=True, help="write the cube of all of them")
    parser.add_argument("--min-cell", metavar="ROWS", type=int, help=MIN_CELL)
    parser.add_argument("--share", action="store_true", help="list every label and level that the file will contain")
    parser.add_argument("--ok", metavar="CHECK", nargs="+", default=[], help="data checks to silence, such as C42")
    options = parser.parse_args(arguments)
    check_files({"save_cube": options.save_cube}, options.cubes)
    if options.min_cell is not None and options.min_cell < 1:
        raise SettingError(f"`--min-cell` must be a number of rows, at least 1, not {options.min_cell}.")
    cubes = [read_cube(path) for path in options.cubes]
    cube = reduce(add, cubes)
    refuse_stops(merged_checks(dict(zip(options.cubes, cubes, strict=True))), options.ok)
    if options.min_cell is not None:
        cube = with_at_least(cube, options.min_cell)
    write_whole(options.save_cube, cube.to_bytes())
    for line in (*(_labels(cube) if options.share else ()), *(f"joined: {step}" for step in cube.meaning.merged)):
        print(printable(line))
    print(f"{plural(len(cube.n), 'cell')} of {plural(int(cube.n.sum()), 'row')}: {printable(options.save_cube)}")
    return 0


def _labels(cube: Cube) -> list[str]:
    """What a reader of the file learns besides numbers."""
    return [f"{name}: {', '.join(text.labels)}" for name, text in cube.labels.items() if name != BAG]


def _reslice(arguments: Sequence[str]) -> int:
    parser = Parser("reslice", "Evaluate a saved cube by other slices or for some levels only, without the table.")
    parser.add_argument("cube", metavar="CUBE", help="a file written with --save-cube")
    parser.add_argument("--slices", metavar="COLUMN", nargs="+", default=[], help="its columns, or 'a × b' crossed")
    parser.add_argument("--where", metavar="COLUMN=LEVEL", nargs="+", default=[], help="only rows of these levels")
    parser.add_argument(
        "--engine", metavar="ENGINE", help="memory: also measure what needs all rows at once, such as ranks"
    )
    add_cell_settings(parser)
    add_outputs(parser)
    options = parser.parse_args(arguments)
    check_outputs(options, [options.cube])
    cube = read_cube(options.cube)
    levels: dict[str, list[str]] = {}
    for text in options.where:
        column, sign, level = text.partition("=")
        if not sign:
            raise SettingError(f'`--where` must be COLUMN=LEVEL, such as country=NZ, not "{printable(text)}".')
        levels.setdefault(column, []).append(level)
    for column, chosen in levels.items():
        cube = cube.chosen(column, chosen)
    engine = {} if options.engine is None else {"engine": options.engine}
    return deliver(evaluate_cube(cube, options.slices, **cell_settings(options), **engine), options)
