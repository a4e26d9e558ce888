"""Every set by name, in the order they were written, and the file of docs/validation that has its figures."""

from __future__ import annotations

from bench.heldout.auditor import AUDITOR
from bench.heldout.bundles import BUNDLES
from bench.heldout.crossed import CROSSED
from bench.heldout.everyday_comparisons import EVERYDAY
from bench.heldout.field import FIELD
from bench.heldout.field_comparisons import COMPARED
from bench.heldout.first import DEVELOPMENT, HELD_OUT
from bench.heldout.further import FURTHER
from bench.heldout.mixed import MIXED
from bench.heldout.numbers import NUMBER_SETS
from bench.heldout.outside import OUTSIDE
from bench.heldout.rare import RARE
from bench.heldout.seldom import SELDOM
from bench.heldout.trade import TRADE
from bench.heldout.unequal import UNEQUAL
from bench.heldout.users import USERS

SETS = {
    "development": DEVELOPMENT,
    "held": HELD_OUT,
    "further": FURTHER,
    "mixed": MIXED,
    "users": USERS,
    "field": FIELD + COMPARED,
    "numbers": NUMBER_SETS,
    "auditor": AUDITOR,
    "everyday": EVERYDAY,
    "outside": OUTSIDE,
    "rare": RARE,
    "trade": TRADE,
    "crossed": CROSSED,
    "unequal": UNEQUAL,
    "seldom": SELDOM,
    "bundles": BUNDLES,
}
# Choices may look at the first set, whose figures are not kept.
WRITTEN = {name: f"{name}.csv" for name in SETS if name != "development"}
WRITTEN |= {"held": "heldout_drawn.csv", "numbers": "numbers_unseen.csv"}
