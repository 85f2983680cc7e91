"""uv, run in a sandbox that has the network but neither secrets nor the user's files."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import uv as uv_package

from sdkbench.environments.cache import Cache
from sdkbench.environments.registry_settings import registry_environment, registry_mounts
from sdkbench.sandbox import Command, Completed, Limits, Mount, Sandbox
from sdkbench.sandbox.bubblewrap import interpreter as base_interpreter

LIMITS = Limits(
    wall_seconds=1800, cpu_seconds=3600, file_bytes=8 * 1024**3, output_bytes=256 * 1024
)


class Compiled(NamedTuple):
    completed: Completed
    text: str


def compile_lock(
    requirements: Sequence[str],
    constraints: Sequence[str],
    cache: Cache,
    sandbox: Sandbox,
    *,
    build_from_source: bool,
) -> Compiled:
    """Exact versions for `requirements`, from downloads at hand if they suffice."""
    store = cache.store("python")
    with tempfile.TemporaryDirectory(dir=store.parent, prefix="resolve-") as name:
        folder = Path(name)
        (folder / "requirements.in").write_text("\n".join(requirements) + "\n", encoding="utf-8")
        (folder / "constraints.in").write_text("\n".join(constraints) + "\n", encoding="utf-8")
        words = [
            "pip", "compile", "--quiet", "--no-header", "--no-annotate", "--no-strip-extras",
            "--python", base_interpreter(), *_wheels_only(build_from_source),
            "--constraint", str(folder / "constraints.in"),
            "--output-file", str(folder / "lock.txt"), str(folder / "requirements.in"),
        ]  # fmt: skip
        done = _offline_first(words, store, [folder], sandbox, private=build_from_source)
        lock = folder / "lock.txt"
        text = lock.read_text(encoding="utf-8") if done.ok and lock.is_file() else ""
    # Paths of the temporary folder mean nothing to a reader.
    clean = done.model_copy(update={"stderr": done.stderr.replace(f"{folder}/", "")})
    return Compiled(clean, text)


def install(
    lock: str, folder: Path, cache: Cache, sandbox: Sandbox, *, build_from_source: bool
) -> Completed:
    """Fill `folder`/venv with exactly what `lock` names, byte-compiled."""
    store = cache.store("python")
    lock_file = folder / "lock.in"
    lock_file.write_text(lock, encoding="utf-8")
    venv = folder / "venv"
    words = ["venv", "--quiet", "--no-project", "--relocatable", "--python", base_interpreter()]
    made = _uv(
        [*words, str(venv)], store, [folder], sandbox, offline=True, private=build_from_source
    )
    if not made.ok:
        return made
    words = [
        "pip", "sync", "--quiet", "--compile-bytecode", "--allow-empty-requirements",
        "--link-mode", "copy" if build_from_source else "hardlink",
        "--python", str(venv / "bin" / "python"), *_wheels_only(build_from_source), str(lock_file),
    ]  # fmt: skip
    return _offline_first(words, store, [folder], sandbox, private=build_from_source)


def _wheels_only(build_from_source: bool) -> list[str]:
    # A source package runs its author's code at installation; a wheel is only unpacked.
    return [] if build_from_source else ["--only-binary", ":all:"]


def _offline_first(
    words: list[str], store: Path, folders: list[Path], sandbox: Sandbox, *, private: bool
) -> Completed:
    """Nearly all of a warm online call is asking the index again, so ask it only if we must."""
    done = _uv(words, store, folders, sandbox, offline=True, private=private)
    if done.ok:
        return done
    return _uv(words, store, folders, sandbox, offline=False, private=private)


def _uv(
    words: list[str],
    store: Path,
    folders: list[Path],
    sandbox: Sandbox,
    *,
    offline: bool,
    private: bool,
) -> Completed:
    # Hard links work only within one mount: the store and the new environment are mounted by the
    # folder that holds both. Code of packages runs only in private builds; those see their own
    # folder and nothing of what others will use.
    visible = folders if private else [store.parent]
    downloads = folders[0] / "private-store" if private else store
    program = Path(uv_package.find_uv_bin())
    return sandbox.run(
        Command(
            argv=(str(program), *words),
            env={
                **registry_environment(),
                "UV_CACHE_DIR": str(downloads),
                "UV_NO_PROGRESS": "1",
                "UV_PYTHON_DOWNLOADS": "never",
                "UV_NO_MANAGED_PYTHON": "1",
                "UV_CONCURRENT_INSTALLS": str(os.cpu_count() or 1),
                **({"UV_OFFLINE": "1"} if offline else {}),
            },
            mounts=(
                Mount(path=program),
                *(Mount(path=path, writable=True) for path in visible),
                *registry_mounts(),
            ),
            network=not offline,
            limits=LIMITS,
        )
    )
