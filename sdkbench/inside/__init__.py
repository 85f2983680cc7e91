"""Programs that run inside a sandbox. They import nothing of sdkbench, and nobody imports them."""

import sys

LOADED_AT_START = frozenset(sys.modules)  # what any program has that Python starts
