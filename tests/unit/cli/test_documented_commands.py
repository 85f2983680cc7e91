"""Every command that documents and the action tell of exists, with the options that they name."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from sdkbench.cli.app import app
from tests.support.places import ROOT

ALLOWED_ACTIONS = re.compile(r"actions/[\w-]+@v\d+|github/codeql-action/upload-sarif@v\d+")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`((?:\.venv/bin/)?sdkbench [^`]+)`")
# From the program's name to the end of its command.
COMMAND = re.compile(r"(?:^|[\s/`$(;&])sdkbench ((?:(?! \|\| | \| |;| && | #|`|$).)*)")
OPTION = re.compile(r"^\[?(--?[a-z][\w-]*)")


def commands_of(text: str) -> list[str]:
    """The words after `sdkbench`, of every command in a script or a page's code."""
    joined = re.sub(r"\s*\\\n\s*", " ", text)
    joined = re.sub(r"'[^'\n]*'", "QUOTED", joined)  # other programs' words
    return [match[1].strip() for line in joined.splitlines() for match in COMMAND.finditer(line)]


def of_page(page: Path) -> list[str]:
    text = page.read_text("utf-8")
    code = [body for kind, body in FENCE.findall(text) if kind in {"", "console", "sh", "yaml"}]
    prose = FENCE.sub("", text).replace("\\|", "|")
    return [
        *(command for body in code for command in commands_of(body)),
        *(command for inline in INLINE.findall(prose) for command in commands_of(inline)),
    ]


def unknown_words(command: str) -> list[str]:
    """Options, or a subcommand, that the program doesn't have."""
    lexer = shlex.shlex(command.replace("…", ""), posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        words = list(lexer)
    except ValueError:  # a quotation that ends elsewhere: a placeholder
        words = command.split()
    current: Any = typer.main.get_command(app)
    unknown = []
    for word in words:
        subcommands = getattr(current, "commands", {})
        option = OPTION.match(word)
        if option is not None:
            names = {name for p in current.params for name in (*p.opts, *p.secondary_opts)}
            if option[1] not in names | {"--help"}:
                unknown.append(option[1])
        elif subcommands:
            if word.split("|")[0] not in subcommands:
                return [*unknown, word]
            current = subcommands[word.split("|")[0]]
    return unknown


def test_what_is_not_there_is_found() -> None:
    assert unknown_words("gate latest --fail-under 80 --nope") == ["--nope"]
    assert unknown_words("nope --json") == ["nope"]
    assert unknown_words("cache gc --max-size 5G --json") == ["--json"]
    assert unknown_words("shell eval [DATASET] --backend SPEC -v") == []
    script = "$ .venv/bin/sdkbench runs && sdkbench show x | jq .\n  sdkbench gate \\\n  a || b\n"
    assert commands_of(script) == ["runs", "show x", "gate a"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_on_pages_exist(page: Path) -> None:
    found = {command: unknown_words(command) for command in of_page(page)}
    assert {command: words for command, words in found.items() if words} == {}


def test_pages_do_tell_of_commands() -> None:
    assert sum(len(of_page(page)) for page in PAGES) > 80


def test_the_action_runs_commands_that_exist_and_no_strangers_code() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    steps = action["runs"]["steps"]
    commands = [command for step in steps for command in commands_of(step.get("run", ""))]
    assert {command.split()[0] for command in commands} == {"doctor", "run", "gate", "export"}
    assert [word for command in commands for word in unknown_words(command)] == []
    used = [step["uses"] for step in steps if "uses" in step]
    assert [name for name in used if not ALLOWED_ACTIONS.fullmatch(name)] == []
    # What comes from outside is never part of a script.
    assert [step["run"] for step in steps if "${{" in step.get("run", "")] == []
    assert all(step["shell"] == "bash" for step in steps if "run" in step)


def test_inputs_of_the_action_are_used_and_described() -> None:
    text = (ROOT / "action.yml").read_text("utf-8")
    action = yaml.safe_load(text)
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    assert used == set(action["inputs"])
    assert all("default" in each and each["description"] for each in action["inputs"].values())
