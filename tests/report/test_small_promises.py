"""Small promises of the first screen and of pictures: what has room, what is said of two systems, where bars begin."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from screens import FAST, answered, printed

import adjudge
from adjudge.evaluation.gates.verdicts import Judgement, Verdict
from adjudge.evaluation.panels import HistogramPanel, ScorePanel, TablePanel
from adjudge.report import html
from adjudge.report.answers.answer import ListBlock, MatrixBlock, Step
from adjudge.report.blocks.drawing import _matrix
from adjudge.report.blocks.text import _list
from adjudge.report.charts import histogram_figure, score_figures
from adjudge.report.gates import terminal as gate_terminal
from adjudge.report.gates import words as gate_words
from adjudge.report.gates.terminal import line_text
from adjudge.report.grids import _cell, table_grid
from adjudge.report.sheet import Sheet
from adjudge.report.terminal import _table


def confused(names: list[str], rows: int = 200) -> Any:
    """A table of these labels, of which a fifth is taken for the first."""
    random = np.random.default_rng(2)
    truth = np.array(names)[random.integers(0, len(names), rows)]
    said = np.where(random.random(rows) < 0.8, truth, names[0])
    return adjudge.classification({"y": truth, "m": said}, reference="y", prediction="m", **FAST)


def heads(screen: str) -> list[str]:
    """The heads of the columns of counts, in order of their letters."""
    [line] = [line for line in screen.splitlines() if "says →" in line]
    return sorted(line.partition("→")[2].split()[:-3])


def test_two_labels_have_room_for_their_names() -> None:
    """Up to twelve letters of each; of three or more, five."""
    two, three = (printed(confused(names), 80) for names in (["malignant", "harmless"], ["malignant", "harmless", "x"]))
    assert heads(two) == ["harmless", "malignant"]
    assert heads(three) == ["harml", "malig", "x"]


def test_long_labels_are_cut_before_columns_are_left_out() -> None:
    """Every line fits, and recall and F still stand beside the counts."""
    lines = printed(confused([f"{letter}: {'a name without an end ' * 4}" for letter in "pqrstuvwx"]), 80).splitlines()
    [head] = [place for place, line in enumerate(lines) if "says →" in line]
    assert lines[head].split()[-3:] == ["n", "recall", "F"]
    assert max(map(len, lines)) <= 80
    assert all("…" in line and "%" in line for line in lines[head + 1 : head + 10])


def test_labels_that_a_dozen_letters_do_not_tell_apart_have_numbers() -> None:
    """The heads are numbers then, and each row says which one it is."""
    names = [f"misunderstanding{end}" for end in ("", "s", "ly")]
    lines = printed(confused(names), 100).splitlines()
    [head] = [place for place, line in enumerate(lines) if "says →" in line]
    assert heads(lines[head]) == ["1", "2", "3"]
    assert [line.split()[0] for line in lines[head + 1 : head + 4]] == ["1", "2", "3"]


def test_rows_that_would_settle_a_difference_are_told_where_it_is_undecided() -> None:
    """And nothing is to be settled of one that is clear."""
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, 300)

    def compared(old: float, new: float) -> str:
        table = {"y": truth, "a": old, "b": new}
        for name in "ab":
            table[name] = np.where(random.random(300) < table[name], truth, 1 - truth)
        return printed(adjudge.classification(table, reference="y", prediction=["a", "b"], **FAST))

    undecided, clear = compared(0.8, 0.78), compared(0.6, 0.9)
    assert "undecided." in undecided
    assert "more rows would settle which is better, if " in undecided
    assert "b is better than a" in clear
    assert "would settle it" not in clear


def test_gains_of_judged_systems_are_written_with_their_sign() -> None:
    """A difference is told from a mean by its sign, in the sentence and beside the picture."""
    table = answered() | {"topic": ["billing", "technical"] * 400}
    shown = printed(
        adjudge.judges(table, reference="human", judge="judge", prediction=["old", "new"], slices=["topic"], **FAST)
    )
    [line] = [line for line in shown.splitlines() if line.startswith("  all ")]
    assert line.split()[2].startswith("+0.")
    assert line.split()[3].startswith("[+0.")


def test_bars_of_a_histogram_begin_at_nothing() -> None:
    panel = HistogramPanel("Residuals", "", "Residual", [0.0, 1.0, 2.0], ["m1"], [[3.0, 1.0]])
    assert histogram_figure(panel).spec["encoding"]["y2"] == {"datum": 0}


@pytest.mark.parametrize(("category", "other"), [("spam", "other rows"), ("other rows", "all other rows")])
def test_the_rows_beside_a_category_have_a_name_of_their_own(category: str, other: str) -> None:
    [figure] = score_figures([ScorePanel("m", category, [0.0, 0.5, 1.0], [1.0, 3.0], [4.0, 2.0])])
    assert {value["series"] for value in figure.spec["data"]["values"]} == {category, other}


def test_the_diagonal_of_a_matrix_is_right_and_the_rest_is_wrong() -> None:
    drawn = _matrix(MatrixBlock("", ["a", "b"], ["a", "b"], [[3.0, 1.0], [2.0, 4.0]]))
    assert [[tile.tone for tile in row] for row in drawn.tiles] == [["right", "wrong"], ["wrong", "right"]]


def test_a_long_name_gives_way_to_the_figures_beside_it() -> None:
    """Of 40 columns, 2 before it, 2 before each of the others, and 3 and 6 of theirs: 25 are left."""
    block = ListBlock("", ["name", "n", "recall"], [["x" * 60, "123", "98.7 %"]], [1, 2])
    [*_, line] = _list(block, Sheet(40))
    assert line.text == f"  {'x' * 16}…{'x' * 8}  123  98.7 %"


def test_names_stand_left_and_numbers_right() -> None:
    table = _table(Console(width=80), "name", "n", "note", "p", "q", text=[0, 1], right=[1], bare=[3])
    assert [column.justify for column in table.columns] == ["left", "right", "right", "left", "right"]
    assert [column.no_wrap for column in table.columns] == [False, False, True, True, True]


def test_the_lead_of_an_error_is_how_much_lower_it_is() -> None:
    """Wrong by 1, by 2 and by 4 in the mean: the first leads the second by 1."""
    random = np.random.default_rng(3)
    reference, off = random.normal(0, 9, 40), np.tile([0.5, -1.0, 1.0, -1.5], 10)
    table = {"y": reference, "a": reference + off, "b": reference - 2 * np.roll(off, 1), "c": reference + 4 * off}
    asked = {"reference": "y", "prediction": ["a", "b", "c"], "metrics": ["mean_absolute_error"]}
    shown = adjudge.regression(table, **asked, **FAST)
    assert " a leads b by 1.0 [" in shown.summary.answer.headline


def test_a_requirement_says_why_it_is_open_and_what_it_measures() -> None:
    verdict = Verdict(
        "nobody left behind", "", "inconclusive", "n is 29, and at least 30 are asked for",
        metric="accuracy", estimate=0.966, limit=0.847, bound=0.75, low=0.847, high=0.99, n=29, undecided="warn",
    )  # fmt: skip
    judgement = Judgement("a", "passed", (verdict, Verdict("fine", "", "passed")))
    assert judgement.headline == "PASSED, with a warning: nobody left behind. 1 inconclusive, 1 passed."
    told = line_text(gate_words.lines(judgement)[0])
    assert told.startswith(
        "nobody left behind: accuracy 0.966 (at least 0.847), needed ≥ 0.75, n 29; at least 30 are asked for"
    )


def test_no_rounding_moves_a_number_of_a_gate_over_its_bound() -> None:
    near = Verdict(
        "good", "", "inconclusive", metric="accuracy", estimate=0.915, limit=0.89967, bound=0.9, low=0.89967,
        high=0.928, n=1000, would_pass_at=0.89967,
    )  # fmt: skip
    judgement = Judgement("a", "inconclusive", (near,))
    assert "(at least 0.8997), needed ≥ 0.9" in line_text(gate_words.lines(judgement)[0])
    assert gate_words.proven(judgement) == ["These data show: accuracy ≥ 0.899."]
    against = replace(near, baseline="old", estimate=0.041, limit=0.0134, low=0.0134, high=0.07, bound=-0.02)
    assert "+0.041 (at least +0.013), needed ≥ −0.02" in line_text(gate_words.lines(Judgement("a", "", (against,)))[0])
    less = replace(near, side="at most", would_pass_at=0.9312)
    assert gate_words.proven(Judgement("a", "inconclusive", (less,))) == ["These data show: accuracy ≤ 0.932."]


def test_what_a_gate_says_stands_apart_from_its_longest_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    open_one = Verdict("good", "", "not applicable", "there is no score")
    steps = [Step("Read them:", "adjudge classification " + "long " * 30)]
    gate_terminal.show(Judgement("a", "not applicable", (open_one,), rows=9, rows_used=8), steps=steps)
    said = capsys.readouterr().out
    assert said.startswith("Gate a · 8 rows, 1 left out · 1 requirement judged\n")
    assert "  – not applicable good: there is no score\n" in said
    assert f"\nNext  1. Read them:\n         {steps[0].command}\n" in said


def test_nobody_is_sent_for_more_rows_than_can_be_had() -> None:
    near = Verdict("good", "", "inconclusive", "from 0.648, needed 0.7", limit=0.648, n=216, units_needed=95_000)
    (step,) = gate_words.next_steps(Judgement("a", "inconclusive", (near,)))
    assert step.text == 'More units will hardly settle "good": the estimate is too near the bound.'
    (step,) = gate_words.next_steps(Judgement("a", "inconclusive", (replace(near, units_needed=900),)))
    assert step.text == 'About 900 more units would settle "good", if the estimate is true.'
    nearer = replace(near, estimate=0.7001, bound=0.7, units_needed=None)  # more than anybody counts
    (step,) = gate_words.next_steps(Judgement("a", "inconclusive", (nearer,), file_hash="0"))
    assert step.text == 'More units will hardly settle "good": the estimate is too near the bound.'


def test_whole_numbers_below_zero_have_a_true_minus() -> None:
    grid = table_grid(TablePanel("net", "", ["slice", "net"], [["de", -2], ["en", 1200]]), 5)
    assert [row[1] for row in grid.rows] == ["−2", "1,200"]
    assert _cell(-0.3, 0, 9) == "0"


def test_an_undecided_requirement_without_a_number_of_rows_says_where_to_learn_it() -> None:
    open_one = Verdict("good", "", "inconclusive")
    of_file = Judgement("a", "inconclusive", (open_one,), file_hash="0")
    (step,) = gate_words.next_steps(of_file, "my release.toml")
    assert str(step) == "See how many rows \"good\" needs: adjudge gate 'my release.toml' --plan"
    assert gate_words.next_steps(replace(of_file, file_hash="")) == []
    assert gate_words.next_steps(replace(of_file, verdicts=(replace(open_one, characteristic="integrity"),))) == []


def test_what_is_known_of_some_levels_is_said_where_the_others_never_pass() -> None:
    more = "with more rows it would more likely fail"
    german = Verdict(
        "each", "", "inconclusive", slice="language = de", estimate=0.885, bound=0.8, n=61, units_needed=68
    )
    other = replace(german, why=more, slice="language = ja", estimate=0.75, limit=0.6, units_needed=None)
    whole = Verdict("each", "", "inconclusive", bound=0.8, levels=(german, other))
    gate = Judgement("a", "inconclusive", (whole,), file_hash="0")
    (step,) = gate_words.next_steps(gate)
    assert str(step) == (
        'About 68 more units (language = de 68) would settle 1 of 2 open levels of "each", if the estimate is true.'
    )
    (step,) = gate_words.next_steps(replace(gate, verdicts=(replace(whole, levels=(other,)),)))
    assert str(step) == 'More units would more likely fail "each": the estimate is on the wrong side of the bound.'
    at_most = replace(other, side="at most", bound=0.7)
    assert gate_words.next_steps(replace(gate, verdicts=(replace(whole, levels=(at_most,)),))) == [step]


def test_a_slice_that_is_not_there_is_to_be_named_again() -> None:
    lost = Verdict("of it", "", "inconclusive", "there is no language = it", slice="language = it", bound=0.8)
    (step,) = gate_words.next_steps(Judgement("a", "inconclusive", (lost,), file_hash="0"))
    assert str(step) == 'Name a slice that the table has in "of it": it speaks of one that is not there.'


def test_names_from_right_to_left_turn_no_numbers_on_the_page() -> None:
    truth = ["العربية", "en"] * 60
    table = {"y": truth, "m": ["en" if row % 7 == 0 else one for row, one in enumerate(truth)], "l": truth}
    page = html.render(adjudge.classification(table, reference="y", prediction="m", slices="l", **FAST).summary)
    name = "\u2068العربية\u2069"
    assert f"{name} (l)" in page
    assert "<bdi>العربية</bdi>" in page
    assert html.isolated("a العربية −0.1 to עברית 2") == f"a {name} −0.1 to \u2068עברית\u2069 2"


def test_raters_of_numbers_stand_on_the_first_screen() -> None:
    random = np.random.default_rng(3)
    level = random.normal(50, 5, 80)
    table = {"ann": level, "ben": level + 2 + random.normal(0, 1, 80), "eva": level + random.normal(0, 6, 80)}
    said = adjudge.agreement(table, raters=[*table], measurement="interval", **FAST).summary.answer
    (block,) = [one for one in said.blocks if isinstance(one, ListBlock)]
    assert (block.title, block.columns[2], block.columns[-1]) == (
        "raters, furthest from the others first",
        "above the others",
        "α without",
    )
    assert block.rows[0][0] == "ben"
    assert max(block.rows, key=lambda row: float(row[-1]))[0] == "eva"
    assert said.doubt.endswith("each rater's interval is one by itself.")
