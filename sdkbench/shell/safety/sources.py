"""What reading a file yields: text written earlier, a secret, or nothing known."""

from sdkbench.shell.safety.paths import places
from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.safety.targets import Target, home_part, is_secret, target
from sdkbench.shell.safety.values import EMPTY, OPAQUE, Stream, Taint, Text

SECRET = Stream(taints=frozenset({Taint.SECRET}))


def file_stream(text: Text, scope: Scope) -> Stream:
    if text.stream is not None:
        return text.stream
    if text.value == "/dev/null":
        return EMPTY
    written = scope.file(text.value)
    if written is not None:
        return written
    return SECRET if any(is_secret(place) for place in places(text.value, scope.cwd)) else OPAQUE


def holds_secrets(text: Text, scope: Scope) -> bool:
    """Whether a file or, taken as a whole, a folder has something worth stealing."""
    for place in places(text.value, scope.cwd):
        if place.emptied:
            continue
        whole_home = place.absolute and home_part(place) == () and not place.filtered
        whole_etc = place.below("etc") == ()
        if is_secret(place) or whole_home or whole_etc or target(place) is Target.ROOT:
            return True
    return False
