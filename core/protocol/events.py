"""All events under one roof, and the questions that some of them answer. Every listener sees the same stream.

Form and transport of events are in :mod:`core.protocol.wire`. The window, the command line's progress bar and the tests
listen, and ``jarlet reduce --json`` prints the lines.
"""

from core.protocol.input_events import *  # noqa: F403
from core.protocol.questions.background import *  # noqa: F403
from core.protocol.questions.bug import *  # noqa: F403
from core.protocol.questions.choosing import *  # noqa: F403
from core.protocol.questions.explore import *  # noqa: F403
from core.protocol.questions.exports import *  # noqa: F403
from core.protocol.questions.items import *  # noqa: F403
from core.protocol.run_events import *  # noqa: F403
from core.protocol.wire import Event as Event
from core.protocol.wire import Listener as Listener
from core.protocol.wire import pack as pack
from core.protocol.wire import to_all as to_all
from core.protocol.wire import to_line as to_line
