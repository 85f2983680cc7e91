"""One attempt from left to right, with its faults turned into outcomes."""

from sdkbench.evaluator.attempt import judge_attempt
from sdkbench.evaluator.evaluator import EvaluationResult, Evaluator

__all__ = ["EvaluationResult", "Evaluator", "judge_attempt"]
