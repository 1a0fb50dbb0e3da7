"""The default: coarse to fine, each phase from the last one's result, as long as it pays."""

from __future__ import annotations

from core.search.reducers.binary import SMALL_CLASSES
from core.search.reducers.method_bodies import BODIES
from core.search.reducers.needed_items import AGAIN, NEEDED
from core.search.reducers.unread_parameters import PARAMETERS
from core.search.reducers.valid_minimal import MINIMAL
from core.search.specs import algorithm

algorithm(
    "auto",
    "Automatic",
    "Coarse to fine: classes, then their members and attributes, then the instructions of the methods, as long "
    "as it pays. Every candidate is valid bytecode; the smallest results.",
    place=10,
    rounds=6,
    repeated=4,
)(SMALL_CLASSES, NEEDED, AGAIN, BODIES, PARAMETERS, MINIMAL)
