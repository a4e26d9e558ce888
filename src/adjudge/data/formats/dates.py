"""Moments as tools write them, so far as they can be ordered."""

from __future__ import annotations

import re
from datetime import datetime

# Without zones, whose names mean nothing to a computer: times of one file are taken to be of one zone.
WRITINGS = (
    "%a %b %d %H:%M:%S %Y",
    "%Y/%m/%d %I:%M:%S %p",
    "%m/%d/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M:%S",
    "%Y-%m-%d %H:%M:%S",
)


def moment(text: str | None) -> str | None:
    """A moment as text that sorts; one in no known writing has none.

    >>> moment("Mon Jan 05 10:02:00 PST 2026"), moment("2026/01/05 10:09:00 PM GMT+1"), moment("soon")
    ('2026-01-05T10:02:00', '2026-01-05T22:09:00', None)
    """
    if text is None:
        return None
    plain = re.sub(r"\s+(?:GMT|UTC)?[+-]\d+$", "", re.sub(r"\b(?!AM|PM)[A-Z]{3,4}\b ?", "", text)).strip()
    plain = re.sub(r"\s*[+-]\d+$", "", plain)
    for writing in WRITINGS:
        try:
            return datetime.strptime(plain, writing).isoformat()
        except ValueError:
            continue
    return None
