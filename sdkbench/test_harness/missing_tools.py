"""Programs that a project's build asks for and this machine lacks, by what the build said."""

import re
from collections.abc import Callable, Sequence

from sdkbench.errors import MissingTool

NAME = r"[\w.+/-]+"
# In each, the program is the first group: as go, the shell, Java, Rust's build scripts and their
# usual libraries say it.
SIGNS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        rf'exec: "({NAME})": executable file not found in \$PATH',
        rf"^(?:\S*sh|/bin/\S+): (?:line )?\d+: (?:exec: )?({NAME}): not found$",
        rf"(?:^|: )({NAME}): command not found$",
        # Within a sentence of a package manager; a path that is not there is the project's own.
        (
            r"(?:^|[\s`'])(?:/\S*/)?(?:ba|da)?sh: (?:(?:line )?\d+: )?"
            r"([\w@+.-]+): (?:command )?not found"
        ),
        rf'Cannot run program "({NAME})"[^\n]*(?:error=2|No such file)',
        rf"Could not find `({NAME})` (?:installation|in)",
        rf"[Ii]s `({NAME})` not installed\?",
        rf"linker `({NAME})` not found",
        rf"failed to find tool \"({NAME})\"",
        rf"The ({NAME}) command could not be (?:found|run)",
        rf"Could not run `({NAME}) [^`]*`: No such file",
        rf"^env: ['\u2018]?({NAME})['\u2019]?: No such file or directory$",
    )
)


def missing_tool(text: str) -> str | None:
    """The program that was looked for and not found; None where the text tells of none."""
    for sign in SIGNS:
        match = sign.search(text)
        if match:
            return match[1]
    return None


def lack_of_tool(text: str) -> str | None:
    """A sentence on the missing program, and what to do."""
    name = missing_tool(text)
    return name and (
        f"The project's build needs {name}, which this machine lacks. Install it and run "
        "again, or pass --no-build to run the tests without a build."
    )


def refuse_lacks(errors: Sequence[str], *lacks: Callable[[str], str | None]) -> None:
    """Raise MissingTool where all that is wrong with a build is what this machine lacks: each error
    must be one that `lacks`, or the absence of a program, has a sentence for.
    """
    sentences = [
        next(filter(None, (lack(error) for lack in (*lacks, lack_of_tool))), None)
        for error in errors
    ]
    if sentences and sentences[0] is not None and all(sentences):
        raise MissingTool(sentences[0])
