"""One solution → one verdict: the pipeline, the reference, mutants, the verdict, the score."""

from sdkbench.judge.attempt import judge_attempt, judge_repeatedly
from sdkbench.judge.pipeline import judge
from sdkbench.judge.subject import Options, Subject
