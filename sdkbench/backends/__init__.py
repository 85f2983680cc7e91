"""Prompt → text: the models that are measured, behind one async Protocol."""

from sdkbench.backends.protocol import Answer, Backend, BackendFailure, FailureKind, Opener, Setting
from sdkbench.backends.registry import BackendRegistry, open_backend
