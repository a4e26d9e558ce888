"""What a task declares (`Task`, with its roles and settings), and what the walk asks of one request of it (`Study`).

A study says what to sum (`Tally`, in `engines/base.py`) and what to measure: a `View` for each system, form of a score
or pair of raters, which rests on sums through a `Basis`. To add a task, see CONTRIBUTING.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from adjudge.data.cubes.cube import Cube
from adjudge.data.facts import Facts
from adjudge.data.reading import Block, Reading
from adjudge.data.source import Source
from adjudge.data.systems import slices_of
from adjudge.diagnosis.checks.check import Check
from adjudge.engines.base import WHOLE, Collected, SliceKey, Tally
from adjudge.evaluation.answers.screen import Screen
from adjudge.evaluation.asking.likenesses import Likeness
from adjudge.evaluation.comparison.paired_answers import PairedAnswers, UnitSource
from adjudge.evaluation.cubes.widths import CellWidths
from adjudge.evaluation.panels import Panels
from adjudge.evaluation.results import ResultTable, Row
from adjudge.evaluation.take_away.tables import Part
from adjudge.inference.differences.flips import Flips
from adjudge.inference.resampling import Derive, Together
from adjudge.metrics.base import Metric
from adjudge.statistics.base import AnyStatistic

if TYPE_CHECKING:
    from adjudge.evaluation.measuring.rows import Measured
    from adjudge.evaluation.outcome import Outcome
    from adjudge.evaluation.request import Request


Follows = Callable[[Any], AnyStatistic]  # of one statistic (each task knows its own), another that follows from it
Given = Mapping[str, Any]  # roles and settings by name, each of the form that its declaration says


@dataclass(frozen=True, slots=True)
class Role:
    """A column, or a few, that a task reads."""

    name: str
    help: str
    required: bool = False
    many: bool = False
    form: str = ""  # of what may be given, where it is not one column or several
    of_system: bool = False  # what a system says, not what is measured against: each of two tables has its own
    like: Likeness | None = None  # None: never guessed
    least: int = 1  # columns it takes to guess it
    misnomers: tuple[str, ...] = ()  # what other tasks call what plays its part; refused with its own name


@dataclass(frozen=True, slots=True)
class Setting:
    """Something a task may be given besides its columns."""

    name: str
    help: str
    kind: type = str
    default: object = None
    many: bool = False
    form: str = ""  # of what may be given, where it is not one value of the kind
    misnomers: tuple[str, ...] = ()  # names it does not have, though it is looked for under them; refused with its own
    about: str = "what to measure"  # the group it stands in, where options are listed
    by_hand: bool = False  # names a file or a machine: typed by whoever runs it, never taken from a file of settings
    example: object = None  # for a file of settings to begin with


def alone(statistic: object) -> Together:
    """What `Basis.derive` is where nothing else follows from the sums."""
    return {type(statistic): statistic}


@dataclass(frozen=True, slots=True)
class Basis:
    """What a view's metrics are formulas of: a tally, and everything that follows from it.

    `project` turns the sums, and explicit replicates of them, into those of the view before anything is drawn;
    `coarsen` chooses the cells in which replicates are drawn; `derive` names all statistics that follow. Where several
    views are drawn together, `joint` is the tally that is drawn, and what gives this view's part of it. `replicates`
    says which kinds make sense: none of what only has closed forms, no Bayesian ones of what knows no prior.
    """

    tally: Tally
    derive: Derive = alone
    project: Follows | None = None
    coarsen: Follows | None = None
    joint: tuple[Tally, Callable[[Any], Any]] | None = None  # of the tally's kind, and the view's part of it
    stream: str = ""  # names the random numbers; bases with the same tally and stream share their draws
    replicates: tuple[str, ...] = ("bootstrap", "bayesian")

    @property
    def name(self) -> str:
        """What the random numbers are called."""
        return self.stream or self.tally.statistic.__name__


@dataclass(frozen=True, slots=True)
class View:
    """What is measured: a system, a form of a score, two raters, all raters."""

    name: str
    bases: tuple[Basis, ...]
    metrics: tuple[Metric, ...]  # of all units
    in_slices: tuple[Metric, ...] | None = None  # of a slice's; None: the same
    positive: str | None = None  # the category that a metric by category is about, where there are two
    threshold: float | None = None
    refused: Mapping[str | type[object], str] = field(default_factory=dict)  # what cannot be said, with the reason
    notes: Callable[[Together], dict[type[object], str]] = lambda statistics: {}  # beside all metrics of a statistic
    amend: Callable[[Measured, Sequence[Row]], Iterable[Row]] | None = None  # the rows with what only the task knows
    leads: bool = True  # whether it is one of the systems that the report is about
    system: str | None = None  # whose view it is, where its name says more
    contest: str | None = None  # views that say the same are compared with each other; None: with none
    versus: str | None = None  # the baseline of a view that is a difference itself
    # How often this view and another were both right, only one, and neither, where a metric is about that.
    pairs: Callable[[View, SliceKey, Metric, str], PairedAnswers] | None = None
    unit_source: UnitSource | None = None  # what it loses unit by unit, beside others
    # What it fixes and breaks beside another, where units do not tell that by themselves.
    flips: Callable[[View, SliceKey], Flips] | None = None

    @property
    def system_name(self) -> str:
        """Whose view it is: a column's name may be empty."""
        return self.name if self.system is None else self.system

    def metrics_of(self, *, whole: bool) -> tuple[Metric, ...]:
        """What is asked of all units, or of a slice."""
        return self.metrics if whole or self.in_slices is None else self.in_slices


