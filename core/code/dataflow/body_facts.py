"""Facts about the original code of a method, each computed on first use."""

from __future__ import annotations

from functools import cached_property

from core.classfile.descriptors import method_types
from core.classfile.opcodes import KINDS
from core.code.blocks import Flow
from core.code.dataflow.idle_jumps import idle_jumps
from core.code.dataflow.locals import access_of
from core.code.dataflow.parameters import Parameter, parameters_of
from core.code.dataflow.regions import Region, regions_of
from core.code.dataflow.unfinished import unmade_loads
from core.code.dataflow.webs import Web, webs_of


class BodyFacts:
    """Of one method."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow

    @cached_property
    def unmade_loads(self) -> frozenset[int]:
        """Offsets of loads of an object whose constructor has not been called."""
        found = self._unmade
        if found is not None:
            return found
        ops = (op for block in self._flow.blocks for op in block.ops)
        return frozenset(op.offset for op in ops if (access := access_of(op)) and access.kind == "Lnull;")

    @cached_property
    def _unmade(self) -> frozenset[int] | None:
        return unmade_loads(self._flow)

    @cached_property
    def webs(self) -> list[Web]:
        """Those that can go: of no object whose constructor has not been called."""
        unmade = self.unmade_loads
        return [web for web in webs_of(self._flow) if unmade.isdisjoint((*web.reads, *web.writes))]

    @cached_property
    def regions(self) -> dict[int, Region]:
        """Block -> the region that begins there, if it can be gone round."""
        return regions_of(self._flow) if self.is_plain else {}

    @cached_property
    def idle_jumps(self) -> frozenset[int]:
        """Blocks whose jump leads where control goes anyway."""
        return idle_jumps(self._flow)

    @cached_property
    def parameters(self) -> list[Parameter]:
        """Those that nothing writes."""
        return parameters_of(self._flow)

    @cached_property
    def asked(self) -> Parameter | None:
        """The parameter that conditions may ask for: a number, or else an object, the receiver last."""
        has_receiver = len(self._flow.initial) > len(method_types(self._flow.descriptor)[0])
        found = [one for one in self.parameters if one.kind in (KINDS[0], KINDS[-1])]
        return min(found, key=lambda one: (has_receiver and not one.slot, one.kind, one.slot), default=None)

    @property
    def is_plain(self) -> bool:
        """Return True if no variable but the receiver's holds an object whose constructor has not been called."""
        return self._unmade is not None
