import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sdkbench.errors import ExitCode, PluginFault
from sdkbench.plugins import Registry
from sdkbench.test_harness import TestRunnerRegistry
from sdkbench.test_harness.registry import _check_runner
from tests.support.odd_runner import ODD_RUNNER

GROUP = "sdkbench_unit_tests.things"
Install = Callable[..., None]


def only_callables(_name: str, loaded: object) -> Callable[..., object]:
    if not callable(loaded):
        raise TypeError(f"{loaded!r} is not callable")
    return loaded


def registry() -> Registry[Callable[..., object]]:
    return Registry(GROUP, only_callables)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """`install("dist", "1.0", entry="module:name", module="source")` as a wheel would."""
    before = set(sys.modules)

    def add(distribution: str, version: str = "1.0", *, source: str = "", **entries: str) -> None:
        site = tmp_path / distribution
        info = site / f"{distribution}-{version}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Name: {distribution}\nVersion: {version}\n")
        lines = [f"{name} = {value}" for name, value in entries.items()]
        (info / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines]))
        (site / f"module_of_{distribution}.py").write_text(source)
        monkeypatch.syspath_prepend(str(site))

    yield add
    for name in set(sys.modules) - before:
        if name.startswith("module_of_"):
            del sys.modules[name]


def test_an_installed_plugin_is_listed_with_its_origin(install: Install) -> None:
    install("alpha", "2.1", source="def thing(): return 7", thing="module_of_alpha:thing")
    found = registry()
    assert [name for name, item in found.items().items() if item() == 7] == ["thing"]
    assert found.origin("thing") == "alpha 2.1"


def test_plugins_come_in_order_of_their_names(install: Install) -> None:
    source = "def one(): return 1\ndef two(): return 2"
    install("zeta", source=source, aa="module_of_zeta:two")
    install("alpha", source=source, zz="module_of_alpha:one")
    assert list(registry().items()) == ["aa", "zz"]
    assert [item() for item in registry()] == [2, 1]


def test_without_plugins_a_registry_is_empty() -> None:
    assert dict(registry().items()) == {}


@pytest.mark.parametrize(
    ("source", "value", "says"),
    [
        ("raise RuntimeError('no driver')", "module_of_broken:thing", "RuntimeError: no driver"),
        ("import not_a_module_anywhere", "module_of_broken:thing", "ModuleNotFoundError"),
        ("def broken(:", "module_of_broken:thing", "SyntaxError"),
        ("", "module_of_broken:thing", "AttributeError"),
        ("", "no_such_module:thing", "ModuleNotFoundError"),
        ("raise SystemExit(0)", "module_of_broken:thing", "SystemExit"),
    ],
    ids=["raises", "missing import", "syntax", "missing name", "missing module", "exits"],
)
def test_a_plugin_that_cannot_be_imported_is_reported(
    install: Install, source: str, value: str, says: str
) -> None:
    install("broken", "0.3", source=source, thing=value)
    with pytest.raises(PluginFault) as caught:
        registry().items()
    message = str(caught.value)
    assert "'thing' of broken 0.3" in message
    assert says in message
    assert caught.value.exit_code is ExitCode.HARNESS_FAULT


def test_a_plugin_of_the_wrong_type_is_reported(install: Install) -> None:
    install("wrong", "0.4", source="thing = 5", thing="module_of_wrong:thing")
    with pytest.raises(PluginFault, match=r"'thing' of wrong 0\.4 does not fit: 5 is not callable"):
        registry().items()


def test_a_broken_plugin_is_reported_every_time(install: Install) -> None:
    install("alpha", source="def fine(): ...", fine="module_of_alpha:fine")
    install("wrong", source="thing = 5", thing="module_of_wrong:thing")
    found = registry()
    for _ in range(2):
        with pytest.raises(PluginFault, match="does not fit"):
            found.items()


