"""Every exception of SDKBench, and the exit code each ends the program with.

    SdkbenchError                  3
    ├── InputError                 2   the user's flags, files or folders
    │   ├── ArgumentError          2   what a public function of the package was called with
    │   ├── SampleError            2   a sample on disk is broken
    │   ├── NoRunner               2   no runner recognises the folder
    │   └── StoreError             2   what was named is no store of ours, or has no such run
    ├── GateNotMet                 1   a threshold the user asked for
    ├── HarnessFault               3   ours or the machine's, never the solution's
    │   ├── MissingTool            3   a program that must be installed first
    │   ├── SandboxFault           3   the sandbox did not start or did not end
    │   ├── EnvironmentFault       3   dependencies could not be fetched
    │   │   └── DiskFault          3   the cache folder cannot be written, or is full
    │   ├── PluginFault            3   a plugin is broken or clashes
    │   └── StoreFault             3   the store is locked, full, read-only or out of reach
    └── Cancelled                  130 the user stopped the run

An outcome of the judged code (a failing test, a build error, a timeout) is data, not an exception.
"""

from enum import IntEnum


class ExitCode(IntEnum):
    OK = 0
    GATE_NOT_MET = 1
    BAD_INPUT = 2
    HARNESS_FAULT = 3
    INTERRUPTED = 130


class SdkbenchError(Exception):
    """A problem told to the user as one sentence of what, why and what to do next."""

    exit_code = ExitCode.HARNESS_FAULT


class InputError(SdkbenchError):
    exit_code = ExitCode.BAD_INPUT


class ArgumentError(InputError, ValueError):
    pass


class SampleError(InputError):
    pass


class NoRunner(InputError):
    pass


class StoreError(InputError):
    pass


class GateNotMet(SdkbenchError):
    exit_code = ExitCode.GATE_NOT_MET


class HarnessFault(SdkbenchError):
    pass


class MissingTool(HarnessFault):
    pass


class SandboxFault(HarnessFault):
    pass


class EnvironmentFault(HarnessFault):
    pass


class DiskFault(EnvironmentFault):
    pass


class PluginFault(HarnessFault):
    pass


class StoreFault(HarnessFault):
    pass


class Cancelled(SdkbenchError):
    exit_code = ExitCode.INTERRUPTED
