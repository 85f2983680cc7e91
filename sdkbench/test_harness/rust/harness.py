"""Our main program for test executables, compiled once for each toolchain."""

from pathlib import Path

from sdkbench.core import fingerprints
from sdkbench.environments import Cache, Environment
from sdkbench.errors import HarnessFault
from sdkbench.sandbox import Command, Limits, Mount, Sandbox
from sdkbench.test_harness.rust.environment import Toolchain
from sdkbench.test_harness.session import INSIDE

SOURCE = INSIDE / "rust" / "harness.rs"
RUSTC_WRAPPER = INSIDE / "rust" / "rustc_wrapper.sh"
RUSTDOC_WRAPPER = INSIDE / "rust" / "rustdoc_wrapper.sh"
LIBRARY = "libsdkbench_harness.rlib"


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
