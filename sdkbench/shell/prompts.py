"""The system prompt. Figures compare only within one version of it."""

from sdkbench.shell.dataset import Shell

VERSION = "1"

_SHELLS = {
    Shell.SH: "a POSIX sh, so keep to POSIX",
    Shell.BASH: "bash",
    Shell.ZSH: "zsh",
}


def system_prompt(shell: Shell) -> str:
    return (
        "You turn a request into one shell command. "
        f"It will be run by {_SHELLS[shell]}, on Linux, in the current directory. "
        "Answer with the command and nothing else: no explanation, no code fence, no prompt sign."
    )
