"""The HTML report: complete, escaped, small, deterministic, silent."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import examples
import pytest

from adjudge.report import html
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
    assert Page(html.render(examples.binary())).ids("details") == [
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
    assert Page(text).ids("details") == [
        "metrics",
        "comparisons",
        "distributions",
        "to-act-on",
        "left-out",
        "how",
        "glossary",
    ]
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", text)[1:4] == ["Raters", "Categories", "To act on"]


def test_other_tasks_get_general_words() -> None:
    text = html.render(replace(examples.agreement(), task="scoring", sections={}))
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", text)[1:4] == ["Comparisons", "Distributions", "To act on"]


def test_lists_align_round_and_are_whole() -> None:
    text = html.render(examples.agreement())
    assert (
        '<td class="n" data-label="ratings">12,345</td><td class="n" data-label="disagreement">&lt;0.001</td>' in text
    )
    assert '<td class="n" data-label="disagreement"><span class="missing">–</span></td>' in text
    assert "doc-84<" in text
    assert "left out" not in text.partition('id="left-out"')[0]


def test_a_list_that_does_not_fit_says_what_is_missing() -> None:
    text = html.render(examples.huge())
    for told in ("more rows are left out", "more pictures are left out", "--json FILE has everything"):
        assert told in text


def test_a_baseline_that_systems_share_is_said_once() -> None:
    lines = [examples.line("F1", 0.5, half, system=name, baseline=0.5) for name, half in (("a", 0.1), ("b", 0.001))]
    text = html.render(replace(examples.empty(), systems=["a", "b"], metrics=lines))
    assert '<td class="n" data-label="Baseline">0.50</td>' in text


def test_sections_without_content_are_left_out() -> None:
    assert Page(html.render(examples.undefined())).ids("details") == ["metrics", "left-out"]
    assert Page(html.render(examples.empty())).ids("details") == []


def test_the_line_of_a_fold_says_what_is_inside() -> None:
    text = html.render(examples.binary())
    folds = dict(re.findall(r'<details id="([a-z-]+)" class="fold">\s*<summary>(.*?)</summary>', text, re.S))
    plain = {name: re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", line)).strip() for name, line in folds.items()}
    assert plain["slices"] == "Slices lowest: rules-2024, All data (country), 0.833 [0.823, 0.843] 24 rows"
    assert (
        plain["confusion"] == "Confusion most often spam is taken for ham by transformer-small: 690 of 2,398 2 pictures"
    )
    assert plain["left-out"] == "What was left out reference is missing: 31 rows 2 reasons"
    assert plain["how"].startswith("How it was computed 11,988 of 12,034 rows used")


def test_the_answer_is_the_heading() -> None:
    text = html.render(replace(examples.binary(), answer=examples.answer()))
    heading = re.search(r"<h1>(.*?)</h1>", text, re.S)
    assert heading is not None
    said = 'candidate is better than current by 6.7 points <span class="interval">[4.1, 9.3]</span>, but German looks'
    assert heading[1] == f"{said} worse."
    assert text.count("<h1") == 1
    assert "<strong>German: −4.8 points</strong>" in text
    assert "<code>--items items.csv</code>" in text


def test_every_kind_of_block_is_drawn_without_a_script() -> None:
    text = html.render(replace(examples.binary(), answer=examples.answer()))
    first = text[text.index("<main") : text.index('class="folds"')]
    assert "<script" not in first
    assert 'aria-label="German: −4.8 [−12.1, +2.5], limits −5 and 5"' in first
    for shown in ("Difference, worst slice first", "What candidate confuses", "Against the limits", "Items to decide"):
        assert shown in first
    assert first.count('<svg class="strip"') == len(examples.answer().blocks[0].rows) + 3
    assert "2 more slices are within: 60 % to 70 %" in first


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
    assert policy.count("'sha256-") == 3
    assert "unsafe-eval" not in policy


def test_a_script_cannot_end_its_element() -> None:
    assert "</script" not in html.runtime()
    assert "<!--" not in html.runtime()


def test_more_systems_than_columns_stand_one_below_another() -> None:
    names = ["a", "b", "c", "d"]
    metrics = [line for name in names for line in examples.binary_metrics(name, 0.0)]
    text = html.render(replace(examples.binary(), systems=names, metrics=metrics))
    assert all(f'<bdi>Accuracy</bdi></th><td data-label="System"><bdi>{name}</bdi>' in text for name in names)
