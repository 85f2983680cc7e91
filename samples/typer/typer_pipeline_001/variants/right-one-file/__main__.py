import json
import os
import re
import sys
from collections import Counter
from typing import List, Optional

import typer

program = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
state = {"from": ["-"], "to": "-", "strict": False, "code": 0}


def refuse(value):
    raise ValueError(value)


def read():
    for place in state["from"]:
        stream = sys.stdin.buffer if place == "-" else open(place, "rb")
        number = 0
        while line := stream.readline():
            number += 1
            if line.isspace():
                continue
            try:
                record = json.loads(str(line, "utf-8"), parse_constant=refuse)
                reason = None if type(record) is dict else "not an object"
            except ValueError:
                reason = "not JSON"
            if reason is None:
                yield record
                continue
            print(f"{place}:{number}: {reason}", file=sys.stderr)
            if state["strict"]:
                raise typer.Exit(code=3)
            state["code"] = 1


def finish(found):
    lines = (json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in found)
    if state["to"] == "-":
        sys.stdout.reconfigure(encoding="utf-8")
        sys.stdout.writelines(lines)
    else:
        text = "".join(lines)
        with open(state["to"] + ".tmp", "w", encoding="utf-8") as stream:
            stream.write(text)
        os.replace(state["to"] + ".tmp", state["to"])
    raise typer.Exit(code=state["code"])


@program.callback()
def options(
    source: Optional[List[str]] = typer.Option(None, "--from"),
    to: str = typer.Option("-"),
    strict: bool = typer.Option(False, "--strict"),
):
    state.update({"from": source or ["-"], "to": to, "strict": strict})
    if not all(place == "-" or os.path.exists(place) for place in state["from"]):
        raise typer.BadParameter("a file is missing")


def compared(value, sign, limit):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    if value == limit:
        return "=" in sign
    return (value > limit) == (sign[0] == ">")


class Condition:
    def __init__(self, text):
        parts = re.split("(!=|>=|<=|=|>|<|~)", text, maxsplit=1)
        if len(parts) != 3 or re.search(r"\W", parts[0]) or not parts[0]:
            raise typer.BadParameter(text)
        self.field, self.sign, self.value = parts
        if self.sign[0] in "<>":
            try:
                self.limit = float(self.value)
            except ValueError:
                raise typer.BadParameter(text)
            if self.limit - self.limit != 0:
                raise typer.BadParameter(text)

    def __call__(self, record):
        if self.field not in record:
            return self.sign == "!="
        value = record[self.field]
        if self.sign[0] in "<>":
            return compared(value, self.sign, self.limit)
        if self.sign == "~":
            return isinstance(value, str) and self.value.casefold() in value.casefold()
        text = value if isinstance(value, str) else json.dumps(value)
        return (text == self.value) == (self.sign == "=")


@program.command()
def where(
    conditions: List[str] = typer.Argument(...),
    any_: bool = typer.Option(False, "--any"),
    limit: int = typer.Option(sys.maxsize, min=1),
):
    tests = [Condition(text) for text in conditions]

    def chosen():
        count = 0
        for record in read():
            if (any if any_ else all)([test(record) for test in tests]):
                yield record
                count += 1
                if count == limit:
                    return

    finish(chosen())


@program.command()
def cut(fields: List[str] = typer.Argument(...), rename: List[str] = typer.Option([])):
    names = dict(zip(fields, fields))
    for pair in rename:
        match = re.fullmatch("(.+?)=(.+)", pair)
        if not match or match[1] not in names:
            raise typer.BadParameter(pair)
        names[match[1]] = match[2]
    finish({names[f]: record[f] for f in names if f in record} for record in read())


@program.command()
def tally(field: str):
    def counted():
        counts = Counter(json.dumps(record[field]) for record in read() if field in record)
        for value, count in counts.most_common():
            yield {"value": json.loads(value), "count": count}

    finish(counted())


program()
