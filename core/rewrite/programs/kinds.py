"""All kinds of edits on whole programs, in the order in which a plan tries them: cheap and likely kinds first.

A new kind is a module with a declaration (``@kind``), and a line here.
"""

from __future__ import annotations

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
    SIGNATURES,
    CONSTANTS,
    NESTING,
    THROWS,
    ARGUMENTS,
    RESULTS,
    LAMBDAS,
    FIELDS_AS_VARIABLES,
    CATCHES,
    SUPERTYPES,
    MERGING,
    REGROUPING,
    INPUTS,
    ABSTRACT_CLASSES,
    NATIVE_BODIES,
    VERSIONS,
)

KINDS: dict[str, RewritingKind] = {each.name: each for each in _ALL}
"""The kinds by name."""
