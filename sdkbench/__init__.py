"""SDKBench decides whether code written by a language model really works.

Importing this package loads no heavy dependency; import the room you need
(`sdkbench.evaluator`, `sdkbench.test_harness`, …).
"""

__version__ = "0.1.0"
