"""Python packages for a project: uv resolves and installs them, offline first.

uv runs in a sandbox that has the network but neither secrets nor the user's files.
"""

import functools
import json
import os
import platform
import re
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import uv

from sdkbench.environments import Cache, Environment, Provision, installation
from sdkbench.sandbox import Command, Completed, Limits, Mount, Sandbox
from sdkbench.sandbox.bubblewrap import interpreter as base_interpreter

LANGUAGE = "python"
LIMITS = Limits(
    wall_seconds=1800, cpu_seconds=3600, file_bytes=8 * 1024**3, output_bytes=256 * 1024
)
UV_SIGNS = installation.InstallerSigns(
    network=re.compile(
        r"error sending request|dns error|failed to lookup address|Connection refused|"
        r"Could not connect|operation timed out|Network is unreachable|tls handshake|"
        r"invalid peer certificate|HTTP status (?:server error|client error \((?:401|403|407|429))",
        re.IGNORECASE,
    ),
    disk=re.compile(r"No space left on device|Read-only file system|Disk quota", re.IGNORECASE),
    noise=("Using CPython", "Creating virtual environment", "warning: "),
    requirements=("error: No solution found", "error: Couldn't parse"),
)


class PythonRequest(NamedTuple):
    """A set of requirements. The sample's author, never the solution, may allow source builds."""

    requirements: tuple[str, ...]
    constraints: tuple[str, ...] = ()
    build_from_source: bool = False
    without: tuple[str, ...] = ()  # packages that come from elsewhere: the project itself


def site_packages(environment: Environment) -> Path:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return environment.path / "venv" / "lib" / version / "site-packages"


def provide(
    request: PythonRequest, cache: Cache, sandbox: Sandbox, *, install: bool = True
) -> Provision:
    """The environment for `request`, or the reason why there can't be one."""
    return installation.provide(PythonRecipe(request, cache, sandbox), install=install)


@functools.cache
def _toolchain() -> str:
    """What besides the lock decides whether an environment fits: interpreter and platform."""
    parts = [platform.system(), platform.machine(), platform.libc_ver()]
    return json.dumps([base_interpreter(), sys.version, *parts])


class PythonRecipe(installation.Recipe[PythonRequest]):
    """How installation.provide gets Python's packages: with `uv pip compile` and `uv pip sync`."""

    language = LANGUAGE

    def question(self) -> tuple[str, ...]:
        requirements, constraints, from_source, without = self.request
        asked = json.dumps([sorted(requirements), sorted(constraints), *without])
        return _toolchain(), asked, str(from_source)

    def contents(self, lock: str) -> tuple[str, ...]:
        return _toolchain(), lock, str(self.request.build_from_source)

    def well_known(self) -> PythonRequest:
        return PythonRequest(("iniconfig",))

    def resolve(self) -> str:
        """Exact versions for the request, from downloads at hand if they suffice."""
        store = self.cache.store(LANGUAGE)
        with tempfile.TemporaryDirectory(dir=store.parent, prefix="resolve-") as name:
            folder = Path(name)
            for file, lines in (
                ("requirements.in", self.request.requirements),
                ("constraints.in", self.request.constraints),
            ):
                (folder / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
            words = (
                "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--no-strip-extras",
                "--python", base_interpreter(), *self._wheels_only(),
                *(word for name in self.request.without for word in ("--no-emit-package", name)),
                "--constraint", str(folder / "constraints.in"),
                "--output-file", str(folder / "lock.txt"), str(folder / "requirements.in"),
            )  # fmt: skip
            done = installation.offline_first(functools.partial(self._uv, words, folder))
            if done.ok:
                lock = folder / "lock.txt"
                return lock.read_text(encoding="utf-8") if lock.is_file() else ""
        # Paths of the temporary folder mean nothing to a reader.
        clean = done.model_copy(update={"stderr": done.stderr.replace(f"{folder}/", "")})
        raise UV_SIGNS.explain(clean, "resolve")

    def install(self, folder: Path, lock: str) -> tuple[str, ...]:
        """Fill `folder`/venv with exactly what `lock` names, byte-compiled."""
        lock_file, venv = folder / "lock.in", folder / "venv"
        lock_file.write_text(lock, encoding="utf-8")
        words: tuple[str, ...] = (
            "venv", "--quiet", "--no-project", "--relocatable", "--python", base_interpreter(),
            str(venv),
        )  # fmt: skip
        done = self._uv(words, folder, offline=True)
        if done.ok:
            words = (
                "pip", "sync", "--quiet", "--compile-bytecode", "--allow-empty-requirements",
                "--link-mode", "copy" if self.request.build_from_source else "hardlink",
                "--python", str(venv / "bin" / "python"), *self._wheels_only(), str(lock_file),
            )  # fmt: skip
            done = installation.offline_first(functools.partial(self._uv, words, folder))
        if not done.ok:
            raise UV_SIGNS.explain(done, "install")
        (folder / "lock.txt").write_text(lock, encoding="utf-8")
        return tuple(line for line in lock.splitlines() if "==" in line)

    def _wheels_only(self) -> tuple[str, ...]:
        # A source package runs its author's code at installation; a wheel is only unpacked.
        return () if self.request.build_from_source else ("--only-binary", ":all:")

    def _uv(self, words: tuple[str, ...], folder: Path, *, offline: bool) -> Completed:
        # Hard links work only within one mount: the store and the new environment are mounted by
        # the folder that holds both. Code of packages runs only in private builds; those see their
        # own folder and nothing of what others will use.
        store, private = self.cache.store(LANGUAGE), self.request.build_from_source
        visible, downloads = (
            (folder, folder / "private-store") if private else (store.parent, store)
        )
        program = Path(uv.find_uv_bin())
        return self.sandbox.run(
            Command(
                argv=(str(program), *words),
                env={
                    **installation.registry_environment(),
                    "UV_CACHE_DIR": str(downloads),
                    "UV_NO_PROGRESS": "1",
                    "UV_PYTHON_DOWNLOADS": "never",
                    "UV_NO_MANAGED_PYTHON": "1",
                    "UV_CONCURRENT_INSTALLS": str(os.cpu_count() or 1),
                    **({"UV_OFFLINE": "1"} if offline else {}),
                },
                mounts=(
                    Mount(path=program),
                    Mount(path=visible, writable=True),
                    *installation.registry_mounts(),
                ),
                network=not offline,
                limits=LIMITS,
            )
        )
