"""What is known before the first unit is summed must be the same in all parts that are added."""

from __future__ import annotations

from adjudge.errors import SettingError


def check_same_pilot(what: str, first: object, second: object) -> None:
    """Refuse to add sums that were made knowing different things.

    >>> check_same_pilot("The step of the scale", 0.5, 0.5)
    """
    if first != second:
        raise SettingError(f"{what} must be the same in all parts that are added, but is not.")
