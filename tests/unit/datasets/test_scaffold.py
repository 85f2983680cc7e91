"""Files for a new SDK or sample: written once, by good names only."""

import json
import tomllib
from pathlib import Path

import pytest
import yaml

from sdkbench.datasets import load_sample, load_variants, sdk_names
from sdkbench.datasets.scaffold import (
    GUIDE,
    KITS,
    Sdk,
    new_project,
    new_sample,
    new_sdk,
    read_sdk,
)
from sdkbench.engine import RunSettings
from sdkbench.errors import InputError
from tests.support.places import SAMPLES

SDK = Sdk("demo", "python", "demo-sdk", "1.2.3")


@pytest.mark.parametrize("language", KITS)
def test_a_new_sample_is_whole_and_says_what_to_do(language: str, tmp_path: Path) -> None:
    package = "org.demo:demo-sdk" if language == "java" else "demo-sdk"
    new_sdk(tmp_path, Sdk("demo", language, package, "1.2.3"))
    written = new_sample(tmp_path, "demo", "demo_first_001")
    sample = load_sample(tmp_path / "demo" / "demo_first_001")
    assert sample.ground_truth.metadata.sdk_version == "1.2.3"
    assert len(load_variants(sample)) == 3
    texts = {path: path.read_text(encoding="utf-8") for path in written}
    assert not [path for path, text in texts.items() if "{{" in text]
    guided = {path.name for path, text in texts.items() if GUIDE in text}
    assert {"metadata.json", "variants.toml"} < guided
    entry = KITS[language].entry
    for side in ("input", "expected"):
        assert GUIDE in (sample.root / side / entry).read_text(encoding="utf-8")
    manifests = " ".join(p.read_text() for p in (sample.root / "expected").iterdir() if p.is_file())
    assert "demo-sdk" in manifests


def test_what_the_guide_says_of_an_sdk_is_no_part_of_its_samples(tmp_path: Path) -> None:
    new_sdk(tmp_path, SDK)
    new_sample(tmp_path, "demo", "demo_first_001")
    assert load_sample(tmp_path / "demo" / "demo_first_001").shared == ()
    assert json.loads(json.dumps(read_sdk(tmp_path, "demo"))) == list(SDK)


@pytest.mark.parametrize(
    ("sdk", "problem"),
    [
        (SDK._replace(name="../x"), "is no name for the SDK"),
        (SDK._replace(name="Demo"), "small letters"),
        (SDK._replace(language="perl"), "no template for 'perl'. There are: python"),
        (SDK._replace(version="^1.2"), "is no exact version"),
        (SDK._replace(language="java"), "Write group:artifact"),
    ],
)
def test_an_sdk_that_cannot_be_is_refused(sdk: Sdk, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=problem):
        new_sdk(tmp_path / "samples", sdk)
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    new_sdk(tmp_path, SDK)
    with pytest.raises(InputError, match="is there already"):
        new_sdk(tmp_path, SDK)
    new_sample(tmp_path, "demo", "demo_first_001")
    with pytest.raises(InputError, match="is there already"):
        new_sample(tmp_path, "demo", "demo_first_001")


def test_a_sample_of_an_unknown_sdk_is_refused_with_the_way_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sdkbench new sdk demo --language"):
        new_sample(tmp_path, "demo", "demo_first_001")
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "sdk.toml").write_text("language = 3")
    with pytest.raises(InputError, match=r"sdk\.toml cannot be read"):
        new_sample(tmp_path, "demo", "demo_first_001")


@pytest.mark.parametrize("name", sdk_names(SAMPLES))
def test_every_bundled_sdk_takes_new_samples(name: str) -> None:
    sdk = read_sdk(SAMPLES, name)
    roots = [path for path in (SAMPLES / name).iterdir() if (path / "expected").is_dir()]
    versions = {load_sample(root).ground_truth.metadata.sdk_version for root in roots}
    assert sdk.version in versions


@pytest.mark.parametrize("language", KITS)
def test_a_project_has_configuration_ci_and_a_sample_without_a_guide(
    language: str, tmp_path: Path
) -> None:
    package = "com.acme:demo" if language == "java" else "demo"
    sdk = Sdk("demo", language, package, "1.2.3")
    written = new_project(tmp_path / "mine", sdk)
    assert all(path.is_file() for path in written)
    texts = {path.relative_to(tmp_path / "mine").as_posix(): path.read_text() for path in written}
    assert [name for name, text in texts.items() if GUIDE in text] == []
    unfilled = [name for name, text in texts.items() if "{{" in text.replace("${{", "")]
    assert [name for name in unfilled if not name.startswith("samples/")] == []
    sample = load_sample(tmp_path / "mine" / "samples" / "demo" / "demo_first_001")
    assert sample.sdk == "demo"
    settings = RunSettings.model_validate(tomllib.loads(texts["sdkbench.toml"]))
    assert settings.sdk == ("demo",)
    workflow = yaml.safe_load(texts[".github/workflows/sdkbench.yml"])
    steps = workflow["jobs"]["prove"]["steps"]
    assert any("sdkbench validate samples" in step.get("run", "") for step in steps)


def test_a_project_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(InputError, match="is there already"):
        new_project(tmp_path, SDK)
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert (tmp_path / "README.md").read_text() == "mine"
