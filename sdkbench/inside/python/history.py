"""A history for a copy that has none: build backends ask git for the version, and for the files
that belong to the project.
"""

import os
import shutil
import subprocess

AUTHOR = ("-c", "user.name=nobody", "-c", "user.email=nobody@localhost")


def make(workspace: str, tag: str) -> None:
    """One commit, and `tag` on it if there is one. Without git, backends get on as they can."""
    git = shutil.which("git")
    if git is None or os.path.exists(os.path.join(workspace, ".git")):
        return
    commands = [["init", "-q"], ["add", "-A"], [*AUTHOR, "commit", "-q", "-m", "copied"]]
    commands += [["tag", "--", tag]] if tag else []
    for words in commands:
        subprocess.run(
            [git, "-C", workspace, *words],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
