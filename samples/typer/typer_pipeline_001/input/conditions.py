"""Conditions such as `city=Bonn` or `size>=10`."""

from collections.abc import Callable
from typing import Any

Condition = Callable[[dict[str, Any]], bool]


def parse(text: str) -> Condition:
    """FIELD, an operator and VALUE, without blanks between them; FIELD is one or more letters, digits
    or "_", and VALUE, which may be empty, is all that follows. ValueError for anything else.

    =, !=     as texts: the field's value as it is, if it is a text, else as it is written in JSON
              (true, null, 1.5), is VALUE, or isn't
    >=, <=, >, <    as numbers: the field is a number (no text, no boolean), and compares so with VALUE,
              which has to be a finite number as Python's float() reads it, else ValueError
    ~         the field is a text that contains VALUE, upper and lower case being the same

    A record without the field fulfils only !=.
    """
    raise NotImplementedError
