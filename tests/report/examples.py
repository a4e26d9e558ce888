"""Summaries made by hand: rich, small, empty and hostile ones, for the tests of every renderer."""

from __future__ import annotations

import math
from dataclasses import replace

from adjudge.evaluation.panels import (
    BarPanel,
    CalibrationBin,
    CalibrationPanel,
    ConfusionPanel,
    CurvePanel,
    ForestLine,
    ForestPanel,
    Line,
    MatrixPanel,
    Panels,
    ScorePanel,
    TablePanel,
    ThresholdPanel,
)
from adjudge.report.answers.answer import (
    Answer,
    Cell,
    Finding,
    ForestBlock,
    ForestRow,
    GridBlock,
    LimitsBlock,
    LimitsRow,
    ListBlock,
    MatrixBlock,
    SideColumn,
    Step,
    Tick,
)
from adjudge.report.summary import Alternative, Fact, GlossaryEntry, MetricLine, SliceGroup, Summary

NO_PANELS = Panels([], [], [], [], [])
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "[red]x[/red]",
    "\x1b[31mred\x1b[0m",
    "a|b`c`*d*_e_",
    "line\nbreak\u2028and\u202eover",
    "{{ 7 * 7 }} {% raw %}",
    "\ud800 half a pair",
    "javascript:alert(3)",
    "=cmd|' /C calc'!A0",
]


def line(label: str, estimate: float | None, half: float | None = 0.02, **more: object) -> MetricLine:
    """A metric line with an interval of the given half-width."""
    known = estimate is not None and half is not None
    base = MetricLine(
        system="",
        slice="",
        category="",
        metric=label.lower().replace(" ", "_"),
        label=label,
        estimate=estimate,
        low=max(0.0, estimate - half) if known else None,  # type: ignore[operator]
        high=min(1.0, estimate + half) if known else None,  # type: ignore[operator]
        level=0.95,
        method="wilson",
        n=11988,
        note="",
        baseline=None,
        direction="higher is better",
        limits=(0.0, 1.0),
        alternatives=[],
    )
    return replace(base, **more)  # type: ignore[arg-type]


def curve(system: str, category: str, power: float, prevalence: float, *, band: bool = True) -> CurvePanel:
    """Curves of a score whose ROC is y = x ** (1 / power)."""
    x = [(i / 300) ** 2 for i in range(301)]
    y = [v ** (1 / power) for v in x]
    rise = [min(0.05, 0.25 * math.sqrt(v * (1 - v)) + 0.004) for v in y]
    precision = [
        prevalence * b / (prevalence * b + (1 - prevalence) * a) if b else 1.0 for a, b in zip(x, y, strict=True)
    ]

    def banded(xs: list[float], ys: list[float]) -> Line:
        low = [max(0.0, b - d) for b, d in zip(ys, rise, strict=True)] if band else []
        high = [min(1.0, b + d) for b, d in zip(ys, rise, strict=True)] if band else []
        return Line(xs, ys, low, high, [math.inf, *(1 - i / 300 for i in range(1, 301))])

    return CurvePanel(system, category, prevalence, banded(x, y), banded(y, precision))


def thresholds(system: str, category: str, power: float) -> ThresholdPanel:
    """What a score between 0 and 1 would give at 101 thresholds."""
    at = [i / 100 for i in range(101)]
    recall = [1 - t**power for t in at]
    specificity = [t ** (1 / power) for t in at]
    precision = [0.2 * r / (0.2 * r + 0.8 * (1 - s)) if r else None for r, s in zip(recall, specificity, strict=True)]
    accuracy = [0.2 * r + 0.8 * s for r, s in zip(recall, specificity, strict=True)]
    f = [2 * p * r / (p + r) if p else None for p, r in zip(precision, recall, strict=True)]
    volume = [0.2 * r + 0.8 * (1 - s) for r, s in zip(recall, specificity, strict=True)]
    return ThresholdPanel(system, category, at, precision, [*recall], [*specificity], [*accuracy], f, [*volume])


