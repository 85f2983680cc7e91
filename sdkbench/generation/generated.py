"""Generated: what came of asking a model for one sample's solution."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Refusal(Frozen):
    """A file that the model gave and that was not written, or not as it gave it."""

    path: str
    reason: str


class Usage(Frozen):
    """Counts and cost are None where the backend doesn't tell."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    tries: int = 1
    seconds: float = 0.0


class Generated(Frozen):
    """A solution folder's origin. `answer` is the raw text, or an agent's output."""

    sample_id: str
    model: str
    template: str | None = None  # the prompt's version; None where nothing was asked
    written: tuple[str, ...] = ()  # new files, and those unlike the starter's
    removed: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    notes: tuple[str, ...] = ()
    truncated: bool = False  # the answer stopped at a limit, or in the middle of a file
    refused: bool = False  # the model declined
    usage: Usage = Usage()
    answer: str = ""
