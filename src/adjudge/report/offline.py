"""What lets a report work without a network: Vega inlined, data made inert, and a lock on the page."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from typing import Any


def runtime() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, out of the installed vl-convert."""
    return prepare().result()


@cache
def prepare() -> Future[str]:
    """Start building the script, once for the life of the process.

    It takes over a second, all of it outside Python's lock: called early, other work hides it.
    """
    worker = ThreadPoolExecutor(1)
    script = worker.submit(_built)
    worker.shutdown(wait=False)
    return script


def _built() -> str:
    import vl_convert

    return closed(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))


def closed(script: str) -> str:
    r"""A script that cannot end its own element early, nor open a comment.

    >>> closed("a='</script>'")
    "a='<\\/script>'"
    """
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--").replace("\r\n", "\n")


def inert_json(value: Any) -> str:
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
