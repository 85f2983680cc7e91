"""A client of `sdkbench serve`: solutions sent, verdicts back.

with Client("http://127.0.0.1:8643") as client:
    print(client.judge("jose/jose_tokens_001", answer=text).outcome)

`Client` and `AsyncClient` need the extra `client`.
"""

import importlib
from typing import TYPE_CHECKING

from sdkbench.client.calls import RequestRefused, ServiceUnavailable, is_genuine
from sdkbench.client.wire import Batch, Judgement, JudgementRequest, ListedSample, SampleTask

if TYPE_CHECKING:
    from sdkbench.client.asynchronous import AsyncClient
    from sdkbench.client.blocking import Client

_MODULES = {"Client": "blocking", "AsyncClient": "asynchronous"}


def __getattr__(name: str) -> object:
    """The extra is asked for where it is needed, and not by whoever reads the types."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
