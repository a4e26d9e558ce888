"""What is summed and measured where a judge helps a few human labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from adjudge.data.judgements.labels import label_text, ordered_labels
from adjudge.data.label_values import called
from adjudge.data.reading import Block
from adjudge.data.systems import as_list
from adjudge.diagnosis.checks.answers import judge_checks
from adjudge.diagnosis.checks.check import SERIOUS, Check
from adjudge.diagnosis.checks.columns import labels_of_people
from adjudge.diagnosis.checks.labels import doubled, strangers
from adjudge.engines.base import Collected, Tally
from adjudge.errors import (
    MOST_DRAWN,
    BadValue,
    SettingError,
    check_choice,
    check_size,
    listed,
    noted,
    percent,
    quoted,
    with_minus,
)
from adjudge.evaluation.declaration import Basis, Given, Page, Task, UsualStudy, View, row_columns, tallies_of
from adjudge.evaluation.measuring.rows import Measured
from adjudge.evaluation.panels import Cell, Panels, TablePanel
from adjudge.evaluation.request import Request
from adjudge.evaluation.results import Row
from adjudge.inference.intervals.judge_assisted import assisted_errors
from adjudge.inference.many.multiplicity import holm
from adjudge.metrics import (
    judge_assisted_f_score,
    judge_assisted_kappa,
    judge_assisted_mean,
    labelled_mean,
    rogan_gladen,
)
from adjudge.metrics.base import Metric
from adjudge.metrics.catalogue import parse
from adjudge.statistics.base import ratio, remainder
from adjudge.statistics.judges.sums import JudgedSums
from adjudge.statistics.judges.tables import JudgedTables
from adjudge.tasks.judges.reading import (
    ELSEWHERE,
    JUDGED,
    LABELS,
    LABELS_ARE,
    JudgedReading,
    answers_name,
    difference_name,
    labels_name,
)

FEW_LABELS = 50
RARELY, LABEL_APART = 0.001, 4.0  # by chance, of means; standard errors, of the share of any label
NOT_RANDOM = "Labelled rows do not look like a random sample"
DRAW = (
    "Label rows drawn at random; or give `weight`, 1 / the chance of being labelled for labelled rows and 1 / the "
    'chance of not being labelled for the others; or give calibration="elsewhere".'
)
FARTHEST = 3.0  # times as wide: values of the judge beside people's
OTHER_SCALE = "the judge uses another scale than people; on the same scale it may help more"
PANEL = "What the judge is worth"
MACRO_F = judge_assisted_f_score.averaged("macro")
OF_DIFFERENCES = (judge_assisted_mean, labelled_mean, judge_assisted_kappa, MACRO_F, judge_assisted_f_score)
OF_LABELS = (judge_assisted_kappa.name, judge_assisted_f_score.name)
MOST_LABELS = 500  # of which rows that are labelled alike are counted


@dataclass(frozen=True)
class JudgedStudy(UsualStudy):
    """One request: where labels are, and whether they are a random part of the rows."""

    reading: JudgedReading
    elsewhere: bool  # labels calibrate the judge, and are no part of what is asked about

    @classmethod
    def of(cls, columns: Sequence[str], given: Given) -> JudgedStudy:
        """The roles and settings, checked."""
        names, positive = list(map(str, as_list(given.get("prediction") or ()))), given.get("positive")
        if len(set(names)) < len(names):
            raise SettingError(f"`prediction` must name different columns, not {listed(names)}.")
        if names and positive is not None:
            raise SettingError("`positive` must be left out where there is a `prediction`: a right answer counts 1.")
        if given["reference"] == given["judge"]:
            raise SettingError(
                f"`judge` must be another column than `reference`, but both are {quoted(str(given['judge']))}. Name "
                "the column of the judge."
            )
        labels = given.get("calibration") or "random"
        if labels not in ("random", "elsewhere"):
            raise SettingError(f'`calibration` must be "random" or "elsewhere", not {quoted(str(labels))}.')
        reading = JudgedReading(
            reference=str(given["reference"]),
            judge_column=str(given["judge"]),
            predictions={name: name for name in names},
            positive=None if positive is None else label_text(positive),
            **row_columns(given, columns),
        )
        return cls(reading.checked(columns), labels == "elsewhere")

    def allows(self, metric: Metric) -> str:
        """Why a metric cannot be measured."""
        if self.elsewhere and metric.name.startswith("judge_assisted"):
            return "labels from elsewhere are not a random sample of these rows; measure rogan_gladen instead"
        if metric.over is JudgedTables and not self.reading.predictions:
            return "it holds answers against labels, and there are none; give `prediction`"
        of_labels = metric.over in (JudgedSums, JudgedTables)
        return "" if of_labels else "it is not about labels that a judge helps with"

    def offered(self, task: Task) -> list[Metric]:
        """Without answers, nothing that is held against them."""
        return [metric for metric in task.metrics if not self.allows(metric)]

    def tallies(self, request: Request, first: Block) -> tuple[Tally, ...]:
        """Sums of each system, and of what it has more than the baseline; where there are answers, labels too."""
        differences = (difference_name(*pair) for pair in self._pairs(request))
        views = (*self.reading.systems, *differences)
        sums = [Tally(view, JudgedSums, by_rows=self.clustered, smooth=True) for view in views]
        few = all(len(first.views[labels_name(name)].labels) <= MOST_LABELS for name in self.reading.predictions)
        if not self.reading.predictions or self.elsewhere or not few:
            return tuple(sums)
        return (*sums, *(Tally(labels_name(view), JudgedTables, by_rows=self.clustered) for view in views))

    def _pairs(self, request: Request) -> list[tuple[str, str]]:
        """Every other system with the baseline."""
        names, first = self.reading.systems, request.comparing.baseline
        baseline = names[0] if first is None else first
        check_choice("baseline", baseline, names)
        return [(name, baseline) for name in names if name != baseline]

    def judge(self, request: Request, collected: Collected) -> None:
        """Refuse what only the whole table shows."""
        if self.reading.of_numbers and not collected.facts.used and collected.facts.read:
            raise BadValue(
                f"The judge's values in {quoted(self.reading.judge_column)} must be numbers, but none is. If they "
                "are labels, name the one to count with `positive`, or the systems' answers with `prediction`."
            )
        self.reading.judge(collected.facts, request.source.name)
        if collected.facts.unused:
            raise BadValue(
                "Human labels must be numbers or empty, but some rows have something else "
                f"({collected.facts.reasons_unused}). Correct them, say with `missing` which words mean empty, or "
                "name with `positive` the label to count."
            )
        sums = collected.sums_of(self.reading.systems[0], JudgedSums)
        if float(sums.of("n")) == 0:
            counted = "" if self.reading.weight is None else f" and a weight above 0 in {quoted(self.reading.weight)}"
            raise BadValue(
                f"Some rows must have a human label in {quoted(self.reading.reference)}{counted}, but none does."
            )
        labels, judged = (collected.facts.seen.get(which, frozenset()) for which in (LABELS, JUDGED))
        if labels and judged and not labels & judged:
            raise BadValue(
                f"People and the judge must use the same labels, but {quoted(self.reading.reference)} has "
                f"{listed(sorted(labels)[:5])} and {quoted(self.reading.judge_column)} has "
                f"{listed(sorted(judged)[:5])}."
            )
        if self.reading.positive is not None and called(self.reading.positive) not in labels | judged:
            raise SettingError(
                f"`positive` must be one of {listed(sorted(labels | judged)[:8])}, not {quoted(self.reading.positive)}."
            )

    def checks(self, request: Request, collected: Collected) -> Iterator[Check]:
        """Labels that are hardly meant to be two; rows with a label that the judge sees otherwise than the rest."""
        columns = {self.reading.reference: LABELS, self.reading.judge_column: JUDGED}
        columns |= {name: answers_name(name) for name in self.reading.predictions}
        sides = {name: ordered_labels(collected.facts.seen.get(which, ())) for name, which in columns.items()}
        yield from doubled(ordered_labels({label for side in sides.values() for label in side}), sides)
        people, judge = (sides[name] for name in (self.reading.reference, self.reading.judge_column))
        yield from labels_of_people(self.reading.reference, people, judge)
        for name in self.reading.systems:
            yield from judge_checks(quoted(name), collected.sums_of(name, JudgedSums))
        meant = ordered_labels({*people, *judge})
        for name in self.reading.predictions:
            stranger = strangers(f"Answers of {quoted(name)}", sides[name], "people and the judge", meant)
            yield from [] if stranger is None else [stranger]
        if not self.elsewhere:
            yield from [*self._means_apart(collected)] or [*self._labels_apart(collected)][:1]

    def _means_apart(self, collected: Collected) -> Iterator[Check]:
        """C31: labelled rows in which the judge's mean is not what it is elsewhere."""
        from scipy.special import ndtr

        every = {name: collected.sums_of(name, JudgedSums) for name in self.reading.systems}
        adjusted = holm(2 * ndtr([-abs(sums.apart) for sums in every.values()]))
        for (name, sums), p in zip(every.items(), adjusted.tolist(), strict=True):
            if p < RARELY:
                means = [with_minus(float(sums.of(one) / sums.of(over)), ".3g") for one, over in ("jn", "km")]
                which = (
                    f"for {quoted(name)} the judge's mean is {means[0]} where people labelled and {means[1]} elsewhere"
                )
                yield Check(
                    "C31", SERIOUS, f"{NOT_RANDOM}: {which}, {abs(sums.apart):.1f} standard errors apart. {DRAW}"
                )

    def _labels_apart(self, collected: Collected) -> Iterator[Check]:
        """C31: labelled rows in which the judge gives a label more or less often than elsewhere."""
        for name in self.reading.predictions if self.countable else ():
            tables: JudgedTables | None = collected.find(labels_name(name), JudgedTables)
            for label, here, there in () if tables is None else tables.labels_apart(LABEL_APART):
                often = f"in {percent(here)} of the rows that people labelled and in {percent(there)} of the others"
                yield Check("C31", SERIOUS, f"{NOT_RANDOM}: the judge says {quoted(label)} {often}. {DRAW}")

    def views(self, request: Request, collected: Collected) -> list[View]:
        """Each system, and what it has more than the baseline."""
        metrics = self._measured(request, collected)
        if any(metric.over is JudgedTables for metric in metrics):
            _check_draws(request, collected)
        tallies = tallies_of(collected)
        bases = {
            name: tuple(map(_basis, filter(None, (tally, tallies.get((labels_name(name), JudgedTables))))))
            for (name, statistic), tally in tallies.items()
            if statistic is JudgedSums
        }
        in_slices = tuple(metric for metric in metrics if not metric.by_category)
        views = [
            View(name, bases[name], metrics, in_slices=in_slices, amend=self._with_labels_noted)
            for name in self.reading.systems
        ]
        of_two = tuple(metric for metric in metrics if metric in OF_DIFFERENCES)
        pairs = self._pairs(request) if of_two else []
        for system, baseline in pairs:
            name, amend = difference_name(system, baseline), partial(_as_difference, (system, baseline), len(pairs))
            views.append(View(name, bases[name], of_two, amend=amend, leads=False, system=system, versus=baseline))
        return views

    def _with_labels_noted(self, measured: Measured, rows: Sequence[Row]) -> Iterator[Row]:
        """Each figure with how many labels it rests on, and what the judge saved."""
        sums: JudgedSums = measured.statistics[JudgedSums]
        labels, worth = round(float(sums.effective("n"))), sums.worth
        for row in rows:
            note = row.note
            if row.metric == judge_assisted_mean.name and row.method == "judge_assisted":
                worth_text = (
                    f"as good as {worth:,.0f} human labels" if worth >= 1.05 * labels else "the judge hardly helps"
                )
                worth_text += (
                    f"; with fewer than {FEW_LABELS} labels a judge hardly does" if labels < FEW_LABELS else ""
                )
                note = noted(note, worth_text, OTHER_SCALE if _on_other_scale(sums) else "")
            if row.metric == rogan_gladen.name and not self.elsewhere:
                note = noted(note, "if the judge errs as often where nobody looked")
            yield replace(row, n=labels, note=note) if row.metric != "judge_mean" else row

    def _measured(self, request: Request, collected: Collected) -> tuple[Metric, ...]:
        """What is measured here: neither kappa nor F of more labels than are counted."""
        left_out = self._left_out(collected)
        for metric in request.metrics or ():
            if metric.name in left_out:
                raise SettingError(
                    f"`metrics` must be ones that so many labels allow, but {metric!r} is not: {left_out[metric.name]}."
                )
        return tuple(metric for metric in request.candidates if metric.name not in left_out)

    def _left_out(self, collected: Collected) -> dict[str, str]:
        """Figures of labels that are not told, and why."""
        if not self.reading.predictions or self.elsewhere:
            return {}
        tables = [sums for (_, tally), sums in collected.sums.items() if tally.statistic is JudgedTables]
        why = dict.fromkeys(OF_LABELS, f"there are more than {MOST_LABELS:,} labels")
        return {} if tables else why

    def categories(self, collected: Collected) -> tuple[str, ...]:
        """Values are no categories."""
        return ()

    def choices(self, request: Request, collected: Collected) -> dict[str, str]:
        """How many rows people labelled, and what is taken for granted."""
        sums = collected.sums_of(self.reading.systems[0], JudgedSums)
        labelled = {"Rows with a label": f"weight {float(sums.of('n')):,.0f} of {float(sums.total):,.0f}"}
        labelled[LABELS_ARE] = ELSEWHERE if self.elsewhere else "a random part of the rows"
        if left_out := self._left_out(collected):
            labelled["Kappa and F"] = f"left out: {next(iter(left_out.values()))}"
        return labelled | self.reading.measured

    def panels(self, page: Page) -> Panels:
        """What the judge adds, system by system and slice by slice."""
        rows: list[list[Cell]] = []
        for name, measured in page.whole.items():
            sums: JudgedSums = measured.statistics[JudgedSums]
            apart = None if np.isnan(sums.apart) else sums.apart
            rows.append([name, sums.effective("n"), sums.effective("m"), float(sums.weight), sums.worth, apart])
        note = (
            "`weight` is how much the judge counts, from 0 to 1; `worth` how many labels alone would tell as much; "
            "`apart` how far apart the judge's means on rows with and without a label are, in standard errors: beyond "
            "3.3, the labels are hardly a random sample."
        )
        names = ["system", "labels", "without", "weight", "worth", "apart"]
        return Panels(tables=[TablePanel(PANEL, note, names, rows)])


