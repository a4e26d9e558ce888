"""`adjudge plan`: how many rows to collect, before anything is measured."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from adjudge.cli.config import completed
from adjudge.cli.output import FILES, Parser, check_files, following, named_files, whoever_listens
from adjudge.cli.spelling import option_of
from adjudge.cli.task import given_to
from adjudge.cli.task import parser as parser_of
from adjudge.errors import SettingError, listed, printable, quoted
from adjudge.evaluation.declaration import Given
from adjudge.evaluation.take_away.saving import named_as_saved
from adjudge.evaluation.take_away.writing import write_together
from adjudge.report.plan import SAMPLES, plan
from adjudge.tasks import task_named, task_names

CANNOT_PASS = 3
WRITTEN = ("json", "csv", "markdown")
ASSUMED = {
    "expect": "the value that the metric is expected to have",
    "difference": "how far two systems on the same rows are expected to differ: system minus baseline",
    "differing": "the share of rows that only one of the two systems is expected to answer right",
    "against": "the value expected of the other system, where it is measured on other rows",
    "deviation": "for means: the standard deviation of the values, or of their differences",
    "part": "the share of rows that count: for recall, rows of the category; for precision, rows predicted as it; "
    "for the area under the ROC curve, positive rows; for kappa, rows of one category",
    "cluster_size": "how many rows belong together, on average",
    "correlation": "how alike two rows of a cluster are (intraclass correlation)",
    "slices": "how many slices there are, where each must pass",
    "smallest": "the share of rows in the smallest slice (default: all equal)",
    "judge_correlation": "how well a judge's values correlate with people's, where a judge helps with few labels",
    "judged": "rows that only the judge will see",
}


def run(name: str, arguments: Sequence[str]) -> int:
    """Make a plan, print it, and write the files that were asked for."""
    options, rest = _parser().parse_known_args(arguments)
    given: Given = {key: value for key in ASSUMED if (value := getattr(options, key)) is not None}
    saved = named_as_saved(options.pilot)
    if rest and (options.pilot is None or saved):
        raise SettingError(f"plan does not know what to do with {quoted(rest[0])}. See: adjudge plan -h")
    if options.pilot is not None and not saved:
        if not (evaluated_as := options.task):
            known = listed(task_names())
            raise SettingError(f"`--task` must say how the table of the pilot is evaluated: as one of {known}.")
        task = task_named(evaluated_as)
        of_pilot = parser_of(task).parse_args([options.pilot, *rest, *(["--quiet"] if options.quiet else [])])
        with completed(task, of_pilot, given_to(task, of_pilot, ()), but=vars(options)) as completed_roles:
            return _planned(options, {**given, "task": evaluated_as, **completed_roles})
    return _planned(options, given)


def _planned(options: argparse.Namespace, given: Given) -> int:
    outputs = _outputs(options)
    with following(options) as progress:
        size_plan = plan(
            options.question,
            pilot=options.pilot,
            power=options.power,
            level=options.level,
            confidence=options.confidence,
            half_width=options.half_width,
            rows=options.rows,
            samples=options.samples,
            progress=progress,
            **given,
        )
    write_together({path: size_plan.content(form) for form, path in outputs.items()})
    if not options.quiet:
        with whoever_listens():
            size_plan.show()
        for form, path in outputs.items():
            print(f"{form}: {printable(path)}")
    return 0 if size_plan.can_pass else CANNOT_PASS


def _parser() -> argparse.ArgumentParser:
    parser = Parser("plan", "How many rows to collect: for a requirement to pass, two systems to be told apart, "
                    "an interval to be narrow enough.")  # fmt: skip
    parser.add_argument("question", help="a requirement, such as 'accuracy >= 0.9', or a metric")
    expected = parser.add_argument_group("what is expected")
    for key, line in ASSUMED.items():
        kind = int if key == "slices" else float
        expected.add_argument(option_of(key), type=kind, metavar="NUMBER", help=line)
    expected.add_argument(
        "--pilot", metavar="FILE", help="a saved evaluation (.adjudge), or a table with the columns of --task"
    )
    expected.add_argument("--task", help="the task that the pilot's table is for")
    goals = parser.add_argument_group("what is wanted")
    goals.add_argument(
        "--power", type=float, default=0.8, metavar="SHARE", help="the chance of passing to plan for (default 0.8)"
    )
    goals.add_argument("--half-width", type=float, metavar="NUMBER", help="how far the interval may reach on each side")
    goals.add_argument(
        "--level", type=float, default=0.95, metavar="SHARE", help="confidence level of intervals (default 0.95)"
    )
    goals.add_argument(
        "--confidence", type=float, metavar="SHARE", help="how sure a requirement must be to pass (default 0.95)"
    )
    goals.add_argument("--rows", type=int, metavar="NUMBER", help="say what this many rows would show")
    goals.add_argument(
        "--samples",
        type=int,
        default=SAMPLES,
        metavar="NUMBER",
        help=f"how many tables are drawn from a pilot (default {SAMPLES})",
    )
    outputs = parser.add_argument_group("outputs")
    for form in WRITTEN:
        outputs.add_argument(f"--{form}", metavar="FILE", help=f"write {FILES[form]}")
    outputs.add_argument("--quiet", action="store_true", help="print nothing but errors")
    return parser


def _outputs(options: argparse.Namespace) -> dict[str, str]:
    """The files to write: each one of its own, and none the pilot."""
    chosen = named_files(options, WRITTEN)
    check_files(chosen, [] if options.pilot is None else [options.pilot])
    return chosen
