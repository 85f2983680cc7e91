"""Rust environments: crates fetched and compiled once by cargo, used offline and read-only."""

from sdkbench.environments.rust.cargo_toml import Manifests, Package, read_manifests
from sdkbench.environments.rust.provide import RustRequest, cargo_settings, provide
from sdkbench.environments.rust.toolchain import Toolchain, toolchain

__all__ = [
    "Manifests",
    "Package",
    "RustRequest",
    "Toolchain",
    "cargo_settings",
    "provide",
    "read_manifests",
    "toolchain",
]
