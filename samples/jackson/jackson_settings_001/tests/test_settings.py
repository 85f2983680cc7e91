"""Files as people write them go in, the settings in effect come out."""

import json
import subprocess
from pathlib import Path

DEFAULTS: dict[str, object] = {
    "host": "localhost",
    "port": 8080,
    "log": "INFO",
    "timeout": 2.5,
    "origins": [],
    "database": {"url": "jdbc:h2:mem:", "pool": 4, "readOnly": False},
}
TOLD = (
    '{"host":"localhost","port":8080,"log":"INFO","timeout":2.5,"origins":[],'
    '"database":{"url":"jdbc:h2:mem:","pool":4,"readOnly":false}}'
)


def run(folder: Path, settings: object) -> "subprocess.CompletedProcess[str]":
    if settings is not None:
        text = settings if isinstance(settings, str) else json.dumps(settings)
        (folder / "settings.json").write_text(text, encoding="utf-8")
    return subprocess.run(
        ["solution"], cwd=folder, capture_output=True, encoding="utf-8", timeout=60
    )


def in_effect(folder: Path, settings: object) -> object:
    done = run(folder, settings)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def reason(folder: Path, settings: object) -> str:
    done = run(folder, settings)
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr.strip()


def test_without_a_file_the_defaults_are_told(tmp_path: Path) -> None:
    done = run(tmp_path, None)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{TOLD}\n", "")


def test_all_settings_can_be_chosen(tmp_path: Path) -> None:
    chosen = {
        "database": {"readOnly": True, "pool": 9, "url": "jdbc:x:\u00e9"},
        "origins": ["a.example", "b.example"],
        "timeout": 10,
        "log": "ERROR",
        "port": 1,
        "host": "0.0.0.0",
    }
    assert run(tmp_path, chosen).stdout == (
        '{"host":"0.0.0.0","port":1,"log":"ERROR","timeout":10.0,'
        '"origins":["a.example","b.example"],'
        '"database":{"url":"jdbc:x:\u00e9","pool":9,"readOnly":true}}\n'
    )


def test_what_is_missing_or_null_has_its_default(tmp_path: Path) -> None:
    chosen = {"port": 80, "host": None, "origins": None, "log": None, "database": {"pool": 1}}
    database = {"url": "jdbc:h2:mem:", "pool": 1, "readOnly": False}
    assert in_effect(tmp_path, chosen) == {**DEFAULTS, "port": 80, "database": database}
    nothing = {"port": None, "timeout": None, "database": None}
    assert in_effect(tmp_path, nothing) == DEFAULTS
    inner = {"database": {"url": None, "pool": None, "readOnly": None}}
    assert in_effect(tmp_path, inner) == DEFAULTS


def test_levels_may_be_small_and_origins_a_single_text(tmp_path: Path) -> None:
    assert in_effect(tmp_path, {"log": "warn", "origins": "a.example"}) == {
        **DEFAULTS,
        "log": "WARN",
        "origins": ["a.example"],
    }


def test_comments_and_last_commas_are_passed_over(tmp_path: Path) -> None:
    text = '{ // ours\n  "port": 81, /* not\n 80 */\n  "origins": ["a", "b",],\n}\n// end\n'
    assert in_effect(tmp_path, text) == {**DEFAULTS, "port": 81, "origins": ["a", "b"]}


def test_what_nobody_knows_is_told_and_ignored(tmp_path: Path) -> None:
    text = (
        '{"prot": {"port": 1, "x": [{}]}, "port": 82, "Host": null, '
        '"database": {"pol": [1, {"pool": 2}], "pool": 3, "host": "x"}, "url": 5}'
    )
    done = run(tmp_path, text)
    told = TOLD.replace("8080", "82").replace('"pool":4', '"pool":3')
    assert (done.returncode, done.stdout) == (0, f"{told}\n")
    assert done.stderr.splitlines() == [
        "unknown: prot",
        "unknown: Host",
        "unknown: database.pol",
        "unknown: database.host",
        "unknown: url",
    ]


def test_a_text_is_nothing_but_a_text(tmp_path: Path) -> None:
    assert reason(tmp_path, {"host": 5}) == "settings.json: host"
    assert reason(tmp_path, {"host": 5.5, "other": 1}) == "settings.json: host"
    assert reason(tmp_path, {"database": {"url": True}}) == "settings.json: database.url"
    assert reason(tmp_path, {"origins": [7]}) == "settings.json: origins.0"


def test_a_number_is_nothing_but_a_number(tmp_path: Path) -> None:
    assert reason(tmp_path, {"port": "8080"}) == "settings.json: port"
    assert reason(tmp_path, {"database": {"pool": 4.0}}) == "settings.json: database.pool"
    assert reason(tmp_path, {"port": 99999999999}) == "settings.json: port"
    assert reason(tmp_path, {"timeout": "2"}) == "settings.json: timeout"


def test_levels_booleans_and_objects_are_what_they_must_be(tmp_path: Path) -> None:
    assert reason(tmp_path, {"log": "loud"}) == "settings.json: log"
    assert reason(tmp_path, {"log": 1}) == "settings.json: log"
    assert (
        reason(tmp_path, {"database": {"readOnly": "true"}}) == "settings.json: database.readOnly"
    )
    assert reason(tmp_path, {"database": {"readOnly": 1}}) == "settings.json: database.readOnly"
    assert reason(tmp_path, {"database": "x"}) == "settings.json: database"


def test_what_is_no_json_is_told_with_its_line(tmp_path: Path) -> None:
    assert reason(tmp_path, '{\n  "port": 80 80\n}\n') == "settings.json: line 2"
    assert reason(tmp_path, '{"other": 1,\n\n  port: 1\n}\n') == "settings.json: line 3"


def test_only_an_object_has_settings(tmp_path: Path) -> None:
    assert reason(tmp_path, "[]") == "settings.json: no object"
    assert reason(tmp_path, "// nothing\n") == "settings.json: no object"
