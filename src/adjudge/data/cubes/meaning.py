"""What the cells of a cube are of: its file says it as JSON, and two cubes that are added must say the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from adjudge.data.cubes.grid import BITS, CubeGrid, grid_of
from adjudge.data.systems import SystemRoles
from adjudge.errors import InputError, SettingError, listed, literal, quoted

FORMAT = "adjudge.cube/1"
KNOWN_FORMAT = re.compile(r"adjudge\.cube/1(\.\d+)?")  # a later minor version adds members, which are kept
KEY = b"adjudge.cube"
BAG = "bag"  # the column of which units the rows of a cell are of
ROWS_IN_BAGS = "(bag of rows)"
LARGEST = "(largest score of {})"  # what is read as a decision where the largest of several scores decides
CELL = "cell"  # the columns of cells of scores, each with its name
SUMS = ("score_sum", "loss_sum", "error_sum")  # over the rows of a cell: score, surprise, squared error; weighted
SUMMED = WEIGHTS, SQUARES = "w", "w2"  # the weight of a cell's rows, and its squares
# What two cubes that are added need not have in common: it adds, too.
OWN = ("format", "sources", "contents", "versions", "merged", "rows_read", "rows_used", "left_out", "min_cell")


class CubeSystem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A system, with the columns that its answers were in."""

    name: str
    prediction: str | None = None
    score: str | None = None
    scores: dict[str, str] = {}  # by label, where each has a score

    @property
    def score_columns(self) -> dict[str, str]:
        """By what the file calls the cells of a score, the column of the table that it was in."""
        lone = {} if self.score is None else {self.name: self.score}
        return lone | {name: self.scores[label] for name, label in self.labels.items()}

    @property
    def labels(self) -> dict[str, str]:
        """By what the file calls the cells of a score, the label that it speaks of, where each has a score."""
        return {f"{self.name}:{label}": label for label in self.scores}


class CubeMeaning(msgspec.Struct, frozen=True, kw_only=True):
    """What the cells are of."""

    format: str = FORMAT
    task: str
    unit: str = "row"
    reference: str = ""  # none where raters are held against one another
    systems: tuple[CubeSystem, ...] = ()
    slices: tuple[str, ...]
    raters: tuple[str, ...] = ()
    keys: dict[str, str] = {}  # of rows that are read one by one: columns of the file, and of the table
    numbers: tuple[str, ...] = ()  # those of them that are numbers
    needed: tuple[str, ...] = ()  # those of them without which a row is left out
    rounded: dict[str, float] = {}  # columns of the table whose numbers were, to multiples of a step
    settings: dict[str, object] = {}  # how else what the cells hold is read
    applied: dict[str, object] = {}  # settings that made the cells what they are, and are not asked for again
    positive: str | None = None
    weight: str | None = None
    cluster: str | None = None
    bags: int = 0  # of clusters, or of rows that differ in weight; 0: every row counts one, and stands for itself
    grids: dict[str, CubeGrid] = {}  # the cells of each score, by what the file calls them
    rows_read: int | None = None  # of all tables, where it is known
    rows_used: int | None = None
    left_out: dict[str, int] = {}  # rows, by reason
    sources: dict[str, str] = {}  # by fingerprint, what each was called
    contents: dict[str, str] = {}  # the same by the digest of what was counted, in whatever order and format
    min_cell: int = 0  # the fewest rows that were asked of a cell when it was made fit to be shared
    merged: tuple[str, ...] = ()  # what was joined for that
    versions: dict[str, str] = {}

    @property
    def label_columns(self) -> dict[str, str]:
        """The columns of labels in the file, each with the column of the table that it was."""
        columns = {name: name for name in self.slices}
        if self.of_rows:
            return columns | {f"rating:{name}": name for name in self.raters} | self.keys
        columns["reference"] = self.reference
        return columns | {f"prediction:{s.name}": s.prediction for s in self.systems if s.prediction is not None}

    @property
    def of_rows(self) -> bool:
        """Whether a cell holds everything of its rows, which are then read one by one; otherwise, sums over them."""
        return bool(self.raters or self.keys)

    @property
    def scored(self) -> dict[str, str]:
        """The scores that are counted in cells: of a system, or of a system and label, each with its column."""
        return {name: column for one in self.systems for name, column in one.score_columns.items()}

    def grid(self, score: str) -> CubeGrid:
        """The cells of a score."""
        return self.grids[score] if score in self.grids else grids_of(self.systems)[score]

    @property
    def given(self) -> dict[str, object]:
        """The roles and settings that the cells are evaluated with, but for slices."""
        if self.of_rows:
            raters = {"raters": list(self.raters)} if self.raters else {}
            return {**raters, "engine": "stream", **self.settings}
        systems = {
            one.name: {
                role: column
                for role, column in (("prediction", one.prediction), ("score", one.scores or one.score))
                if column is not None
            }
            for one in self.systems
        }
        units = {"positive": self.positive, "weight": self.weight, "cluster": self.unit_column}
        known = {role: value for role, value in units.items() if value is not None}
        return {"reference": self.reference, "systems": systems, **known, **self.settings}

    @property
    def unit_column(self) -> str | None:
        """What bags are read as: the column of clusters, or a name of their own."""
        own = self.cluster if self.cluster is not None else ROWS_IN_BAGS
        return own if self.bags else None

    @property
    def wrong(self) -> str:
        """Why no cells can mean this; empty where they can."""
        if wrong := {*self.numbers, *self.needed} - {*self.keys} | {*self.label_columns} & {"n", BAG}:
            return f"{listed(sorted(wrong))} cannot be a key of them"
        if strange := sorted({*self.grids} - {*self.scored}):
            return f"{quoted(strange[0])} has no scores to be in cells"
        return next((grid.wrong for grid in self.grids.values() if grid.wrong), "")

    def __add__(self, other: CubeMeaning) -> CubeMeaning:
        """What the cells of both are of, where they mean the same; the same table twice is refused."""
        if twice := sorted({*self.sources} & {*other.sources} - {""}):
            raise InputError(
                f"A table must be counted once, but {quoted(self.sources[twice[0]])} is in both cubes. Leave one out."
            )
        differing = [
            name for name in self.__struct_fields__ if name not in OWN and getattr(self, name) != getattr(other, name)
        ]
        if differing:
            settings = _differing_settings(self.settings | self.applied, other.settings | other.applied)
            raise InputError(
                "Cubes must be of the same roles and cells to be added, but they differ in "
                f"{listed(differing)}{settings}. Count the tables alike."
            )
        reasons = dict.fromkeys([*sorted({*self.left_out, *other.left_out})])
        return replace_meaning(
            self,
            format=max(self.format, other.format, key=_minor),
            sources=dict(sorted((self.sources | other.sources).items())),
            contents=dict(sorted((self.contents | other.contents).items())),
            merged=tuple(dict.fromkeys(self.merged + other.merged)),
            rows_read=_added(self.rows_read, other.rows_read),
            rows_used=_added(self.rows_used, other.rows_used),
            left_out={reason: self.left_out.get(reason, 0) + other.left_out.get(reason, 0) for reason in reasons},
            min_cell=min(self.min_cell, other.min_cell),
        )


