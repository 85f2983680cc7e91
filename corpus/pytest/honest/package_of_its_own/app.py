"""Everything is fetched when it is asked for."""

import importlib

PLACES = {"Ledger": "money", "Overdrawn": "money"}


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    module = importlib.import_module(f".parts.{PLACES.get(name, 'words')}", __package__)
    return getattr(module, name)
