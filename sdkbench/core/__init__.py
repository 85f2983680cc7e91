"""The nouns: values that every room passes on. No processes, no network."""

from sdkbench.core import fingerprints
from sdkbench.core.ground_truth import BlackBox, GroundTruth
from sdkbench.core.outcome import Assurance, Fault, Integrity, Outcome, ScoreMode, Value
from sdkbench.core.project import Placement, Project
from sdkbench.core.solution import Solution
