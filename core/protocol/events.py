"""Events of a run, for all listeners: one frozen dataclass an event, one JSON line each.

The window, the command line's progress bar, ``jarlet reduce --json`` and the tests see the same stream. What an event
is and how it travels stands in :mod:`core.protocol.wire`, the events of a check and a reduction in
:mod:`core.protocol.run_events`, those of the input and of questions beside a run in :mod:`core.protocol.input_events`,
:mod:`core.protocol.bug_events` and :mod:`core.protocol.explore_events`; all of them are here under one roof.
"""

from core.protocol.bug_events import *  # noqa: F403
from core.protocol.explore_events import *  # noqa: F403
from core.protocol.input_events import *  # noqa: F403
from core.protocol.run_events import *  # noqa: F403
from core.protocol.wire import Event as Event
from core.protocol.wire import Listener as Listener
from core.protocol.wire import pack as pack
from core.protocol.wire import to_all as to_all
from core.protocol.wire import to_line as to_line
from core.protocol.wire import unpack as unpack