@dataclass(frozen=True)
class Page:
    """What panels are made of: the sums, the estimates, and what follows from the sums for any view."""

    request: Request
    collected: Collected
    table: ResultTable
    whole: Mapping[str, Measured]  # by view
    find: Callable[[View, SliceKey, type[AnyStatistic]], Any]  # a statistic of a view in a slice, None if there is none
    slice_columns: tuple[str, ...] = ()


class Study(Protocol):
    """One request of a task, its own roles and settings checked: what the walk asks of every task."""

    @property
    def reading(self) -> Reading:
        """How the rows become judgements."""

    @property
    def slices(self) -> tuple[tuple[str, ...], ...]:
        """The columns of each slice, several where they are crossed."""

    @property
    def unit(self) -> str:
        """What is drawn: row, item, response, cluster …"""

    @property
    def clustered(self) -> bool:
        """Whether several rows are drawn as one: closed forms, which take rows as independent, do not apply."""

    def allows(self, metric: Metric) -> str:
        """Why a metric that was named cannot be measured; empty when it can."""

    def offered(self, task: Task) -> Sequence[Metric]:
        """What may be measured when no metric is named."""

    def tallies(self, request: Request, first: Block) -> tuple[Tally, ...]:
        """What to sum, with what must be known beforehand from the first rows."""

    def judge(self, request: Request, collected: Collected) -> None:
        """Refuse what only the whole table shows."""

    def checks(self, request: Request, collected: Collected) -> Iterable[Check]:
        """What looks like a mistake in the table: see `diagnosis/checks/check.py`."""

    def unit_weight(self, facts: Facts) -> float:
        """What weights are multiplied with so that sums are in units of a row."""

    def views(self, request: Request, collected: Collected) -> Sequence[View]:
        """Everything that is measured."""

    def columns(self) -> dict[str, str | None]:
        """Columns by role, where `Request.columns_by_role` does not tell them as given; None: not told at all."""

    def used_rows(self, facts: Facts) -> int:
        """How many rows of the table were used."""

    def categories(self, collected: Collected) -> Sequence[str]:
        """The labels that were met."""

    def choices(self, request: Request, collected: Collected) -> dict[str, str]:
        """What else was chosen, or is worth knowing of the table, in words."""

    def finished(self, page: Page) -> tuple[ResultTable, Panels]:
        """The estimates, with rows that only all sums together give, and the numbers behind the pictures."""


def tallies_of(collected: Collected) -> dict[tuple[str, type[AnyStatistic]], Tally]:
    """What was summed of all units, by the view and the statistic."""
    return {(tally.view, tally.statistic): tally for key, tally in collected.sums if key == WHOLE}


