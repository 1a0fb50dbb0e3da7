"""A model that cannot fit is refused before it is begun, in a sentence that says what to do."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.system.budget import refuse_if_model_too_large


def test_a_model_larger_than_any_memory_is_refused() -> None:
    with pytest.raises(InputError, match=r"big\.jar: the model below the class of its 50,000 classes .*algorithm auto"):
        refuse_if_model_too_large("big.jar", 1 << 50, 50_000)


def test_a_small_one_is_not() -> None:
    refuse_if_model_too_large("small.jar", 1_000, 10)
