"""What lets a report work without a network: Vega inlined, data made inert, and a lock on the page."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from adjudge.errors import AdjudgeError


@cache
def runtime() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script: built into the package when it was installed."""
    built = files("adjudge.report") / "runtime" / "vega.js"
    if built.is_file():
        return closed(built.read_text(encoding="utf-8"))
    return closed(_from_vl_convert())


def _from_vl_convert() -> str:
    """The same script for a source tree that was never installed: right, but it takes over a second."""
    try:
        import vl_convert
    except ImportError:
        raise AdjudgeError(
            "The report's script is missing. Install adjudge again, or install vl-convert-python."
        ) from None
    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return script


def closed(script: str) -> str:
    r"""A script that cannot end its own element early, nor open a comment.

    >>> closed("a='</script>'")
    "a='<\\/script>'"
    """
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--").replace("\r\n", "\n")


def inert_json(value: object) -> str:
    r"""JSON for a data block inside HTML: no label in it can end the block or start a tag.

    >>> inert_json({"label": "</script>&"})
    '{"label":"\\u003c/script\\u003e\\u0026"}'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def policy(scripts: Iterable[str]) -> str:
    """A Content-Security-Policy that allows these scripts and nothing from anywhere.

    Each script is named by its hash, so a script that slipped in through a label would not run. Vega's
    expressions are interpreted, not compiled, so 'unsafe-eval' is not needed. Styles must be allowed inline:
    Vega-Embed writes its own.

    >>> policy(["let a = 1"]).split("; ")[0]
    "default-src 'none'"
    """
    hashes = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    rules = [
        "default-src 'none'",
        f"script-src {hashes}",
        "style-src 'unsafe-inline'",
        "img-src data: blob:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join(rules)


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
