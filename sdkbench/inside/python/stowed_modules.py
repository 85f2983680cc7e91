"""Modules that are loaded but not imported: the next `import` of one finds it at once.

Loading a heavy package takes seconds, so a parent does it once for many children. But a child
must see just what it imports itself: code that forgot to import `xml.etree` must fail there as it
would alone. So the loaded modules are taken out of `sys.modules` and out of their packages, and
importing one brings back it and those that its own loading imported, no others.
"""

import builtins
import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Iterable, Iterator, Sequence
from typing import Any


class Stow(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """A finder that has the modules already. `load` fills it; it must be first on the meta path."""

    def __init__(self) -> None:
        self._modules: dict[str, types.ModuleType] = {}
        self._imported_by: dict[str, set[str]] = {}  # what each module's own loading imported
        self._inside_package: set[str] = set()  # modules that were an attribute of their package
        self._specs: dict[str, Any] = {}
        self._recording = False
        self._loading: list[str] = []  # modules whose loading has begun, the innermost last

    def load(self, names: Iterable[str]) -> list[str]:
        """Load these and put away all that came with them; those that could not be loaded."""
        before = set(sys.modules)
        failed = []
        with self._recorded_imports():
            for name in names:
                # What a package prints or raises while it is loaded is seen where it is imported.
                try:
                    importlib.import_module(name)
                except (Exception, SystemExit):  # noqa: BLE001
                    failed.append(name)
        self._put_away([name for name in sys.modules if name not in before])
        return failed

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        del path, target
        if self._recording:
            self._note(name)
            self._loading.append(name)
        return importlib.machinery.ModuleSpec(name, self) if name in self._modules else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        self._bring_back(spec.name)
        module = sys.modules[spec.name]
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        """It was executed when it was loaded; only its own spec is put back."""
        spec = module.__spec__
        if spec is not None:
            module.__spec__ = self._specs.pop(spec.name)

    def _put_away(self, names: Sequence[str]) -> None:
        for name in names:
            package, _, last = name.rpartition(".")
            module = sys.modules[name]
            if getattr(module, "__spec__", None) is None:
                continue  # a stand-in that its package keeps there, or one made by hand
            if (parent := self._loaded(package)) and vars(parent).get(last) is module:
                self._inside_package.add(name)
            self._modules[name] = module
        for name in names:
            if name in self._modules:
                del sys.modules[name]
        for name in names:
            package, _, last = name.rpartition(".")
            if name in self._inside_package and (parent := self._loaded(package)):
                del vars(parent)[last]

    def _loaded(self, name: str) -> types.ModuleType | None:
        return sys.modules.get(name) or self._modules.get(name)

    def _bring_back(self, name: str) -> None:
        put_away = self._modules
        waiting, names = {name}, []
        while waiting:
            each = waiting.pop()
            names.append(each)
            sys.modules[each] = put_away.pop(each)
            waiting |= self._imported_by.get(each, _NOTHING) & put_away.keys()
            if (package := each.rpartition(".")[0]) in put_away:
                waiting.add(package)
        for each in names:
            package, _, last = each.rpartition(".")
            if each in self._inside_package and package in sys.modules:
                vars(sys.modules[package])[last] = sys.modules[each]

    @contextlib.contextmanager
    def _recorded_imports(self) -> Iterator[None]:
        """A first import asks this finder; an import of what is loaded already asks nobody, so
        the import statement itself is watched too.
        """
        import_ = builtins.__import__

        def recorded_import(
            name: str,
            globals: Any = None,  # noqa: A002 - as the builtin has it
            locals: Any = None,  # noqa: A002
            fromlist: Any = (),
            level: int = 0,
        ) -> types.ModuleType:
            module: types.ModuleType = import_(name, globals, locals, fromlist, level)
            package = (globals or {}).get("__package__") or ""
            whole = importlib.util.resolve_name("." * level + name, package) if level else name
            for each in (whole, *(f"{whole}.{last}" for last in fromlist or ())):
                if each in sys.modules:
                    self._note(each)
            return module

        builtins.__import__ = recorded_import
        self._recording = True
        try:
            yield
        finally:
            builtins.__import__ = import_
            self._recording = False

    def _note(self, name: str) -> None:
        """`name` is imported by the module that is being loaded now, whoever's code does it."""
        while self._loading and not _is_loading(self._loading[-1]):
            self._loading.pop()
        if self._loading:
            self._imported_by.setdefault(self._loading[-1], set()).add(name)


_NOTHING: frozenset[str] = frozenset()


def _is_loading(name: str) -> bool:
    spec = getattr(sys.modules.get(name), "__spec__", None)
    return bool(getattr(spec, "_initializing", False))
