"""Programs that a build missed, in the words of whoever missed them."""

import pytest

from sdkbench.errors import MissingTool
from sdkbench.test_harness.missing_tools import missing_tool, refuse_lacks

SAID = {
    'go: cgo: exec: "pkg-config": executable file not found in $PATH': "pkg-config",
    "sh: 1: bun: not found": "bun",
    "/bin/sh: 3: protoc: not found": "protoc",
    "./build.sh: line 3: cmake: command not found": "cmake",
    'Cannot run program "protoc" (in directory "/w"): error=2, No such file or directory': "protoc",
    "thread 'main' panicked: Could not find `protoc` installation and this build": "protoc",
    "failed to execute command: No such file or directory\nis `cmake` not installed?": "cmake",
    "error: linker `lld` not found": "lld",
    'error occurred: failed to find tool "c++": No such file (os error 2)': "c++",
    "The pkg-config command could not be found.": "pkg-config",
}


@pytest.mark.parametrize("text", SAID)
def test_the_missing_program_is_named(text: str) -> None:
    assert missing_tool(f"before\n{text}\nafter") == SAID[text]
    with pytest.raises(MissingTool, match="which this machine lacks"):
        refuse_lacks([text])
    refuse_lacks([text, "main.go:3: undefined: x"])  # that much is the project's own
    refuse_lacks([])


@pytest.mark.parametrize(
    "text",
    ["", "page: not found", "error: package `x` not found", "main.go:3: undefined: command"],
)
def test_other_errors_are_the_projects_own(text: str) -> None:
    assert missing_tool(text) is None
    refuse_lacks([text])
