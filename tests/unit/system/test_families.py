"""Commands are ended with all that came of them, however fast that multiplies."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.system.processes.families import Family

CHAIN = (
    "import os\nfor i in range(30):\n if os.fork(): os._exit(0)\n os.setsid()\n"
    "os.execve('/bin/sleep', ['sleep', '{}'], {{}})"
)
"""Each process starts another one and ends: whoever looks at one of them sees it gone."""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="marks are a matter of Linux")
def test_a_chain_of_processes_is_ended_wherever_it_is(tmp_path: Path, processes: Callable[[str], list[int]]) -> None:
    marker = f"96{os.getpid()}"
    for number in range(25):
        family = Family([sys.executable, "-S", "-c", CHAIN.format(marker)], tmp_path)
        time.sleep(0.01 + 0.0015 * number)
        family.kill()
        family.wait()
        for stream in (family.process.stdout, family.process.stderr):
            assert stream is not None
            stream.close()
        assert processes(marker) == []
