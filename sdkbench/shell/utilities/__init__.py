"""What is known of each utility's options, as data."""

from sdkbench.shell.utilities.table import Arity, Utility, find_utility

__all__ = ["Arity", "Utility", "find_utility"]