def calibration(system: str, category: str, bend: float) -> CalibrationPanel:
    """Ten bins of a score that is too sure of itself."""
    bins = []
    for i in range(10):
        middle = (i + 0.5) / 10
        share = middle**bend
        half = 0.02 + 0.06 * math.sqrt(share * (1 - share))
        bins.append(
            CalibrationBin(
                i / 10,
                (i + 1) / 10,
                middle,
                share,
                max(0, share - half),
                min(1, share + half),
                2000.0 / (i + 1),
            )
        )
    return CalibrationPanel(system, category, bins)


def scores(system: str, category: str, shift: float) -> ScorePanel:
    """Two overlapping hills."""
    edges = [i / 30 for i in range(31)]
    positives = [round(900 * math.exp(-(((i / 30 - 0.55 - shift) / 0.2) ** 2))) * 1.0 for i in range(30)]
    negatives = [round(3500 * math.exp(-(((i / 30 - 0.3) / 0.17) ** 2))) * 1.0 for i in range(30)]
    return ScorePanel(system, category, edges, positives, negatives)


def glossary() -> list[GlossaryEntry]:
    """Three entries as a catalogue would give them."""
    return [
        GlossaryEntry(
            "accuracy",
            "Accuracy",
            "The share of rows whose prediction equals the reference.",
            "Σ n_kk / n",
            "Compare it with the share of the largest category, its baseline.",
            "no rows",
            [],
        ),
        GlossaryEntry(
            "auc",
            "Area under the ROC curve",
            "The chance that a positive row has a higher score than a negative one, ties counting half.",
            "P(s⁺ > s⁻) + ½ P(s⁺ = s⁻)",
            "0.5 is a score that knows nothing, 1 a perfect order.",
            "only one category is present",
            ["Hanley, McNeil (1982). The meaning and use of the area under a ROC curve. Radiology 143."],
        ),
        GlossaryEntry(
            "f1",
            "F1",
            "The harmonic mean of precision and recall.",
            "2 P R / (P + R)",
            "It ignores true negatives.",
            "the category is neither present nor predicted",
            ["van Rijsbergen (1979). Information Retrieval."],
        ),
    ]


def how() -> list[Fact]:
    """How a run tells its settings."""
    return [
        Fact("Interval level", "95 %"),
        Fact("Resampling", "percentile bootstrap, 2,000 replicates"),
        Fact("Seed", "7"),
        Fact("Unit", "row"),
        Fact("adjudge", "0.1.0"),
    ]


def binary_metrics(system: str, lift: float) -> list[MetricLine]:
    """The usual metrics of a binary decision, one of them undefined."""
    other = [
        Alternative("clopper_pearson", 0.88 + lift, 0.93 + lift),
        Alternative("bootstrap", 0.881 + lift, None),
    ]
    return [
        line("Accuracy", 0.9052 + lift, 0.0053, system=system, baseline=0.8, alternatives=other),
        line("Precision", 0.7913 + lift, 0.017, system=system, baseline=0.2, category="spam"),
        line("Recall", 0.7124 + lift, 0.018, system=system, category="spam", n=2398),
        line("F1", 0.75 + lift, 0.0145, system=system, method="bootstrap", category="spam", baseline=0.3333),
        line("Area under the ROC curve", 0.951 + lift / 2, 0.0041, system=system, method="delong", baseline=0.5),
        line(
            "Log loss",
            0.2412 - lift,
            0.0087,
            system=system,
            direction="lower is better",
            method="bootstrap",
            baseline=0.5004,
            limits=(0.0, math.inf),
        ),
        line(
            "Cohen's kappa",
            0.689 + lift,
            0.0171,
            system=system,
            method="fleiss_cohen_everitt",
            limits=(-1.0, 1.0),
            baseline=0.0,
        ),
        line(
            "Precision at 99 % recall",
            None,
            None,
            system=system,
            note="no threshold reaches this recall",
            n=2398,
        ),
    ]


