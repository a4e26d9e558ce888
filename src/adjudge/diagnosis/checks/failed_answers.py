"""Answers that are no answers: what a call that failed left in their place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from adjudge.data.cleaning import count_text
from adjudge.diagnosis.checks.check import REMARK, SERIOUS, Check
from adjudge.errors import quoted

FEW = 5  # rows
# An error with what went wrong behind it, what Python prints, and the words of HTTP and of rate limits.
_FAILURE = re.compile(
    r"(?:(?:api|http|network|connection|server) )?[\w.]*(?:error|exception)(?: code)?:.+"
    r"|traceback \(most recent call last\).*|(?:rate limit|quota) (?:reached|exceeded)\b.*"
    r"|(?:http[ /]?)?[45]\d\d[: -]+(?:request timeout|too many requests|internal server error|bad gateway"
    r"|service unavailable|gateway time-?out)\b.*|(?:the )?(?:request|connection|read|api call) timed out\b.*",
    re.I | re.S,
)
_ABOUT_ERRORS = re.compile("error|exception", re.I)


def says_failure(label: str) -> bool:
    """Whether an answer is the message of a call that failed; a single word may be a label.

    >>> [says_failure(one) for one in ("ERROR: timeout", "ValueError: no", "429 Too Many Requests")]
    [True, True, True]
    >>> [says_failure(one) for one in ("error", "timeout", "spelling error: a", "no exception", "500")]
    [False, False, False, False, False]
    """
    return _FAILURE.fullmatch(label.strip()) is not None


def failure_messages(labels: Iterable[str], known: Collection[str]) -> list[str]:
    """The messages of errors among labels; none where labels that are `known` are about errors."""
    about_errors = any(_ABOUT_ERRORS.search(label) for label in known)
    return [] if about_errors else [label for label in labels if says_failure(label)]


def failed_answers(who: str, counts: Mapping[str, float], known: Collection[str]) -> Iterator[Check]:
    """C22: messages of errors among answers, beside labels that are `known`."""
    failed = failure_messages((label for label, n in counts.items() if n > 0), known)
    rows = round(sum(counts[label] for label in failed))
    if failed:
        are, count = ("is a message", "counts") if rows == 1 else ("are messages", "count")
        yield Check(
            "C22",
            SERIOUS if rows >= FEW else REMARK,
            f"{count_text(rows, 'answer')} of {who} {are} of an error, such as {quoted(failed[0])}, and {count} as a "
            "label. Ask again, or leave the answer empty.",
        )
