"""Compound commands: groups, loops, conditionals."""

import re
from dataclasses import replace

from sdkbench.shell.reader import expansions, grammar, tree, words
from sdkbench.shell.reader.cursor import Cursor

_EMPTY_PARENTHESES = re.compile(r"[ \t]*\([ \t]*\)")
_IN = re.compile(r"in(?=[ \t\n;]|\Z)")
_CASE_IN = re.compile(r"in(?=[ \t\n])")
_CONDITION_END = re.compile(r"\]\](?=[ \t\n;&|<>()]|\Z)")
_CONDITION_SIGN = re.compile(r"&&|\|\||!(?=[ \t(])|[()<>]")
_TERMINATOR = re.compile(r";;&|;;|;&")


def read_compound(cursor: Cursor, keyword: str) -> tree.Command:
    start = cursor.position
    cursor.enter()
    cursor.position += len(keyword)
    command: tree.Command
    match keyword:
        case "{":
            command = tree.Group(_body(cursor, "}"), *_end(cursor, start))
        case "if":
            command = _if(cursor, start)
        case "while" | "until":
            condition = _body(cursor, "do")
            body = _body(cursor, "done")
            command = tree.While(condition, body, keyword == "until", *_end(cursor, start))
        case "for" | "select":
            command = _for(cursor, keyword, start)
        case "case":
            command = _case(cursor, start)
        case "function":
            command = _function(cursor, start)
        case "[[":
            command = _condition(cursor, start)
        case _:
            raise cursor.stuck(f"unexpected {keyword}", start)
    cursor.leave()
    return command


def read_parenthesis(cursor: Cursor) -> tree.Command:
    """`((…))` if it closes as arithmetic, else a subshell."""
    start = cursor.position
    if cursor.at("(("):
        expression = expansions.try_arithmetic(cursor, 2, quoted=False)
        if expression:
            return tree.ArithmeticCommand(expression, *_end(cursor, start))
    cursor.position += 1
    body = expansions.read_enclosed(cursor)
    if not body.statements:
        raise cursor.stuck("empty ( )", start)
    return tree.Subshell(body, *_end(cursor, start))


def with_redirect(command: tree.Command, added: tree.Redirect) -> tree.Command:
    if isinstance(command, tree.Function | tree.Coproc):
        return replace(command, body=with_redirect(command.body, added))
    return replace(command, redirects=(*command.redirects, added))


def _end(cursor: Cursor, start: int) -> tuple[tuple[tree.Redirect, ...], tree.Span]:
    """What every compound command ends with."""
    return grammar.read_redirects(cursor), cursor.span(start)


def _body(cursor: Cursor, closer: str) -> tree.Script:
    """A script that must not be empty, and its closing word."""
    script = cursor.read_script(cursor, frozenset({closer}))
    _expect(cursor, closer)
    if not script.statements:
        raise cursor.stuck(f"nothing stands before {closer}")
    return script


def _expect(cursor: Cursor, keyword: str) -> None:
    if grammar.peek_keyword(cursor) != keyword:
        raise cursor.stuck(f"{keyword} is missing")
    cursor.position += len(keyword)


def _if(cursor: Cursor, start: int) -> tree.If:
    branches: list[tuple[tree.Script, tree.Script]] = []
    otherwise = None
    ends = frozenset({"elif", "else", "fi"})
    while True:
        condition = _body(cursor, "then")
        body = cursor.read_script(cursor, ends)
        if not body.statements:
            raise cursor.stuck("nothing stands after then")
        branches.append((condition, body))
        keyword = grammar.peek_keyword(cursor)
        if keyword not in ends:
            raise cursor.stuck("fi is missing")
        cursor.position += len(keyword or "")
        if keyword == "elif":
            continue
        if keyword == "else":
            otherwise = _body(cursor, "fi")
        return tree.If(tuple(branches), otherwise, *_end(cursor, start))


def _for(cursor: Cursor, keyword: str, start: int) -> tree.For | tree.CFor:
    cursor.skip_blanks()
    if cursor.at("((") and keyword == "for":
        header = expansions.try_arithmetic(cursor, 2, quoted=False)
        if header is None:
            raise cursor.stuck("unfinished for ((")
        _optional_semicolon(cursor)
        return tree.CFor(header, _loop_body(cursor), *_end(cursor, start))
    name = _name(cursor, keyword)
    items = _for_words(cursor)
    return tree.For(keyword, name, items, _loop_body(cursor), *_end(cursor, start))


