"""One attempt from left to right, with its faults turned into outcomes."""

from sdkbench.evaluator.attempt import judge_attempt
from sdkbench.evaluator.evaluator import EvaluationResult, Evaluator
from sdkbench.evaluator.repeat import judge_repeatedly
from sdkbench.evaluator.selftest import Tried, judge_entry, tally

__all__ = [
    "EvaluationResult",
    "Evaluator",
    "Tried",
    "judge_attempt",
    "judge_entry",
    "judge_repeatedly",
    "tally",
]
