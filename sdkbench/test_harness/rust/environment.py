"""Crates for a project: fetched once with the network, compiled once without it; and our harness.

An environment holds the sources of its crates (cargo-home/), their compiled form (target/) and the
lock they were resolved to. Crates run code when they are compiled: that happens without network,
in a sandbox that sees nothing but this environment.
"""

import functools
import json
import os
import platform
import re
import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import fingerprints
from sdkbench.core.project import Placement
from sdkbench.environments import Cache, Environment, installation
from sdkbench.environments.installation import registry_environment, registry_mounts
from sdkbench.errors import HarnessFault, MissingTool
from sdkbench.sandbox import Cancellation, Command, Completed, Limits, Mount, Sandbox, run_own
from sdkbench.test_harness.missing_tools import refuse_lacks
from sdkbench.test_harness.programs import find_program
from sdkbench.test_harness.rust.our_manifests import toml_document
from sdkbench.test_harness.session import INSIDE

RECIPE = "3"  # another one when environments are made in another way: old ones must not be found
GIB = 1024**3
LIMITS = Limits(
    wall_seconds=1800,
    cpu_seconds=7200,
    file_bytes=2 * GIB,
    disk_bytes=6 * GIB,
    memory_bytes=8 * GIB,
    output_bytes=256 * 1024,
)
# Folders below TMPDIR: cargo keeps to what it compiled only where these paths stay the same.
CARGO_HOME = "cargo-home"
TARGET = "target"
BUILD = """
set -e
export CARGO_HOME="$TMPDIR/cargo-home" CARGO_TARGET_DIR="$TMPDIR/target"
cp -a "$1/cargo-home" "$TMPDIR/cargo-home"
cd skeleton
cp "$1/Cargo.lock" Cargo.lock
"$2" fetch --offline --locked --quiet --target "$4" || exit 99
rm -rf "$1/cargo-home"
cp -a "$TMPDIR/cargo-home" "$1/cargo-home"
"$2" $3 --offline --locked --quiet
rm -rf "$1/target"
cp -a "$TMPDIR/target" "$1/target"
"""
NOT_UNPACKED = 99  # the script's own
BUILD_ALL = "build --workspace --all-targets"
BUILD_OWN = "test --no-run"  # as the project is tested
GIT_SOURCE = 'source = "git+'  # in a lock
OLDEST = (1, 82)  # the first that compiles our harness
ADVICE = "Install Rust (https://rustup.rs, or apt-get install cargo), and have cargo on PATH."
LINKERS = ("cc", "gcc", "clang")
# The user's own cargo settings that say where crates come from; nothing else of them is used.
TABLES = ("source", "registries", "registry", "http", "net")
# The same by environment variables. Tokens have names of their own and stay behind.
PREFIXES = ("CARGO_HTTP_", "CARGO_NET_", "CARGO_REGISTRIES_", "CARGO_SOURCE_")
CARGO_SIGNS = installation.InstallerSigns(
    # Cargo's own words for it, at the start of a cause; a crate's name may hold any of the others.
    network=re.compile(
        r"^[ \t]*(?:error: |warning: spurious network error|\[\d+\] )?"
        r"(?:failed to download from|download of .* failed|Could ?n.t resolve host|"
        r"failed to get successful HTTP response|spurious network error|"
        r"\[(?:5|6|7|28|35|56|60|77)\] )",
        re.MULTILINE,
    ),
    disk=re.compile(r"\(os error (?:28|30|122)\)|No space left on device"),
    noise=("Updating ", "Downloading ", "Downloaded ", "Locking ", "Compiling ", "Blocking "),
)
NEWER = re.compile(r"requires rustc (\d[\w.]*)")
SOURCE = INSIDE / "rust" / "harness.rs"
RUSTC_WRAPPER = INSIDE / "rust" / "rustc_wrapper.sh"
RUSTDOC_WRAPPER = INSIDE / "rust" / "rustdoc_wrapper.sh"
LIBRARY = "libsdkbench_harness.rlib"


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
        host = re.search(r"^host: (\S+)$", self.version, re.MULTILINE)
        return host[1] if host else f"{platform.machine()}-unknown-linux-gnu"

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
    find_program("cargo", "Rust projects", ADVICE)
    rustc = find_program("rustc", "Rust projects", ADVICE)
    if not any(shutil.which(name) for name in LINKERS):
        raise MissingTool(
            "No C compiler was found, and Rust programs are linked by one. "
            "Install it (Debian and Ubuntu: apt-get install gcc libc6-dev)."
        )
    names = ("RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "CARGO_HOME", "HOME")
    settings = tuple((name, os.environ[name]) for name in names if name in os.environ)
    return _asked(rustc, settings, os.environ.get("PATH", ""))


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


def lack_of_version(text: str) -> str | None:
    """A sentence where cargo says that it is too old for a package."""
    newer = NEWER.search(text)
    return f"The project needs Rust {newer[1]} or newer. {ADVICE}" if newer else None


class RustRequest(NamedTuple):
    """What to compile: a project without code, and the lock it should keep to. What can't be
    compiled ahead of an `own` project is left for its build to report.
    """

    skeleton: Mapping[str, str]
    lock: str = ""
    own: bool = False


def cargo_settings(tools: Toolchain) -> dict[str, str]:
    """What every offline call of cargo is told, besides CARGO_HOME and CARGO_TARGET_DIR."""
    return {
        **tools.environment,
        "CARGO_INCREMENTAL": "0",
        "CARGO_PROFILE_DEV_DEBUG": "0",
        "CARGO_PROFILE_TEST_DEBUG": "0",
        "CARGO_TERM_COLOR": "never",
    }


class RustRecipe(installation.Recipe[RustRequest]):
    """How crates are had: `cargo fetch` resolves and downloads, `cargo build` compiles them."""

    language = "rust"

    def question(self) -> tuple[str, ...]:
        return self.contents(self.request.lock)

    def contents(self, lock: str) -> tuple[str, ...]:
        machine = f"{platform.system()} {platform.machine()} {platform.libc_ver()}"
        skeleton = json.dumps(dict(self.request.skeleton), sort_keys=True)
        return RECIPE, f"{toolchain().version} {machine}", skeleton, lock, cargo_config()

    def well_known(self) -> RustRequest:
        package = {"name": "known", "version": "0.0.0", "edition": "2021"}
        manifest = toml_document({"package": package, "dependencies": {"cfg-if": "1"}})
        return RustRequest({"Cargo.toml": manifest, "src/lib.rs": ""})

    def resolve(self) -> str:
        """The lock; what it names is in the store afterwards."""
        with self.resolving() as folder:

            def fetch(*, offline: bool) -> Completed:
                # Cargo may have changed the lock before it failed.
                _write(folder, self.request.skeleton, self.request.lock)
                return self._fetch(folder, offline=offline)

            done = installation.offline_first(fetch)
            if not done.ok:
                refuse_lacks([done.output], lack_of_version)
                text = CARGO_SIGNS.readable(done.output).replace(f"{folder}/", "")
                raise CARGO_SIGNS.explain(done, "resolve", text)
            return (folder / "Cargo.lock").read_text(encoding="utf-8")

    def install(self, folder: Path, lock: str) -> tuple[str, ...]:
        packages = _locked(lock)
        _write(folder, {}, lock)
        for name in (CARGO_HOME, TARGET):
            (folder / name).mkdir()
        if not packages:
            return ()
        with tempfile.TemporaryDirectory(prefix="sdkbench-skeleton-") as name:
            skeleton = Path(name)
            _write(skeleton, self.request.skeleton, lock)
            # Downloads may have been swept since this was resolved.
            fetched = installation.offline_first(functools.partial(self._fetch, skeleton))
            if not fetched.ok:
                raise CARGO_SIGNS.explain(fetched, "fetch")
            home, from_git = folder / CARGO_HOME, GIT_SOURCE in lock
            _copy_downloads(self.store, home, packages, from_git=from_git)
            done = self._build(folder, skeleton)
        compiled = done.exit_code not in {None, NOT_UNPACKED}
        if not done.ok and not (compiled and self.request.own):
            raise CARGO_SIGNS.explain(done, "compile")
        return tuple(sorted(f"{name}=={version}" for name, version in packages))

    def _fetch(self, folder: Path, *, offline: bool) -> Completed:
        """Download what the manifests in `folder` need; runs no crate's code."""
        tools, store = toolchain(), self.store
        (store / "config.toml").write_text(cargo_config(), encoding="utf-8")
        words = ["fetch", "--target", tools.host, *(["--offline"] if offline else [])]
        return self.sandbox.run(
            Command(
                argv=(*installation.IN_FOLDER, str(folder), str(tools.cargo), *words),
                env={
                    **registry_environment(),
                    **cargo_environment(),
                    **tools.environment,
                    "CARGO_HOME": str(store),
                    "CARGO_TERM_COLOR": "never",
                    "CARGO_TERM_PROGRESS_WHEN": "never",
                },
                mounts=(
                    *tools.mounts,
                    Mount(path=store, writable=True),
                    Mount(path=folder, writable=True),
                    *registry_mounts(),
                ),
                network=not offline,
                limits=LIMITS,
            )
        )

    def _build(self, folder: Path, skeleton: Path) -> Completed:
        tools = toolchain()
        words = BUILD_OWN if self.request.own else BUILD_ALL
        return self.sandbox.run(
            Command(
                argv=("sh", "-c", BUILD, "sh", str(folder), str(tools.cargo), words, tools.host),
                env=cargo_settings(tools),
                placements=(Placement(source=skeleton, target="skeleton"),),
                mounts=(*tools.mounts, Mount(path=folder, writable=True)),
                limits=LIMITS,
            )
        )


def _locked(lock: str) -> list[tuple[str, str]]:
    """Name and version of every crate that comes from a registry."""
    try:
        packages = tomllib.loads(lock).get("package", [])
        return [(str(p["name"]), str(p["version"])) for p in packages if p.get("source")]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise installation.Unresolvable(f"Cargo.lock is not readable: {error}") from error


def _copy_downloads(
    store: Path, home: Path, packages: list[tuple[str, str]], *, from_git: bool
) -> None:
    """The crates and the index entries of `packages`: copies, for code will run beside them."""
    config = store / "config.toml"
    if config.is_file():
        shutil.copy2(config, home / "config.toml")
    names = {name for name, _ in packages}
    crates = {f"{name}-{version}.crate" for name, version in packages}
    registry = store / "registry"
    for path in sorted(registry.rglob("*")) if registry.is_dir() else []:
        inner = path.relative_to(registry)
        kept = (inner.parts[0] == "cache" and path.name in crates) or (
            inner.parts[0] == "index" and (".cache" not in inner.parts or path.name in names)
        )
        if kept and path.is_file():
            target = home / "registry" / inner
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
    if (store / "git").is_dir() and from_git:
        shutil.copytree(store / "git", home / "git", symlinks=True)


def _write(folder: Path, files: Mapping[str, str], lock: str) -> None:
    (folder / "Cargo.lock").unlink(missing_ok=True)
    for name, text in {**files, **({"Cargo.lock": lock} if lock else {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def cargo_config() -> str:
    """The text of a config.toml with just those tables; empty where the user has none."""
    home = Path(os.environ.get("CARGO_HOME") or "~/.cargo").expanduser()
    for name in ("config.toml", "config"):
        try:
            data = tomllib.loads((home / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        return toml_document({table: data[table] for table in TABLES if table in data})
    return ""


def cargo_environment() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith(PREFIXES) and not name.endswith("_TOKEN")
    }


def harness_library(tools: Toolchain, cache: Cache, sandbox: Sandbox) -> Environment:
    """An environment that holds LIBRARY. It needs the compiler's own test crate, which has no
    stable interface: HarnessFault where this toolchain's is another than we know.
    """

    def build(folder: Path) -> tuple[str, ...]:
        words = ("--edition", "2021", "--crate-type", "rlib", "--crate-name", "sdkbench_harness")
        done = sandbox.run(
            Command(
                argv=(tools.environment["RUSTC"], *words, "-Copt-level=1",
                      "-o", str(folder / LIBRARY), str(SOURCE)),
                env={"RUSTC_BOOTSTRAP": "1"},
                mounts=(*tools.mounts, Mount(path=INSIDE), Mount(path=folder, writable=True)),
                limits=Limits(wall_seconds=300),
            )
        )  # fmt: skip
        if not done.ok:
            raise HarnessFault(
                f"Our test harness does not compile with {tools.sysroot}: {done.output}\n"
                "Choose another Rust toolchain (RUSTUP_TOOLCHAIN), or update sdkbench."
            )
        return ()

    return cache.make(
        "rust-tools", fingerprints.of_texts(tools.version, SOURCE.read_text("utf-8")), build
    )


def wrappers(tools: Toolchain, library: Environment) -> dict[str, str]:
    """Settings by which cargo compiles test executables with the library in them."""
    return {
        "RUSTC_WORKSPACE_WRAPPER": str(RUSTC_WRAPPER),
        "SDKBENCH_HARNESS": str(library.path / LIBRARY),
        "RUSTDOC": str(RUSTDOC_WRAPPER),
        "SDKBENCH_RUSTDOC": tools.environment["RUSTDOC"],
    }