def forest(column: str, label: str, levels: int, systems: list[str]) -> SliceGroup:
    """A slice group with the whole first, for each system."""
    names = ["DE", "FR", "United Kingdom of Great Britain", "", "NA", "日本", "All data"]
    lines = []
    for k, system in enumerate(systems):
        base = 0.9 + 0.02 * k
        lines.append(line(label, base, 0.006, system=system))
        for i in range(levels):
            name = names[i] if i < len(names) else f"level {i}"
            value = base - 0.05 * math.sin(2.3 * i) - 0.02
            undefined = i == 4
            lines.append(
                line(
                    label,
                    None if undefined else value,
                    None if undefined else 0.01 + 0.004 * (i % 6),
                    slice=f"{column} = {name}",
                    system=system,
                    n=0 if undefined else 4000 // (i + 1),
                    note="no rows of the category" if undefined else "",
                )
            )
    return SliceGroup(column, label.lower(), label, lines)


def binary() -> Summary:
    """Two systems, a binary decision, every panel, slices."""
    systems = ["rules-2024", "transformer-small"]
    metrics = binary_metrics(systems[0], 0.0) + binary_metrics(systems[1], 0.021)
    chosen = {"Accuracy", "Area under the ROC curve", "F1"}
    return Summary(
        title="Spam filter, release 12",
        task="binary classification",
        question="Does the filter find spam, and can its score be trusted?",
        systems=systems,
        headline=[entry for entry in metrics if entry.label in chosen],
        metrics=metrics,
        slices=[forest("country", "Accuracy", 7, systems), forest("device", "Accuracy", 3, systems)],
        panels=Panels(
            [ConfusionPanel(name, ["ham", "spam"], [[9140.0, 450.0], [690.0, 1708.0]]) for name in systems],
            [curve(systems[0], "spam", 5, 0.2), curve(systems[1], "spam", 9, 0.2)],
            [thresholds(systems[0], "spam", 2), thresholds(systems[1], "spam", 3)],
            [calibration(systems[0], "spam", 1.5), calibration(systems[1], "spam", 1.1)],
            [scores(systems[0], "spam", 0.0), scores(systems[1], "spam", 0.15)],
        ),
        rows_read=12034,
        rows_used=11988,
        left_out=[Fact("reference is missing", "31 rows"), Fact("score is not a number", "15 rows")],
        how=how(),
        glossary=glossary(),
    )


def topics() -> Summary:
    """One system, five categories."""
    names = ["sport", "politics", "culture and the arts", "science", "other"]
    metrics = [
        line("Accuracy", 0.8123, 0.011, n=4800, baseline=0.31),
        line("Macro F1", 0.774, 0.016, n=4800, method="bootstrap"),
        *(line("F1", 0.9 - 0.06 * i, 0.02, category=name, n=4800, method="bootstrap") for i, name in enumerate(names)),
    ]
    counts = [[max(3.0, 800.0 - 120 * i) if i == j else 9.0 * abs(i - j) for j in range(5)] for i in range(5)]
    return Summary(
        title="News topics",
        task="classification",
        question="Is each article filed under the right topic?",
        systems=["topics-v3"],
        headline=metrics[:2],
        metrics=metrics,
        slices=[forest("source", "Macro F1", 90, ["topics-v3"])],
        panels=Panels(
            [ConfusionPanel("topics-v3", names, counts)],
            [curve("topics-v3", name, 9 - 1.3 * i, 0.1 + 0.05 * i, band=i < 2) for i, name in enumerate(names)],
            [thresholds("topics-v3", name, 1.5 + i) for i, name in enumerate(names[:2])],
            [calibration("topics-v3", name, 0.8 + 0.2 * i) for i, name in enumerate(names)],
            [scores("topics-v3", name, 0.05 * i) for i, name in enumerate(names[:2])],
        ),
        rows_read=4800,
        rows_used=4800,
        left_out=[],
        how=how(),
        glossary=glossary()[:1],
        answer=answer(),
    )


