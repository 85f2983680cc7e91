"""Whether tests of a language can run on this machine, and how it would be without any."""

import functools
import os
import shutil
from pathlib import Path

import pytest

from sdkbench.errors import MissingTool
from sdkbench.sandbox import choose
from sdkbench.test_harness.go.environment import toolchain as go_toolchain
from sdkbench.test_harness.java.maven import jdk, maven_program
from sdkbench.test_harness.rust.environment import toolchain as rust_toolchain

# SDKs of bundled samples whose language needs a toolchain on this machine.
LANGUAGES = {
    "bbolt": "go",
    "golang_jwt": "go",
    "redb": "rust",
    "jsonwebtoken": "rust",
    "okhttp": "java",
    "jackson": "java",
}


def needs(language: str) -> pytest.MarkDecorator:
    """Skips a test, with the reason, where the language's toolchain is missing or too old."""
    lack = _lack(language)
    return pytest.mark.skipif(lack is not None, reason=f"{language}: {lack}")


@functools.cache
def _lack(language: str) -> str | None:
    try:
        if language == "go":
            go_toolchain(choose())
        elif language == "rust":
            rust_toolchain()
        elif language == "java":
            jdk(choose())
            maven_program()
        elif language == "typescript" and shutil.which("npm") is None:
            return "npm is not on PATH"
    except MissingTool as error:
        return str(error)
    return None


def hide_toolchains(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """A PATH with the sandbox's programs and nothing else."""
    folder.mkdir()
    for name in ("bwrap", "sh"):
        program = shutil.which(name)
        assert program
        (folder / name).symlink_to(program)
    monkeypatch.setenv("PATH", os.fspath(folder))
    monkeypatch.delenv("JAVA_HOME", raising=False)
