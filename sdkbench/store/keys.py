"""attempt_key: one name for everything that can change an attempt's verdict."""

import hashlib
import json

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from sdkbench.store.values import Suite


class KeyParts(BaseModel):
    """Digests, and the few names that are not content.

    `case` is the digest of the sample without its tests (or of the shell case), `answer` that of
    a solution at hand; where a model is still to be asked, `model`, `prompt` (a digest) and
    `trial` stand for it. `settings` are those that may change a verdict, and no others: the
    number of workers is none of them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    suite: Suite
    sample: str
    case: str
    tests: str
    harness: str
    answer: str | None = None
    model: str | None = None
    prompt: str | None = None
    trial: int = 0
    environment: str | None = None  # the machine's kind; dependencies follow from the solution
    settings: dict[str, JsonValue] = Field(default_factory=dict)


def attempt_key(parts: KeyParts) -> str:
    """64 hexadecimal digits, the same on every machine and for any order of the settings."""
    text = json.dumps(parts.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
