"""Go environments: a module cache and a build cache, each made once and shared read-only."""

from sdkbench.environments.go.go_mod import GoMod, Replacement, read_go_mod, read_go_work
from sdkbench.environments.go.provide import GoProvision, GoRequest, Lock, provide
from sdkbench.environments.go.toolchain import go_program

__all__ = [
    "GoMod",
    "GoProvision",
    "GoRequest",
    "Lock",
    "Replacement",
    "go_program",
    "provide",
    "read_go_mod",
    "read_go_work",
]
