"""`adjudge completion SHELL`: a few lines for the shell, which ask the program itself what can come next.

What can come next follows from the declarations: the commands, the options of a command's parser, names of metrics and
tasks, and for a column the columns of the table that was named. Nothing of a table is ever run by the shell: names are
quoted by the script that takes them.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from importlib import import_module

from adjudge.cli import output
from adjudge.cli.main import commands
from adjudge.cli.output import Parser
from adjudge.data.dialect import opened
from adjudge.diagnosis.checks.check import KEYS
from adjudge.errors import AdjudgeError, listed
from adjudge.inference.resampling import KINDS
from adjudge.metrics.catalogue import every
from adjudge.tasks import task_names

WORDS = "words"
SHELLS = {
    "bash": """\
_adjudge() {
    local word
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$(printf '%q' "$word")")
    done < <(adjudge completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _adjudge adjudge
""",
    "zsh": """\
#compdef adjudge
_adjudge() {
    local -a found
    found=("${(@f)$(adjudge completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n "$found[1]" ]]; then compadd -- "${found[@]}"; else _files; fi
}
compdef _adjudge adjudge
""",
    "fish": """\
function __adjudge_words
    set -l typed (commandline -opc) (commandline -ct)
    adjudge completion words -- $typed[2..-1] 2>/dev/null
end
complete -c adjudge -a '(__adjudge_words)'
""",
}
WHERE = 'For bash, add this to ~/.bashrc: eval "$(adjudge completion bash)"; zsh and fish work the same way'


def run(name: str, arguments: Sequence[str]) -> int:
    """Print the lines for a shell, or what can come next."""
    if arguments and arguments[0] == WORDS:
        typed = list(arguments[1:])
        for word in following_words(typed[1:] if typed[:1] == ["--"] else typed):
            print(word)
        return 0
    parser = Parser(
        "completion", f"Print the lines that let a shell complete commands, options, metrics and columns. {WHERE}."
    )
    parser.add_argument("shell", choices=list(SHELLS), help=f"the shell to set up: {listed(SHELLS)}")
    print(SHELLS[parser.parse_args(arguments).shell], end="")
    return 0


def following_words(typed: Sequence[str]) -> list[str]:
    """What the last word, as far as it is typed, can become; nothing where it is a file.

    >>> following_words(["class"])
    ['classification']
    >>> following_words(["metrics", "cohen_k"])
    ['cohen_kappa']
    """
    *before, word = typed or [""]
    start = word.lstrip("\"'")
    candidates = _candidates(before, start)
    return [one for one in dict.fromkeys(candidates) if one.startswith(start) and one.isprintable()]


def _candidates(before: Sequence[str], word: str) -> Iterable[str]:
    if not before:
        return [*commands(), "--help", "--version"]
    parser = parser_of(before[0])
    if parser is None:
        return []
    actions = {name: action for action in parser._actions for name in action.option_strings}
    if word.startswith("-"):
        return [name for name, action in actions.items() if action.help != argparse.SUPPRESS]
    last = next((one for one in reversed(before) if one.startswith("--")), None)
    if last in actions:
        return _values(actions[last], before)
    places = [action for action in parser._actions if not action.option_strings]
    return _values(places[0], before) if places and len(before) == 1 else []


def _values(action: argparse.Action, before: Sequence[str]) -> Iterable[str]:
    """What an option or a place can be given, where that is known beforehand."""
    if action.choices is not None:
        return [str(one) for one in action.choices]
    if action.metavar == "COLUMN":
        return _columns(before)
    known: dict[str, Iterable[str]] = {
        "metrics": [metric.name for metric in every()],
        "metric": [metric.name for metric in every()],
        "task": task_names(),
        "which": task_names(),
        "ok": KEYS,
        "bootstrap": KINDS,
    }
    return known.get(action.dest, ())


def _columns(before: Sequence[str]) -> tuple[str, ...]:
    """The columns of the first table that was named."""
    for word in before[1:]:
        if os.path.exists(word):
            try:
                return opened(word).column_names
            except AdjudgeError:
                return ()
    return ()


def parser_of(command: str) -> argparse.ArgumentParser | None:
    """The parser of a command, as it would read what was typed; of a file, none."""
    if command not in commands():
        return None
    with output.described() as parsers:
        import_module(commands()[command][0]).run(command, [])
    return parsers[0] if parsers else None
