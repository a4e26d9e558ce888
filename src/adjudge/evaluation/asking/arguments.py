"""Roles and settings given to a task, checked against its declaration: names are known, values of the declared kind.

`SHARED` are the settings of every task. A form (`FORMS`) says what a value must be, checks it, and what to do instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from os import PathLike
from types import MappingProxyType

import numpy as np

from adjudge.data.judgements.labels import number_in
from adjudge.data.judgements.score_types import Scaling
from adjudge.diagnosis.checks.check import KEYS
from adjudge.errors import SettingError, did_you_mean, quoted
from adjudge.evaluation.declaration import Given, Role, Setting
from adjudge.inference.resampling import KINDS
from adjudge.metrics.base import Metric

# What settings are where nothing is given.
USUAL: Given = MappingProxyType(
    {"level": 0.95, "replicates": 2_000, "seed": 7, "bootstrap": "percentile", "engine": "auto"}
)
# What every task takes besides its own.
SHARED = (
    Setting("systems", "the columns of each system, by its name", form="systems"),
    Setting(
        "metrics",
        "measure only these, such as 'f_score(beta=2)'; to list them: adjudge metrics",
        form="metrics",
        many=True,
    ),
    Setting("level", "confidence level (default 0.95)", float, misnomers=("confidence",), about="doubt", example=0.95),
    Setting("replicates", "bootstrap replicates (default 2000)", int, about="doubt", example=2_000),
    Setting("baseline", "the system to compare the others with (default: the first)", about="comparison"),
    Setting("against", "baseline (default), or all: compare every two systems", about="comparison", example="all"),
    Setting(
        "margin",
        "METRIC=NUMBER or METRIC=SHARE%: differences up to this do not matter",
        many=True,
        form="margins",
        about="comparison",
    ),
    Setting(
        "tests",
        "more tests of each difference, such as mcnemar, wilcoxon, permutation",
        form="words",
        many=True,
        about="comparison",
        example=["permutation"],
    ),
    Setting(
        "adjust",
        "how p-values are adjusted for several systems: max_t (default), holm, hochberg, bh, by, none",
        about="comparison",
        example="holm",
    ),
    Setting(
        "family",
        "what p-values are adjusted over: metric (default), or all (every metric and slice together)",
        about="comparison",
        example="all",
    ),
    Setting(
        "repeats",
        "columns with the baseline run again, to see how much it changes by itself",
        form="columns",
        many=True,
        about="comparison",
    ),
    Setting(
        "search",
        "columns to search for slices that fail more than the rest; see docs/diagnostic.md",
        form="columns",
        many=True,
        about="search",
    ),
    Setting(
        "search_by", "split (default from 2,000 rows): find in one half, test in the other; all, or bh", about="search"
    ),
    Setting("search_null", "shuffled tables, to tell what chance alone would find (default 200)", int, about="search"),
    Setting("seed", "seed of the replicates (default 7)", int, about="doubt", example=7),
    Setting("bootstrap", f"one of {', '.join(KINDS)} (default {KINDS[0]})", about="doubt", example=KINDS[0]),
    Setting(
        "ok",
        "data checks to silence, such as C11; see docs/checks.md",
        form="keys",
        many=True,
        about="reading",
        example=["C11"],
    ),
    Setting(
        "missing",
        "words that mean a missing value, such as NA",
        form="words",
        many=True,
        about="reading",
        example=["NA"],
    ),
    Setting("decimal", "decimal sign: . (default) or ,", about="reading", example=","),
    Setting(
        "delimiter",
        "separator of a text file, if it is not detected: ; or tab, for example",
        about="reading",
        example=";",
    ),
    Setting(
        "pick",
        "choices in another tool's export: question=NAME, item=KEY …; see docs/formats.md",
        form="named",
        many=True,
        about="reading",
        example=["question=NAME"],
    ),
    Setting(
        "require",
        "requirements, such as 'accuracy >= 0.9'; the exit code says whether they hold; see docs/gates.md",
        form="requirements",
        many=True,
    ),
    Setting(
        "engine",
        "auto (default), memory, stream, threads, spark or dask: the numbers are the same",
        form="engine",
        about="where it runs",
        by_hand=True,
    ),
    Setting(
        "master",
        "address of the cluster for engine spark or dask, such as spark://host:7077",
        about="where it runs",
        by_hand=True,
    ),
    Setting(
        "fingerprint",
        "what the input is recognised by: the columns that are read (default of Parquet files), all bytes (of others), "
        "or footers, of Parquet files, which is fastest",
        about="where it runs",
    ),
)


def checked_arguments(
    task: str, roles: Sequence[Role], settings: Sequence[Setting], given: Mapping[str, object]
) -> Given:
    """The same arguments, columns as text; the first that is unknown, missing or of another kind is refused.

    >>> checked_arguments("a task", [Role("raters", "columns", many=True)], [], {"raters": ("ann", 2)})
    {'raters': ['ann', '2']}
    """
    declared = {role.name: role for role in roles} | {setting.name: setting for setting in settings}
    for name in given:
        if name not in declared and (other := _misnamed(name, (*roles, *settings))) is not None:
            raise SettingError(f"`{name}` must be called `{other.name}`: give {other.name}={shown(given[name])}.")
        if name not in declared:
            raise SettingError(
                f"{quoted(name)} must be a role or a setting of {task}, but is not. {did_you_mean(name, declared)}"
            )
    for role in roles:
        if role.required and given.get(role.name) is None:
            raise SettingError(f"`{role.name}` must be given: {role.help}.")
    return {
        name: None if value is None else checked_value(declared[name], value, _misnamed(name, settings))
        for name, value in given.items()
    }


def _misnamed(name: str, every: Sequence[Role | Setting]) -> Role | Setting | None:
    """The role or setting that is looked for under this name."""
    return next((one for one in every if name in one.misnomers), None)


def checked_value(declared: Role | Setting, value: object, other: Role | Setting | None = None) -> object:
    """The value of a role or setting, of the declared kind; `other` is the one that it may be meant for."""
    what, check, advice = FORMS[form_of(declared)]
    checked = check(value)
    # A text that spells a number was meant for a number.
    if checked is None and other is not None and isinstance(value, str) and number_in(value) is None:
        raise SettingError(
            f"`{declared.name}` must be the {_meaning(declared)}; the {_meaning(other)} is `{other.name}`: "
            f"give {other.name}={shown(value)}."
        )
    if checked is None:
        raise SettingError(f"`{declared.name}` must be {what}, not {shown(value)}. {advice}")
    return checked


def _meaning(declared: Role | Setting) -> str:
    """What a setting is, without what it may be."""
    return re.split(r" \(|:", declared.help)[0]


def form_of(declared: Role | Setting) -> str:
    """The form of what may be given, one of `FORMS`."""
    if isinstance(declared, Role):
        return declared.form or ("columns" if declared.many else "column")
    return declared.form or declared.kind.__name__


def _number(value: object) -> object:
    if isinstance(value, (bool, np.complexfloating)) or not isinstance(value, (int, float, np.number)):
        return None
    return None if isinstance(value, int) and abs(value) > MOST else value


MOST_LISTED = 1_000_000  # names, labels or numbers of one argument
# A whole number beyond this is no number of the kind that computers calculate with.
MOST = float(np.finfo(np.float64).max)


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        return None
    return int(value) if abs(int(value)) < 2**63 else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _file(value: object) -> str | None:
    return str(value) if isinstance(value, (str, PathLike)) else None


def _column(value: object) -> str | None:
    """A column may also be called by a number, as pandas calls columns without a header."""
    return value if isinstance(value, str) else None if _whole(value) is None else str(value)


def _label(value: object) -> object:
    known = isinstance(value, (str, bool, int, float, np.generic)) and value == value  # NaN is no label
    return value if known else None


def _several(one: Callable[[object], object]) -> Callable[[object], object]:
    """One of a kind, or a list of them."""

    def check(value: object) -> object:
        if (alone := one(value)) is not None:
            return alone
        if isinstance(value, (bytes, Mapping, set, frozenset)) or not isinstance(value, Iterable):
            return None
        if isinstance(value, np.ndarray) and value.ndim != 1:
            return None
        parts = [one(part) for part in islice(value, MOST_LISTED + 1)]  # it may have no end
        return None if len(parts) > MOST_LISTED or any(part is None for part in parts) else parts

    return check


def _names(value: object) -> object:
    return [] if value is True else None if value is False else _several(_text)(value)


def _list_of_labels(value: object) -> object:
    # A text alone has its own refusal, which knows what it is for.
    return value if isinstance(value, str) else None if _label(value) is not None else _several(_label)(value)


def _by_label(value: object) -> object:
    if isinstance(value, Mapping):
        columns = {label: _column(column) for label, column in value.items() if _label(label) is not None}
        return None if len(columns) < len(value) or None in columns.values() else columns
    return _column(value)


def _named(value: object) -> object:
    if isinstance(value, Mapping):
        several = _several(_label)
        parts = {name: several(part) for name, part in value.items() if isinstance(name, (str, int))}
        return None if len(parts) < len(value) or None in parts.values() else parts
    return _several(_text)(value)


def _margins(value: object) -> object:
    if isinstance(value, Mapping):
        return value if all(isinstance(name, (str, Metric)) for name in value) else None
    return _several(_text)(value)


def _scaling(value: object) -> object:
    return value if isinstance(value, Scaling) else _named(value)


def _key(value: object) -> str | None:
    return value if isinstance(value, str) and value in KEYS else None


def _metric(value: object) -> object:
    return value if isinstance(value, (str, Metric)) else None


PAIRS = ("a dictionary, or texts of NAME=VALUE", 'Give {"name": value} or "name=value", or leave it out.')
NAMES = "Give names as text."
# By form: what must hold, what checks it and gives the value (None: refused), and what to do.
FORMS: dict[str, tuple[str, Callable[[object], object], str]] = {
    "float": ("a number", _number, "Give it without quotation marks, or leave it out."),
    "floats": ("a number, or a list of them", _several(_number), "Give it without quotation marks, or leave it out."),
    "int": ("a whole number below 2^63", _whole, "Give it without a fraction, or leave it out."),
    "ints": ("a whole number, or a list of them", _several(_whole), "Give them without fractions, or leave it out."),
    "str": ("a text", _text, "Give it in quotation marks, or leave it out."),
    "column": ("the name of a column", _column, "Give the name as text."),
    "columns": ("the name of a column, or a list of names", _several(_column), NAMES),
    "called": ("a list of names", _several(_column), NAMES),
    "scores": ("the name of a column, a list of names, or a column for each label", _several(_by_label), NAMES),
    "files": ("the name of a file, or a list of names", _several(_file), "Give them as text."),
    "label": ("a label: a text, a number, or true or false", _label, "Give one, or leave it out."),
    "labels": ("a list of labels", _list_of_labels, "List them in their order, or leave it out."),
    "named": (PAIRS[0], _named, PAIRS[1]),
    "names": ("a list of names, empty for all", _names, "Give True or an empty list for all."),
    "scaling": (PAIRS[0], _scaling, PAIRS[1]),
    "margins": (
        "a dictionary of metrics, or texts of METRIC=NUMBER",
        _margins,
        'Give {"accuracy": 0.01} or "accuracy=1%".',
    ),
    "words": ("a text, or a list of texts", _several(_text), "Give them in quotation marks, or leave it out."),
    "keys": (f"keys of checks, from {next(iter(KEYS))} to {list(KEYS)[-1]}", _several(_key), "Leave it out for all."),
    "metric": ("the name of a metric", _metric, "See: adjudge metrics."),
    "metrics": ("the name of a metric, or a list of names", _several(_metric), "Leave it out for all."),
    # These are checked where they are used, which knows more than their kind.
    "requirements": ("requirements", lambda value: value, ""),
    "systems": ("a dictionary of systems", lambda value: value, ""),
    "table": ("a table", lambda value: value, ""),
    "engine": ("an engine", lambda value: value, ""),
}


def shown(value: object) -> str:
    """A value of any kind in a message: in a few words, and the same on every run.

    >>> shown("a"), shown(3.5), shown(object()), shown([1, "b"])
    ('"a"', '3.5', 'something of the type object', "[1, 'b']")
    """
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, np.generic):
        value = value.item()
    simple = isinstance(value, (bool, int, float, bytes, list, tuple, dict, set))
    try:
        text = repr(value) if simple else ""
    except Exception:  # an integer of 5,000 digits; lists in lists in lists
        text = ""
    if text and len(text) <= 60 and " at 0x" not in text and text.isprintable():
        return text
    return f"something of the type {type(value).__name__}"