def counted_system(system: SystemRoles) -> CubeSystem:
    """Where a system's answers are counted; the largest of several scores is a decision, if there is no other.

    >>> counted_system(SystemRoles("m", None, (("a", "p_a"), ("b", "p_b"))))
    CubeSystem(name='m', prediction='(largest score of m)', score=None, scores={'a': 'p_a', 'b': 'p_b'})
    """
    lone = system.scores[0][1] if system.has_one_score else None
    scores = {} if system.has_one_score else {str(label): column for label, column in system.scores}
    decided = LARGEST.format(system.name) if scores and system.prediction is None else system.prediction
    return CubeSystem(system.name, decided, lone, scores)


def grids_of(
    systems: Sequence[CubeSystem], thresholds: Sequence[float] = (), k: int | None = None
) -> dict[str, CubeGrid]:
    """The cells of each score: they begin at its threshold, or at 0.5 where nothing else decides.

    Scores of several labels are crossed, and have together about as many cells as a lone one has by itself.

    >>> lone, three = CubeSystem("a", score="p"), CubeSystem("b", "guess", scores={"x": "p", "y": "q", "z": "r"})
    >>> [(name, 2**grid.k) for name, grid in grids_of([lone, three]).items()]
    [('a', 4096), ('b:x', 64), ('b:y', 64), ('b:z', 64)]
    """
    usual = [() if one.prediction is not None else (0.5,) for one in systems]
    cuts = [(cut,) for cut in thresholds] or usual
    return {
        name: grid_of(k or max(BITS // max(len(one.scores) - 1, 1), 1), () if one.scores else cut)
        for one, cut in zip(systems, cuts, strict=True)
        for name in one.score_columns
    }


def replace_meaning(meaning: CubeMeaning, **changes: object) -> CubeMeaning:
    """The same with other members."""
    return msgspec.structs.replace(meaning, **changes)


def check_meaning(meaning: CubeMeaning) -> None:
    """Refuse slices that have the name of another column of the file, or are the units that bags are of.

    And several systems in bags, whose differences are drawn row by row: nothing could be asked of such cells.
    """
    own = [*replace_meaning(meaning, slices=()).label_columns, BAG, "n", *(SUMMED if meaning.weight else ())]
    own += [f"{what}:{name}" for name in meaning.scored for what in (CELL, *SUMS)]
    if taken := sorted({*meaning.slices} & {*own}):
        raise SettingError(
            f"A slice of a cube must not be called {quoted(taken[0])}, which the file calls something else. Rename it."
        )
    scores = [name for one in meaning.systems for name in one.score_columns]
    if twice := sorted({name for name in scores if scores.count(name) > 1}):
        raise SettingError(f"Scores of a cube must have names of their own, but {quoted(twice[0])} is two. Rename one.")
    if meaning.cluster in meaning.slices:
        raise SettingError(
            f"A slice of a cube must not be what rows are drawn by, but {quoted(meaning.cluster)} is, and is kept in "
            "bags. Leave it out, or copy it under another name."
        )
    if meaning.bags and len(meaning.systems) > 1:
        raise SettingError(
            "Cells of weights or clusters must be of one system, because several are compared row by row, but there "
            f"are {len(meaning.systems)}. Count each by itself, or evaluate the table."
        )


def _differing_settings(mine: dict[str, object], theirs: dict[str, object]) -> str:
    name = next((name for name in sorted({*mine, *theirs}) if mine.get(name) != theirs.get(name)), None)
    if name is None:
        return ""
    one, other = (literal(of[name]) if name in of else "not given" for of in (mine, theirs))
    return f" (`{name}` is {one} in one and {other} in the other)"


def _minor(written: str) -> int:
    return int(written.partition("/")[2].partition(".")[2] or 0)


def _added(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
