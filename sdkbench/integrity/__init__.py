"""Evidence → verdict, by pure functions. No evidence, no pass."""

from sdkbench.integrity.expectation import Expectation, expectation_from
from sdkbench.integrity.verdict import Verdict, decide

__all__ = ["Expectation", "Verdict", "decide", "expectation_from"]
