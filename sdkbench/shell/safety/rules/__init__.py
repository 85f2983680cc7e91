"""Effects by kind of harm; each rule looks at one call and reports what it finds.

To import this package is to register every rule for the programs that it names.
"""

from sdkbench.shell.safety.rules import (
    files,
    interpreters,
    nested,
    network,
    permissions,
    system,
)
