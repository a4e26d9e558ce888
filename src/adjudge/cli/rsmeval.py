"""The command `adjudge rsmeval`: RSMTool's configuration in, its files and a report out."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from adjudge.cli.output import Parser
from adjudge.errors import SettingError, printable, quoted
from adjudge.evaluation.take_away.writing import write_whole
from adjudge.interop.rsmtool import EDIT_IT, REPLICATES, example_config, run_evaluation
from adjudge.interop.rsmtool_config import FILE_FORMATS


def run(name: str, arguments: Sequence[str]) -> int:
    """Evaluate as a configuration says."""
    given = list(arguments)
    if given[:1] == ["generate"]:
        return _generate(f"{name} generate", given[1:])
    options = _parser(name).parse_args(given[1:] if given[:1] == ["run"] else given)
    done = run_evaluation(
        options.config,
        options.output_dir,
        options.force,
        file_format=options.format,
        replicates=options.replicates,
    )
    for note in done.notes:
        print(printable(f"adjudge: note: {note}"), file=sys.stderr)
    if not options.quiet:
        # The files and the page hold everything; here, the answer alone.
        print("\n".join(map(printable, str(done.evaluation).splitlines())))
        print(printable(f"files: {len(done.files)} in {done.files[0].parent}"))
        print(printable(f"html: {done.report}"))
    return 0


def _generate(name: str, arguments: Sequence[str]) -> int:
    """Print an example of a configuration, or write it to a file."""
    parser = Parser(name, "Print an example of RSMTool's configuration, to be filled in.")
    parser.add_argument("-g", "--subgroups", action="store_true", help="with the sections about subgroups")
    parser.add_argument("-o", "--output", metavar="FILE", help="write it to this file, which must not exist yet")
    parser.add_argument("-q", "--quiet", action="store_true", help="do not say that it must be edited")
    parser.add_argument("-i", "--interactive", action="store_true", help="refused: the example is edited instead")
    options = parser.parse_args(arguments)
    if options.interactive:
        raise SettingError("A configuration must be edited by hand: it is not asked for field by field. Leave -i out.")
    text = example_config(options.subgroups) + "\n"
    if options.output is None:
        print(text, end="")
    elif os.path.exists(options.output):
        raise SettingError(f"`output` must be a new file, but {quoted(options.output)} exists. Name another.")
    else:
        write_whole(options.output, text)
    if not options.quiet:
        print(f"adjudge: note: {EDIT_IT}", file=sys.stderr)
    return 0


def _parser(name: str) -> Parser:
    parser = Parser(
        name, "Evaluate a scoring engine as RSMTool's rsmeval does, from its configuration, with intervals."
    )
    parser.add_argument("config", help="RSMTool's configuration file (JSON, comments allowed)")
    parser.add_argument("output_dir", nargs="?", default=".", help="where output/ and report/ go (default: here)")
    parser.add_argument("-f", "--force", action="store_true", help="write although there are files in output/")
    parser.add_argument(
        "--format", metavar="FORMAT", help=f"one of {', '.join(FILE_FORMATS)} (default: as the configuration says)"
    )
    parser.add_argument(
        "--replicates",
        type=int,
        default=REPLICATES,
        metavar="NUMBER",
        help=f"bootstrap replicates of the report's intervals (default {REPLICATES:,})",
    )
    parser.add_argument("--quiet", action="store_true", help="print nothing but notes and errors")
    return parser
