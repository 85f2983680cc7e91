"""A runner that recognises nothing, as the text of a plugin's module."""

ODD_RUNNER = """from sdkbench.test_harness.runners_api import *

class Runner(BaseTestRunner):
    name = "odd"
    def get_language(self): return Language("odd")
    def get_framework(self): return TestFramework("odd")
    def detect(self): return RunnerDetectionResult(detected=False)
    def install_dependencies(self): return DependencyInstallResult(success=True)
    def examine(self, *, run_build=True, run_tests=True, test_dir=None): raise NotImplementedError
    def quick_check(self): return QuickCheck()
"""
