"""How labels are written: which are one label to whoever reads them, and two to whoever compares them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from adjudge.data.judgements.labels import folded_case, number_in

_UNSEEN = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
_AROUND = " \t.,;:!\"'`*()[]{}“”‘’«»"
_BETWEEN = re.compile(r"(?<=[^\W\d_])[-_\s]+(?=[^\W\d_])")  # signs between two letters: not_spam, not-spam, not spam
_COMMA = re.compile(r"([-+]?\d+),(\d{1,2}|\d{4,})")  # decimals after a comma; three digits may be thousands
# Letters of other alphabets that look like Latin ones, small and capital (Unicode's table of confusable characters).
_CYRILLIC = ("авсеікмнорѕтухјԁһѡ", "abceikmhopstyxjdhw")
_GREEK = ("αβεζηικμνορτυχ", "abeznikmvoptux")
_LOOK_ALIKE = str.maketrans(dict(pair for one, other in (_CYRILLIC, _GREEK) for pair in zip(one, other, strict=True)))
_MONTH = r"(?:jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]*\.?"
_DATE = re.compile(
    rf"[0-9]{{1,2}}[-. ]+{_MONTH}|{_MONTH}[-. ]+[0-9]{{1,2}}|[0-9]{{4}}(?:-[0-9]{{2}}){{2}}(?:[T ].*)?", re.I
)
_RANGE = re.compile(r"[0-9]+\s*[-–/]\s*[0-9]+")


def dates_among_ranges(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names that are dates, and others that are ranges: a spreadsheet takes 1-5 for the fifth of January.

    >>> dates_among_ranges(["1-5", "6-10", "15-Nov", "20+"])
    (['15-Nov'], ['1-5', '6-10'])
    """
    dates, ranges = ([name for name in names if form.fullmatch(name.strip())] for form in (_DATE, _RANGE))
    return (dates, ranges) if dates and ranges else ([], [])


def same_labels(labels: Sequence[str]) -> list[list[str]]:
    """Labels that differ in case, blanks, the form of a number, signs or look-alike letters alone, group by group.

    >>> same_labels(["Spam", "ham", "spam", "ham.", "A", "A-", "no_mail", "no mail", "1", "1,0", "1,000"])
    [['Spam', 'spam'], ['ham', 'ham.'], ['no_mail', 'no mail'], ['1', '1,0']]
    """
    return _grouped(labels, _bare)


def garbled_labels(labels: Sequence[str]) -> list[list[str]]:
    """Labels that differ in accents alone, or in how their letters were decoded.

    >>> garbled_labels(["café", "cafe", "naïve", "naÃ¯ve", "tea"])
    [['café', 'cafe'], ['naïve', 'naÃ¯ve']]
    """
    return _grouped(labels, lambda label: _without_accents(_bare(_decoded(label))))


def _grouped(labels: Sequence[str], key: Callable[[str], str]) -> list[list[str]]:
    groups: dict[str, list[str]] = {}
    for label in labels:
        groups.setdefault(key(label), []).append(label)
    return [group for group in groups.values() if len(group) > 1]


def _bare(label: str) -> str:
    """A label without what cannot be seen, signs between its words, and stops, marks and brackets around it."""
    seen = _UNSEEN.sub("", label).strip()
    folded = folded_case(_COMMA.sub(r"\1.\2", seen) if _COMMA.fullmatch(seen) else seen)
    if number_in(folded) is not None:
        return folded
    return (_BETWEEN.sub("", folded.strip(_AROUND)) or folded).translate(_LOOK_ALIKE)


def _decoded(label: str) -> str:
    """A label whose UTF-8 was read as Windows' or ISO's Western letters, as it was; any other as it is."""
    for encoding in ("cp1252", "latin-1"):
        try:
            return label.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return label


def _without_accents(label: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKD", label) if not unicodedata.combining(sign))
