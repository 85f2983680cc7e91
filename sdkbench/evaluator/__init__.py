"""Evaluator: the public way to judge one solution folder."""

from sdkbench.evaluator.evaluator import EvaluationResult, Evaluator
