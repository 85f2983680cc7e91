"""Python environments, made by uv."""

from sdkbench.environments.python.manifest import Declared, declared_requirements
from sdkbench.environments.python.provide import PythonRequest, provide, site_packages

__all__ = [
    "Declared",
    "PythonRequest",
    "declared_requirements",
    "provide",
    "site_packages",
]