def _name(cursor: Cursor, keyword: str) -> str:
    """Any word, as written: bash finds only when it runs it that a word is no name."""
    begin = cursor.position
    if not words.read_word(cursor).parts:
        raise cursor.stuck(f"{keyword} needs a name")
    return cursor.text[begin : cursor.position]


def _for_words(cursor: Cursor) -> tuple[tree.Word, ...] | None:
    """The words after `in`; None where there is no `in`."""
    before = cursor.position
    grammar.skip_lines(cursor)
    if not cursor.take(_IN):
        if cursor.position == before and cursor.peek() not in (";", "\n", ""):
            raise cursor.stuck("unexpected token")
        _optional_semicolon(cursor)
        return None
    items: list[tree.Word] = []
    while True:
        cursor.skip_blanks()
        if cursor.peek() in (";", "\n", ""):
            _optional_semicolon(cursor)
            return tuple(items)
        begin = cursor.position
        items.append(words.read_word(cursor))
        if cursor.position == begin:
            raise cursor.stuck(f"unexpected {cursor.peek()}")


def _optional_semicolon(cursor: Cursor) -> None:
    cursor.skip_blanks()
    if cursor.peek() == ";" and not cursor.at(";;"):
        cursor.position += 1
    grammar.skip_lines(cursor)


def _loop_body(cursor: Cursor) -> tree.Script:
    if grammar.peek_keyword(cursor) == "{":
        cursor.position += 1
        return _body(cursor, "}")
    _expect(cursor, "do")
    return _body(cursor, "done")


def _case(cursor: Cursor, start: int) -> tree.Case:
    cursor.skip_blanks()
    subject = words.read_word(cursor)
    grammar.skip_lines(cursor)
    if not subject.parts or not cursor.take(_CASE_IN):
        raise cursor.stuck("case needs a word and in")
    arms: list[tree.CaseArm] = []
    while True:
        grammar.skip_lines(cursor)
        if grammar.peek_keyword(cursor) == "esac":
            cursor.position += len("esac")
            break
        arms.append(_arm(cursor))
    return tree.Case(subject, tuple(arms), *_end(cursor, start))


def _arm(cursor: Cursor) -> tree.CaseArm:
    if cursor.peek() == "(":
        cursor.position += 1
    patterns: list[tree.Word] = []
    while True:
        cursor.skip_blanks()
        pattern = words.read_word(cursor)
        if not pattern.parts:
            raise cursor.stuck("case pattern expected")
        patterns.append(pattern)
        cursor.skip_blanks()
        separator = cursor.peek()
        cursor.position += 1
        if separator == ")":
            break
        if separator != "|":
            raise cursor.stuck("unfinished case pattern")
    body = cursor.read_script(cursor, frozenset({"esac"}))
    terminator = cursor.take(_TERMINATOR)
    if not terminator and grammar.peek_keyword(cursor) != "esac":
        raise cursor.stuck("esac is missing")
    return tree.CaseArm(tuple(patterns), body, terminator[0] if terminator else ";;")


def _function(cursor: Cursor, start: int) -> tree.Function:
    cursor.skip_blanks()
    name = _name(cursor, "function")
    cursor.take(_EMPTY_PARENTHESES)
    return grammar.read_function_body(cursor, name, start, keyword=True)


def _condition(cursor: Cursor, start: int) -> tree.Condition:
    items: list[tree.Word | str] = []
    while True:
        grammar.skip_lines(cursor)
        if cursor.take(_CONDITION_END):
            break
        last = items[-1] if items else None
        after_match = isinstance(last, tree.Word) and last.constant == "=~" and not last.quoted
        sign = None if after_match else cursor.take(_CONDITION_SIGN)
        if sign:
            items.append(sign[0])
            continue
        begin = cursor.position
        items.append(words.read_regex(cursor) if after_match else words.read_word(cursor))
        if cursor.position == begin:
            raise cursor.stuck("unfinished [[", start)
    if not items:
        raise cursor.stuck("empty [[ ]]", start)
    return tree.Condition(tuple(items), *_end(cursor, start))