RATERS = ["ann", "ben", "chloé", "model", "</b>d|e"]


def matrix(names: list[str], title: str = "Agreement of every two raters") -> MatrixPanel:
    """A symmetric matrix without a diagonal, one pair of it without a common item, one below chance."""
    size = len(names)
    values: list[list[float | None]] = [
        [None if i == j else 0.95 - 0.03 * ((3 * i * j + i + j) % 17) for j in range(size)] for i in range(size)
    ]
    if size > 3:
        values[0][2] = values[2][0] = None
        values[1][3] = values[3][1] = -0.21
    low = [[None if value is None else value - 0.06 for value in row] for row in values]
    high = [[None if value is None else value + 0.05 for value in row] for row in values]
    n = [[0 if value is None else 400 - 7 * i - 7 * j for j, value in enumerate(row)] for i, row in enumerate(values)]
    note = "Weighted kappa of each pair on the items both rated."
    return MatrixPanel(title, note, names, names, values, low, high, n, (-1.0, 1.0))


def estimates(names: list[str]) -> ForestPanel:
    """Each rater against the others, one of them undefined."""
    lines = [
        ForestLine(
            name, 0.8 - 0.05 * i, 0.74 - 0.05 * i, 0.85 - 0.05 * i, 400 - 30 * i, "often one step higher" * (i == 1)
        )
        for i, name in enumerate(names)
    ]
    lines[-1] = ForestLine(names[-1], None, None, None, 0, "rated no item that others rated")
    note = "Alpha of each rater with all the others."
    return ForestPanel("Each rater against the others", note, "Krippendorff's alpha", lines, 0.731)


def bars(names: list[str], categories: list[str]) -> BarPanel:
    """How often each rater uses each category."""
    shares: list[list[float | None]] = []
    for i in range(len(names)):
        weights = [1 + (3 * i + 5 * j) % 7 for j in range(len(categories))]
        shares.append([weight / sum(weights) for weight in weights])
    shares[-1][0] = None
    return BarPanel("Use of the categories", "Share of a rater's own ratings.", categories, names, shares)


def lists() -> list[TablePanel]:
    """The hardest items, tests, and a list longer than a page shows."""
    return [
        TablePanel(
            "Hardest items",
            "Items the raters agree on least; look at these first.",
            ["item", "text", "ratings", "disagreement", "given"],
            [
                ["doc-17", "The plot is thin but the acting " * 6, 5, 0.8125, "1, 3, 3, 5, 5"],
                ["doc-4", "<b>Fine</b> | and `dandy`", 4, 0.75, None],
                ["doc-1032", HOSTILE[0], 5, None, "1, 5, 2, 4, 3"],
                ["doc-9", "No opinion.", 12345, 0.00002, "2, 2, 3"],
            ],
        ),
        TablePanel(
            "Tests",
            "",
            ["test", "statistic", "p", "passed"],
            [["same use of categories", 17.31, 0.00004, False], ["no drift over time", 1.207, 0.2719, True]],
        ),
        TablePanel("Every rating changed", "", ["item", "n"], [[f"doc-{i}", i] for i in range(85)]),
    ]


