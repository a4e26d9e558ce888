"""Cases of suites: counts of failures by template, as golden cases give them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.golden.row import Row

CASES = {case["id"]: case for case in json.loads((Path(__file__).parent / "suites.json").read_text())["cases"]}
_GIVEN, _EXPECT = (CASES["suite_by_template"][what] for what in ("input", "expect"))
_PAIRS = list(zip(_GIVEN["template_failures"], _GIVEN["template_cases"], strict=True))
EXPECTED = ["yes"] * sum(many for _, many in _PAIRS)
SAID = [word for failed, many in _PAIRS for word in ["no"] * failed + ["yes"] * (many - failed)]
TEMPLATES = [f"t{place}" for place, (_, many) in enumerate(_PAIRS) for _ in range(many)]
SUITES = [
    Row("failure_rate", EXPECTED, SAID, _EXPECT["failure_rate"], CASES["suite_by_template"]["source"]),
]
