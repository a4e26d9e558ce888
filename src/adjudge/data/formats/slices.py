"""What is known of rows beside their answers, so far as it parts them: texts that are one row's own do not."""

from __future__ import annotations

from adjudge.data.formats.outcomes import Columns


def few_of_each(columns: Columns, start: str) -> dict[str, list[object]]:
    """The columns without those, of names that start so, of which half of the rows or more have a value of their own.

    >>> few_of_each({"doc.topic": ["a", "a", "b", "b"], "doc.q": ["1", "2", "3", "4"]}, "doc.")
    {'doc.topic': ['a', 'a', 'b', 'b']}
    """
    return {
        name: values
        for name, values in columns.items()
        if not name.startswith(start) or 2 * len(set(map(repr, values))) <= len(values)
    }
