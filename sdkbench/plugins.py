"""Registry[T]: named things that built-ins and installed plugins provide alike.

Built-ins are entry points of this distribution, so there is one way in. A plugin that cannot be
imported, has the wrong type or takes a name already taken raises `PluginFault` naming its
distribution; nothing is dropped in silence.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, NamedTuple, TypeVar

from sdkbench.errors import PluginFault

T = TypeVar("T")


class Listing(NamedTuple):
    """One installed plugin: its name, its distribution, and why it can't be used, if so."""

    name: str
    origin: str
    fault: str | None


class Registry(Generic[T]):
    """Loads `group`'s entry points on first use; `check` raises TypeError for what is no T, or
    can't go by the name that it is given.
    """

    def __init__(self, group: str, check: Callable[[str, object], T]) -> None:
        self.group = group
        self._check = check
        self._items: dict[str, T] = {}
        self._origins: dict[str, str] = {}
        self._loaded = False

    def register(self, name: str, item: T, *, origin: str = "this process") -> None:
        """Add `item`; the same item again is no clash, another one under its name is."""
        present = self._items.get(name)
        if present is not None and present is not item:
            raise PluginFault(
                f"Two plugins of {self.group} are called {name!r}: "
                f"one from {self._origins[name]}, one from {origin}. Uninstall or rename one."
            )
        self._items[name] = item
        self._origins[name] = origin

    def items(self) -> Mapping[str, T]:
        self._load()
        return self._items

    def origin(self, name: str) -> str:
        self._load()
        return self._origins[name]

    def listings(self) -> list[Listing]:
        """Every installed plugin, the broken ones with the reason; for those who look for it."""
        listings = []
        probe = Registry(self.group, self._check)
        for entry in self._entries():
            fault = None
            try:
                probe._add(entry)
            except PluginFault as error:
                fault = str(error)
            listings.append(Listing(entry.name, _distribution(entry), fault))
        return listings

    def __iter__(self) -> Iterator[T]:
        return iter(self.items().values())

    def _load(self) -> None:
        if self._loaded:
            return
        for entry in self._entries():
            self._add(entry)
        self._loaded = True

    def _entries(self) -> list[EntryPoint]:
        # Sorted, so that the order of plugins does not hang on the order of installation.
        return sorted(entry_points(group=self.group), key=lambda e: (e.name, e.value))

    def _add(self, entry: EntryPoint) -> None:
        self.register(entry.name, self._import(entry), origin=_distribution(entry))

    def _import(self, entry: EntryPoint) -> T:
        try:
            loaded = entry.load()
        except (Exception, SystemExit) as error:
            raise PluginFault(
                f"The plugin {entry.name!r} of {_distribution(entry)} cannot be imported "
                f"({entry.value}: {type(error).__name__}: {error}). Fix or uninstall it."
            ) from error
        try:
            return self._check(entry.name, loaded)
        except TypeError as error:
            raise PluginFault(
                f"The plugin {entry.name!r} of {_distribution(entry)} does not fit: {error}"
            ) from error


def _distribution(entry: EntryPoint) -> str:
    if entry.dist is None:
        return "an unknown distribution"
    return f"{entry.dist.name} {entry.dist.version}"