def _check_draws(request: Request, collected: Collected) -> None:
    """Refuse, before the first is drawn, more replicates of tables of labels than anybody waits for."""
    tables = [value for value in collected.sums.values() if isinstance(value, JudgedTables)]
    replicates, labels = request.bootstrap.replicates, max((len(table.labels) for table in tables), default=0)
    check_size(
        sum(table.drawn_numbers for table in tables) * replicates,
        f"{replicates:,} replicates of {len(tables):,} tables of up to {labels:,} labels",
        MOST_DRAWN,
    )


def _as_difference(pair: tuple[str, str], family: int, measured: Measured, rows: Sequence[Row]) -> Iterable[Row]:
    """What one system has more than another, as a difference of the two."""
    from scipy.special import stdtr

    sums: JudgedSums = measured.statistics[JudgedSums]
    labels, error_of = sums.effective("n"), cache(partial(_errors, measured))
    for row in rows:
        difference = replace(row, system=pair[0], baseline=pair[1], n=round(labels))
        if row.method == "judge_assisted":
            size = abs(row.estimate) / error_of(row.metric)[row.category]
            p = float(2 * stdtr(max(labels - 1, 1e-9), -size))
            difference = replace(difference, test="judge_assisted", p=p, p_adjusted=min(1.0, p * family), family=family)
        yield difference


