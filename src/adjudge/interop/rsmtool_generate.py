"""An example of RSMTool's `rsmeval` configuration, to be filled in: what its `rsmeval generate` prints."""

from __future__ import annotations

import json

from adjudge.interop.rsmtool_config import DEFAULTS, REQUIRED, SECTIONS

FILL_IN = "ENTER_VALUE_HERE"
BY_GROUP = ("data_description_by_group", "evaluation_by_group", "fairness_analyses")
REFERENCE = "https://rsmtool.readthedocs.io/en/stable/advanced_usage.html#experiment-configuration-file"
EDIT_IT = "The configuration must be edited: its required fields have no values yet, and others depend on your data."


def example_config(subgroups: bool = False) -> str:
    """Every field with its default, in RSMTool's order and with its comments; with `subgroups`, their sections too.

    >>> '"trim_min": "ENTER_VALUE_HERE"' in example_config(), "fairness_analyses" in example_config(subgroups=True)
    (True, True)
    """
    sections = [name for name in SECTIONS if subgroups or name not in BY_GROUP]
    optional = {**DEFAULTS, "general_sections": sections}
    lines = [f"    // Reference: {REFERENCE}", f'    // REQUIRED: replace "{FILL_IN}" with the appropriate value!']
    lines += [f"{_field(name, FILL_IN)}," for name in REQUIRED]
    lines.append("    // OPTIONAL: replace default values below based on your data.")
    lines += [",\n".join(_field(name, optional[name]) for name in sorted(optional))]
    return "{\n" + "\n".join(lines) + "\n}"


def _field(name: str, value: object) -> str:
    written = json.dumps(value, indent=4).replace("\n", "\n    ")
    return f'    "{name}": {written}'
