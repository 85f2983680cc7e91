"""How the rules of shell equality do on commands that people wrote: public data, given as files.

Usage: python scripts/shell_public_data.py FILE_OR_FOLDER... [--execute] [--setup SCRIPT] [--show N]

Read are: one command a line (`all.cm`; the prompts in `all.nl` beside it are used), lists of
objects in JSON or JSON lines (a prompt with one or more commands), pages of tldr (`*.md`), and
pairs in TOML (`equal`, `different`). Told are:

1. commands that bash accepts and that are not equal to themselves, by reason (exit code 1);
2. alternatives of one prompt that are not spelled alike: how many the rules bring together;
3. with --execute, the same for those that a run shows to be equal (recall) or different (false
   equals), on our own fixtures or on the tree that a dataset's setup script makes;
4. equals among commands of different prompts, and among commands with one change that counts.

Nothing of the data is kept.
"""

import argparse
import itertools
import json
import random
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from sdkbench.sandbox import choose
from sdkbench.shell import TestCase
from sdkbench.shell.equivalence import Verdict, commands_match, compare
from sdkbench.shell.execution import Execution, prepared
from sdkbench.shell.syntax import parse

PROMPT_KEYS = ("query", "nl", "prompt", "invocation", "question", "instruction")
COMMAND_KEYS = ("gold", "gold2", "bash", "bash2", "cmd", "command", "cm", "answer")
MAX_ALTERNATIVES = 40  # pairs of one prompt
STRANGERS = 20_000  # pairs of different prompts
PLACEHOLDER = re.compile(r"\{\{(?:\[([^|\]]*)\|[^\]]*\]|(.*?))\}\}")
SEED = 15

# A change of one place that always changes what a command does, where it applies.
CHANGES = (
    (re.compile(r"(?<=\s)(\d+)(?=\s|$)"), lambda m: str(int(m[1]) + 1)),
    (re.compile(r"(?<=-type )f\b"), lambda _: "d"),
    (re.compile(r"(?<=-name )(['\"]?\*?\.?\w+)(?=['\"]?(?:\s|$))"), lambda m: f"{m[1]}q"),
    (re.compile(r"(?<= )>(?= ?\w)"), lambda _: ">>"),
    (re.compile(r"&&"), lambda _: "||"),
    (re.compile(r"(?<=\bgrep )(?=['\"\w])"), lambda _: "-v "),
    (re.compile(r"(?<=\bsort)(?= -[a-z]|$| \|)"), lambda _: " -c"),
    (re.compile(r"(?<=\s)(-delete)(?=\s|$)"), lambda _: "-print"),
)  # fmt: skip


class Pair(NamedTuple):
    first: str
    second: str


class Data(NamedTuple):
    """Every command once, the alternatives of each prompt, and pairs that came with a label."""

    commands: dict[str, None]
    prompts: dict[str, dict[str, None]]
    labelled: list[tuple[Verdict, Pair]]

    def add(self, command: str, prompt: str = "") -> None:
        text = command.strip()
        if not text:
            return
        self.commands[text] = None
        if prompt:
            key = re.sub(r"\W+", " ", prompt.lower()).strip()
            self.prompts.setdefault(key, {})[text] = None


def read(paths: Iterable[Path]) -> Data:
    data = Data({}, {}, [])
    for path in itertools.chain.from_iterable(map(_files, paths)):
        text = path.read_text("utf-8", errors="replace")
        match path.suffix:
            case ".json" | ".jsonl":
                _read_objects(text, data)
            case ".md":
                for line in re.findall(r"^`(.*)`\s*$", text, re.MULTILINE):
                    data.add(PLACEHOLDER.sub(lambda m: m[1] or m[2] or "", line))
            case ".toml":
                for label, pairs in tomllib.loads(text).items():
                    data.labelled.extend((Verdict(label), Pair(*pair)) for pair in pairs)
            case _:
                _read_lines(path, text, data)
    return data


