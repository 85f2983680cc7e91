"""The go command: where it is, what it needs to see, and how it is set up for us."""

import functools
import re
import shutil
from pathlib import Path

from sdkbench.errors import MissingTool
from sdkbench.sandbox import Command, Completed, Limits, Mount, Sandbox

# Packages are initialised in the order of their paths since 1.21; verdicts lean on that.
OLDEST = (1, 21)
ADVICE = (
    "Install Go 1.21 or newer (https://go.dev/dl, or on Debian and Ubuntu: apt-get install golang) "
    "and see that `go` is on PATH."
)
# Nothing from the user's or the solution's configuration; no C compiler, no other toolchain.
ENVIRONMENT = {
    "GOENV": "off",
    "GO111MODULE": "on",
    "GOWORK": "off",
    "GOTOOLCHAIN": "local",
    "CGO_ENABLED": "0",
}
INSTALLATION = Limits(
    wall_seconds=1800, cpu_seconds=3600, file_bytes=8 * 1024**3, output_bytes=256 * 1024
)


def go_program() -> str:
    """Where go is; MissingTool says how to get it."""
    found = shutil.which("go")
    if found is None:
        raise MissingTool(f"go was not found, and Go projects need it. {ADVICE}")
    return found


def go_mounts() -> tuple[Mount, ...]:
    """The toolchain's own folder, where it lives outside the system's."""
    root = Path(go_program()).resolve().parent.parent
    return () if root.is_relative_to("/usr") else (Mount(path=root),)


def go_search_path() -> tuple[Path, ...]:
    return (Path(go_program()).resolve().parent,)


def toolchain(sandbox: Sandbox) -> str:
    """Version and platform, as they decide whether an environment fits."""
    return _described(go_program(), sandbox)


@functools.cache
def _described(program: str, sandbox: Sandbox) -> str:
    done = run_go(sandbox, ("env", "GOVERSION", "GOOS", "GOARCH", "GOROOT"), Path("/"))
    version = re.match(r"go(\d+)\.(\d+)", done.stdout)
    if not done.ok or version is None:
        raise MissingTool(
            f"{program} does not run in the sandbox: {done.ending()}. {done.output} {ADVICE}"
        )
    if (int(version[1]), int(version[2])) < OLDEST:
        raise MissingTool(f"{program} is {done.stdout.split()[0]}, which is too old. {ADVICE}")
    return " ".join(done.stdout.split())


@functools.cache
def default_proxy(sandbox: Sandbox) -> str:
    """Where this toolchain gets modules from when nobody says otherwise."""
    return run_go(sandbox, ("env", "GOPROXY"), Path("/")).stdout.strip()


def run_go(
    sandbox: Sandbox,
    words: tuple[str, ...],
    folder: Path,
    *,
    env: dict[str, str] | None = None,
    mounts: tuple[Mount, ...] = (),
    network: bool = False,
) -> Completed:
    """One call of go in `folder`, which the mounts make visible."""
    return sandbox.run(
        Command(
            argv=("sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", str(folder),
                  go_program(), *words),
            env=ENVIRONMENT | (env or {}),
            mounts=(*go_mounts(), *mounts),
            search_path=go_search_path(),
            network=network,
            limits=INSTALLATION,
        )
    )  # fmt: skip
