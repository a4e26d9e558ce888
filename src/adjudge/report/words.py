"""How numbers, names and fixed sentences read, in every renderer alike."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import lru_cache

from adjudge.errors import decimals_of
from adjudge.evaluation.answers.answering import plural
from adjudge.evaluation.panels import finite_of
from adjudge.report.numbers import MINUS

UNDEFINED = "undefined"
CHECK_FIRST = "Check the data first"
LENGTHS_OF_NAMES = range(16, 41)  # to which names are cut; longer texts are sentences
MUCH_LEFT_OUT = 0.05  # of the rows: of more, the data check says why

NO_INTERVAL = "no interval"
MISSING = "–"

METHODS = {
    "guarded_wilson": "Wilson score, guarded",
    "wilson": "Wilson score",
    "clopper_pearson": "Clopper–Pearson exact",
    "bags": "jackknife of bags of units",
    "bootstrap": "percentile bootstrap",
    "bca": "BCa bootstrap",
    "bayesian": "smoothed Bayesian bootstrap",
    "paired_bayesian": "paired Bayesian draws",
    "paired_student": "Student t of paired differences",
    "paired_guarded": "Student t of paired differences, guarded",
    "bayesian_student": "Bayesian bootstrap, Student t",
    "hanley": "Hanley–McNeil",
    "delong": "DeLong",
    "delong_logit": "DeLong, logit scale",
    "logit": "logit",
    "normal": "normal (delta method)",
    "newcombe": "Newcombe",
    "newcombe_delong": "Newcombe, DeLong variance",
    "fleiss_cohen_everitt": "Fleiss–Cohen–Everitt",
    "korn_graubard": "Korn–Graubard",
    "korn_graubard_unseen": "Korn–Graubard, by template and one more not seen",
    "korn_graubard_units": "Korn–Graubard, by template",
    "mover": "MOVER (Zou–Donner)",
    "gwet": "Gwet (t)",
    "fisher": "Fisher z, jackknife",
    "f_exact": "exact F",
    "fisher_z": "Fisher z",
    "bonett_wright": "Bonett–Wright",
    "fieller": "Fieller",
    "lin": "Lin",
    "student": "Student t",
    "johnson": "Student t, skewed (Johnson)",
    "worth": "Wilson, by effective worth",
    "scheffe": "Scheffé, of differences of any sign",
    "scheffe_drawn": "Scheffé, by draws of clusters",
    "wilson_of_items": "Wilson, by what items are worth",
    "bland_altman": "Bland–Altman",
    "guarded_t": "guarded t",
    "guarded": "guarded t",
    "square_and_add": "squared and added",
    "simultaneous": "for all systems at once",
    "tango": "Tango",
    "wald": "Wald",
    "wald_by_prompt": "Wald, errors by prompt",
    "judge_table": "errors of the judge, drawn",
    "plus_three": "three votes added",
    "bonett": "Bonett",
    "jackknife_mover": "MOVER with jackknifed parts",
    "gof": "Donner–Eliasziw",
    "folded_normal": "folded normal",
    "folded_bootstrap": "folded bootstrap",
    "mover_bootstrap": "MOVER, bootstrap correlation",
    "mover_bayesian": "MOVER, smoothed Bayesian bootstrap",
    "poisson": "Poisson bootstrap",
    "two_way": "items × raters",
    "rubin": "one row unseen (Rubin)",
    "rubin_hill": "one row unseen (Rubin–Hill)",
    "jackknife_hill": "jackknife, one unit unseen",
    "judge_assisted": "Student, with a judge (PPI++)",
    "lang_reiczigel": "Lang and Reiczigel",
    "mover_hill": "MOVER, one unit unseen",
    "chi2": "chi-square (normal errors)",
    "order_statistics": "order statistics",
    "woodruff": "Woodruff",
    "welch": "Welch",
    "miettinen_nurminen": "Miettinen–Nurminen",
    "garwood": "chi-square (constant rate)",
    "garwood_dispersed": "chi-square (rates differ between rows)",
    "conditional_binomial": "exact, given all failures",
    "conditional_binomial_dispersed": "given all failures (rates differ between rows)",
    "fieller_hill": "Fieller, of a ratio of skewed values",
    "fieller_ratio": "Fieller, of a ratio",
    "delta_ratio": "delta method, of a ratio",
    "log_student": "Student t of logarithms",
    "none": "no interval",
}

_ZERO_WIDTH_JOINER = "\u200d"
_PLAIN_DECIMALS = 3


def number_text(value: float | None, low: float | None = None, high: float | None = None) -> str:
    """A value with as many decimals as its interval supports: two significant digits of the half-width.

    Without an interval, or with one of no width, three decimals; fewer from ten on.

    >>> number_text(0.87654, 0.8512, 0.9018), number_text(0.87654, 0.87601, 0.87707)
    ('0.877', '0.87654')
    >>> number_text(12.345, 8.1, 17.2), number_text(-0.00001, -0.02, 0.02), number_text(None)
    ('12.3', '0.000', 'undefined')
    >>> number_text(480.2, 307.4, 793.6), number_text(551.333), number_text(200.0), number_text(51234.5)
    ('480', '551.3', '200', '51,234')
    """
    return fixed(value, decimals(value, low, high))


def interval_text(low: float | None, high: float | None, value: float | None = None) -> str:
    """An interval with the decimals its own width supports, so that it lines up with its estimate.

    >>> interval_text(0.8512, 0.9018)
    '[0.851, 0.902]'
    >>> interval_text(None, None)
    'no interval'
    """
    if not known(low) and not known(high):
        return NO_INTERVAL
    places = decimals(value, low, high)
    return f"[{fixed(low, places)}, {fixed(high, places)}]"


def decimals(value: float | None, low: float | None, high: float | None) -> int:
    """How many decimals an estimate is shown with, at most 6.

    >>> decimals(0.5, 0.4, 0.6), decimals(0.5, 0.4999, 0.5001), decimals(500, 300, 700)
    (2, 5, 0)
    """
    half = _half_width(value, low, high)
    return _decimals_of_plain(value) if half is None or half <= 0 else decimals_of(half)


def fixed(value: float | None, places: int) -> str:
    """A value with a fixed number of decimals, thousands parted, and a true minus; no negative zero, no "nan".

    >>> fixed(-0.0004, 3), fixed(float("nan"), 3), fixed(float("-inf"), 1), fixed(2.5, 2), fixed(1234.5, 1)
    ('0.000', 'undefined', '−∞', '2.50', '1,234.5')
    """
    if value is None or math.isnan(value):
        return UNDEFINED
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    if abs(value) >= 1e15:
        return f"{value:.3e}".replace("-", MINUS)
    text = f"{abs(value):,.{places}f}"
    return f"{MINUS}{text}" if value < 0 and text.strip("0.") else text


def rough(value: float | None, places: int) -> str:
    """A value with a fixed number of decimals, which says so when it is too small for them.

    >>> rough(0.25, 3), rough(0.00004, 3), rough(-0.00004, 3), rough(0.0, 3)
    ('0.250', '<0.001', '>−0.001', '0.000')
    """
    if value and math.isfinite(value) and abs(value) < 0.5 * 10**-places:
        return f"{'<' if value > 0 else f'>{MINUS}'}{10**-places:.{places}f}"
    return fixed(value, places)


def short(value: float | None) -> str:
    """A value to compare with, without the zeros at its end.

    >>> short(0.0), short(0.7), short(0.73149), short(551.333), short(1000), short(None)
    ('0', '0.7', '0.731', '551.3', '1,000', 'undefined')
    """
    text = fixed(value, min(_PLAIN_DECIMALS, _decimals_of_plain(value)))
    return text.rstrip("0").rstrip(".") if "." in text else text


def count(value: float) -> str:
    """A number of rows, in groups of three digits; a weighted count keeps one decimal, and two digits below one.

    >>> count(12034), count(12.5), count(3.0), count(0.0361)
    ('12,034', '12.5', '3', '0.036')
    """
    if not math.isfinite(value):
        return fixed(value, 1)
    if 0.0001 <= value < 0.95:  # weights may sum to one
        return f"{value:.2g}"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def share_text(share: float | None) -> str:
    """A share in percent, for the cells of a confusion matrix.

    >>> share_text(0.1234), share_text(1.0), share_text(None)
    ('12.3 %', '100.0 %', 'undefined')
    """
    return f"{fixed(share * 100, 1)} %" if share is not None and known(share) else UNDEFINED


def level_text(level: float) -> str:
    """The level of an interval as the head of its column.

    >>> level_text(0.95), level_text(0.999)
    ('95 % interval', '99.9 % interval')
    """
    return f"{level * 100:.6g} % interval"


def method_name(method: str) -> str:
    """The name of an interval method as a reader knows it; an unknown one as it is.

    >>> method_name("wilson"), method_name("likelihood_profile")
    ('Wilson score', 'likelihood profile')
    """
    return METHODS.get(method, method.replace("_", " "))


def rows_used(rows: int, used: int, reasons: Sequence[str]) -> str:
    """How many rows were used and left out, with the first reason where they are few: many are told in full elsewhere.

    >>> rows_used(100, 100, []), rows_used(100, 98, ["label is missing", "weight is 0"])
    ('100 rows, all used', '98 rows, 2 left out (label is missing; 1 more reason)')
    """
    left = rows - used
    if left <= 0:
        return f"{plural(used, 'row')}, all used"
    more = f"; {plural(len(reasons) - 1, 'more reason')}" if len(reasons) > 1 else ""
    why = f" ({reasons[0]}{more})" if reasons and left <= MUCH_LEFT_OUT * max(rows, 1) else ""
    return f"{plural(used, 'row')}, {left:,} left out{why}"


def spoken_slice(name: str, columns: Collection[str]) -> str:
    """A slice inside a sentence: its value, then whose value it is; any other subject as it is called.

    >>> spoken_slice("language = de", ["language"]), spoken_slice("refund", ["language"])
    ('de (language)', 'refund')
    """
    column, _, value = name.partition(" = ")
    return f"{value} ({column})" if value and column in columns else name


def checks_first(sentences: Sequence[str], mark: str) -> list[tuple[str, str]]:
    """What looks like a mistake in the table, each with what stands before it: one after the words, several below.

    >>> checks_first(["A is B."], "▲"), checks_first(["A is B.", "C is D."], "▲")
    ([('Check the data first: ', 'A is B.')], [('Check the data first:', ''), ('  ▲ ', 'A is B.'), ('  ▲ ', 'C is D.')])
    """
    if len(sentences) < 2:
        return [(f"{CHECK_FIRST}: ", sentence) for sentence in sentences]
    return [(f"{CHECK_FIRST}:", ""), *((f"  {mark} ", sentence) for sentence in sentences)]


def visible_slice(name: str, most: int) -> str:
    """A slice that is safe to show: its column and its value are cut each by itself, so that both can be told.

    >>> visible_slice("country of birth = Denmark", 8)
    'country… = Denmark'
    """
    column, equals, value = name.partition(" = ")
    return f"{visible(column, most)}{equals}{visible(value, most)}"


def names_by_value(head: str, names: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Slices by their values alone where these tell them apart; under the name of their column where they share it.

    >>> names_by_value("slice", ["language = de", "language = en"]), names_by_value("slice", ["a = yes", "b = yes"])
    (('language', {'language = de': 'de', 'language = en': 'en'}), ('slice', {}))
    """
    parts = [name.partition(" = ") for name in names]
    values = [value for _, _, value in parts]
    if not all(values) or len(set(values)) < len(values):
        return head, {}
    columns = {column for column, _, _ in parts}
    return (columns.pop() if len(columns) == 1 else head), dict(zip(names, values, strict=True))


