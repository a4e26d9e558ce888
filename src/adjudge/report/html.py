"""The report as one HTML file: self-contained, offline, printable; the same summary gives the same bytes.

Vega is inlined, data are made inert, and the page is locked: it asks nothing of a network.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib import resources
from importlib.resources import files
from typing import TYPE_CHECKING

from adjudge.errors import AdjudgeError
from adjudge.report import tokens, words
from adjudge.report.answers.answer import MARKS, Answer
from adjudge.report.blocks.drawing import evidence
from adjudge.report.gates.section import verdict_banner
from adjudge.report.page import Gallery, Limits, Section, expected
from adjudge.report.sections import sections
from adjudge.report.summary import Summary

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


MOST_BYTES = 2_000_000

# From generous to spare: the first that fits is used. The last fits whatever the evaluation.
_LIMITS = [
    Limits(rows=1500, figures=60, levels=200, categories=40, text=240),
    Limits(rows=1500, figures=24, levels=60, categories=40, text=240),
    Limits(rows=300, figures=24, levels=60, categories=40, text=240),
    Limits(rows=120, figures=8, levels=40, categories=30, text=160),
    Limits(rows=30, figures=2, levels=20, categories=15, text=80),
    Limits(rows=10, figures=1, levels=10, categories=8, text=40),
]


def render(summary: Summary) -> str:
    """The whole report as HTML text, always under two megabytes.

    >>> from adjudge.evaluation.panels import Panels
    >>> nothing = Panels([], [], [], [], [])
    >>> empty = Summary("Spam", "binary", "Is it good?", [], [], [], [], nothing, 0, 0, [], [], [])
    >>> render(empty).startswith("<!doctype html>")
    True
    """
    page = ""
    for limits in _LIMITS:
        if limits is not _LIMITS[-1] and expected(summary, limits) > MOST_BYTES:
            continue
        page = page_of(summary, sections(summary, limits))
        if len(page.encode()) < MOST_BYTES:
            break
    return page


def page_of(summary: Summary, shown: list[Section]) -> str:
    """The page of a summary with these folds."""
    from markupsafe import Markup

    pictured = any(isinstance(part, Gallery) for section in shown for part in section.parts)
    scripts = [closed(_asset("page.js"))]
    scripts += [runtime(), closed(_asset("draw.js"))] if pictured else []
    answer = summary.answer or Answer([summary.task], summary.serious, summary.title, [], [], [], "", "")
    template = _environment().get_template("report.html.j2")
    return template.render(
        summary=summary,
        answer=replace(answer, checks=answer.checks or summary.serious),
        verdict=verdict_banner(summary.gate),
        evidence=evidence(answer.blocks),
        remarks=len(summary.remarks),
        source=next((fact.value for fact in summary.how if fact.name == "Input"), ""),
        sections=shown,
        scripts=[Markup(script) for script in scripts],
        policy=Markup(policy(scripts)),
        style=Markup(tokens.style_sheet() + _asset("report.css")),
        words=words,
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("adjudge.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters["inert_json"] = _inert_json
    environment.filters["doubtful"] = _doubtful
    environment.filters["finding"] = _finding
    environment.filters["with_code"] = _with_code
    environment.filters["told"] = _rest_in_words
    environment.globals["symbols"] = MARKS
    return environment


def _inert_json(value: object) -> Markup:
    from markupsafe import Markup

    return Markup(inert_json(value))


_END = r"(?:[<>] )?[-−+]?[\d.,∞]+(?:[ \u00a0]%)?"
_INTERVAL = re.compile(rf"\[{_END}, ?{_END}\]")
_MOST_BOLD = 70


def _doubtful(text: str) -> Markup:
    """Text whose intervals stand back."""
    from markupsafe import Markup, escape

    shown, at = Markup(), 0
    visible = isolated(re.sub(r"(?<=\d) (?=%)", "\u00a0", words.visible(text, most=600)))
    for match in _INTERVAL.finditer(visible):
        shown += escape(visible[at : match.start()]) + Markup('<span class="interval">{}</span>').format(match[0])
        at = match.end()
    return _with_code(shown + escape(visible[at:]))


def _with_code(text: str) -> Markup:
    """Text whose options and settings, between backticks, stand as code."""
    from markupsafe import Markup, escape

    shown = text if isinstance(text, Markup) else isolated(text)
    return Markup(re.sub(r"`([^`<>]+)`", r"<code>\1</code>", str(escape(shown))))


_RIGHT_TO_LEFT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"
_RUN = re.compile(rf"{_RIGHT_TO_LEFT}(?:[ '’-]*{_RIGHT_TO_LEFT})*")


def isolated(text: str) -> str:
    """Words that are written from right to left between marks that keep them from turning the numbers beside them.

    A name alone needs none. The script of the page leaves the marks out of what is copied.

    >>> isolated("שלום"), ascii(isolated("שלום 12 [1, 20]"))
    ('שלום', "'\\\\u2068\\\\u05e9\\\\u05dc\\\\u05d5\\\\u05dd\\\\u2069 12 [1, 20]'")
    """
    return text if _RUN.fullmatch(text) else _RUN.sub("\u2068\\g<0>\u2069", text)


def _rest_in_words(rest: str, where: str = "") -> str:
    """What was cut, as a page says it: where it stands, instead of an option of the command."""
    return rest.replace(": --all", where)


_LEAD_END = re.compile(r" \[|; |, | \((?![^()]*\): )")  # a name may have brackets of its own: "Korean (L1): −0.22"


def _finding(text: str) -> Markup:
    """A finding whose subject and estimate, all before its first interval or pause, stand out."""
    from markupsafe import Markup

    text = _rest_in_words(text)
    match = _LEAD_END.search(text)
    end = match.start() if match else len(text)
    if not 0 < end <= _MOST_BOLD:
        return _doubtful(text)
    return Markup("<strong>{}</strong>").format(_doubtful(text[:end])) + _doubtful(text[end:])


def _shown(value: object) -> object:
    """Every text on the page passes here before it is escaped: control characters become readable."""
    return isolated(words.visible(value, most=600)) if type(value) is str else value


@cache
def _asset(name: str) -> str:
    return resources.files("adjudge.report").joinpath("templates", name).read_text(encoding="utf-8")


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
