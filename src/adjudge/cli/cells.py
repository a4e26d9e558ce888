"""`adjudge cells`: the SQL that counts a table's cells in a warehouse, and the evaluation of what it counted."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence

from adjudge.cli.output import FILES, Parser, add_outputs, check_outputs, deliver
from adjudge.cli.task import add_cell_settings, add_score_cells, bits_of, cell_settings, scores_of
from adjudge.data.cubes.bags import BAGS
from adjudge.data.cubes.files import read_counted_cells
from adjudge.data.cubes.meaning import CubeMeaning, check_meaning, counted_system, grids_of
from adjudge.data.cubes.sql import DIALECTS, cells_sql
from adjudge.data.systems import systems_of
from adjudge.diagnosis.checks.columns import two_roles
from adjudge.errors import SettingError, quoted
from adjudge.evaluation.cubes.widths import OF_CELLS
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
    scores = "columns of scores, one for each system; LABEL=COLUMN for each label gives one score per label"
    parser.add_argument("--score", metavar="COLUMN", nargs="+", help=scores)
    parser.add_argument("--positive", metavar="LABEL", help="the label that scores are for")
    parser.add_argument(
        "--threshold",
        metavar="SCORE",
        type=float,
        nargs="+",
        help="score from which the positive label is decided; several: one for each system",
    )
    parser.add_argument("--weight", metavar="COLUMN", help="column of case weights; needs --cluster or --id")
    parser.add_argument("--cluster", metavar="COLUMN", help="column of units to resample together, kept in 64 bags")
    parser.add_argument(
        "--id", metavar="COLUMN", help="column of row ids; with weights, rows are kept in 64 bags by it"
    )
    parser.add_argument("--slices", metavar="COLUMN", nargs="+", default=[], help="columns to break results down by")
    add_score_cells(parser)
    add_cell_settings(parser)
    add_outputs(parser)
    options = parser.parse_args(arguments)
    meaning = _meaning(options)
    if (options.sql is None) == (options.from_cells is None):
        raise SettingError("Either `--sql DIALECT` must be given, with a table's name, or `--from-cells FILE`.")
    for check in two_roles({role: getattr(options, role) for role in ("reference", "prediction", "score", "weight")}):
        raise SettingError(check.sentence)
    if options.sql is not None:
        if not options.table:
            raise SettingError("`table` must be the table's name in the warehouse, but there is none. Name it.")
        if outputs := [name for name in (*FILES, *OF_CELLS) if getattr(options, name) is not None]:
            raise SettingError(
                f"`{outputs[0]}` must go with `from_cells`: a statement has no results yet. Leave it out."
            )
        print(cells_sql(meaning, options.table, options.sql, options.id))
        return 0
    if options.table is not None:
        raise SettingError(
            f"`table` must be left out with `from_cells`, which names the file, but it is {quoted(options.table)}."
        )
    check_outputs(options, [options.from_cells])
    cells = read_counted_cells(options.from_cells, meaning)
    return deliver(evaluate_cube(cells, meaning.slices, **cell_settings(options)), options)


def _meaning(options: argparse.Namespace) -> CubeMeaning:
    """What was typed, as what cells are of."""
    scores = scores_of(options.score, ()) if options.score else None
    if isinstance(scores, list) and options.positive is None:
        raise SettingError("`positive` must say which label a high score stands for: SQL cannot guess it. Give it.")
    if options.weight is not None and options.cluster is None and options.id is None:
        raise SettingError(
            "`weight` must go with `cluster` or `id`, because rows that differ in weight are drawn in bags, and SQL "
            "does not number rows. Give one."
        )
    systems = tuple(map(counted_system, systems_of(options.prediction, scores, None)))
    cuts: list[float] = options.threshold or []
    cuts = cuts * len(systems) if len(cuts) == 1 else cuts
    if cuts and (len(cuts) != len(systems) or not all(map(math.isfinite, cuts))):
        raise SettingError(
            f"`threshold` must be one number, or one for each of the {len(systems)} systems, not "
            f"{' '.join(f'{cut:g}' for cut in cuts)}."
        )
    tasks = [task_named(name) for name in task_names()]
    counted = next(t.name for t in tasks if t.cells is not None and any(role.name == "reference" for role in t.roles))
    meaning = CubeMeaning(
        task=counted,
        unit="row" if options.cluster is None else "cluster",
        reference=options.reference,
        systems=systems,
        slices=tuple(dict.fromkeys(options.slices)),
        settings={"threshold": cuts} if cuts else {},
        positive=options.positive,
        weight=options.weight,
        cluster=options.cluster,
        bags=0 if options.weight is None and options.cluster is None else BAGS,
        grids=grids_of(systems, cuts, bits_of(options.score_cells)),
    )
    check_meaning(meaning)
    return meaning
