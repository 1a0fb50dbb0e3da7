"""The connection to a Dask cluster that is there already, found by the address of its scheduler."""

from __future__ import annotations

from typing import Any

from core.errors import UsageError

_PATIENCE = 10.0
"""Seconds to wait for the scheduler."""


def connected(address: str) -> Any:
    """Return a ``distributed.Client`` of the cluster, which has workers.

    Raises UsageError when ``dask.distributed`` is not installed, nobody answers, or there are no workers.
    """
    try:
        import distributed
    except ImportError as error:
        raise UsageError(
            "A cluster needs the package dask.distributed: install it with pip install 'jarlet[dask]'."
        ) from error
    try:
        client: Any = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
        threads = threads_of(client)
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(
            f"No Dask scheduler answers at {address} ({str(error) or type(error).__name__}). "
            "Give its address as it prints it: tcp://HOST:PORT."
        ) from error
    if not threads:
        client.close()
        raise UsageError(f"The cluster at {address} has no workers: start some with 'dask worker {address}'.")
    return client


def threads_of(client: Any) -> int:
    """Return the number of tasks that the cluster's workers run at a time."""
    return sum(workers_of(client).values())


def workers_of(client: Any) -> dict[str, int]:
    """Return the number of threads of each worker, by address. Raise TimeoutError if the scheduler does not answer."""
    return dict(client.sync(client.scheduler.ncores, callback_timeout=_PATIENCE))
