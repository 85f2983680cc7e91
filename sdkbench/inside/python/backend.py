"""Runs inside the sandbox, under the project's build requirements: asks the project's own build
backend what it needs and says of itself, or has it make a wheel.
"""

import importlib
import os
import sys
import tempfile
import traceback
import zipfile
from typing import Any, Literal, TypedDict

from ..channel import Channel, given_order
from ..protocol import Order
from . import history

MAX_METADATA = 1024 * 1024  # characters; most of it is a README that nobody asked for


class BackendOrder(Order):
    """Which backend, as pyproject.toml names it, and what to ask of it."""

    backend: str
    backend_path: list[str]
    tag: str | None  # of the version; None: the project has no history


class WheelOrder(TypedDict):
    """For a process of its own, which makes one wheel."""

    workspace: str
    backend: str
    backend_path: list[str]
    tag: str | None
    into: str


class Described(TypedDict):
    """What the backend needs besides its requirements, and the project's metadata."""

    kind: Literal["described"]
    requires: list[str]
    metadata: str  # empty where it could not be had, maybe for want of what it needs


def loaded(order: BackendOrder | WheelOrder) -> Any:
    """The backend's object, as PEP 517 says it is imported: by its own path first."""
    os.chdir(order["workspace"])
    if order["tag"] is not None:
        history.make(order["workspace"], order["tag"])
    sys.path[:0] = [os.path.join(order["workspace"], path) for path in order["backend_path"]]
    module, _, attributes = order["backend"].partition(":")
    backend: Any = importlib.import_module(module)
    for name in filter(None, attributes.split(".")):
        backend = getattr(backend, name)
    return backend


def hook(backend: Any, name: str) -> Any:
    """The one for editable wheels where the backend has it, else the one for plain ones."""
    return getattr(backend, f"{name}_editable", None) or getattr(backend, f"{name}_wheel", None)


def described(backend: Any) -> Described:
    ask = hook(backend, "get_requires_for_build")
    requires = [str(line) for line in ask()] if ask else []
    try:
        metadata = metadata_of(backend)
    except Exception:  # noqa: BLE001 - the project's own code; it may lack what it just asked for
        traceback.print_exc()
        metadata = ""
    return Described(kind="described", requires=requires, metadata=metadata[:MAX_METADATA])


def metadata_of(backend: Any) -> str:
    with tempfile.TemporaryDirectory() as folder:
        prepare = hook(backend, "prepare_metadata_for_build")
        if prepare is not None:
            path = os.path.join(folder, prepare(folder), "METADATA")
            with open(path, encoding="utf-8", errors="replace") as stream:
                return stream.read()
        with zipfile.ZipFile(os.path.join(folder, hook(backend, "build")(folder))) as wheel:
            name = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
            return wheel.read(name).decode("utf-8", "replace")


def make_wheel(order: WheelOrder) -> None:
    """Into the folder `into`; which one it is can be seen there."""
    hook(loaded(order), "build")(order["into"])


def main() -> None:
    order: Any = given_order()
    if "into" in order:
        make_wheel(order)
        return
    channel = Channel(order)
    channel.send(described(loaded(order)))
