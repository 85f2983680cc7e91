"""Needs what nobody has."""

from ledgerlib import Ledger, Overdrawn  # noqa: F401
