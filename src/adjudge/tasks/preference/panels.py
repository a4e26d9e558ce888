from __future__ import annotations

from typing import Any

from adjudge.evaluation.panels import Panels


def preference_panels(study: Any, page: Any) -> Panels:
    return Panels()
