"""The tables as the newest migration leaves them."""

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

metadata = MetaData()

schema = Table("sdkbench_schema", metadata, Column("version", Integer, primary_key=True))

runs = Table(
    "runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("label", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("harness", Text, nullable=False),
    Column("planned", BigInteger),
    Column("worker", Text, nullable=False),
    Column("settings", Text, nullable=False),  # JSON
    Column("started_at", Text, nullable=False),  # ISO 8601 in UTC, sorted as text as in time
    Column("ended_at", Text),
)

attempts = Table(
    "attempts",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("run_id", Text, nullable=False),
    Column("key", Text, nullable=False),  # unique within its run
    Column("suite", Text, nullable=False),
    Column("sdk", Text, nullable=False),
    Column("sample", Text, nullable=False),
    Column("task_type", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("trial", Integer, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("fault", Text),
    Column("error", Text),
    Column("score", Float, nullable=False),
    Column("mode", Text, nullable=False),
    Column("assurance", Text, nullable=False),
    Column("duration_seconds", Float, nullable=False),
    Column("input_tokens", BigInteger),
    Column("output_tokens", BigInteger),
    Column("cost_usd", Float),
    Column("environment_key", Text),
    Column("generation_key", Text),
    Column("result", Text, nullable=False),  # JSON
    Column("ended_at", Text, nullable=False),
    Column("reused_from", Text),
)

# Test ids and file names are no keys: PostgreSQL indexes no text of more than 2.7 kB.
tests = Table(
    "tests",
    metadata,
    Column("attempt_id", BigInteger, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("test_id", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("message", Text, nullable=False),
)

artefacts = Table(
    "artefacts",
    metadata,
    Column("attempt_id", BigInteger, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("digest", Text, nullable=False),
)

blobs = Table(
    "blobs",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("codec", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
