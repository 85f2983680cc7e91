"""Flags and a TOML file become settings; whatever is wrong is told in one sentence."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.cli.run_config import MOST_BYTES, run_settings
from sdkbench.core import Integrity, ScoreMode
from sdkbench.engine import RunSettings
from sdkbench.errors import InputError


def write(folder: Path, text: str) -> Path:
    path = folder / "run.toml"
    path.write_text(text, encoding="utf-8")
    return path


def complaint(config: Path | None, **flags: object) -> str:
    with pytest.raises(InputError) as caught:
        run_settings(config, flags)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_an_empty_configuration_means_the_defaults() -> None:
    assert run_settings(None, {}) == RunSettings()


def test_flags_that_were_not_given_change_nothing() -> None:
    flags: dict[str, object] = dict.fromkeys(RunSettings.model_fields)
    assert run_settings(None, flags | {"model": [], "dataset": ()}) == RunSettings()


def test_a_flag_overrides_the_file_and_the_file_the_default(tmp_path: Path) -> None:
    path = write(tmp_path, 'model = ["starter"]\ntrials = 3\nresume = true\n[agent]\nseconds = 5\n')
    settings = run_settings(path, {"model": ["reference"], "resume": False, "limit": None})
    assert settings.model == ("reference",)
    assert (settings.trials, settings.resume, settings.limit) == (3, False, None)
    assert settings.agent.seconds == 5


@pytest.mark.parametrize("word", ["pass_rate", "pass-rate"])
def test_a_mode_is_spelt_either_way(tmp_path: Path, word: str) -> None:
    settings = run_settings(write(tmp_path, f'mode = "{word}"\nintegrity = "checked"\n'), {})
    assert (settings.mode, settings.integrity) == (ScoreMode.PASS_RATE, Integrity.CHECKED)


def test_all_unknown_keys_are_listed_with_suggestions(tmp_path: Path) -> None:
    path = write(tmp_path, 'samples = ["x"]\nmax-requests = 2\nzzz = 1\n[agent]\nfoo = 1\n')
    told = complaint(path)
    assert "samples (did you mean samples_dir?)" in told
    assert "max-requests (did you mean max_requests?)" in told
    assert "zzz" in told
    assert "agent.foo," in told


def test_every_wrong_value_is_reported_with_its_key(tmp_path: Path) -> None:
    path = write(tmp_path, 'trials = "many"\nmodel = "x"\ntimeout = 0\nsandbox = "none"\n')
    told = complaint(path)
    for key in ("trials:", "model:", "timeout:", "sandbox:"):
        assert key in told


def test_a_wrong_flag_is_not_blamed_on_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "workers = 0\n")
    told = complaint(path, trials=0)
    flags, _, file = told.partition(str(path))
    assert flags.startswith("the flags: trials: ")
    assert file.startswith(": workers: ")


@pytest.mark.parametrize("run_id", ["../x", "", ".x", "a b", "a/b", "x" * 101, "a\n", "latest"])
def test_a_run_id_that_can_t_be_one(run_id: str) -> None:
    assert "run_id" in complaint(None, run_id=run_id)


@pytest.mark.parametrize("text", ["model = [", "\x00", "a = 1\na = 2\n"])
def test_what_is_no_toml(tmp_path: Path, text: str) -> None:
    assert "is not TOML" in complaint(write(tmp_path, text))


def test_files_that_can_t_be_read(tmp_path: Path) -> None:
    assert "cannot be read" in complaint(tmp_path / "missing.toml")
    assert "cannot be read" in complaint(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'label = "\xe4"\n')
    assert "is not TOML" in complaint(tmp_path / "latin.toml")
    assert "larger than" in complaint(write(tmp_path, "#" * (MOST_BYTES + 1)))


@given(st.dictionaries(st.text(min_size=1, max_size=12), st.integers(), min_size=1, max_size=5))
def test_whatever_keys_there_are_the_complaint_names_them(flags: dict[str, int]) -> None:
    unknown = [name for name in flags if name not in RunSettings.model_fields]
    if unknown:
        with pytest.raises(InputError) as caught:
            run_settings(None, flags)
        assert all(name in str(caught.value) for name in unknown)


def test_settings_that_contradict_each_other_are_reported() -> None:
    with pytest.raises(InputError, match=r"^the flags: --skip-generation uses what is stored"):
        run_settings(None, {"skip_generation": True, "resume": False})
