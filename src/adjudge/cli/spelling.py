"""Settings as they are typed: a message names `positive` and advises ok="C1", a command takes --positive and --ok C1.

Every message is written once, in the spelling of Python. What goes to the command line passes through here, with the
options of the command that runs: whatever is an option of it is spelled as one, all else stays as it is.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

# The command that runs, by the name of a value the option that gives it; each parser enters its own.
OPTIONS: dict[str, str] = {}

_TEXT = r'"[^"]*"'
_VALUE = rf"{_TEXT}|\[(?:{_TEXT}|[^\]\"])*\]|-?[\w.+]*\w"
# A value in quotation marks is somebody's label or name, whatever it looks like.
_SPELLED = re.compile(rf"`(?P<named>\w+)`|(?<![\w.])(?P<given>[a-z_]+)=(?P<value>{_VALUE})|{_TEXT}")


def option_of(name: str) -> str:
    """The option that gives a role or a setting.

    >>> option_of("model_a")
    '--model-a'
    """
    return f"--{name.replace('_', '-')}"


def as_typed(message: str, options: Mapping[str, str] | None = None) -> str:
    """The message with settings spelled as options.

    >>> as_typed('`reference` must be known. Give missing=["NA", "n a"], or ok="C1".',
    ...          {"reference": "--reference", "missing": "--missing", "ok": "--ok"})
    "`--reference` must be known. Give --missing NA 'n a', or --ok C1."
    """
    known = OPTIONS if options is None else options

    def spelled(part: re.Match[str]) -> str:
        if (name := part["named"]) in known:
            return f"`{known[name]}`"
        if (name := part["given"]) in known:
            return " ".join([known[name], *_words(part["value"])])
        return part[0]

    return _SPELLED.sub(spelled, message) if known else message


def _words(value: str) -> list[str]:
    """A value of Python as words of a command line."""
    if value == "True":
        return []
    if value.startswith("["):
        texts = re.findall(rf"{_TEXT}|'[^']*'", value)
        return [shlex.quote(text[1:-1]) for text in texts] or [word.strip() for word in value[1:-1].split(",")]
    return [shlex.quote(value.strip('"'))]
