"""A gate to begin with: the bounds that an evaluation would prove today, commented out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from adjudge.data.tables.documents import toml_text
from adjudge.errors import AdjudgeError
from adjudge.evaluation.gates.requirement_scope import TRUSTED
from adjudge.evaluation.gates.requirements import Requirement
from adjudge.evaluation.outcome import Outcome
from adjudge.evaluation.results import WHOLE_NAME, Row
from adjudge.metrics.base import Direction
from adjudge.metrics.catalogue import parse

# Roles whose columns a gate names by themselves.
PLAIN = ("reference", "weight", "cluster", "id", "raters", "item", "rater", "rating", "query")


def drafted(outcome: Outcome, leading: Sequence[str] = ("*",)) -> str:
    """The text of a file that `adjudge gate` reads once its bounds are chosen; of the leading metrics only."""
    head = ["# Choose what must hold, remove the # in front of it, and set the bounds you need, not those you have."]
    head += ["", "[gate]", f"name = {toml_text('release')}", f"data = {toml_text(outcome.data.source)}"]
    head += [f"task = {toml_text(outcome.task)}"]
    head += [f"{role} = {toml_text(column)}" for role, column in outcome.data.roles.items() if role in PLAIN]
    for role in ("prediction", "score"):
        named = {
            key.removeprefix(f"{role} of "): column
            for key, column in outcome.data.roles.items()
            if key.startswith(f"{role} of ") and " for " not in key
        }
        if named:
            head.append(f"{role} = {{ {', '.join(f'{toml_text(k)} = {toml_text(v)}' for k, v in named.items())} }}")
    if outcome.settings.positive is not None:
        head.append(f"positive = {toml_text(outcome.settings.positive)}")
    blocks = [_block(row, bound, sign, len(outcome.systems) > 1) for row, bound, sign in _proven(outcome, leading)]
    if not blocks:
        blocks = [
            "# No interval of this evaluation proves a bound.\n# [[requirement]]\n# metric = ...\n# at_least = ..."
        ]
    return "\n".join(head) + "\n\n" + "\n\n".join(blocks) + "\n"


def _proven(outcome: Outcome, leading: Sequence[str]) -> Iterator[tuple[Row, float, str]]:
    """Each estimate of all rows with the bound that its interval proves."""
    done = set()
    for row in outcome.table.estimates:
        key = (row.system, row.metric, row.category)
        if not any(fnmatchcase(row.metric, name) for name in leading):
            continue
        if row.slice != WHOLE_NAME or row.method not in TRUSTED or key in done or row.system not in outcome.systems:
            continue
        try:
            direction = parse(row.metric).direction
        except AdjudgeError:
            continue
        if direction is Direction.NEAREST or not (math.isfinite(row.low) and math.isfinite(row.high)):
            continue
        done.add(key)
        places = max(0, -math.floor(math.log10(max(row.high - row.low, 1e-12))))
        if direction is Direction.HIGHER:
            yield row, math.floor(row.low * 10**places) / 10**places, "at_least"
        else:
            yield row, math.ceil(row.high * 10**places) / 10**places, "at_most"


def _block(row: Row, bound: float, sign: str, several: bool) -> str:
    """One requirement, commented out."""
    lines = ["[[requirement]]", f"metric = {toml_text(row.metric)}"]
    lines += [f"system = {toml_text(row.system)}"] if several else []
    lines += [f"category = {toml_text(row.category)}"] if row.category else []
    lines.append(f"{sign} = {bound:.10g}")
    seen = f"estimate {row.estimate:.4g}, {100 * row.level:g} % [{row.low:.4g}, {row.high:.4g}], n {row.n:,}"
    assert Requirement(row.metric, **{sign: bound}).holds  # type: ignore[arg-type]
    return "\n".join(f"# {line}" for line in [f"{seen}", *lines])
