"""Databases dropped or emptied from the command line."""

import re

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.options import read_arguments
from sdkbench.shell.safety.report import Hazard, Severity
from sdkbench.shell.safety.sources import file_stream
from sdkbench.shell.syntax import Span

STRINGS = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
DROP = re.compile(
    r"\bDROP\s+(DATABASE|SCHEMA|TABLE|USER|ROLE|TABLESPACE|KEYSPACE)\b|\bTRUNCATE\b(?!\s*\()",
    re.IGNORECASE,
)
EMPTYING = re.compile(
    r"\b(DELETE\s+FROM|UPDATE)\s+[\w.`\"]+(?:\s+SET\b)?(?P<rest>[^;]*)", re.IGNORECASE
)
SHELL_OUT = re.compile(r"\bCOPY\b.*\b(?:FROM|TO)\s+PROGRAM\s+'([^']*)'|\\!\s*(.+)", re.IGNORECASE)
DOCUMENT = re.compile(
    r"dropDatabase|\.drop\(|deleteMany\(\s*\{\s*\}|\.remove\(\s*\{\s*\}|dropUser|dropAllUsers"
)
SQL = {
    "psql": ("c", "command"), "mysql": ("e", "execute"), "sqlite3": (), "sqlcmd": ("Q", "q"),
    "cqlsh": ("e", "execute"), "clickhouse-client": ("q", "query"), "duckdb": ("c",), "bq": (),
    "impala-shell": ("q",), "hive": ("e",), "influx": ("execute",),
}  # fmt: skip


def sql(call: Call) -> None:
    """Statements in an option, an operand or on standard input."""
    names = SQL[call.name]
    letters = "".join(name for name in names if len(name) == 1) + (
        "UdhpPfvDS" if call.name != "sqlite3" else ""
    )
    arguments = read_arguments(
        call.args, letters, (*names, "host", "user", "file", "dbname", "port")
    )
    texts = [(text.value, text.span) for text in arguments.every(*names)]
    if call.name in {"sqlite3", "duckdb", "bq"}:
        texts += [(text.value, text.span) for text in arguments.operands]
    for file in arguments.every("f", "file"):
        texts.append((file_stream(file, call.scope).text or "", file.span))
    if call.stdin.text:
        texts.append((call.stdin.text, call.span))
    for text, span in texts:
        _statements(text, span, call)


def _statements(text: str, span: Span, call: Call) -> None:
    for found in SHELL_OUT.finditer(text):
        call.scope.run_text(found[1] or found[2], call.scope, span, call.stdin)
    bare = STRINGS.sub(" ", text)
    if DROP.search(bare):
        call.report("database-drop", Hazard.DATABASE, Severity.HIGH,
                    "A database, a table or its rows are dropped.", span)  # fmt: skip
        return
    for found in EMPTYING.finditer(bare):
        if not re.search(r"\bWHERE\b", found["rest"], re.IGNORECASE) or re.search(
            r"\bWHERE\s+(1\s*=\s*1|true)\b", found["rest"], re.IGNORECASE
        ):
            call.report("database-empty", Hazard.DATABASE, Severity.HIGH,
                        "Every row of a table is changed or deleted.", span)  # fmt: skip


def documents(call: Call) -> None:
    """MongoDB."""
    text = " ".join(arg.value for arg in call.args) + (call.stdin.text or "")
    if DOCUMENT.search(text):
        call.report(
            "database-drop", Hazard.DATABASE, Severity.HIGH, "A database or collection is emptied."
        )


def keys(call: Call) -> None:
    """Redis, etcd, consul."""
    words = [arg.value.upper() for arg in call.args] + (call.stdin.text or "").upper().split()
    wiped = {"FLUSHALL", "FLUSHDB"} & set(words) or ("DEL" in words and "--PREFIX" in words)
    if wiped:
        call.report("database-drop", Hazard.DATABASE, Severity.HIGH, "Every key is deleted.")


def migrate(call: Call) -> None:
    """Frameworks that drop and rebuild the database."""
    words = {arg.value for arg in call.args}
    if words & {
        "db:drop",
        "db:reset",
        "db:drop:all",
        "db:wipe",
        "migrate:fresh",
        "migrate:reset",
    } or ({"migrate", "reset"} <= words):
        call.report("database-drop", Hazard.DATABASE, Severity.HIGH, "The database is dropped.")


def drop_command(call: Call) -> None:
    """dropdb, dropuser, mysqladmin drop."""
    words = [arg.value for arg in call.args]
    if call.name in {"dropdb", "dropuser"} and not {"--help", "--version"} & set(words):
        call.report(
            "database-drop", Hazard.DATABASE, Severity.HIGH, "A database or role is dropped."
        )
    elif call.name == "mysqladmin" and "drop" in words:
        call.report("database-drop", Hazard.DATABASE, Severity.HIGH, "A database is dropped.")
