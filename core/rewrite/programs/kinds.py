"""All kinds of edits on whole programs."""

from __future__ import annotations

from core.protocol.run_words import REWRITINGS
from core.rewrite.programs.abstract_classes import ABSTRACT_CLASSES
from core.rewrite.programs.caught_types import CATCHES
from core.rewrite.programs.fields.enum_constants import CONSTANTS
from core.rewrite.programs.fields.local_fields import FIELDS_AS_VARIABLES
from core.rewrite.programs.merges.merging import MERGING, REGROUPING
from core.rewrite.programs.native_bodies import NATIVE_BODIES
from core.rewrite.programs.nesting import NESTING
from core.rewrite.programs.program import RewritingKind
from core.rewrite.programs.raw_types import SIGNATURES
from core.rewrite.programs.replaced_types import SUPERTYPES
from core.rewrite.programs.shapes.fewer_arguments import ARGUMENTS
from core.rewrite.programs.shapes.inputs import INPUTS
from core.rewrite.programs.shapes.lambdas import LAMBDAS
from core.rewrite.programs.shapes.void_results import RESULTS
from core.rewrite.programs.thrown import THROWS
from core.rewrite.programs.versions import VERSIONS

_ALL = (
    ABSTRACT_CLASSES,
    ARGUMENTS,
    CATCHES,
    CONSTANTS,
    FIELDS_AS_VARIABLES,
    INPUTS,
    LAMBDAS,
    MERGING,
    NATIVE_BODIES,
    NESTING,
    REGROUPING,
    RESULTS,
    SIGNATURES,
    SUPERTYPES,
    THROWS,
    VERSIONS,
)

KINDS: dict[str, RewritingKind] = {name: next(each for each in _ALL if each.name == name) for name in REWRITINGS}
"""The kinds by name, in the order in which a plan tries them."""