def _errors(measured: Measured, name: str) -> dict[str, float]:
    """The standard errors of a figure that a judge helps with, by category; "" is of all."""
    metric, sums = parse(name), measured.statistics[JudgedSums]
    if metric.over is JudgedSums:
        return {"": float(sums.error(float(sums.weight)))}
    tables: JudgedTables = measured.statistics[JudgedTables]
    errors = np.atleast_1d(assisted_errors(metric, tables))
    return dict(zip(tables.labels if metric.by_category else ("",), errors.tolist(), strict=True))


def _on_other_scale(sums: JudgedSums) -> bool:
    """Whether the judge's values do not look like people's: 0 and 1 beside grades, or three times as wide or narrow."""
    n, of = sums.of("n"), sums.of
    people, judge = (bool(remainder(of(square), of(value)) == 0) for square, value in (("hh", "h"), ("jj", "j")))
    if people != judge and (sums.most > 1 or sums.least < 0):
        return True
    spreads = [remainder(of(square), ratio(of(value) ** 2, n)) for square, value in (("hh", "h"), ("jj", "j"))]
    widths = float(np.sqrt(max(float(ratio(spreads[1], spreads[0])), 0.0))) if float(n) > 1 else 1.0
    return bool(np.isfinite(widths) and (widths > FARTHEST or 0 < widths < 1 / FARTHEST))


def _basis(tally: Tally) -> Basis:
    return Basis(tally, stream=f"{tally.statistic.__name__}/{tally.view}")
