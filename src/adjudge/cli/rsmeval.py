"""The command `adjudge rsmeval`: RSMTool's configuration in, its files and a report out."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from adjudge.cli.output import Parser
from adjudge.errors import SettingError
from adjudge.interop.rsmtool import run_evaluation
from adjudge.interop.rsmtool_config import FILE_FORMATS


def run(name: str, arguments: Sequence[str]) -> int:
    """Evaluate as a configuration says."""
    given = list(arguments)
    if given[:1] == ["generate"]:
        raise SettingError("A configuration must be written by hand, or with RSMTool's `rsmeval generate`.")
    options = _parser(name).parse_args(given[1:] if given[:1] == ["run"] else given)
    done = run_evaluation(options.config, options.output_dir, options.force, file_format=options.format)
    for note in done.notes:
        print(f"adjudge: note: {note}", file=sys.stderr)
    if not options.quiet:
        # The files and the page hold everything; here, the findings alone.
        print("\n".join(done.evaluation.summary.sentences))
        print(f"files: {len(done.files)} in {done.files[0].parent}")
        print(f"html: {done.report}")
    return 0


def _parser(name: str) -> Parser:
    made = Parser(name, "Evaluate a scoring engine as RSMTool's rsmeval does, from its configuration, with intervals.")
    made.add_argument("config", help="RSMTool's configuration file (JSON, comments allowed)")
    made.add_argument("output_dir", nargs="?", default=".", help="where output/ and report/ go (default: here)")
    made.add_argument("-f", "--force", action="store_true", help="write although there are files in output/")
    made.add_argument(
        "--format", metavar="FORMAT", help=f"one of {', '.join(FILE_FORMATS)} (default: as the configuration says)"
    )
    made.add_argument("--quiet", action="store_true", help="print nothing but notes and errors")
    return made
