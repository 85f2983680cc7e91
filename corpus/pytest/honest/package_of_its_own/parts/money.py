from ..core import Ledger, Overdrawn  # noqa: F401
