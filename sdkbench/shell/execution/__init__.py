"""Equality by execution: both commands run in the sandbox, on several trees; effects are compared.

An opt-in. Only what the safety judge allows is run, only at level bubblewrap, and only after a
canary has shown that differences are seen.
"""

from sdkbench.shell.execution.judge import Execution, prepared
