"""All kinds of edits on whole programs."""

from __future__ import annotations

from core.edits.programs.exceptions import THROWS
from core.edits.programs.field_variables import FIELDS_AS_VARIABLES
from core.edits.programs.idle_members import ABSTRACT_CLASSES, CONSTANTS, NATIVE_BODIES
from core.edits.programs.merges.merging import MERGING, REGROUPING
from core.edits.programs.nesting import NESTING
from core.edits.programs.older_classes import VERSIONS
from core.edits.programs.program import RewritingKind
from core.edits.programs.replaced_types import SUPERTYPES
from core.edits.programs.shapes.inputs import INPUTS
from core.edits.programs.shapes.lambdas import LAMBDAS
from core.edits.programs.shapes.method_shapes import ARGUMENTS, RESULTS
from core.protocol.run_words import REWRITINGS

_ALL = (
    ABSTRACT_CLASSES,
    ARGUMENTS,
    CONSTANTS,
    FIELDS_AS_VARIABLES,
    INPUTS,
    LAMBDAS,
    MERGING,
    NATIVE_BODIES,
    NESTING,
    REGROUPING,
    RESULTS,
    SUPERTYPES,
    THROWS,
    VERSIONS,
)

_NAMED = {each.name: each for each in _ALL}
KINDS: dict[str, RewritingKind] = {name: _NAMED[name] for name in REWRITINGS}
"""The kinds by name, in the order in which a plan tries them."""
