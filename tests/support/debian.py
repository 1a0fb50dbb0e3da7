"""Tests that need what ``packaging/setup.sh`` installs on Debian alone."""

from __future__ import annotations

import shutil

import pytest

needs_debian = pytest.mark.skipif(shutil.which("apt-get") is None, reason="this is no Debian")
