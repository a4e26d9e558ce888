"""The colour roles of `tokens.toml`, as the page and its charts want them written."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

SYSTEMS = 4


@cache
def tokens() -> dict[str, dict[str, str]]:
    """Roles with their colours: one table for each scheme.

    >>> sorted(tokens())
    ['dark', 'light']
    """
    file = resources.files("adjudge.report").joinpath("tokens.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def colour(role: str) -> str:
    """A role as a page or a chart names it; the scheme in force decides what is seen.

    >>> colour("ink")
    'var(--ink)'
    """
    if role not in tokens()["light"]:
        raise KeyError(role)
    return f"var(--{role})"


def systems() -> list[str]:
    """The colours of systems, in order. From the fifth on, hue tells nothing apart: they are grey, with names."""
    return [colour(f"system-{i + 1}") for i in range(SYSTEMS)]


def style_sheet() -> str:
    """The variables of both schemes; paper is always light.

    >>> style_sheet().splitlines()[0]
    ':root { color-scheme: light dark; --ground: #ffffff; --panel: #f5f7fa; --ink: #141a22; ...'
    """
    light, dark = (_variables(scheme) for scheme in ("light", "dark"))
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        "@media print { :root { color-scheme: light; } }\n"
    )


def _variables(scheme: str) -> str:
    return " ".join(f"--{role}: {value};" for role, value in tokens()[scheme].items())
