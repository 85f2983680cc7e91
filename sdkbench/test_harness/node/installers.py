"""bun and npm, run in a sandbox that has the network but neither secrets nor the user's files."""

import functools
import platform
import shutil
from pathlib import Path
from typing import NamedTuple

from sdkbench.environments.cache import Cache
from sdkbench.environments.registry_settings import registry_environment, registry_mounts
from sdkbench.errors import EnvironmentFault, MissingTool
from sdkbench.sandbox import Command, Completed, Limits, Mount, Sandbox
from sdkbench.test_harness.programs import tool_mounts

BUN = "1.3.5"  # from its npm package; its binaries are packages too, so no script has to run
LIMITS = Limits(
    wall_seconds=1800, cpu_seconds=3600, file_bytes=8 * 1024**3, output_bytes=256 * 1024
)


class Installer(NamedTuple):
    """A package manager: the words that make a lock, and those that install one."""

    name: str
    program: str
    lock: str
    resolve: tuple[str, ...]
    install: tuple[str, ...]
    mounts: tuple[Mount, ...] = ()


def npm() -> Installer:
    program = shutil.which("npm")
    if program is None:
        raise MissingTool(
            "npm was not found, and JavaScript projects need it. "
            "Install Node.js with npm (Debian and Ubuntu: apt-get install nodejs npm)."
        )
    quiet = ("--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
    return Installer(
        name="npm",
        program=program,
        lock="package-lock.json",
        resolve=("install", "--package-lock-only", "--ignore-scripts", *quiet),
        install=("ci", "--prefer-offline", *quiet),
        mounts=tool_mounts("npm"),
    )


def bun(cache: Cache, sandbox: Sandbox) -> Installer | None:
    """Bun from the cache; None where none of its builds runs on this machine."""
    key = f"bun-{BUN}-{platform.machine()}"

    def build(folder: Path) -> tuple[str, ...]:
        words = (
            "install",
            f"bun@{BUN}",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--no-save",
        )
        done = run(npm(), words, folder, cache, sandbox, offline=False)
        if not done.ok:
            raise EnvironmentFault(f"Cannot fetch bun {BUN} with npm: {done.output}")
        return (f"bun=={BUN}",)

    tools = cache.make("node-tools", key, build)
    for program in sorted(
        (tools.path / "node_modules" / "@oven").glob("bun-*/bin/bun"), reverse=True
    ):
        if _runs(program, tools.path, sandbox):
            return Installer(
                name="bun",
                program=str(program),
                lock="bun.lock",
                resolve=("install", "--lockfile-only", "--ignore-scripts", "--no-progress"),
                install=(
                    "install", "--frozen-lockfile", "--ignore-scripts", "--linker", "hoisted",
                    "--no-progress", "--backend", "hardlink",
                ),
                mounts=(Mount(path=tools.path),),
            )  # fmt: skip
    return None


@functools.cache
def _runs(program: Path, folder: Path, sandbox: Sandbox) -> bool:
    """Some builds want newer processors or another libc."""
    command = Command(
        argv=(str(program), "--version"),
        mounts=(Mount(path=folder),),
        limits=Limits(wall_seconds=20),
    )
    return sandbox.run(command).ok


def run(
    installer: Installer,
    words: tuple[str, ...],
    folder: Path,
    cache: Cache,
    sandbox: Sandbox,
    *,
    offline: bool,
    private: bool = False,
) -> Completed:
    """One call in `folder`, which is below the cache. `private` keeps the shared downloads out of
    sight: code of packages may run.
    """
    store = folder / "private-store" if private else cache.store("node")
    # Hard links work only within one mount: downloads and the new tree share one.
    visible = folder if private else store.parent
    return sandbox.run(
        Command(
            argv=("sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", str(folder),
                  installer.program, *words),
            env={
                **registry_environment(),
                "BUN_INSTALL_CACHE_DIR": str(store / "bun"),
                "npm_config_cache": str(store / "npm"),
                "npm_config_fund": "false",
                "BUN_CONFIG_SKIP_SAVE_LOCKFILE": "0",
                "DO_NOT_TRACK": "1",
                "CI": "true",
            },
            mounts=(
                *installer.mounts,
                *tool_mounts("node"),
                Mount(path=visible, writable=True),
                Mount(path=folder, writable=True),
                *registry_mounts(),
            ),
            search_path=tuple(m.path / "bin" for m in tool_mounts("node", "npm")),
            network=not offline,
            limits=LIMITS,
        )
    )  # fmt: skip
