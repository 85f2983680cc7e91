"""Arguments to options and operands, as getopt would, by a utility's table."""

import re
from typing import NamedTuple

from sdkbench.shell.canonical.form import Form, constant, lead, splits, text_word, without_lead
from sdkbench.shell.utilities import Arity, Utility

_DIGITS = re.compile(r"-(\d+)\Z")
_DASH = text_word("-")
# A shorter prefix of a long option is more likely a mistake than an abbreviation.
_SHORTEST_PREFIX = 3


class Option(NamedTuple):
    name: str
    value: Form | None


class Read(NamedTuple):
    """`guarded`: a `--` stands before an operand that could be taken for an option."""

    options: tuple[Option, ...]
    operands: tuple[Form, ...]
    guarded: bool


def read_options(utility: Utility, words: tuple[Form, ...]) -> Read | None:
    """None where an argument is not understood: then the command must be taken as it stands."""
    options: list[Option] = []
    operands: list[Form] = []
    place, guarded, barrier = 0, False, False
    while place < len(words):
        word = words[place]
        place += 1
        start = lead(word)
        if start is None or not start.startswith("-") or word == _DASH:
            if not utility.permute:
                operands += words[place - 1 :]
                break
            # An unquoted expansion may hold options or `--`, so later ones can't be moved past it.
            barrier = barrier or splits(word)
            operands.append(word)
            continue
        if barrier:
            return None
        if constant(word) == "--":
            rest = words[place:]
            guarded = any(_may_be_option(w) for w in rest)
            operands += [Form("dashes")] if utility.keep_dashes else []
            operands += rest
            break
        following = words[place] if place < len(words) else None
        found = _long(utility, word, following) if start.startswith("--") else None
        found = found or _short(utility, word, following)
        if found is None:
            return None
        for option in found.options:
            if option.name in utility.in_place:
                operands.append(_form(option))
            else:
                options.append(option)
        place += found.used_next
        if utility.verbatim_after and any(o.name == utility.verbatim_after for o in found.options):
            return None
    return Read(tuple(options), tuple(operands), guarded)


class _Found(NamedTuple):
    options: tuple[Option, ...]
    used_next: bool


def _may_be_option(word: Form) -> bool:
    start = lead(word)
    return start is None or (start.startswith("-") and start != "-")


def _long(utility: Utility, word: Form, following: Form | None) -> _Found | None:
    start = lead(word) or ""
    name, equals, _ = start[2:].partition("=")
    if len(word.children) > 1 and not equals:
        return None
    spelled = _resolve(utility, name)
    if spelled is None:
        return None
    canonical, arity = utility.options[spelled]
    if equals:
        if arity == Arity.NONE:
            return None
        value = without_lead(word, len(name) + 3)
        return _Found((Option(canonical, value),), used_next=False)
    if arity == Arity.REQUIRED:
        return _with_next(canonical, following)
    return _Found((Option(canonical, None),), used_next=False)


def _resolve(utility: Utility, name: str) -> str | None:
    if name in utility.options:
        return name if len(name) > 1 else None
    if len(name) < _SHORTEST_PREFIX:
        return None
    fitting = [n for n in utility.options if len(n) > 1 and n.startswith(name)]
    return fitting[0] if len({utility.options[n][0] for n in fitting}) == 1 else None


def _with_next(name: str, following: Form | None) -> _Found | None:
    if following is None or splits(following):
        return None
    return _Found((Option(name, following),), used_next=True)


def _short(utility: Utility, word: Form, following: Form | None) -> _Found | None:
    start = lead(word) or ""
    if start.startswith("--"):
        return None
    digits = _DIGITS.match(start)
    if digits and utility.digits and len(word.children) == 1:
        return _Found((Option(utility.digits, text_word(digits[1])),), used_next=False)
    found: list[Option] = []
    place = 1
    while place < len(start):
        size = 2 if start[place : place + 2] in utility.wide_short else 1
        letter = start[place : place + size]
        if letter not in utility.options:
            return None
        name, arity = utility.options[letter]
        place += size
        attached = place < len(start) or len(word.children) > 1
        if arity == Arity.REQUIRED or (arity == Arity.OPTIONAL and attached):
            if attached:
                return _Found((*found, Option(name, without_lead(word, place))), used_next=False)
            last = _with_next(name, following)
            return last and _Found((*found, *last.options), used_next=True)
        found.append(Option(name, None))
    # An expansion glued to flags could be more flags.
    return _Found(tuple(found), used_next=False) if len(word.children) == 1 else None


class Settled(NamedTuple):
    """What options amount to: those whose order doesn't count, sorted, and the others."""

    loose: tuple[Form, ...]
    ordered: tuple[Form, ...]


def settle(utility: Utility, given: tuple[Option, ...]) -> Settled:
    options = _last_wins(utility, _spelled_out(utility, given))
    if not options and utility.defaults_to:
        options = [Option(utility.defaults_to, None)]
    in_order = [o for o in options if o.name in utility.ordered]
    if len(in_order) == 1 and _changes_nothing(utility, in_order[0]):
        in_order = []
    ordered = tuple(map(_form, in_order))
    loose = [o for o in options if o.name not in utility.ordered]
    settled: list[Form] = []
    for group in (*utility.last_wins, *utility.tangled):
        within = [o for o in loose if o.name in group]
        if len({o.name for o in within}) > 1:
            settled.append(Form("tangle", " ".join(sorted(group)), tuple(map(_form, within))))
            loose = [o for o in loose if o.name not in group]
    settled += _plain(utility, loose)
    return Settled(tuple(sorted(settled)), ordered)


def _spelled_out(utility: Utility, given: tuple[Option, ...]) -> list[Option]:
    options: list[Option] = []
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


def _last_wins(utility: Utility, options: list[Option]) -> list[Option]:
    """An overruled flag goes; an overruled value stays, since a wrong one is still an error."""
    for group in utility.last_wins:
        places = [place for place, option in enumerate(options) if option.name in group]
        for place in reversed(places[:-1]):
            if options[place].value is None:
                del options[place]
    return options


def _plain(utility: Utility, options: list[Option]) -> list[Form]:
    settled: list[Form] = []
    given: dict[str, list[Option]] = {}
    for option in options:
        given.setdefault(option.name, []).append(option)
    for name, same in given.items():
        if name in utility.repeated:
            settled += map(_form, same)
        elif len(same) > 1 and any(option.value is not None for option in same):
            # Which value holds differs between utilities; some add them up, some refuse.
            settled.append(Form("tangle", name, tuple(map(_form, same))))
        elif len(same) > 1 and name in utility.counted:
            settled.append(Form("option", f"{name} x{len(same)}"))
        elif not _changes_nothing(utility, same[0]):
            settled.append(_form(same[0]))
    return settled


def _changes_nothing(utility: Utility, option: Option) -> bool:
    if option.name in utility.drop and option.value is None:
        return True
    default = utility.defaults.get(option.name)
    return default is not None and option.value == text_word(default)


def _form(option: Option) -> Form:
    return Form("option", option.name, () if option.value is None else (option.value,))
