"""Harm that options and words alone show: the `harms` of the utilities' table."""

import re

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.values import STAR, Text, joined
from sdkbench.shell.utilities import Arguments, Harm, find_utility, read_arguments


def judge_harms(call: Call) -> None:
    """The first harm that holds counts."""
    utility, arguments = call.utility, call.arguments
    if utility.subcommands and arguments.operands:
        verb, *rest = arguments.operands
        utility = find_utility(f"{call.name} {verb.value}") or utility
        arguments = read_arguments(utility, rest)
    shared = find_utility(utility.same_harms)
    for harm in shared.harms if shared else utility.harms:
        if _holds(harm, arguments, call):
            words = arguments.operands
            rule = harm.rule.format(program=call.name, verb=words[0].value if words else "")
            call.report(harm.finding, rule=rule)
            return


def _holds(harm: Harm, arguments: Arguments[Text], call: Call) -> bool:
    if not all(arguments.has(*group) for group in harm.options):
        return False
    if arguments.has(*harm.without) or (harm.alone and arguments.operands):
        return False
    operands = [text.value.replace(STAR, "*") for text in arguments.operands]
    verbs = " ".join(re.sub(r"\s", "_", operand) for operand in operands)
    if harm.verb and not re.match(rf"(?:{harm.verb})(?=\s|$)", verbs):
        return False
    if harm.operand and not any(re.fullmatch(harm.operand, operand) for operand in operands):
        return False
    for name, pattern in harm.values.items():
        value = arguments.value(name)
        if value is None or not re.match(pattern, value.value):
            return False
    text = joined(call.args) + (f" {call.stdin.text or ''}" if harm.piped else "")
    return not harm.words or re.search(harm.words, text) is not None
