"""The report as one HTML file: self-contained, offline, printable; the same summary gives the same bytes."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from adjudge.report import offline, tokens, words
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
    scripts = [offline.closed(_asset("page.js"))]
    scripts += [offline.runtime(), offline.closed(_asset("draw.js"))] if pictured else []
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
        policy=Markup(offline.policy(scripts)),
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

    return Markup(offline.inert_json(value))


_END = r"(?:[<>] )?[-−+]?[\d.,∞]+(?:[ \u00a0]%)?"
_INTERVAL = re.compile(rf"\[{_END}, ?{_END}\]")
_MOST_BOLD = 70


def _doubtful(text: str) -> Markup:
    """Text whose intervals stand back."""
    from markupsafe import Markup, escape

    shown, at = Markup(), 0
    visible = re.sub(r"(?<=\d) (?=%)", "\u00a0", words.visible(text, most=600))
    for match in _INTERVAL.finditer(visible):
        shown += escape(visible[at : match.start()]) + Markup('<span class="interval">{}</span>').format(match[0])
        at = match.end()
    return _with_code(shown + escape(visible[at:]))


def _with_code(text: str) -> Markup:
    """Text whose options and settings, between backticks, stand as code."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"`([^`<>]+)`", r"<code>\1</code>", str(escape(text))))


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
    return words.visible(value, most=600) if type(value) is str else value


@cache
def _asset(name: str) -> str:
    return resources.files("adjudge.report").joinpath("templates", name).read_text(encoding="utf-8")
