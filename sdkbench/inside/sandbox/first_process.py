"""First process inside every sandbox: fills the workspace, sets limits, becomes the command.

Runs as a script with a JSON order as its only argument, under the harness's own interpreter but
without its packages: only the standard library is here. It writes one byte to `started_fd` when
all is ready; without that byte a failure is the sandbox's, never the judged code's.
"""

import json
import os
import resource
import shutil
import sys

TYPE_CHECKING = False  # importing typing would delay every start of a sandbox
if TYPE_CHECKING:
    from typing import TypedDict

    class StartOrder(TypedDict):
        copies: list[tuple[str, str, bool]]  # source, target, whether the source is a tar file
        links: list[tuple[str, str]]
        cwd: str
        rlimits: dict[str, int]
        started_fd: int
        argv: list[str]


def main() -> None:
    order: StartOrder = json.loads(sys.argv[1])
    for source, target, packed in order["copies"]:
        copy(source, target, packed=packed)
    for source, target in order["links"]:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.symlink(source, target)
    os.makedirs(order["cwd"], exist_ok=True)
    os.chdir(order["cwd"])
    for name, value in order["rlimits"].items():
        lower(getattr(resource, name), value)
    os.write(order["started_fd"], b"\1")
    os.close(order["started_fd"])
    argv = order["argv"]
    try:
        os.execvpe(argv[0], argv, os.environ)
    except OSError as error:
        sys.stderr.write(f"{argv[0]}: {error.strerror}\n")
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


def copy(source: str, target: str, *, packed: bool) -> None:
    """Files and folders as they are; links as links, so nothing outside is read."""
    if packed:
        import subprocess  # noqa: PLC0415 - rarely needed, and slow to load

        os.makedirs(target, exist_ok=True)
        subprocess.run(["tar", "-x", "--no-overwrite-dir", "-f", source, "-C", target], check=True)  # noqa: S607 - PATH is ours
    elif os.path.isdir(source):
        shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
        make_writable(source, target)
    else:
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
        shutil.copy2(source, target, follow_symlinks=False)


def make_writable(source: str, target: str) -> None:
    """A read-only folder in a solution must not stop its own code from writing there.

    Only folders that were copied: others below `target` are mounted read-only on purpose.
    """
    for current, _, _ in os.walk(source):
        copied = os.path.join(target, os.path.relpath(current, source))
        os.chmod(copied, os.stat(copied).st_mode | 0o700)


def lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    # One second apart, SIGXCPU comes before SIGKILL and tells why.
    ceiling = value + 1 if kind == resource.RLIMIT_CPU and value != hard else value
    resource.setrlimit(kind, (value, ceiling))


if __name__ == "__main__":
    main()
