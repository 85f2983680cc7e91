"""read_answer: a model's text and the starter's files → the files that the model proposes."""

from collections.abc import Mapping
from types import MappingProxyType

from sdkbench.generation.answers.composing import Composition
from sdkbench.generation.answers.fences import cut
from sdkbench.generation.answers.json_answers import read_json
from sdkbench.generation.answers.languages import NOT_CODE
from sdkbench.generation.answers.locating import located
from sdkbench.generation.answers.placing import place_unnamed
from sdkbench.generation.answers.proposal import Proposal
from sdkbench.generation.answers.reading import Reading
from sdkbench.generation.answers.thoughts import without_thoughts

NOTHING: Mapping[str, str] = MappingProxyType({})


def read_answer(
    text: str, starter: Mapping[str, str] = NOTHING, *, truncated: bool = False
) -> Proposal:
    """What `text` proposes over `starter` (path → text).

    `truncated`: the model stopped at a limit, so a file that isn't closed is a part of one.

    Paths come as the model gave them: whoever writes them to a disk must check them.
    """
    text = without_thoughts(text.removeprefix("\ufeff"))
    reading = Reading()
    whole = read_json(text)
    if whole.actions or whole.cut_off:
        reading.actions += whole.actions
        reading.cut_off = whole.cut_off
    else:
        reading.take(cut(text))
        if not reading.actions and not reading.unnamed:
            reading.take_unfenced(text, starter)
    return _composed(reading, starter, truncated=truncated)


def _composed(reading: Reading, starter: Mapping[str, str], *, truncated: bool) -> Proposal:
    composition = Composition(starter, truncated=truncated)
    composition.take_all(located(reading.actions, starter))
    guesses = place_unnamed(reading.unnamed, composition.files, starter)
    composition.take_all(guesses)
    used = {guess.text for guess in guesses}
    for block in reading.unnamed:
        if block.text not in used and block.family not in {None, *NOT_CODE}:
            composition.problem("", f"a {block.family} block has no path and fits no starter file")
            if not block.closed:
                composition.cut_off()
    if reading.cut_off:
        composition.cut_off()
    return composition.proposal()
