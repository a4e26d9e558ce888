"""The HTML report: complete, escaped, small, deterministic, silent."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import examples
import pytest

from adjudge.report import html, offline
from adjudge.report.summary import Summary
from adjudge.tasks import task_named


class Page(HTMLParser):
    """What a browser would see: the elements, their attributes, and the ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def ids(self, tag: str) -> list[str]:
        return [attrs["id"] or "" for name, attrs in self.elements if name == tag and "id" in attrs]


def test_sections_stand_in_order() -> None:
    assert Page(html.render(examples.binary())).ids("section") == [
        "headline",
        "metrics",
        "slices",
        "curves",
        "thresholds",
        "calibration",
        "confusion",
        "left-out",
        "how",
        "glossary",
    ]


def test_panels_stand_in_sections_of_their_own() -> None:
    text = html.render(replace(examples.agreement(), sections=dict(task_named("agreement").sections)))
    assert Page(text).ids("section") == [
        "headline",
        "metrics",
        "comparisons",
        "distributions",
        "to-act-on",
        "left-out",
        "how",
        "glossary",
    ]
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", text)[2:5] == ["Raters", "Categories", "To act on"]


def test_other_tasks_get_general_words() -> None:
    text = html.render(replace(examples.agreement(), task="scoring", sections={}))
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", text)[2:5] == ["Comparisons", "Distributions", "To act on"]


def test_lists_align_round_and_stop() -> None:
    text = html.render(examples.agreement())
    assert '<td class="number"><bdi>12,345</bdi></td><td class="number"><bdi>&lt;0.001</bdi></td>' in text
    assert '<td class="number"><span class="missing">–</span></td>' in text
    assert "25 more rows are left out." in text
    assert "doc-59<" in text
    assert "doc-60<" not in text


def test_a_baseline_that_systems_share_is_said_once() -> None:
    lines = [examples.line("F1", 0.5, half, system=name, baseline=0.5) for name, half in (("a", 0.1), ("b", 0.001))]
    text = html.render(replace(examples.empty(), systems=["a", "b"], headline=lines))
    assert "baseline 0.50</span>" in text


def test_sections_without_content_are_left_out() -> None:
    assert Page(html.render(examples.undefined())).ids("section") == ["headline", "metrics", "left-out"]
    assert Page(html.render(examples.empty())).ids("section") == []


def test_contents_link_to_every_section(summary: Summary) -> None:
    page = Page(html.render(summary))
    links = [attrs["href"] for tag, attrs in page.elements if tag == "a"]
    assert links == [f"#{name}" for name in page.ids("section")]


def test_numbers_are_on_the_page() -> None:
    text = html.render(examples.binary())
    for shown in ("0.9052", "[0.8999, 0.9105]", "0.8000", "DeLong", "Clopper–Pearson exact", "31 rows"):
        assert shown in text
    assert "undefined" in text
    assert "no threshold reaches this recall" in text
    assert not re.search(r">\s*nan\b", text)


def test_labels_cannot_become_elements() -> None:
    calm, hostile = Page(html.render(examples.topics())), Page(html.render(examples.hostile()))
    assert {tag for tag, _ in hostile.elements} <= {tag for tag, _ in calm.elements} | {"br"}
    scripts = [attrs for tag, attrs in hostile.elements if tag == "script"]
    assert [attrs for attrs in scripts if attrs.get("type") != "application/json"] == [{}] * 3
    assert not any(name.startswith("on") for _, attrs in hostile.elements for name in attrs)
    assert not any(tag == "img" for tag, _ in hostile.elements)


def test_data_blocks_hold_no_markup() -> None:
    text = html.render(examples.hostile())
    for block in re.findall(r'<script type="application/json">(.*?)</script>', text, re.S):
        assert not set("<>&\u2028\u2029") & set(block)


def test_the_page_can_be_encoded(summary: Summary) -> None:
    assert html.render(summary).encode("utf-8")


def test_the_page_stays_under_two_megabytes(summary: Summary) -> None:
    assert len(html.render(summary).encode()) < 2_000_000


@pytest.mark.parametrize("character", ["x", "&", "\U000e0001"])
def test_so_does_one_of_far_too_much_in_characters_that_grow(character: str) -> None:
    assert len(html.render(examples.huge(character)).encode()) < 2_000_000


def test_the_same_summary_gives_the_same_bytes() -> None:
    assert html.render(examples.binary()) == html.render(examples.binary())


def test_nothing_is_loaded_from_anywhere(summary: Summary) -> None:
    for _, attrs in Page(html.render(summary)).elements:
        for name in ("src", "href", "action", "data", "srcset", "poster"):
            assert not re.match(r"\s*(https?:|//|javascript:)", attrs.get(name) or "")
    style = re.search(r"<style>(.*?)</style>", html.render(summary), re.S)
    assert style is not None
    assert "url(" not in style[1]
    assert "@import" not in style[1]


def test_the_policy_names_each_script_by_its_hash_and_forbids_eval() -> None:
    page = Page(html.render(examples.binary()))
    (policy,) = (a["content"] or "" for t, a in page.elements if t == "meta" and a.get("http-equiv"))
    assert "default-src 'none'" in policy
    assert policy.count("'sha256-") == 2
    assert "unsafe-eval" not in policy


def test_a_script_cannot_end_its_element() -> None:
    assert "</script" not in offline.runtime()
    assert "<!--" not in offline.runtime()


def test_more_systems_than_columns_get_a_table_each() -> None:
    names = ["a", "b", "c", "d"]
    metrics = [line for name in names for line in examples.binary_metrics(name, 0.0)]
    text = html.render(replace(examples.binary(), systems=names, metrics=metrics))
    assert text.count('<table class="metrics">') == 4


def test_the_fragment_for_notebooks_has_no_script_and_escapes(summary: Summary) -> None:
    page = Page(html.fragment(summary))
    plain = {"div", "p", "strong", "br", "table", "thead", "tbody", "tr", "th", "td"}
    assert {tag for tag, _ in page.elements} <= plain
    assert all(not attrs for _, attrs in page.elements)
