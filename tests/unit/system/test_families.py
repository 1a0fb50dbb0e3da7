"""Commands are ended with all that came of them, however fast that multiplies."""

from __future__ import annotations

import os
import subprocess
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


CONTAINER = ["unshare", "-r", "-p", "-f", "--kill-child", "--mount-proc"]
ADOPTING = """
import time
from pathlib import Path
from core.system.processes.families import Family, has_ended
def sleeping():
    others = (path for path in Path("/proc").glob("[0-9]*/status") if path.parent.name != "1")
    return ["State:\\tS" in path.read_text() for path in others].count(True)
family = Family(["sh", "-c", "setsid sleep 96000 >&- 2>&- &"], Path("."))
while not (has_ended(family.process) and sleeping()):
    time.sleep(0.01)
family.kill()
family.wait()
print(sleeping())
"""
"""A daemon has lost its parent when its family is killed."""


def test_the_first_process_of_a_container_ends_daemons_too() -> None:
    if subprocess.run([*CONTAINER, "true"], capture_output=True, check=False).returncode:
        pytest.skip("needs the right to make a container")
    ran = subprocess.run([*CONTAINER, sys.executable, "-c", ADOPTING], capture_output=True, text=True, check=True)
    assert ran.stdout == "0\n"