def visible(text: str, most: int = 120) -> str:
    r"""A label that is safe to show anywhere: control characters written out, a very long one cut.

    >>> visible("spam"), visible("a\x1b[31mb\n"), visible("x" * 200, most=5)
    ('spam', 'a\\x1b[31mb\\n', 'xxxx…')
    >>> visible("subscription cancellation and refund request urgent", most=24)
    'subscription ca…t urgent'
    """
    cut = _cut(text, most)
    return cut if cut.isprintable() else _cut("".join(map(_visible_character, cut)), most)


def _cut(text: str, most: int) -> str:
    """A text of at most so many characters; of a name the end stays, too, for it may part it from another."""
    if len(text) <= most:
        return text
    kept = most // 3 if most in LENGTHS_OF_NAMES else 0
    return f"{text[: most - 1 - kept]}…{text[len(text) - kept :]}"


@lru_cache(maxsize=4096)
def _visible_character(character: str) -> str:
    """Joined emoji keep their joiner: it draws nothing by itself and cannot reorder text."""
    if character.isprintable() or character == _ZERO_WIDTH_JOINER:
        return character
    # Other spaces (no-break, ideographic) are unprintable for Python, yet ordinary in labels.
    return (
        character
        if character.isspace() and character > "\xa0" and character not in "\u2028\u2029"
        else (" " if character == "\xa0" else character.encode("unicode_escape").decode("ascii"))
    )


def known(value: float | None) -> bool:
    """Whether there is a value at all.

    >>> known(0.0), known(None), known(float("nan"))
    (True, False, False)
    """
    return value is not None and not math.isnan(value)


def _half_width(value: float | None, low: float | None, high: float | None) -> float | None:
    """Half the interval; a one-sided interval counts from the value to its finite end."""
    ends = finite_of((low, high))
    if len(ends) == 2:
        return (ends[1] - ends[0]) / 2
    if len(ends) == 1 and value is not None and math.isfinite(value):
        return abs(value - ends[0])
    return None


def _decimals_of_plain(value: float | None) -> int:
    """A small value without an interval still shows two significant digits, as far as six decimals go; a value of ten
    or more has four digits, and a whole one no decimals."""
    if value is None or not math.isfinite(value) or value == 0:
        return _PLAIN_DECIMALS
    power = math.floor(math.log10(abs(value)))
    if power > 0:
        return 0 if float(value).is_integer() else max(0, _PLAIN_DECIMALS - power)
    return min(6, max(_PLAIN_DECIMALS, 1 - power))
