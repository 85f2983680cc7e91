"""Modules of the solution's as the tests see them, and how they are found."""

import importlib.abc
import importlib.machinery
import linecache
import types
from collections.abc import Sequence
from typing import Any

from .link import Link
from .live import ATTRIBUTE, state_of
from .objects import Attributes, ask, is_private, names_of


class SolutionModule(types.ModuleType):
    """Stands in for a module of the solution's."""

    def __getattr__(self, name: str) -> Any:
        __tracebackhide__ = True
        if name == "__all__":  # `import *` would look into our own dictionary without it
            return ask(self, "public", "", None, None, ".__all__")
        if is_private(name):
            raise AttributeError(name)
        return ask(self, "get", name, None, None, f".{name}")

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("__") or isinstance(value, SolutionModule):
            super().__setattr__(name, value)
        else:
            state = state_of(self)
            state["_apart_link"].set(["h", state["_apart_number"]], name, value)

    def __delattr__(self, name: str) -> None:
        ask(self, "delete", name, None, None, "")

    @property
    def __dict__(self) -> Attributes:  # type: ignore[override]
        return Attributes(self)

    def __dir__(self) -> list[str]:
        return names_of(self)


class SolutionFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the solution's package before, and its bare modules behind everything else."""

    def __init__(self, link: Link, package: str | None) -> None:
        self._link = link
        self._package = package  # None: modules that nobody else has
        self._loaded: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        del path, target
        if self._package is not None:
            if name.partition(".")[0] != self._package:
                return None
        elif not self._link.has_module(name):
            return None
        spec = importlib.machinery.ModuleSpec(name, self, origin="the solution", is_package=True)
        spec.submodule_search_locations = []
        return spec

    def get_source(self, name: str) -> str | None:
        """For `inspect.getsource`: by the solution's own word."""
        text = self._link.ask("source", [name], None, None, None)
        return text if type(text) is str else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return SolutionModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        reloaded = getattr(module, ATTRIBUTE, None) is not None
        again = "reload" if reloaded else "anew" if name in self._loaded else ""
        made = self._link.import_module(name, again)
        number = self._link.standins.number_of(made)
        if number is None:
            raise ImportError(f"The solution gives no module for {name}.")
        self._loaded.add(name)
        state = {"_apart_number": number, "_apart_path": name, "_apart_link": self._link}
        types.ModuleType.__setattr__(module, ATTRIBUTE, {**state, "_apart_kept": made})
        # A name for those who ask; no file of this side's.
        types.ModuleType.__setattr__(module, "__file__", source_file(name))
        self._keep_source(name)

    def _keep_source(self, name: str) -> None:
        text = self.get_source(name) or ""
        file = source_file(name)
        lines = text.splitlines(keepends=True)
        linecache.cache[file] = len(text), None, lines, file


def source_file(module: str) -> str:
    """What stands for the file of a module of the solution's."""
    return f"/solution/{module.replace('.', '/')}.py"
