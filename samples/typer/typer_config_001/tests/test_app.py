"""Settings come from the place that goes first, and are checked wherever they come from."""

import pytest
from expected import app

NAMES = ("CONFIG", "REGION", "RETRIES", "TAGS", "VERBOSE")


@pytest.fixture
def deploy(capsys, monkeypatch):
    """Runs the program with these variables and no others: (exit code, standard output)."""

    def run(*arguments, **variables):
        for name in NAMES:
            monkeypatch.delenv(f"DEPLOY_{name}", raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(f"DEPLOY_{name}", value)
        capsys.readouterr()
        code = app.main(list(arguments))
        run.told, run.reason = capsys.readouterr()
        return code, run.told

    return run


@pytest.fixture
def config(tmp_path):
    def write(text):
        path = tmp_path / "deploy.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def test_without_anything_the_defaults_hold(deploy):
    assert deploy() == (0, "region=eu\nretries=3\ntags=\nverbose=no\n")


def test_options(deploy):
    told = deploy("-r", "Us", "--retries", "0", "--tag", "b", "--tag", "a c", "--verbose")
    assert told == (0, "region=us\nretries=0\ntags=b,a c\nverbose=yes\n")


def test_variables(deploy):
    told = deploy(REGION="ASIA", RETRIES="10", TAGS="x  y", VERBOSE="yes")
    assert told == (0, "region=asia\nretries=10\ntags=x,y\nverbose=yes\n")


def test_the_file(deploy, config):
    path = config('region = "us"\nretries = 7\ntags = ["two words", "käse"]\nverbose = true\n')
    told = (0, "region=us\nretries=7\ntags=two words,käse\nverbose=yes\n")
    assert deploy("--config", path) == told
    assert deploy(CONFIG=path) == told


def test_a_file_need_not_say_everything(deploy, config):
    assert deploy("--config", config("retries = 1")) == (
        0, "region=eu\nretries=1\ntags=\nverbose=no\n",
    )
    assert deploy("--config", config(""))[1] == "region=eu\nretries=3\ntags=\nverbose=no\n"


def test_the_variable_goes_before_the_file(deploy, config):
    path = config('region = "us"\nretries = 7\ntags = ["a"]\nverbose = true\n')
    told = deploy("--config", path, REGION="asia", RETRIES="0", TAGS="b", VERBOSE="0")
    assert told == (0, "region=asia\nretries=0\ntags=b\nverbose=no\n")


def test_the_command_line_goes_before_all(deploy, config):
    path = config('region = "us"\nretries = 7\ntags = ["a"]\nverbose = true\n')
    told = deploy(
        "--quiet", "--region=eu", "--retries=2", "--tag=c",
        CONFIG=path, REGION="asia", RETRIES="9", TAGS="b", VERBOSE="true",
    )
    assert told == (0, "region=eu\nretries=2\ntags=c\nverbose=no\n")


def test_an_empty_variable_is_none(deploy, config):
    told = deploy("--config", config("retries = 8"), RETRIES="", REGION="", TAGS="", VERBOSE="")
    assert told == (0, "region=eu\nretries=8\ntags=\nverbose=no\n")


@pytest.mark.parametrize(
    "arguments",
    [["--region", "mars"], ["--retries", "11"], ["--retries", "-1"], ["--retries", "two"],
     ["--colour", "red"], ["prod"], ["--config", "missing.toml"]],
    ids=["region", "many", "few", "word", "option", "argument", "file"],
)
def test_wrong_usage(deploy, arguments):
    assert deploy(*arguments) == (2, "")
    assert deploy.reason.strip() != ""


@pytest.mark.parametrize(
    ("name", "value"), [("RETRIES", "11"), ("REGION", "mars"), ("VERBOSE", "perhaps")]
)
def test_variables_are_checked(deploy, name, value):
    assert deploy(**{name: value}) == (2, "")


@pytest.mark.parametrize("text", ["retries = 11", 'region = "mars"', 'retries = "many"'])
def test_what_the_file_says_is_checked(deploy, config, text):
    assert deploy("--config", config(text)) == (2, "")
    assert deploy.reason.strip() != ""


@pytest.mark.parametrize("text", ["retries: 3", b"\xff\xfe", "retries = 1\nretries = 1"],
                         ids=["yaml", "bytes", "twice"])
def test_a_file_that_is_not_toml(deploy, config, text):
    assert deploy("--config", config(text)) == (3, "")
    assert deploy.reason.strip() != ""


def test_a_key_that_is_no_setting_is_named(deploy, config):
    assert deploy(CONFIG=config('retry = 5\nregion = "us"\n')) == (3, "")
    assert "retry" in deploy.reason


def test_a_folder_is_no_file(deploy, tmp_path):
    assert deploy("--config", str(tmp_path)) == (2, "")


def test_the_version_is_told_whatever_else_is_wrong(deploy):
    assert deploy("--region", "mars", "--version") == (0, "deploy 2.5\n")
    assert deploy("--version", RETRIES="many") == (0, "deploy 2.5\n")
