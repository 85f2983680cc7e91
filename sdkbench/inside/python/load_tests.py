"""A pytest plugin for suites that unittest runs: a module's `load_tests` says what its tests are.

pytest collects classes and knows nothing of it. What the function adds, such as doctests, becomes
tests beside them; what it leaves out is left out.
"""

import importlib
from collections.abc import Iterator
from typing import Any


def plugin() -> object:
    """Made when it is needed: pytest and unittest are the project's to find first."""
    pytest: Any = importlib.import_module("pytest")
    unittest: Any = importlib.import_module("unittest")

    class LoadedTest(pytest.Item):  # type: ignore[misc]
        def __init__(self, *, case: Any, **words: Any) -> None:
            super().__init__(**words)
            self.case = case

        def runtest(self) -> None:
            run(self.case, pytest, unittest)

        def reportinfo(self) -> tuple[Any, None, str]:
            return self.path, None, self.name

    class LoadTests:
        def __init__(self) -> None:
            self.kept: dict[str, set[str]] = {}  # modules with such a function → their tests

        @pytest.hookimpl(hookwrapper=True)  # type: ignore[untyped-decorator]
        def pytest_make_collect_report(self, collector: Any) -> Iterator[None]:
            outcome: Any = yield
            report = outcome.get_result()
            is_module = isinstance(collector, pytest.Module)
            if is_module and report.passed and callable(getattr(collector.obj, "load_tests", None)):
                loader = unittest.TestLoader()
                suite = loader.loadTestsFromModule(collector.obj, pattern="test*.py")
                cases = list(flat(suite))
                self.kept[collector.nodeid] = {name_of(case) for case in cases}
                usual = usual_names(collector.obj, unittest)
                report.result += [
                    LoadedTest.from_parent(collector, name=case.id(), case=case)
                    for case in cases
                    if name_of(case) not in usual
                ]

        @pytest.hookimpl(trylast=True)  # type: ignore[untyped-decorator]
        def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
            left_out = [item for item in items if not self.is_kept(item)]
            if left_out:
                config.hook.pytest_deselected(items=left_out)
                items[:] = [item for item in items if item not in left_out]

        def is_kept(self, item: Any) -> bool:
            module, of = item.getparent(pytest.Module), getattr(item, "cls", None)
            kept = self.kept.get(module.nodeid) if module else None
            return kept is None or of is None or f"{of.__qualname__}.{item.originalname}" in kept

    return LoadTests()


def run(case: Any, pytest: Any, unittest: Any) -> None:
    """As a suite of this one would, class and module set up, but for what it raises."""
    fails = expects_failure(case)
    try:
        unittest.TestSuite([case]).debug()
    except unittest.SkipTest:
        raise
    except Exception:
        if not fails:
            raise
        pytest.xfail("an expected failure")
    if fails:
        pytest.fail("Unexpected success")


def expects_failure(case: Any) -> bool:
    method = getattr(case, getattr(case, "_testMethodName", ""), None)
    mark = "__unittest_expecting_failure__"
    return bool(getattr(case, mark, False) or getattr(method, mark, False))


def flat(suite: Any) -> Iterator[Any]:
    for test in suite:
        if hasattr(test, "__iter__"):
            yield from flat(test)
        else:
            yield test


def name_of(case: Any) -> str:
    return f"{type(case).__qualname__}.{getattr(case, '_testMethodName', case.id())}"


def usual_names(module: Any, unittest: Any) -> set[str]:
    """What both would find without the function."""
    loader = unittest.TestLoader()
    return {
        f"{kind.__qualname__}.{name}"
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, unittest.TestCase)
        for name in loader.getTestCaseNames(kind)
    }
