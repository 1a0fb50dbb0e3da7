"""The items that go with some others, each with its rule and bytes; the smallest valid set around some items; a trial
of the predicate on that set."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.classfile.symbolic.part_kinds import PartKind
from core.entries import Entries, class_files
from core.errors import UsageError
from core.model.item_model import ItemModel
from core.protocol.events import Companion, Exported, ImpactFound
from core.protocol.questions.background import CommandTried, TryCommand
from core.protocol.questions.explore import FindImpact
from core.protocol.questions.exports import ExportImpact
from core.service.aims import aim_of
from core.service.queries.desk import Desk
from core.service.queries.relations import Needs, finder
from core.sets import flags_of, mask_of, members
from core.system.work_folder import temporary_folder

MOST = 3000
"""Number of classes and members that are told."""

_SECONDS = 60.0
"""Time limit of a run of the smallest set, in seconds, where the user set none."""

_MEMBERS = (PartKind.FIELD, PartKind.METHOD)
Because = dict[int, tuple[int, str]]
"""For each variable, the item and the rule that make it go or stay; -1 after a free choice."""


class Impact:
    """The items that go with some others, or stay with them."""

    def __init__(self, detailed: ItemModel, wanted: list[int], kind: str) -> None:
        """Find the items. Raises UsageError where no valid set is without ``wanted``."""
        self.detailed, self.wanted = detailed, wanted
        self.around = kind == "around"
        if self.around:
            self.kept = self.found = detailed.least(wanted)
        else:
            gone = sum(1 << number for number in set(wanted))
            kept = detailed.logic.largest_without(detailed.full, gone)
            if kept is None:
                raise UsageError("This cannot go: every valid part of the input has it.")
            self.kept, self.found = kept, detailed.full & ~kept
        self._owners = detailed.owners
        self._flags = flags_of(self.found, len(detailed.items))
        self._sizes = np.asarray(detailed.sizes, np.int64)

    @property
    def weight(self) -> int:
        """Bytes of the items, estimated as a search does."""
        return int(self._sizes[self._flags].sum())

    def because(self) -> Because:
        """Return why each item goes or stays, breadth first from what was asked about."""
        formula = self.detailed.formula
        needs = Needs(self.detailed, 0 if self.around else 1)
        flags = np.ones(formula.variables, np.bool_)  # derived facts are passed through
        flags[: formula.items] = self._flags
        found: Because = dict.fromkeys(self.wanted, (-1, "asked for"))
        queue = deque(self.wanted)
        while queue:
            one = queue.popleft()
            for other, words in needs.of(one):
                if flags[other] and other not in found:
                    # A derived fact passes on its item and reason.
                    found[other] = found[one] if one >= formula.items else (one, words)
                    queue.append(other)
        return found

    def rows(self) -> Iterator[tuple[int, int]]:
        """Yield each class that goes or stays, and each such member of a partly affected class, with its bytes."""
        sizes = self._sizes
        for number, (first, end) in enumerate(self.detailed.parts):
            inside = self._flags[first:end]
            whole = bool(self._flags[number])
            if whole:
                yield number, int(sizes[number] + sizes[first:end][inside].sum())
            if inside.any() and (self.around or not whole):
                yield from self._members((np.flatnonzero(inside) + first).tolist())

    def _members(self, parts: list[int]) -> Iterator[tuple[int, int]]:
        """Yield the highest of the parts, with the bytes of the parts below; around an item, fields and methods
        alone."""
        detailed, classes = self.detailed, len(self.detailed.parts)
        sums: dict[int, int] = {}
        head: dict[int, int] = {}
        for part in parts:  # what holds a part stands before it
            above = detailed.parents[part]
            head[part] = head.get(above, part) if above >= classes else part
            sums[head[part]] = sums.get(head[part], 0) + detailed.sizes[part]
        yield from (
            (part, size) for part, size in sums.items() if not self.around or self.detailed.part_kinds[part] in _MEMBERS
        )

    def told(self) -> ImpactFound:
        """Return the answer: what has most bytes comes first."""
        detailed, because = self.detailed, self.because()
        rows = sorted(self.rows(), key=lambda row: (-row[1], row[0]))
        found = []
        for number, size in rows[:MOST]:
            why, rule = self._reason(number, because)
            found.append(
                Companion(detailed.items[number].name, size, detailed.items[why].name if why >= 0 else "", rule)
            )
        return ImpactFound(
            "around" if self.around else "with",
            found,
            list(
                members(mask_of(self._owners[self._flags].tolist(), len(detailed.items)) & detailed.model.class_items)
            ),
            self.found.bit_count(),
            self.weight,
        )

    def _reason(self, number: int, because: Because) -> tuple[int, str]:
        """Return why an item goes or stays; of several in a row within its own class the last."""
        owners = self._owners
        why, rule = because.get(number, (-1, "there was a choice"))
        while why >= 0 and owners[why] == owners[number] and because[why][0] >= 0:
            why, rule = because[why]
        return why, rule

    def entries(self) -> Entries:
        """Return the remaining entries."""
        return self.detailed.entries(self.kept)


def impact_of(desk: Desk, wish: FindImpact) -> Impact:
    """Return what goes with some items, or the smallest set around them. Raise UsageError for parts below members."""
    detailed = finder(desk).ties(wish.classpath).model
    unknown = [name for name in wish.items if name not in detailed.numbers]
    if unknown or not wish.items:
        raise UsageError("Choose classes, fields or methods: finer parts have no answer of their own.")
    wanted = [number for name in wish.items for number in detailed.whole(detailed.numbers[name])]
    return Impact(detailed, list(dict.fromkeys(wanted)), wish.kind)


def find_impact(desk: Desk, wish: FindImpact) -> ImpactFound:
    """Return what goes with some items, or the smallest valid set around them."""
    return impact_of(desk, wish).told()


def export_impact(desk: Desk, wish: ExportImpact) -> Exported:
    """Write the smallest valid set around some items, or what is left without them, as a jar."""
    path = Path(wish.path)
    desk.workspace.write(path, impact_of(desk, wish.wish).entries())
    return Exported(str(path), path.stat().st_size, "set")


def try_command(desk: Desk, wish: TryCommand) -> CommandTried:
    """Run the predicate on a class and its closure. Failures are those of this run, not of the whole input."""
    aim = aim_of(wish.settings, desk.workspace.opened.jar.inputs)
    library = tuple(map(str, aim.class_path))
    entries = impact_of(desk, FindImpact((wish.item,), "around", library)).entries()
    limit = aim.limits.seconds or _SECONDS
    predicate = aim.predicate(limit)
    try:
        title = "The command on the selected class"
        with temporary_folder() as folder, desk.background.run("trial", title, 2 * limit) as cancel:
            _, outcome = predicate.calibrated(entries, folder / "run", cancel)
    finally:
        predicate.close()
    said = (outcome.verdict.value, outcome.detail, outcome.seconds, outcome.stdout, outcome.stderr)
    return CommandTried(wish.item, len(class_files(entries)), *said)
