"""Runs, attempts, tests, artefacts and the bytes they point to."""

STATEMENTS = (
    """
    CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        label TEXT NOT NULL,
        state TEXT NOT NULL,
        harness TEXT NOT NULL,
        planned BIGINT,
        worker TEXT NOT NULL,
        settings TEXT NOT NULL,
        started_at TEXT NOT NULL,
        ended_at TEXT
    )
    """,
    """
    CREATE TABLE attempts (
        id {identity},
        run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        key TEXT NOT NULL,
        suite TEXT NOT NULL,
        sdk TEXT NOT NULL,
        sample TEXT NOT NULL,
        task_type TEXT NOT NULL,
        model TEXT NOT NULL,
        trial INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        fault TEXT,
        error TEXT,
        score DOUBLE PRECISION NOT NULL,
        mode TEXT NOT NULL,
        assurance TEXT NOT NULL,
        duration_seconds DOUBLE PRECISION NOT NULL,
        input_tokens BIGINT,
        output_tokens BIGINT,
        cost_usd DOUBLE PRECISION,
        environment_key TEXT,
        generation_key TEXT,
        result TEXT NOT NULL,
        ended_at TEXT NOT NULL,
        reused_from TEXT,
        UNIQUE (run_id, key)
    )
    """,
    "CREATE INDEX attempts_by_key ON attempts (key)",
    "CREATE INDEX attempts_by_generation ON attempts (generation_key)",
    """
    CREATE TABLE tests (
        attempt_id BIGINT NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        test_id TEXT NOT NULL,
        status TEXT NOT NULL,
        message TEXT NOT NULL,
        PRIMARY KEY (attempt_id, position)
    )
    """,
    """
    CREATE TABLE blobs (
        digest TEXT PRIMARY KEY,
        codec TEXT NOT NULL,
        size BIGINT NOT NULL,
        data {bytes} NOT NULL
    )
    """,
    """
    CREATE TABLE artefacts (
        attempt_id BIGINT NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        digest TEXT NOT NULL REFERENCES blobs (digest),
        PRIMARY KEY (attempt_id, position)
    )
    """,
)