def agreement() -> Summary:
    """Five raters on an ordinal scale."""
    metrics = [
        line("Krippendorff's alpha", 0.731, 0.031, method="bayesian", n=412, limits=(-1.0, 1.0)),
        line("Fleiss' kappa", 0.702, 0.034, method="gwet", n=412, limits=(-1.0, 1.0)),
        line("Percent agreement", 0.814, 0.022, method="bayesian", n=412),
        line("Intraclass correlation", 0.77, 0.03, method="f_exact", n=398, limits=(-math.inf, 1.0)),
        line("Kendall's W", None, None, n=0, note="no item was rated by all raters"),
    ]
    return Summary(
        title="Agreement of ann and ben and chloé …",
        task="agreement",
        question="Do the raters agree beyond chance, and who does not?",
        systems=["raters"],
        headline=metrics[:3],
        metrics=metrics,
        slices=[],
        panels=Panels(
            matrices=[matrix(RATERS), matrix([f"annotator {i:02d}" for i in range(30)], "A matrix as large as a page")],
            forests=[estimates(RATERS), estimates([f"{i}" for i in range(12)])],
            bars=[
                bars(RATERS, ["1", "2", "3", "4", "5"]),
                bars(RATERS, ["strongly against", HOSTILE[1], "neither for nor against", "for"]),
                bars([f"r{i}" for i in range(14)], ["1", "2", "3"]),
            ],
            tables=lists(),
        ),
        rows_read=420,
        rows_used=412,
        left_out=[Fact("rated by one rater only", "8 items")],
        how=how(),
        glossary=glossary()[:1],
    )


def answer(names: list[str] | None = None) -> Answer:
    """A first screen with every kind of block, about these names."""
    names = names or ["German", "phone", "Spanish", "chat", "mail", "English", "French"]
    marks = [("looks", "looks worse, undecided"), ("undecided", "undecided"), ("within", "better"), ("beyond", "worse")]
    rows = [ForestRow("all tickets", 6.7, 4.1, 9.3, ["1,200", "+6.7", "[+4.1, +9.3]"], "within", "better", True)]
    rows += [
        ForestRow(name, -4.8, -12.1, 2.5, ["249", "−4.8", "[−12.1, +2.5]"], *marks[i % 4])
        for i, name in enumerate(names)
    ]
    counts = [[90.0 if i == j else float((3 * i + j) % 5) for j in range(len(names))] for i in range(len(names))]
    recalls = [Cell(f"{60 + i} %") for i in range(len(names))]
    grid = [
        [Cell(name), Cell("0.69", interval="[0.60, 0.75]", strip=(0.6, 0.69, 0.75)), Cell("82 %"), Cell("a 3 of 9")]
        for name in names[:2]
    ]
    limit = Cell("0.73", "within", "within", "[0.69, 0.76]")
    return Answer(
        top=["Classification", names[0], "1,200 tickets, all used", "95 % intervals"],
        checks=[],
        headline="candidate is better than current by 6.7 points [4.1, 9.3], but German looks worse.",
        findings=[
            Finding("within", "shown", "86.7 % right [84.6, 88.5] against 80.0 % [77.6, 82.2]. 171 tickets fixed."),
            Finding("looks", "looks worse, undecided", f"{names[0]}: −4.8 points [−12.1, +2.5] on 249 tickets."),
            Finding("plain", "weakest topics", f"{names[1]}, recall 60 %: 15 of 70 taken for feedback."),
        ],
        blocks=[
            ForestBlock(
                "Difference, worst slice first", "candidate − current, same tickets", ["n", "points", "95 %"], rows,
                [-5.0, 5.0], 0.0, [Tick(-10.0, "−10"), Tick(0.0, "0"), Tick(10.0, "+10")],
            ),
            MatrixBlock(
                "What candidate confuses", names, names, counts, [(0, 1)], [SideColumn("recall", recalls)],
                corner="candidate says →", note="Shade: share of the row.",
            ),
            LimitsBlock(
                "Against the limits", ["QWK", "SMD"], ["at least 0.7", "within ±0.15"],
                [LimitsRow("engine", [limit, Cell("–")])],
            ),
            GridBlock(
                "Topics, lowest F score first", ["Topic", "F", "precision", "most taken for"], grid, [1, 2],
                [Tick(0.5, "0.5"), Tick(1.0, "1")], [], "2 more slices are within: 60 % to 70 %", grid[:1],
            ),
            ListBlock("Items to decide", ["Item", "why", "certain"], [[names[0], "tie", "38 %"]], [2], "all 193"),
        ],
        steps=[Step("Read the 49 German tickets that broke.", "--items items.csv"), Step("Say what parts the two.")],
        doubt="Intervals are for tickets drawn like these, each independent of the others.",
        more="",
    )  # fmt: skip


