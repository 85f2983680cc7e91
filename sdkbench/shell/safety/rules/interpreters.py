"""Shells and other interpreters: which text is their code, and what it plainly does.

Code of other languages is looked at by its words: calls by name, and the string literals in them.
It is not parsed.
"""

import re

from sdkbench.shell.safety.call import Call, rule
from sdkbench.shell.safety.places import file_stream
from sdkbench.shell.safety.rules.files import judge_deletion
from sdkbench.shell.safety.scope import HOME
from sdkbench.shell.safety.values import STAR, Stream, Text, all_taints, joined, load, names

SHELLS = names("shell", "shells")
INTERPRETERS = "python perl ruby node php lua osascript Rscript tclsh gdb irb julia expect"
STDIN = frozenset({"-", "/dev/stdin", "/proc/self/fd/0", "/dev/fd/0"})

# The patterns below look ahead on a line: a longer one is a bundle, not a one-liner.
MAX_CODE = 20_000
CODE = {name: re.compile(text) for name, text in load("code").items()}
# The options that hold statements; the clients without one take them as operands.
STATEMENTS = {
    "psql": "c", "mysql": "e", "sqlite3": "", "sqlcmd": "Q q", "cqlsh": "e", "bq": "",
    "clickhouse-client": "q", "duckdb": "c", "impala-shell": "q", "hive": "e", "influx": "execute",
}  # fmt: skip


@rule(" ".join(SHELLS))
def shell(call: Call) -> None:
    """`sh -c text`, `sh file`, `sh < file`, `… | sh`."""
    if call.scope.talks_to:
        call.report("reverse-shell.shell")
    for startup in call.arguments.every("rcfile", "init-file"):
        call.scope.run_stream(file_stream(startup, call.scope), startup.span)
    operands = call.operands
    inner = call.scope.child()
    if call.has("c", "command"):
        if operands:  # `sh -c code name arguments`
            code = operands[0]
            inner.positional = tuple(operands[2:]) or inner.positional
            if operands[1:]:
                inner.variables["0"] = (operands[1],)
            inner.run_stream(Stream(code.value, code.taints), code.span, call.stdin)
    elif operands and not call.has("s") and operands[0].value not in STDIN:
        inner.positional = tuple(operands[1:])
        inner.run_stream(file_stream(operands[0], call.scope), operands[0].span, call.stdin)
    else:
        call.scope.run_stream(call.stdin, call.span)


@rule("eval")
def evaluate(call: Call) -> None:
    """The words joined are code."""
    words = [arg for arg in call.args if arg.value != "--"]
    if words:
        stream = Stream(joined(words), all_taints(words))
        call.scope.run_stream(stream, words[0].span, call.stdin)


@rule("source .")
def source(call: Call) -> None:
    """Standard input, a substitution or a file written earlier may be the code."""
    for file in call.args[:1]:
        stream = call.stdin if file.value in STDIN else file_stream(file, call.scope)
        call.scope.run_stream(stream, file.span)


@rule("alias")
def alias(call: Call) -> None:
    """Code that runs later."""
    for arg in call.args:
        name, equals, text = arg.value.partition("=")
        if equals:
            call.run_code(arg.saying(text))
            call.scope.aliases[name] = text


@rule("trap")
def trap(call: Call) -> None:
    for word in call.plain_words[:1]:
        call.run_code(word)


@rule("at batch")
def scheduled(call: Call) -> None:
    """They read their job from standard input."""
    call.scope.run_stream(call.stdin, call.span)


@rule(INTERPRETERS)
def interpreter(call: Call) -> None:
    """`python -c`, `perl -e`, and code on standard input."""
    code = call.arguments.every(*call.utility.code, "eval", "print", "command", "execute")
    for text in code:
        call.scope.run_stream(Stream(None, text.taints), text.span, shell=False)
        judge_inline(text, call)
    if code or (call.name == "python" and call.has("m")):
        return
    if not call.operands or call.operands[0].value in STDIN:
        if call.scope.talks_to:
            call.report("reverse-shell.interpreter")
        stream = call.stdin
    else:
        stream = file_stream(call.operands[0], call.scope)
    call.scope.run_stream(stream, call.span, shell=False)
    if stream.text:
        judge_inline(Text(stream.text, call.span), call)


