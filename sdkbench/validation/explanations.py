"""What a sample's author says of things that a machine can't decide: `validation` in its metadata.

level       the lowest level of assurance at which solutions of the sample may be judged
survivors   mutants that no test can notice, each with the reason
implied     what tests expect though no text states it, because any user takes it for granted
"""

from typing import Annotated

from pydantic import Field, ValidationError

from sdkbench.core import Assurance, GroundTruth, Value
from sdkbench.errors import SampleError

KEY = "validation"
Reason = Annotated[str, Field(min_length=1)]


class ExplainedSurvivor(Value):
    """`line` is the line's number, or better its text: numbers change with every edit."""

    file: str
    line: int | str
    operator: str | None = None  # without one, every mutant of the line
    reason: Reason


class Implied(Value):
    """`what` is the name, the value or the text as the test has it."""

    what: str
    reason: Reason


class Explanations(Value):
    level: Assurance | None = None  # claimed
    survivors: tuple[ExplainedSurvivor, ...] = ()
    implied: tuple[Implied, ...] = ()

    def of_survivor(self, file: str, line: int, text: str, operator: str) -> str | None:
        """The reason why nobody can notice this mutant, if there is one."""
        for one in self.survivors:
            same_line = one.line == line or (isinstance(one.line, str) and one.line.strip() == text)
            if one.file == file and same_line and one.operator in {None, operator}:
                return one.reason
        return None

    def is_implied(self, what: str) -> bool:
        return any(one.what == what for one in self.implied)


def explanations_of(truth: GroundTruth) -> Explanations:
    """SampleError says which key is wrong."""
    given = (truth.metadata.model_extra or {}).get(KEY, {})
    try:
        return Explanations.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in (KEY, *first["loc"]))
        raise SampleError(
            f"{truth.metadata_path} is wrong at {where}: {first['msg']}. Correct it; "
            "docs/reference/samples.md says what stands there."
        ) from error
