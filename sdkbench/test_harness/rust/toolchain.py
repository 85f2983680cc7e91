"""The Rust toolchain of this machine, by its own folder: no proxy chooses another one for us."""

import functools
import os
import platform
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from sdkbench.errors import MissingTool
from sdkbench.sandbox import Cancellation, Limits, Mount, run_own

OLDEST = (1, 82)  # the first that compiles our harness
ADVICE = "Install Rust (https://rustup.rs, or apt-get install cargo), and have cargo on PATH."
LINKERS = ("cc", "gcc", "clang")


class Toolchain(NamedTuple):
    """`sysroot` holds bin/cargo and bin/rustc; `version` is all that rustc says of itself.

    Programs are started by their own path below `sysroot`: a solution's rust-toolchain.toml speaks
    to rustup's proxies, which have no part in this.
    """

    sysroot: Path
    version: str

    @property
    def cargo(self) -> Path:
        return self.sysroot / "bin" / "cargo"

    @property
    def host(self) -> str:
        found = re.search(r"^host: (\S+)$", self.version, re.MULTILINE)
        return found.group(1) if found else f"{platform.machine()}-unknown-linux-gnu"

    @property
    def mounts(self) -> tuple[Mount, ...]:
        inside = self.sysroot.is_relative_to("/usr")
        return () if inside else (Mount(path=self.sysroot),)

    @property
    def environment(self) -> dict[str, str]:
        """What cargo needs to use these programs and no others."""
        return {
            "RUSTC": str(self.sysroot / "bin" / "rustc"),
            "RUSTDOC": str(self.sysroot / "bin" / "rustdoc"),
            "RUSTC_WRAPPER": "",  # whatever a configuration file says
        }


def toolchain() -> Toolchain:
    """What cargo and rustc on PATH stand for; MissingTool says how to get them."""
    programs = [shutil.which(name) for name in ("cargo", "rustc")]
    if None in programs:
        missing = "cargo" if programs[0] is None else "rustc"
        raise MissingTool(f"{missing} was not found, and Rust projects need it. {ADVICE}")
    if not any(shutil.which(name) for name in LINKERS):
        raise MissingTool(
            "No C compiler was found, and Rust programs are linked by one. "
            "Install it (Debian and Ubuntu: apt-get install gcc libc6-dev)."
        )
    names = ("RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "CARGO_HOME", "HOME")
    settings = tuple((name, os.environ[name]) for name in names if name in os.environ)
    return _asked(str(programs[1]), settings, os.environ.get("PATH", ""))


@functools.cache
def _asked(rustc: str, settings: tuple[tuple[str, str], ...], path: str) -> Toolchain:
    env = {**dict(settings), "PATH": path}
    sysroot = Path(_say(rustc, env, "--print", "sysroot"))
    version = _say(rustc, env, "-vV")
    number = re.search(r"rustc (\d+)\.(\d+)", version)
    if number is None or (int(number[1]), int(number[2])) < OLDEST:
        first = version.splitlines()[0] if version else "no version"
        wanted = ".".join(map(str, OLDEST))
        raise MissingTool(f"Rust {wanted} or newer is needed; {rustc} is {first}. {ADVICE}")
    if not (sysroot / "bin" / "cargo").is_file():
        raise MissingTool(f"The toolchain at {sysroot} has no cargo. {ADVICE}")
    return Toolchain(sysroot, version)


def _say(rustc: str, env: dict[str, str], *words: str) -> str:
    done = run_own(
        [rustc, *words],
        stdin=b"",
        environment=env,
        cwd=Path("/"),  # no toolchain file of anybody's project
        limits=Limits(wall_seconds=60),
        cancellation=Cancellation(),
    )
    if not done.ok:
        raise MissingTool(f"{rustc} does not run: {done.ending()}. {done.output} {ADVICE}")
    return done.stdout.strip()
