"""bun and npm, run in a sandbox that has the network but neither secrets nor the user's files."""

import functools
import platform
from pathlib import Path
from typing import NamedTuple

from sdkbench.environments.cache import Cache
from sdkbench.environments.registry_settings import registry_environment, registry_mounts
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Command, Completed, Limits, Mount, Sandbox
from sdkbench.test_harness.programs import find_program, search_path, tool_mounts

BUN = "1.3.5"  # from its npm package; its binaries are packages too, so no script has to run
LIMITS = Limits(
    wall_seconds=1800, cpu_seconds=3600, file_bytes=8 * 1024**3, output_bytes=256 * 1024
)
ADVICE = "Install Node.js with npm (Debian and Ubuntu: apt-get install nodejs npm)."
IN_FOLDER = ("sh", "-c", 'cd "$1" && shift && exec "$@"', "sh")  # then the folder and the command


def node_program() -> str:
    """Where node is; MissingTool says how to get it."""
    return find_program("node", "JavaScript projects", ADVICE)


class PackageManager(NamedTuple):
    """A program with the words that make a lock, and those that install one."""

    name: str
    program: str
    lock: str
    resolve: tuple[str, ...]
    install: tuple[str, ...]
    mounts: tuple[Mount, ...] = ()

    def run(
        self,
        words: tuple[str, ...],
        folder: Path,
        cache: Cache,
        sandbox: Sandbox,
        *,
        offline: bool = False,
        private: bool = False,
    ) -> Completed:
        """One call in `folder`, which is below the cache. `private` keeps the shared downloads out
        of sight: code of packages may run.

        Both programs look into their downloads first. They may use the network all the same:
        without it, bun leaves out optional packages that it lacks (a compiler's native half, say)
        and says nothing.
        """
        store = folder / "private-store" if private else cache.store("node")
        # Hard links work only within one mount: downloads and the new tree share one.
        visible = folder if private else store.parent
        return sandbox.run(
            Command(
                argv=(*IN_FOLDER, str(folder), self.program, *words),
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
                    *self.mounts,
                    *tool_mounts("node"),
                    Mount(path=visible, writable=True),
                    Mount(path=folder, writable=True),
                    *registry_mounts(),
                ),
                search_path=search_path("node", "npm"),
                network=not offline,
                limits=LIMITS,
            )
        )


def npm() -> PackageManager:
    quiet = ("--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
    return PackageManager(
        name="npm",
        program=find_program("npm", "JavaScript projects", ADVICE),
        lock="package-lock.json",
        resolve=("install", "--package-lock-only", "--ignore-scripts", *quiet),
        install=("ci", "--prefer-offline", *quiet),
        mounts=tool_mounts("npm"),
    )


def bun(cache: Cache, sandbox: Sandbox) -> PackageManager | None:
    """Bun from the cache; None where none of its builds runs on this machine."""

    def build(folder: Path) -> tuple[str, ...]:
        flags = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-save")
        done = npm().run(("install", f"bun@{BUN}", *flags), folder, cache, sandbox)
        if not done.ok:
            raise EnvironmentFault(f"Cannot fetch bun {BUN} with npm: {done.output}")
        return (f"bun=={BUN}",)

    tools = cache.make("node-tools", f"bun-{BUN}-{platform.machine()}", build)
    builds = (tools.path / "node_modules" / "@oven").glob("bun-*/bin/bun")
    for program in sorted(builds, reverse=True):
        if _runs(program, tools.path, sandbox):
            return PackageManager(
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
