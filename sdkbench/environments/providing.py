"""Old names, until every language has a Recipe."""

import re
import time
from collections.abc import Callable

from sdkbench.environments.cache import Cache
from sdkbench.environments.environment import Environment, Provision
from sdkbench.environments.installation import InstallerSigns, Unresolvable, not_installed, refused
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Completed

__all__ = ["Unresolvable", "blame", "not_installed", "provided", "refused"]


def provided(cache: Cache, make: Callable[[], Environment]) -> Provision:
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


def blame(
    done: Completed, text: str, verb: str, *, network: re.Pattern[str], disk: re.Pattern[str]
) -> Unresolvable | EnvironmentFault:
    return InstallerSigns(network, disk).explain(done, verb, text)
