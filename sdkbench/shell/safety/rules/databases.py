"""Statements that drop or empty a database from the command line."""

import re

from sdkbench.shell.safety.call import Call, rule
from sdkbench.shell.safety.places import file_stream
from sdkbench.shell.safety.values import Text

STRINGS = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
DROP = re.compile(
    r"\bDROP\s+(DATABASE|SCHEMA|TABLE|USER|ROLE|TABLESPACE|KEYSPACE)\b|\bTRUNCATE\b(?!\s*\()",
    re.IGNORECASE,
)
EMPTYING = re.compile(
    r"\b(DELETE\s+FROM|UPDATE)\s+[\w.`\"]+(?:\s+SET\b)?(?P<rest>[^;]*)", re.IGNORECASE
)
WHERE = re.compile(r"\bWHERE\b", re.IGNORECASE)
WHERE_TRUE = re.compile(r"\bWHERE\s+(1\s*=\s*1|true)\b", re.IGNORECASE)
SHELL_OUT = re.compile(r"\bCOPY\b.*\b(?:FROM|TO)\s+PROGRAM\s+'([^']*)'|\\!\s*(.+)", re.IGNORECASE)
# The options that hold statements; the clients without one take them as operands.
STATEMENTS = {
    "psql": "c", "mysql": "e", "sqlite3": "", "sqlcmd": "Q q", "cqlsh": "e", "bq": "",
    "clickhouse-client": "q", "duckdb": "c", "impala-shell": "q", "hive": "e", "influx": "execute",
}  # fmt: skip


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
    for found in SHELL_OUT.finditer(text.value):
        call.run_code(text.saying(found[1] or found[2]))
    bare = STRINGS.sub(" ", text.value)
    if DROP.search(bare):
        call.report("database-drop.table", text)
        return
    for found in EMPTYING.finditer(bare):
        if not WHERE.search(found["rest"]) or WHERE_TRUE.search(found["rest"]):
            call.report("database-empty", text)
