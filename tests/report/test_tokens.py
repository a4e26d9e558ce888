"""Colour roles: every text and mark can be read on its ground, in both schemes."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from adjudge.report.tokens import style_sheet, systems, tokens

SCHEMES = ["light", "dark"]
STATES = ["beyond", "looks"]
TEXTS = ["ink", "text", "muted", *STATES, "within", "system-1", "system-2", "system-3", "system-4", "baseline"]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours (WCAG 2.2), from 1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(value: str) -> float:
    shares = [int(value[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_black_on_white_has_the_largest_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_reads_on_the_ground_and_on_panels(scheme: str) -> None:
    roles = tokens()[scheme]
    for role in TEXTS:
        assert contrast(roles[role], roles["ground"]) >= 4.5, role
    for role in ("ink", "text", "muted", "system-1"):
        assert contrast(roles[role], roles["panel"]) >= 4.5, role


@pytest.mark.parametrize("scheme", SCHEMES)
def test_states_read_on_their_own_ground(scheme: str) -> None:
    roles = tokens()[scheme]
    for state in STATES:
        for role in (state, "ink", "text"):
            assert contrast(roles[role], roles[f"{state}-ground"]) >= 4.5, (role, state)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_edges_of_controls_and_intervals_are_seen(scheme: str) -> None:
    roles = tokens()[scheme]
    assert contrast(roles["edge"], roles["ground"]) >= 3
    for role in ("system-1", "beyond", "looks"):
        assert contrast(mixed(roles[role], roles["ground"], 0.8), roles["ground"]) >= 3, role


@pytest.mark.parametrize("scheme", SCHEMES)
def test_ink_reads_on_the_strongest_shade(scheme: str) -> None:
    roles = tokens()[scheme]
    for role in ("system-1", "beyond"):
        assert contrast(roles["ink"], mixed(roles[role], roles["ground"], 0.55)) >= 4.5, role


def mixed(colour: str, ground: str, share: float) -> str:
    """A colour laid over a ground."""
    pairs = [(int(colour[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)


def test_both_schemes_have_the_same_roles() -> None:
    assert list(tokens()["light"]) == list(tokens()["dark"])


def test_the_page_and_its_charts_name_roles_only() -> None:
    folder = resources.files("adjudge.report")
    files = [folder / "templates" / "report.css", *(folder / "charts").iterdir()]
    known = set(re.findall(r"--[a-z0-9-]+(?=:)", style_sheet())) | {"--sans", "--mono", "--shade"}
    for file in files:
        if file.name.endswith((".css", ".py")):
            text = file.read_text(encoding="utf-8")
            assert not re.findall(r"#[0-9a-fA-F]{3,6}\b(?!vg)", text), file.name
            assert set(re.findall(r"var\((--[a-z0-9-]+)\)", text)) <= known, file.name
    assert all(colour.startswith("var(--system-") for colour in systems())
