"""The wire format of events and commands: one JSON object a line.

On the wire a message is an object whose key ``event`` or ``command`` names its class, as words with underscores
(``{"event": "session_kept", "path": ...}``); the other keys are the class's fields. A class is declared once;
its name on the wire and the types that are checked follow from the declaration. A subclass of :class:`Message` is a
frozen dataclass without a decorator.
Rows of a message are named tuples, declared beside it, and travel as lists. Item sets travel as base64 of little-endian
packed bits, bit *i* of the stream is item *i* (``numpy.unpackbits(..., bitorder="little")`` reads it back).

This is Python's own ``json`` and not msgspec because a path may hold bytes that are no UTF-8 (halves of surrogate pairs
in Python): msgspec 0.22 raises UnicodeEncodeError for such a path when it writes, and DecodeError when it reads
(``msgspec.json.decode(b'"\\udcff"')``). It would save 15 of the 18 us that one event takes to be written and read.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Annotated, Any, ClassVar, Generic, TypeVar, dataclass_transform, get_args, get_type_hints

from core import values as check
from core.errors import UsageError
from core.protocol.settings import Settings

PROTOCOL = 6
"""Version of events and commands. Version 1 called candidates that are not interesting *boring*. Up to version 2 each
answer had a field for its own error; now ``failed`` names the ``request``. Up to version 4 *source* was also the path
of an input, the origin of an answer, a kind of evidence, and one end of a class edge. Up to version 5 rows were lists
that ran parallel, or objects."""


Number = Annotated[int, check.Whole(0, check.LARGEST)]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Message:
    """Base of all events and commands."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True)(cls)

    @property
    def name(self) -> str:
        """The word that stands in the JSON."""
        return name_of(type(self))


class Event(Message):
    """Base of all events: what the engine tells."""


class Progress(Event):
    """Base of the events of which a run tells hundreds per second: a window takes them in batches."""


class Reply(Event):
    """Base of the events for the one that asked. ``request`` is the number of the question."""

    request: int = field(default=0, kw_only=True)


class Command(Message):
    """Base of all commands: what the engine is asked for."""


Listener = Callable[[Event], None]
E = TypeVar("E", bound=Event)
M = TypeVar("M", bound=Message)


class Question(Command, Generic[E]):
    """Base of the commands that are answered beside a run, each by one or several events of the types ``E``. Of these,
    an :class:`Reply` is for the one that asked, any other event for all. An error is answered by ``failed``.

    A subclass names the function that answers, in :mod:`core.service.queries`: ``by="module.function"``. With
    ``newest``, of the questions of a class that arrive during an answer the newest alone is answered. ``arrives`` names
    a function that is called with each of them when it comes, before its turn.
    """

    request: Number = field(default=0, kw_only=True)
    by: ClassVar[str]
    newest: ClassVar[bool]
    arrives: ClassVar[str]

    def __init_subclass__(cls, by: str, newest: bool = False, arrives: str = "") -> None:
        super().__init_subclass__()
        cls.by, cls.newest, cls.arrives = by, newest, arrives


def to_all(*listeners: Listener) -> Listener:
    """Return a listener that hands each event to ``listeners``, in their order.

    An error of one listener is raised after all of them have had the event.
    """

    def listen(event: Event) -> None:
        errors = []
        for listener in listeners:
            try:
                listener(event)
            except BaseException as error:
                errors.append(error)
        if errors:
            raise errors[0]

    return listen


def pack(items: int, count: int) -> str:
    """Return the packed bits of ``items`` among ``count`` items in base64."""
    return base64.b64encode(items.to_bytes((count + 7) // 8, "little")).decode("ascii")


def to_line(message: Message) -> str:
    """Return one line of JSON, without the line end; ASCII only."""
    key = "command" if isinstance(message, Command) else "event"
    return json.dumps({key: message.name, **vars(message)}, separators=(",", ":"), default=_plain)


def name_of(cls: type[Message]) -> str:
    """Return the name of an event or a command on the wire."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower()


def known(base: type[M]) -> dict[str, type[M]]:
    """Return all events, or all commands, by their names; of those whose modules are loaded. Bases are left out."""
    found: dict[str, type[M]] = {}
    for cls in base.__subclasses__():
        found |= known(cls) or {name_of(cls): cls}
    return found


def event_from(line: str | bytes, classes: Mapping[str, type[Event]]) -> Event:
    """Return the event on a line of an engine of ours. Its fields are not checked again; unknown ones are ignored.
    Raise ValueError, KeyError, TypeError, AttributeError and UsageError for anything else."""
    data = json.loads(line)
    cls = classes[data.pop("event")]
    names = {part.name for part in fields(cls)}
    found = {key: value for key, value in data.items() if key in names}
    if "settings" in found and check.hints_of(cls)["settings"] is Settings:
        found["settings"] = Settings.from_json(found["settings"])
    return cls(**_with_rows(cls, found))


def _with_rows(cls: type, values: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a message, or of a row, with rows of their classes."""
    for name, kind in _kinds_of_rows(cls).items():
        if name in values:
            rows = (dict(zip(kind._fields, map(_frozen, row), strict=True)) for row in values[name])
            values[name] = [kind(**_with_rows(kind, row)) for row in rows]
    return values


@cache
def _kinds_of_rows(cls: type) -> dict[str, Any]:
    inner = {name: get_args(hint) for name, hint in get_type_hints(cls).items()}
    return {name: kinds[0] for name, kinds in inner.items() if kinds and hasattr(kinds[0], "_fields")}


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def parse_command(line: str) -> tuple[str, dict[str, Any]]:
    """Return the name and fields of the command on a line. Raise UsageError."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"This line is not a JSON object: {error}.") from error
    if not isinstance(values, dict) or not isinstance(values.get("command"), str):
        raise UsageError("A command is an object with a key 'command'.")
    return values.pop("command"), values


def command_from(name: str, values: Mapping[str, Any]) -> Command:
    """Return the command of that name with these fields, each of its declared type. Raise UsageError."""
    cls = known(Command).get(name)
    if cls is None:
        raise UsageError(f"There is no command {name!r}.")
    made: Command = check.record(cls, values, lambda part: f"field {part!r}")
    return made


def _plain(value: Any) -> dict[str, Any]:
    """Return settings, or a message within another one, as an object."""
    return (
        value.to_json()
        if isinstance(value, Settings)
        else {each.name: getattr(value, each.name) for each in fields(value)}
    )
