"""Records in and out: runs, attempts, tests and artefacts, in a SQLite file or in PostgreSQL.

with open_store(".sdkbench/store.db") as store:
    run = store.start_run(label="nightly")
    store.save_attempt(run.id, attempt, artefacts)
"""

from sdkbench.store.location import default_store, open_store
from sdkbench.store.values import (
    LATEST,
    RUN_ID,
    Artefact,
    Attempt,
    JudgedAs,
    JudgementRecord,
    KeyParts,
    Run,
    RunState,
    Stored,
    Suite,
    TestRow,
    WebhookState,
    attempt_key,
)
