"""The predicate that the settings ask for."""

from __future__ import annotations

from core.predicate import presets
from core.predicate.command import PredicateCommand
from core.predicate.jvm.host import HostShelf
from core.predicate.predicate import CommandPredicate, Predicate
from core.predicate.several.differ import differing
from core.protocol.settings import Settings
from core.service.meaning import class_path_of, condition_of, limits_of, wanted_by


def predicate_of(settings: Settings, timeout: float | None, shelf: HostShelf | None = None) -> Predicate:
    """A command with its condition, or a preset with its settings filled in; ``timeout`` where the user set none;
    ``shelf``: resident processes that stay for other predicates.

    Raises UsageError for what is filled in wrongly, PredicateError for tools that are missing.
    """
    limit = settings.timeout or timeout
    if settings.preset is None:
        command = PredicateCommand.parse(settings.predicate)
        return CommandPredicate(command, condition_of(settings), limit, limits=limits_of(settings))
    preset = presets.find(settings.preset)
    wanted = wanted_by(settings) if settings.failures is not None else None
    if preset.compares:
        return differing(
            preset, settings.options, class_path_of(settings), wanted, settings.warm, limit, limits_of(settings)
        )
    return preset.predicate(
        settings.options,
        class_path_of(settings),
        wanted,
        warm=settings.warm,
        timeout=limit,
        limits=limits_of(settings),
        also=settings.also_interesting,
        shelf=shelf,
    )
