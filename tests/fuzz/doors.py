"""Doors beside the tasks: settings files, purposes, saved files and the functions of Python."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Callable, Mapping
from importlib.resources import as_file, files
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.checks import check_message, check_outputs, check_printed
from tests.fuzz.commands import FILES, Likely, likely_question, outputs, plain, requirement, run_command, toml_value
from tests.fuzz.questions import metric_name, short
from tests.fuzz.tables import damaged, in_memory
from tests.fuzz.values import ODD_TEXTS, odd_value

import adjudge
from adjudge.errors import AdjudgeError
from adjudge.evaluation.take_away.saving import SEAL, sealed


def exchange(random: Random, document: Any, odd: Callable[[Random], Any]) -> None:
    """Put something else in one place of nested lists and dictionaries, or leave it out, or give it twice."""
    place = document
    while place:
        key = random.choice(list(place) if isinstance(place, dict) else list(range(len(place))))
        inside = place[key]
        if isinstance(inside, (dict, list)) and inside and random.random() < 0.85:
            place = inside
            continue
        how = random.random()
        if how < 0.2:
            del place[key]
        elif how < 0.3 and isinstance(place, dict):
            place[random.choice((f"{key}s", random.choice(ODD_TEXTS)[:50]))] = inside
        elif how < 0.4 and isinstance(place, list):
            place.append(copy.copy(inside))  # values may be lists in lists in lists
        else:
            place[key] = random.choice((odd(random), None, [], {}, -1, 10**30, inside))
        return


def _written(random: Random, document: Mapping[str, Any], folder: Path, name: str) -> Path:
    """The document as JSON, YAML or TOML; seldom with odd bytes."""
    kept = plain(document)
    file = folder / f"{name}{random.choice(('.json', '.json', '.yaml', '.toml'))}"
    text = json.dumps(kept, default=str) if file.suffix != ".toml" else _as_toml(kept)
    content = text.encode("utf-8", "surrogatepass")
    file.write_bytes(damaged(random, content) if random.random() < 0.1 else content)
    return file


def _as_toml(document: Any) -> str:
    if not isinstance(document, Mapping):
        return toml_value(document)
    return "\n".join(f"{json.dumps(key)} = {toml_value(value)}" for key, value in document.items())


# What a system is for

PURPOSE = tomllib.loads((files("adjudge") / "demo" / "purpose" / "purpose.toml").read_text(encoding="utf-8"))


def fit(random: Random, folder: Path) -> None:
    """A purpose, some of it odd, and its tables, cut short."""
    purpose = copy.deepcopy(PURPOSE)
    purpose["table"] = random.sample(purpose["table"], random.choice((1, 2, 3)))
    if random.random() < 0.8:
        del purpose["tradeoffs"]
    with as_file(files("adjudge") / "demo" / "purpose") as bundled:
        for table in {one["data"] for one in PURPOSE["table"]}:
            lines = (bundled / table).read_bytes().splitlines(keepends=True)[: random.choice((1, 2, 12, 40, 90))]
            content = b"".join(lines)
            (folder / table).write_bytes(damaged(random, content) if random.random() < 0.05 else content)
    for _ in range(random.choice((0, 0, 1, 1, 3))):
        exchange(random, purpose, odd_value)
    if random.random() < 0.3:
        found = adjudge.adequacy(_at(purpose, folder))
        check_printed(found.to_markdown())
        return
    file = _written(random, purpose, folder, "purpose")
    flags = random.choice(([], ["--check"], ["--strict"], ["--quiet"], ["--all"]))
    given = ["adequacy", file, *flags, *outputs(random, folder, ("junit", "json", "markdown", "html"))]
    run_command(random, given, folder, verdicts=True)


def _at(purpose: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The same with the names of files in a folder."""
    tables = purpose.get("table")
    for table in tables if isinstance(tables, list) else ():
        if isinstance(table, dict) and isinstance(table.get("data"), str) and "\0" not in table["data"]:
            table["data"] = str(folder / table["data"])
    return purpose


# Settings


def settled(random: Random, folder: Path) -> None:
    """A file of settings: made from a table, changed, checked, and used."""
    likely = likely_question(random, folder)
    config = folder / "adjudge.toml"
    if random.random() < 0.3:
        run_command(random, ["init", likely.words[1], "--task", likely.task.name, "--out", config], folder)
        if random.random() < 0.3 and config.exists():  # nothing is written of a table that is refused
            config.write_bytes(damaged(random, config.read_bytes()))
    else:
        section = {likely.task.name: dict(likely.question)}
        for _ in range(random.choice((0, 1, 1, 2))):
            exchange(random, section, odd_value)
        config.write_text(_as_toml(plain(section)), "utf-8", "backslashreplace")
    if random.random() < 0.3:
        return run_command(random, ["init", "--check", config], folder)
    first = [] if random.random() < 0.4 else [likely.task.name]
    given = [*first, likely.words[1], "--config", config, *outputs(random, folder, FILES, 0.1)]
    return run_command(random, given, folder)