class UsualStudy:
    """What most studies answer alike. For frozen dataclasses with a field `reading`, which has slices and a cluster."""

    units: ClassVar[tuple[str, str]] = ("row", "cluster")  # what is drawn: alone, and where several belong together

    if TYPE_CHECKING:  # a field of the study, of a kind of its own

        @property
        def reading(self) -> Any:  # of the task's own kind
            """How rows become judgements."""

        def panels(self, page: Page) -> Panels:
            """The numbers behind the pictures."""

    @property
    def slices(self) -> tuple[tuple[str, ...], ...]:
        """The columns of each slice."""
        return tuple(self.reading.slices)

    @property
    def unit(self) -> str:
        """What is drawn."""
        return self.units[self.clustered]

    @property
    def clustered(self) -> bool:
        """Whether several units are drawn as one."""
        return self.reading.cluster is not None

    @property
    def countable(self) -> bool:
        """Whether units are independent and count one each."""
        return self.reading.weight is None and not self.clustered

    def offered(self, task: Task) -> Sequence[Metric]:
        """Everything that the task measures."""
        return task.metrics

    def judge(self, request: Request, collected: Collected) -> None:
        """Refuse what only the whole table shows."""
        self.reading.judge(collected.facts, request.source.name)

    def unit_weight(self, facts: Facts) -> float:
        """A unit weighs one on average: only ratios of weights matter."""
        return facts.used / facts.weight

    def columns(self) -> dict[str, str | None]:
        """All are told as they were given."""
        return {}

    def used_rows(self, facts: Facts) -> int:
        """All complete rows."""
        return facts.used

    def categories(self, collected: Collected) -> Sequence[str]:
        """None."""
        return ()

    def finished(self, page: Page) -> tuple[ResultTable, Panels]:
        """Every view has its rows already: what is left are the pictures."""
        return page.table, self.panels(page)


def row_columns(given: Given, columns: Sequence[str]) -> Given:
    """What any reading of rows is told, as its fields: the columns of weights, clusters, ids and slices."""
    named = {role: given.get(role) for role in ("weight", "cluster", "id")}
    return {**named, "slices": slices_of(given.get("slices"), columns)}


@dataclass(frozen=True, slots=True)
class TakeAway:
    """A table that a task offers besides its estimates: an option of its command, and a table of its evaluation.

    `parts` makes it from the table, which is read again: whoever asks for it waits for it, nobody else.
    """

    name: str  # items, queue, consensus …
    help: str
    parts: Callable[[Request], Iterable[Part]]


@dataclass(frozen=True, slots=True)
class Demo:
    """A table that comes with the package, and what is asked of it."""

    file: str  # in the folder `demo`
    given: Given


@dataclass(frozen=True, slots=True)
class Task:
    """A question about a table: what it takes, and what answers it. The command and the function are made from it."""

    name: str
    question: str
    roles: tuple[Role, ...]
    metrics: tuple[Metric, ...]  # everything it measures unless told otherwise
    study: Callable[[Sequence[str], Given], Study]  # from the table's columns, and roles and settings given
    headline: tuple[str, ...]  # the first of these that can be computed lead the report; "ndcg(at=*)": at any cut-off
    settings: tuple[Setting, ...] = ()
    sections: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # better words for a report's: title, lead
    engine: str = "auto"  # where the sums run unless told otherwise
    opens: Callable[[object, Given], tuple[Source, Given]] | None = None  # tables of its own kind
    owns: Callable[[str], bool] | None = None  # whether what is at a path is such a table, and nothing else
    screen: Screen | None = None  # what stands first: the answer, its evidence, what to do next
    example: str = ""  # a few lines that run, for the function and the page
    demo: Demo | None = None  # what `adjudge demo NAME` evaluates
    tables: tuple[str, ...] = ()  # kinds of table, made of other tools' files, that it can be asked of
    shapes: tuple[tuple[str, ...], ...] = ()  # roles that together make a table of its kind, to know one by
    takes_away: tuple[TakeAway, ...] = ()  # tables of rows or items that can be written to files
    cells: Callable[[Request, CellWidths], Cube] | None = (
        None  # counts the crossed cells of its tables, where they tell it
    )
    uncounted: str = "what it sums is not declared as counts of cells"  # why there are none, where there are none
    # Compares tables each of which is one side, where its systems are no columns: by names, with what is given of all.
    compares: Callable[[Task, Mapping[str, Source], Given, Callable[[str, int, int], None]], Outcome] | None = None
    # Of plain arrays that a statistic is made of, which role the first plays and which the second; options keep theirs.
    arrays: Mapping[type, tuple[str, str]] = field(default_factory=dict)
    flags: tuple[str, ...] = ()  # panels whose rows are flags: what lies beyond a limit, and how sure that is
