"""Prompt → text: the models that are measured, behind one async Protocol."""

from sdkbench.backends.own_thread import on_own_thread
from sdkbench.backends.protocol import (
    Answer,
    Backend,
    BackendFailure,
    BackendRegistry,
    FailureKind,
    Opener,
    Setting,
    open_backend,
)
