"""What options amount to: which of them count, and which in their order."""

from collections.abc import Sequence
from typing import NamedTuple

from sdkbench.shell.canonical.form import Form, constant, text_word
from sdkbench.shell.utilities import Option, Utility

GivenOptions = Sequence[Option[Form]]


class Settled(NamedTuple):
    """Options whose order doesn't count, sorted, and the others."""

    loose: tuple[Form, ...]
    ordered: tuple[Form, ...]


def settle(utility: Utility, given: GivenOptions) -> Settled:
    options = _last_wins(utility, _spelled_out(utility, given))
    if not options and utility.defaults_to:
        options = [Option(utility.defaults_to)]
    in_order = [o for o in options if o.name in utility.ordered]
    if len(in_order) == 1 and _changes_nothing(utility, in_order[0]):
        in_order = []
    loose = [o for o in options if o.name not in utility.ordered]
    settled: list[Form] = []
    for group in (*utility.last_wins, *utility.tangled):
        within = [o for o in loose if o.name in group]
        if len({o.name for o in within}) > 1:
            settled.append(Form("tangle", " ".join(sorted(group)), tuple(map(option_form, within))))
            loose = [o for o in loose if o.name not in group]
    settled += _plain(utility, loose)
    return Settled(tuple(sorted(settled)), tuple(map(option_form, in_order)))


def option_form(option: Option[Form]) -> Form:
    return Form("option", option.name, () if option.value is None else (option.value,))


def _spelled_out(utility: Utility, given: GivenOptions) -> list[Option[Form]]:
    options: list[Option[Form]] = []
    for option in given:
        value = "" if option.value is None else f"={constant(option.value)}"
        stands_for = utility.implies.get(option.name + value)
        if stands_for is None:
            options.append(option)
            continue
        for item in stands_for.split():
            name, equals, given_value = item.partition("=")
            options.append(Option(name, text_word(given_value) if equals else None))
    return options


def _last_wins(utility: Utility, options: list[Option[Form]]) -> list[Option[Form]]:
    """An overruled flag goes; an overruled value stays, since a wrong one is still an error."""
    for group in utility.last_wins:
        places = [place for place, option in enumerate(options) if option.name in group]
        for place in reversed(places[:-1]):
            if options[place].value is None:
                del options[place]
    return options


def _plain(utility: Utility, options: list[Option[Form]]) -> list[Form]:
    settled: list[Form] = []
    given: dict[str, list[Option[Form]]] = {}
    for option in options:
        given.setdefault(option.name, []).append(option)
    for name, same in given.items():
        if name in utility.repeated:
            settled += map(option_form, same)
        elif len(same) > 1 and any(option.value is not None for option in same):
            # Which value holds differs between utilities; some add them up, some refuse.
            settled.append(Form("tangle", name, tuple(map(option_form, same))))
        elif len(same) > 1 and name in utility.counted:
            settled.append(Form("option", f"{name} x{len(same)}"))
        elif not _changes_nothing(utility, same[0]):
            settled.append(option_form(same[0]))
    return settled


def _changes_nothing(utility: Utility, option: Option[Form]) -> bool:
    if option.name in utility.drop and option.value is None:
        return True
    default = utility.defaults.get(option.name)
    return default is not None and option.value == text_word(default)