def test_two_plugins_of_one_name_are_reported_with_both_origins(install: Install) -> None:
    install("alpha", "1.0", source="def thing(): ...", thing="module_of_alpha:thing")
    install("beta", "2.0", source="def thing(): ...", thing="module_of_beta:thing")
    with pytest.raises(
        PluginFault, match=r"Two plugins .*'thing': one from alpha 1\.0, one from beta 2\.0"
    ):
        registry().items()


def test_a_name_taken_in_code_clashes_with_an_installed_one(install: Install) -> None:
    install("alpha", source="def thing(): ...", thing="module_of_alpha:thing")
    found = registry()
    found.register("thing", print)
    with pytest.raises(PluginFault, match=r"one from this process, one from alpha 1\.0"):
        found.items()


def test_the_same_item_twice_is_no_clash() -> None:
    found = registry()
    found.register("thing", print)
    found.register("thing", print)
    assert list(found) == [print]
    with pytest.raises(PluginFault, match="Two plugins"):
        found.register("thing", repr)
    assert list(found) == [print]


def test_the_broken_are_listed_among_the_sound(install: Install) -> None:
    install("alpha", "1.0", source="def thing(): ...", thing="module_of_alpha:thing")
    install("beta", "2.0", source="def thing(): ...", thing="module_of_beta:thing")
    install("gamma", "3.0", source="raise SystemExit(0)", third="module_of_gamma:thing")
    found = registry().listings()
    assert [(name, origin) for name, origin, _ in found] == [
        ("thing", "alpha 1.0"), ("thing", "beta 2.0"), ("third", "gamma 3.0"),
    ]  # fmt: skip
    sound, clash, broken = (listing.fault for listing in found)
    assert sound is None
    assert clash
    assert "one from alpha 1.0, one from beta 2.0" in clash
    assert broken
    assert "'third' of gamma 3.0 cannot be imported" in broken


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("def get_language", "def get_tongue", "Runner has no get_language."),
        ("def examine", "def inspect", "Runner has no run_tests."),
        ('name = "odd"', 'name = "even"', "Runner calls itself 'even'; the names must be"),
        ('name = "odd"', "", "Runner calls itself 'runner'"),
        ("(BaseTestRunner)", "", "is not a subclass of BaseTestRunner."),
    ],
)
def test_a_plugin_that_is_no_runner_is_reported(
    install: Install, old: str, new: str, says: str
) -> None:
    install("queer", source=ODD_RUNNER.replace(old, new), odd="module_of_queer:Runner")
    with pytest.raises(PluginFault, match=r"'odd' of queer 1\.0 does not fit") as caught:
        Registry(GROUP, _check_runner).items()
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("raise ValueError('no idea')", "ValueError: no idea."),
        ("raise SystemExit(0)", "SystemExit: 0."),
        ("return None", "AttributeError"),
    ],
)
def test_a_runner_that_fails_in_detect_is_reported(
    install: Install, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str, says: str
) -> None:
    source = ODD_RUNNER.replace("return RunnerDetectionResult(detected=False)", code)
    install("queer", source=source, odd="module_of_queer:Runner")
    monkeypatch.setattr(TestRunnerRegistry, "_registry", Registry(GROUP, _check_runner))
    [found] = TestRunnerRegistry.detect_all(tmp_path)
    assert found.error
    assert found.error.startswith("The runner 'odd' of queer 1.0 failed while looking at ")
    assert says in found.error
    with pytest.raises(PluginFault, match=r"queer 1\.0"):
        TestRunnerRegistry.get_runner(tmp_path)


def test_the_files_of_a_runner_are_known(
    install: Install, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install("queer", source=ODD_RUNNER, odd="module_of_queer:Runner")
    monkeypatch.setattr(TestRunnerRegistry, "_registry", Registry(GROUP, _check_runner))
    assert TestRunnerRegistry.code_of_plugins() == [tmp_path / "queer" / "module_of_queer.py"]
