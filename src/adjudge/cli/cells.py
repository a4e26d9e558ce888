"""`adjudge cells`: the SQL that counts a table's cells in a warehouse, and the evaluation of what it counted."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.cli.output import FILES, Parser, add_outputs, check_outputs, deliver
from adjudge.cli.task import add_score_cells, bits_of
from adjudge.data.cubes.files import read_counted_cells
from adjudge.data.cubes.grid import grid_of
from adjudge.data.cubes.meaning import CubeMeaning, CubeSystem
from adjudge.data.cubes.sql import DIALECTS, cells_sql
from adjudge.data.systems import systems_of
from adjudge.diagnosis.checks.columns import two_roles
from adjudge.errors import SettingError, quoted
from adjudge.report.cubes import evaluate_cube
from adjudge.tasks import task_named, task_names


def run(name: str, arguments: Sequence[str]) -> int:
    """Print the statement, or evaluate its result."""
    parser = Parser("cells", "Count a table where it is: print the SQL that does, or evaluate what it counted.")
    parser.add_argument("table", nargs="?", help="the table's name in the warehouse, for --sql")
    parser.add_argument("--sql", metavar="DIALECT", help=f"print the statement for {', '.join(DIALECTS)}")
    parser.add_argument("--from-cells", metavar="FILE", help="evaluate its result (parquet, csv)")
    parser.add_argument("--reference", metavar="COLUMN", required=True, help="column of true labels, text or integers")
    parser.add_argument("--prediction", metavar="COLUMN", nargs="+", help="columns of decisions, one for each system")
    parser.add_argument("--score", metavar="COLUMN", nargs="+", help="columns of scores, one for each system")
    parser.add_argument("--positive", metavar="LABEL", help="the label that scores speak of")
    parser.add_argument("--slices", metavar="COLUMN", nargs="+", default=[], help="columns to break results down by")
    add_score_cells(parser)
    parser.add_argument("--replicates", metavar="REPLICATES", type=int, help="bootstrap replicates (default 2000)")
    add_outputs(parser)
    options = parser.parse_args(arguments)
    systems = systems_of(options.prediction, options.score, None)
    if options.score and options.positive is None:
        raise SettingError("`positive` must say which label a high score stands for: SQL cannot guess it. Give it.")
    tasks = [task_named(name) for name in task_names()]
    counted = next(t.name for t in tasks if t.cells is not None and any(role.name == "reference" for role in t.roles))
    meaning = CubeMeaning(
        task=counted,
        reference=options.reference,
        systems=tuple(CubeSystem(s.name, s.prediction, s.scores[0][1] if s.scores else None) for s in systems),
        slices=tuple(dict.fromkeys(options.slices)),
        positive=options.positive,
        grids={s.name: grid_of(bits_of(options.score_cells)) for s in systems if s.scores},
    )
    if (options.sql is None) == (options.from_cells is None):
        raise SettingError("Either `--sql DIALECT` must be given, with a table's name, or `--from-cells FILE`.")
    for check in two_roles({role: getattr(options, role) for role in ("reference", "prediction", "score")}):
        raise SettingError(check.sentence)
    if options.sql is not None:
        if not options.table:
            raise SettingError("`table` must be the table's name in the warehouse, but there is none. Name it.")
        if outputs := [name for name in (*FILES, "replicates") if getattr(options, name) is not None]:
            raise SettingError(
                f"`{outputs[0]}` must go with `from_cells`: a statement has no results yet. Leave it out."
            )
        print(cells_sql(meaning, options.table, options.sql))
        return 0
    if options.table is not None:
        raise SettingError(
            f"`table` must be left out with `from_cells`, which names the file, but it is {quoted(options.table)}."
        )
    check_outputs(options, [options.from_cells])
    settings = {} if options.replicates is None else {"replicates": options.replicates}
    return deliver(evaluate_cube(read_counted_cells(options.from_cells, meaning), meaning.slices, **settings), options)
