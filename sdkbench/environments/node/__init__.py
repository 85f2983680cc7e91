"""Node environments: a shared node_modules, made by bun where it can, by npm where it must."""

from sdkbench.environments.node.package_json import PackageJson, read_package_json
from sdkbench.environments.node.provide import NodeRequest, node_program, provide
from sdkbench.environments.node.sealed import sealed_node

__all__ = [
    "NodeRequest",
    "PackageJson",
    "node_program",
    "provide",
    "read_package_json",
    "sealed_node",
]