def undefined() -> Summary:
    """Nothing to measure: every estimate undefined, no panel."""
    lines = [line(label, None, None, n=0, note="no rows") for label in ("Accuracy", "F1")]
    return Summary(
        "Empty", "binary classification", "Is it good?", [""], lines[:1], lines, [], NO_PANELS, 3, 0,
        [Fact("reference is missing", "3 rows")], [], [],
    )  # fmt: skip


def empty() -> Summary:
    """A summary without anything."""
    return Summary("", "", "", [], [], [], [], NO_PANELS, 0, 0, [], [], [])


def hostile() -> Summary:
    """Labels that try to break out of every renderer."""
    bad = HOSTILE[0]
    lines = [
        line(label, 0.5, 0.1, system=system, category=label, note=label, metric=label, method=label)
        for label in HOSTILE
        for system in HOSTILE[:2]
    ]
    group = SliceGroup(bad, bad, bad, [line(bad, 0.6, 0.1), *(line(bad, 0.5, 0.1, slice=name) for name in HOSTILE)])
    counts = [[float(i + j) for j in range(len(HOSTILE))] for i in range(len(HOSTILE))]
    return Summary(
        title=bad,
        task=bad,
        question=HOSTILE[1],
        systems=HOSTILE[:2],
        headline=lines[:2],
        metrics=lines,
        slices=[group],
        panels=Panels(
            [ConfusionPanel(bad, HOSTILE, counts)],
            [curve(bad, name, 4, 0.3) for name in HOSTILE[:4]],
            [thresholds(bad, HOSTILE[1], 2)],
            [calibration(bad, name, 1.2) for name in HOSTILE[:2]],
            [scores(HOSTILE[1], bad, 0.1)],
            [replace(matrix(HOSTILE, bad), note=bad)],
            [ForestPanel(bad, bad, bad, [ForestLine(name, 0.5, 0.4, 0.6, 9, name) for name in HOSTILE], 0.5)],
            [bars(HOSTILE[:5], HOSTILE), bars(HOSTILE, HOSTILE)],
            [TablePanel(bad, bad, HOSTILE, [[*HOSTILE], [*HOSTILE]])],
        ),
        rows_read=10,
        rows_used=9,
        left_out=[Fact(name, name) for name in HOSTILE],
        how=[Fact(name, name) for name in HOSTILE],
        glossary=[GlossaryEntry(name, name, name, name, name, name, [name]) for name in HOSTILE],
        answer=answer(HOSTILE),
    )


def huge(character: str = "x") -> Summary:
    """Far more than one page can hold."""
    long = character * 5000
    metrics = [line("F1", 0.5, 0.1, category=f"{i} {long}", note=long) for i in range(5000)]
    group = SliceGroup(
        "c" + long, "f1", "F1", [line("F1", 0.5), *(line("F1", 0.5, slice=f"{i}{long}") for i in range(900))]
    )
    names = [f"{i} {long}" for i in range(300)]
    counts = [[float(i * j % 17) for j in range(300)] for i in range(300)]
    return Summary(
        title=long,
        task=long,
        question=long,
        systems=[""],
        headline=metrics[:200],
        metrics=metrics,
        slices=[group] * 60,
        panels=Panels(
            [ConfusionPanel(f"s{i}", names, counts) for i in range(30)],
            [curve(f"s{i}", name, 4, 0.3) for i in range(6) for name in names[:60]],
            [thresholds(f"s{i}", name, 2) for i in range(6) for name in names[:60]],
            [calibration(f"s{i}", name, 2) for i in range(6) for name in names[:60]],
            [scores(f"s{i}", name, 0.1) for i in range(6) for name in names[:60]],
            [matrix(names, long)] * 30,
            [ForestPanel(long, long, long, [ForestLine(name, 0.5, 0.4, 0.6, 9, long) for name in names], 0.5)] * 30,
            [bars(names[:8], names), bars(names, names)] * 15,
            [TablePanel(long, long, names, [[long] * 300] * 300)] * 30,
        ),
        rows_read=10**12,
        rows_used=10**12,
        left_out=[Fact(long, long)] * 900,
        how=[Fact(long, long)] * 900,
        glossary=[GlossaryEntry(long, long, long, long, long, long, [long] * 9)] * 900,
    )


