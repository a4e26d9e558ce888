"""Verdicts as JUnit XML, which every continuous integration shows."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

from adjudge.evaluation.gates.verdicts import EXPIRED, FAILED, INCONCLUSIVE, MISSING, PASSED, Judgement, Verdict
from adjudge.report.gates import words as gate_words

# What XML 1.0 cannot hold, and what acts on who reads it: controls, also those of the direction of writing.
_FORBIDDEN = re.compile(
    r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)


def junit(judgement: Judgement) -> str:
    """One suite: a case for each requirement, or for each level of one.

    >>> junit(Judgement("a", "passed", (Verdict("accuracy >= 0.9", "", "passed"),))).count("<testcase")
    1
    """
    cases = [(verdict, leaf) for verdict in judgement.verdicts for leaf in verdict.leaves]
    failures = sum("<failure" in _case(judgement, *case) for case in cases)
    skipped = sum("<skipped" in _case(judgement, *case) for case in cases)
    counts = f'tests="{len(cases)}" failures="{failures}" errors="0" skipped="{skipped}" time="0"'
    properties = {"verdict": judgement.verdict, "file": judgement.file_hash, "data": judgement.fingerprint}
    properties_xml = "".join(_property(name, value) for name, value in properties.items() if value)
    properties_xml += "".join(_property("check the data first", sentence) for sentence in judgement.checks)
    body = "".join(_case(judgement, *case) for case in cases)
    name = attribute(judgement.name or "requirements")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<testsuites {counts}>\n"
        f"<testsuite name={name} {counts}>\n"
        f"<properties>\n{properties_xml}</properties>\n"
        f"{body}</testsuite>\n</testsuites>\n"
    )


def failed_to_run(name: str, message: str) -> str:
    """One suite with one error: the gate could not be judged.

    >>> "<error" in failed_to_run("a", "no such file")
    True
    """
    counts = 'tests="1" failures="0" errors="1" skipped="0" time="0"'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<testsuites {counts}>\n<testsuite name={attribute(name)} {counts}>\n"
        f'<testcase classname={attribute(name)} name="gate" time="0">\n'
        f'<error type="could not run" message={attribute(message)}/>\n</testcase>\n</testsuite>\n</testsuites>\n'
    )


def _case(judgement: Judgement, verdict: Verdict, leaf: Verdict) -> str:
    where = f" [{leaf.slice}]" if verdict.levels or leaf.slice != "all" else ""
    opening = f"<testcase classname={attribute(judgement.name or 'requirements')} "
    opening += f'name={attribute(verdict.requirement + where)} time="0">\n'
    facts = {"estimate": leaf.estimate, "limit": leaf.limit, "bound": leaf.bound, "n": leaf.n, "method": leaf.method}
    properties_xml = "".join(_property(name, value) for name, value in facts.items() if value is not None)
    return f"{opening}<properties>\n{properties_xml}</properties>\n{_outcome(verdict, leaf)}</testcase>\n"


def _outcome(verdict: Verdict, leaf: Verdict) -> str:
    message = attribute(f"{leaf.verdict}: {gate_words.why(leaf)}")
    if leaf.verdict in (FAILED, MISSING, EXPIRED) and verdict.must:
        return f'<failure type="{leaf.verdict}" message={message}/>\n'
    if leaf.verdict == INCONCLUSIVE and verdict.undecided == "block" and verdict.must:
        return f'<failure type="inconclusive" message={message}/>\n'
    return "" if leaf.verdict == PASSED else f"<skipped message={message}/>\n"


def _property(name: str, value: object) -> str:
    return f"<property name={attribute(name)} value={attribute(str(value))}/>\n"


def attribute(text: str) -> str:
    r"""Text as an attribute of XML 1.0; characters it cannot hold are replaced.

    >>> attribute('a<b"\x1b')
    '"a&lt;b&quot;�"'
    """
    inner = escape(_FORBIDDEN.sub("�", text), {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
    return f'"{inner}"'