# Saved files


def shown_again(random: Random, folder: Path) -> None:
    """A saved evaluation, damaged, before every command that takes one."""
    likely = likely_question(random, folder)
    save = folder / "e.adjudge"
    run_command(random, [*likely.words, "--save", save, *random.choice(([], ["--with-items"])), "--quiet"], folder)
    if not save.exists():  # the question was refused
        return
    if random.random() < 0.3:
        save.write_bytes(damaged(random, save.read_bytes()))
    elif random.random() < 0.9:
        document = json.loads(b"{" + save.read_bytes()[len(SEAL) + 66 :])
        for _ in range(random.choice((1, 1, 3))):
            exchange(random, document, writable)
        save.write_bytes(sealed(json.dumps(document, default=str).encode()))
    given: list[Any] = random.choice(
        (
            ["report", save, *outputs(random, folder, FILES), *random.choice(([], ["--all"]))],
            ["compare", save, save, "--names", "a", "b", *outputs(random, folder, FILES, 0.1)],
            ["merge", save, save, "--save-cube", folder / "out.cube.parquet"],
            ["reslice", save],
            ["gate", "init", save],
            ["gate", save],
            ["plan", "accuracy >= 0.8", "--pilot", save, "--samples", 3],
        )
    )
    run_command(random, given, folder, verdicts=given[0] == "gate")


def writable(random: Random) -> Any:
    """An odd value that JSON can write."""
    odd = odd_value(random)
    try:
        json.dumps(odd)
    except (TypeError, ValueError, RecursionError):
        return short(odd)[:5000]
    return odd


# Functions


def function(random: Random, folder: Path) -> None:
    """A function of Python with a table that it mostly takes, and what can be asked of its answer."""
    likely = likely_question(random, folder)
    odd = {random.choice(("level", "seed", "weight", "cluster", "id")): odd_value(random)}
    way = random.choice((_compared, _differing, _traded, _gated, _asked, _asked, _asked))
    way(random, likely, in_memory(random, likely.table), odd if random.random() < 0.15 else {})


def _compared(random: Random, likely: Likely, table: Any, odd: dict[str, Any]) -> None:
    check_outputs(random, adjudge.compare(table, task=likely.task.name, **likely.question | odd))


def _differing(random: Random, likely: Likely, table: Any, odd: dict[str, Any]) -> None:
    names = random.sample(list(likely.table), min(4, len(likely.table)))
    odd = {key: value for key, value in odd.items() if key != "id"}
    if random.random() < 0.3:
        odd["metric"] = metric_name(random, likely.task)
    found = adjudge.agreement_difference(table, names[:2], names[2:], **{"replicates": 100} | odd)
    repr(found)


def _traded(random: Random, likely: Likely, table: Any, odd: dict[str, Any]) -> None:
    names = random.sample(list(likely.table), min(3, len(likely.table)))
    axes = [
        {"characteristic": name, "metric": random.choice(("mean", "accuracy", "quantile(0.9)")), "column": column}
        for name, column in (("a", "{system}"), ("b", [names[0], "{system}"]), ("c", odd_value(random)))
    ]
    repr(adjudge.tradeoffs(table, names[1:], random.sample(axes, 2), cluster=odd.get("cluster")))


def _gated(random: Random, likely: Likely, table: Any, odd: dict[str, Any]) -> None:
    found = adjudge.Gate.of(*(requirement(random, likely) for _ in range(random.choice((1, 2)))), name="g").run(
        table, task=likely.task.name, **likely.question | odd
    )
    check_printed(found.to_markdown())


def _asked(random: Random, likely: Likely, table: Any, odd: dict[str, Any]) -> None:
    evaluation = adjudge.evaluate(table, likely.task.name, **likely.question | odd)
    evaluation.to_pandas(), evaluation.to_polars(), evaluation.to_arrow()
    column = random.choice((*likely.table, short(odd_value(random))))
    asks: dict[str, Callable[[], Any]] = {
        "items": lambda: evaluation.items,
        "queue": lambda: evaluation.queue,
        "consensus": lambda: evaluation.consensus,
        "flags": lambda: evaluation.flags,
        "taken": lambda: evaluation.taken(random.choice((*(one.name for one in likely.task.takes_away), column))),
        "slice": lambda: evaluation.slice(column),
        "get": lambda: evaluation.get(metric_name(random, likely.task), **random.choice(({}, {"system": column}))),
        "report": lambda: evaluation.report(Path(random.choice(("/dev/null", "/nowhere/x.html", "/dev/full")))),
    }
    for ask in random.sample(list(asks), 3):
        try:
            repr(asks[ask]())
        except AdjudgeError as error:
            check_message(str(error))


DOORS: dict[str, tuple[Callable[[Random, Path], None], float]] = {
    "adequacy": (fit, 0.05),
    "settings": (settled, 0.04),
    "shown": (shown_again, 0.03),
    "function": (function, 0.06),
}