def degenerate() -> Summary:
    """Panels without content, values that are not finite, a metric without limits."""
    nan, inf = math.nan, math.inf
    nothing = Line([], [], [], [], [])
    broken = Line([nan, 0.0, 1.0], [nan, 0.0, 1.0], [nan] * 3, [nan] * 3, [inf, 1.0, 0.0])
    missing = line("Accuracy", nan, None, low=nan, high=nan, baseline=nan)
    endless = line("Ratio", 3.0, None, low=-inf, high=inf, limits=(-inf, inf), method="", direction="")
    return replace(
        empty(),
        headline=[missing, endless],
        metrics=[missing, endless],
        slices=[
            SliceGroup("c", "m", "M", []),
            SliceGroup("c", "m", "M", [missing]),
            SliceGroup("c", "m", "M", [endless, replace(endless, slice="x")]),
        ],
        panels=Panels(
            [ConfusionPanel("", [], []), ConfusionPanel("", ["a", "a"], [[1.0, 2.5], [0.0, 0.0]])],
            [CurvePanel("a", "", nan, nothing, nothing), CurvePanel("a", "x", 0.2, broken, broken)],
            [
                ThresholdPanel("a", "", [], [], [], [], [], [], []),
                ThresholdPanel("a", "", [0.5], [None], [nan], [None], [None], [None], [None]),
            ],
            [
                CalibrationPanel("a", "", []),
                CalibrationPanel("a", "z", [CalibrationBin(0.0, 1.0, 0.5, nan, nan, nan, 0.0)]),
            ],
            [
                ScorePanel("a", "", [], [], []),
                ScorePanel("a", "", [0.0, 1.0], [0.0], [0.0]),
                ScorePanel("a", "", [-5.0, 1.0, 9.0], [2.0, 3.0], [0.0, 0.0]),
            ],
            [
                MatrixPanel("", "", [], [], [], [], [], [], (0.0, 1.0)),
                MatrixPanel(
                    "", "", ["a"], ["a", "a"], [[nan, None]], [[nan, inf]], [[nan, None]], [[0, 0]], (-inf, inf)
                ),
                MatrixPanel(
                    "", "", ["a"], ["", "b"], [[3.0, -7.5]], [[None, -inf]], [[None, inf]], [[1, 2]], (-inf, inf)
                ),
                MatrixPanel("", "", ["a"], ["b"], [[0.5]], [[None]], [[None]], [[1]], (0.5, 0.5)),
            ],
            [
                ForestPanel("", "", "", [], None),
                ForestPanel("", "", "", [ForestLine("", nan, None, None, 0)], nan),
                ForestPanel("", "", "", [ForestLine("a", 3.0, -inf, inf, 0), ForestLine("a", 3.0, 3.0, 3.0, 0)], inf),
            ],
            [
                BarPanel("", "", [], [], []),
                BarPanel("", "", ["a", "a"], ["b", "b"], [[1.0, None], [nan, 4321.5]]),
                BarPanel("", "", ["a"], ["b"], [[None]]),
                BarPanel("", "", ["a"], [str(i) for i in range(9)], [[None]] * 9),
            ],
            [
                TablePanel("", "", [], []),
                TablePanel("", "", ["a"], []),
                TablePanel("", "", ["a", "b"], [[nan, 1], [inf, 10**30], [-0.0, None], [1e30, True]]),
            ],
        ),
    )


ALL = {
    "binary": binary,
    "topics": topics,
    "agreement": agreement,
    "undefined": undefined,
    "empty": empty,
    "hostile": hostile,
    "degenerate": degenerate,
}
