"""The predicate that the settings ask for."""

from __future__ import annotations

from core.predicate import presets
from core.predicate.command import Command
from core.predicate.predicate import CommandPredicate, Predicate
from core.service.settings import Settings


def predicate_of(settings: Settings, timeout: float | None) -> Predicate:
    """A command with its condition, or a preset with its settings filled in; ``timeout`` where the user set none.

    Raises UsageError for what is filled in wrongly, PredicateError for tools that are missing.
    """
    limit = settings.timeout or timeout
    if settings.preset is None:
        command = Command.parse(settings.predicate)
        return CommandPredicate(command, settings.condition(), limit, limits=settings.limits)
    preset = presets.find(settings.preset)
    wanted = settings.wanted if settings.failures is not None else None
    return preset.predicate(
        settings.options,
        settings.class_path,
        wanted,
        warm=settings.warm,
        timeout=limit,
        limits=settings.limits,
        also=settings.also_interesting,
    )