def _files(path: Path) -> Iterator[Path]:
    yield from sorted(path.rglob("*.md")) if path.is_dir() else (path,)


def _read_lines(path: Path, text: str, data: Data) -> None:
    prompts = path.with_suffix(".nl")
    asked = prompts.read_text("utf-8").split("\n") if prompts.is_file() else []
    for command, prompt in itertools.zip_longest(text.split("\n"), asked, fillvalue=""):
        data.add(command, prompt)


def _read_objects(text: str, data: Data) -> None:
    try:
        objects = json.loads(text)
    except json.JSONDecodeError:
        objects = [json.loads(line) for line in text.splitlines() if line.strip()]
    if isinstance(objects, dict):
        by_id = all(isinstance(each, dict) for each in objects.values())
        objects = list(objects.values()) if by_id else [objects]
    for each in objects:
        prompt = next((str(each[key]) for key in PROMPT_KEYS if key in each), "")
        for key in COMMAND_KEYS:
            if isinstance(each.get(key), str):
                data.add(each[key], prompt)


def echo(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def bash_accepts(command: str) -> bool:
    """A warning is no objection; what is wrong in `[[ ]]` bash tells without an exit code."""
    words = ["bash", "-n", "-c", command]
    ran = subprocess.run(words, capture_output=True, text=True, check=False, errors="replace")
    return ran.returncode == 0 and all("warning" in line for line in ran.stderr.splitlines())


def not_themselves(commands: Iterable[str]) -> dict[str, list[str]]:
    """By reason. Text without any command (a comment) is none that could be equal."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for command in commands:
        parsed = parse(command)
        empty = parsed.script is not None and not parsed.script.statements
        if empty or compare(command, command).verdict is Verdict.EQUAL:
            continue
        if "\0" not in command and bash_accepts(command):
            reasons[parsed.problem.message if parsed.problem else "unequal"].append(command)
    return reasons


def spelled_alike(pair: Pair) -> bool:
    try:
        return shlex.split(pair.first) == shlex.split(pair.second)
    except ValueError:
        return pair.first.split() == pair.second.split()


def alternatives(data: Data) -> list[Pair]:
    pairs: list[Pair] = []
    for commands in data.prompts.values():
        chosen = itertools.islice(itertools.combinations(commands, 2), MAX_ALTERNATIVES)
        pairs += [pair for pair in itertools.starmap(Pair, chosen) if not spelled_alike(pair)]
    return pairs


def strangers(data: Data) -> list[Pair]:
    """Commands of different prompts that begin with the same program."""
    owners = Counter(command for commands in data.prompts.values() for command in commands)
    prompts = {c: prompt for prompt, cs in data.prompts.items() for c in cs if owners[c] == 1}
    programs: dict[str, list[str]] = defaultdict(list)
    for command in prompts:
        programs[command.split()[0]].append(command)
    rng = random.Random(SEED)  # noqa: S311 - a sample, no secret
    several = [commands for commands in programs.values() if len(commands) > 1]
    weights = [len(commands) for commands in several]
    chosen = rng.choices(several, weights, k=STRANGERS) if several else []
    pairs = [Pair(*rng.sample(commands, 2)) for commands in chosen]
    return [pair for pair in pairs if prompts[pair.first] != prompts[pair.second]]


def changed(commands: Iterable[str]) -> list[Pair]:
    pairs: list[Pair] = []
    for command in commands:
        for pattern, change in CHANGES:
            if pattern.search(command):
                pairs.append(Pair(command, pattern.sub(change, command, count=1)))
    return [pair for pair in pairs if parse(pair.second).script is not None]


def run_pairs(pairs: Iterable[Pair], setup: Path | None) -> list[tuple[Verdict, Pair]]:
    """What running shows of each pair, on the trees of `setup` or on our own."""
    with tempfile.TemporaryDirectory() as folder:
        fixtures = None
        if setup is not None:
            fixtures = Path(folder) / "fixtures.toml"
            (Path(folder) / setup.name).write_bytes(setup.read_bytes())
            fixtures.write_text(f'[[trees]]\nname = "setup"\nscript = "{setup.name}"\n')
        names = {"setup"} if setup is not None else set()
        with prepared(choose(), fixtures=fixtures, names=names) as execution:
            return [(_shown(pair, execution, bool(setup)), pair) for pair in pairs]


def _shown(pair: Pair, execution: Execution, scripted: bool) -> Verdict:
    case = TestCase.model_validate(
        {
            "id": "x",
            "prompt": "x",
            "expected_command": pair.first,
            "category": "correctness",
            "safe": True,
            "posix_compliant": True,
            "fixture": "setup" if scripted else None,
        }
    )
    return execution.decide(case, pair.second).verdict


def table(title: str, labelled: Iterable[tuple[Verdict, Pair]], show: int) -> None:
    """What the rules say of pairs whose relation is known, and where they contradict it."""
    counts: Counter[tuple[Verdict, Verdict]] = Counter()
    wrong: list[Pair] = []
    missed: list[Pair] = []
    for label, pair in labelled:
        verdict = compare(*pair).verdict
        counts[label, verdict] += 1
        if {label, verdict} == {Verdict.EQUAL, Verdict.DIFFERENT}:
            wrong.append(pair)
        elif label is Verdict.EQUAL and verdict is not label:
            missed.append(pair)
    echo(f"\n{title}")
    for label in (Verdict.EQUAL, Verdict.DIFFERENT):
        total = sum(count for (known, _), count in counts.items() if known is label)
        equal, different = counts[label, Verdict.EQUAL], counts[label, Verdict.DIFFERENT]
        if total:
            shares = f"equal {equal} ({equal / total:.1%}), different {different}"
            echo(f"  known {label}: {total}; the rules say: {shares}")
    examples(wrong, show)
    if missed and show:
        echo("  equal, which no rule shows:")
        examples(missed, show)


def examples(pairs: Iterable[Pair], show: int) -> None:
    for pair in itertools.islice(pairs, show):
        echo(f"    {pair.first}\n      {pair.second}")


def report_selves(data: Data, show: int) -> int:
    reasons = not_themselves(data.commands)
    total = sum(map(len, reasons.values()))
    echo(f"{len(data.commands)} commands; {total} that bash accepts are not equal to themselves")
    for reason, commands in sorted(reasons.items(), key=lambda item: -len(item[1])):
        echo(f"  {len(commands)} × {reason}")
        for command in commands[:show]:
            echo(f"    {command}")
    return total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--execute", action="store_true", help="run the alternatives of a prompt")
    parser.add_argument("--setup", type=Path, help="the script that lays out their file system")
    parser.add_argument("--limit", type=int, help="run only so many pairs")
    parser.add_argument("--show", type=int, default=5, help="so many examples of each")
    given = parser.parse_args()
    data = read(given.data)
    failures = report_selves(data, given.show)
    pairs = alternatives(data)
    verdicts = Counter(compare(*pair).verdict for pair in pairs)
    echo(f"\n{len(pairs)} alternatives of one prompt, not spelled alike:")
    for verdict, count in verdicts.most_common():
        echo(f"  {verdict}: {count} ({count / len(pairs):.1%})")
    if data.labelled:
        table("Pairs that came with a label", data.labelled, given.show)
    if given.execute:
        ran = run_pairs(pairs[: given.limit], given.setup)
        table(f"Alternatives, {len(ran)} of them run", ran, given.show)
    for title, others in (("of different prompts", strangers(data)),
                          ("with one change", changed(data.commands))):  # fmt: skip
        same = [pair for pair in others if commands_match(*pair)]
        echo(f"\n{len(others)} pairs {title}: {len(same)} equal")
        examples(same, given.show)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