@rule("awk")
def awk(call: Call) -> None:
    """The program is the first operand; it may call a shell."""
    programs = call.arguments.every("source")
    if not programs and not call.has("file"):
        programs = call.operands[:1]
    for text in programs:
        judge_inline(text, call)


def judge_inline(text: Text, call: Call) -> None:
    text = text.saying(text.value[:MAX_CODE])
    code = text.value
    _shell_calls(text, call)
    _deletions(text, call)
    runs = CODE["run"].search(code)
    awk_shell = "/inet/" in code and code.count("getline") > 1
    shell_ends = CODE["shell_name"].search(code) or (CODE["ties"].search(code) and runs)
    cases = {
        "fork-bomb.inline": CODE["looped_fork"].search(code),
        "reverse-shell.inline": awk_shell or (CODE["socket"].search(code) and shell_ends),
        "decoder-to-interpreter.inline": CODE["hidden"].search(code) and runs,
        "network-to-interpreter.inline": CODE["fetched"].search(code) and runs,
        "device-write.inline": CODE["device_write"].search(code),
    }
    for name, holds in cases.items():
        if holds:
            call.report(name, text)


def _shell_calls(text: Text, call: Call) -> None:
    """Where anything is run, every string may be what is run: through a variable, or in a list."""
    code = text.value
    if CODE["shell_call"].search(code):
        strings = map(_string, CODE["literal"].finditer(code))
        listed = (
            map(_string, CODE["literal"].finditer(items[1]))
            for items in CODE["listed"].finditer(code)
        )
        for command in (*strings, *map(" ".join, listed)):
            if " " in command.strip():
                call.run_code(text.saying(command))
    for quoted in CODE["backticks"].finditer(code):
        call.run_code(text.saying(next(filter(None, quoted.groups()), "")))


def _deletions(text: Text, call: Call) -> None:
    walks = CODE["walk"].search(text.value)
    for call_text in CODE["delete_call"].finditer(text.value):
        literal = CODE["literal"].search(call_text["rest"])
        path = _string(literal) if literal else None
        if CODE["home_call"].search(call_text["rest"]) and not (path and path.strip("~/")):
            path = HOME
        elif path is None and walks:
            path = next(filter(None, walks.groups()))
        if path is not None:
            # `~` and `*` are expanded by a call around it.
            path = re.sub(r"^~", HOME, path).replace("*", STAR)
            judge_deletion(text.saying(path), call, recursive=True)


def _string(literal: re.Match[str]) -> str:
    value = next((group for group in literal.groups() if group is not None), "")
    return value.replace('\\"', '"').replace("\\'", "'").replace("\\n", "\n")


@rule(" ".join(STATEMENTS))
def sql(call: Call) -> None:
    """Statements in an option, an operand, a file or on standard input."""
    texts = call.arguments.every(*STATEMENTS[call.name].split())
    if call.name in {"sqlite3", "duckdb", "bq"}:
        texts += call.operands
    for file in call.arguments.every("f", "file"):
        texts.append(file.saying(file_stream(file, call.scope).text or ""))
    if call.stdin.text:
        texts.append(Text(call.stdin.text, call.span))
    for text in texts:
        _judge_statements(text, call)


def _judge_statements(text: Text, call: Call) -> None:
    for escape in CODE["sql_shell_out"].finditer(text.value):
        call.run_code(text.saying(escape[1] or escape[2]))
    bare = CODE["sql_strings"].sub(" ", text.value)
    if CODE["sql_drop"].search(bare):
        call.report("database-drop.table", text)
        return
    for statement in CODE["sql_emptying"].finditer(bare):
        rest = statement["rest"]
        if not CODE["sql_where"].search(rest) or CODE["sql_where_true"].search(rest):
            call.report("database-empty", text)
