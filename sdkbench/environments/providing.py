"""What every language's `provide` shares: keys, and whose fault a failed installer was."""

import re
import time
from collections.abc import Callable

from sdkbench.core import Fault
from sdkbench.environments.cache import Cache
from sdkbench.environments.environment import Environment, Provision
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Completed


class Unresolvable(Exception):
    """The installer's own explanation of why the requirements give no environment."""


def provided(cache: Cache, make: Callable[[], Environment]) -> Provision:
    """What `make` makes or finds, or why the requirements give no environment."""
    began = time.monotonic()
    try:
        environment = make()
    except Unresolvable as failure:
        return refused(failure, began)
    return Provision(
        environment=environment,
        built=environment.key in cache.built,
        duration_seconds=time.monotonic() - began,
    )


def refused(failure: Unresolvable, began: float) -> Provision:
    """No environment, and why; `began` is when asking for it did (monotonic)."""
    return Provision(
        failure=str(failure),
        fault=Fault.INSTALL,
        output=str(failure),
        duration_seconds=time.monotonic() - began,
    )


def not_installed() -> EnvironmentFault:
    return EnvironmentFault(
        "The dependencies are not installed yet, and installing was switched off. "
        "Run once without --no-install."
    )


def blame(
    done: Completed, text: str, verb: str, *, network: re.Pattern[str], disk: re.Pattern[str]
) -> Unresolvable | EnvironmentFault:
    """The machine's fault raises, the requirements' explains; `text` is the installer's word."""
    if done.stopped_by is not None or done.signal is not None:
        return EnvironmentFault(f"Cannot {verb} dependencies: the installer was {done.ending()}.")
    if network.search(text):
        return EnvironmentFault(
            f"Cannot {verb} dependencies: the package registry was not reachable.\n{text}\n"
            "Check the network, the proxy and the registry settings, then run again."
        )
    if disk.search(text):
        return EnvironmentFault(
            f"Cannot {verb} dependencies: the disk is full or not writable.\n{text}\n"
            "Free some space (`sdkbench cache gc --max-size 5G`), then run again."
        )
    return Unresolvable(text)
