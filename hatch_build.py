"""Built once, at install: the Vega script that reports inline. Building it takes longer than any report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SCRIPT = "src/adjudge/report/runtime/vega.js"


class VegaScript(BuildHookInterface):
    """Puts Vega, Vega-Lite and Vega-Embed, out of vl-convert, into the package as one file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        target = Path(self.root) / SCRIPT
        if not target.exists():
            import vl_convert

            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"), encoding="utf-8")
        build_data["artifacts"].append(f"/{SCRIPT}")
