"""Whether a command keeps to POSIX: the shell language, and apart from it the utilities.

The shell language is decided by two tools run over many commands at once; utilities and their
options by a table. `posix_compliant` in a dataset follows the language unless it says otherwise.
"""

from sdkbench.shell.posix.check import check_posix, is_posix_compliant
from sdkbench.shell.posix.report import Edition, PosixFinding, PosixOutcome, PosixReport
from sdkbench.shell.posix.tools import Run, ToolOutput
