"""find's expression: where it looks, and how much of that it picks."""

from sdkbench.shell.safety.values import SOME, STAR, Text

# Tests that leave few files; a type alone, or a bare star, leaves them all.
NARROWING = frozenset({
    "-name", "-iname", "-path", "-ipath", "-regex", "-iregex", "-mtime", "-mmin", "-atime",
    "-ctime", "-newer", "-size", "-empty", "-perm", "-user", "-group", "-wholename", "-links",
    "-inum", "-samefile", "-amin", "-cmin", "-newermt", "-nouser", "-nogroup", "-lname",
    "-fstype",
})  # fmt: skip
AGE = frozenset({
    "-mtime", "-mmin", "-atime", "-ctime", "-newer", "-amin", "-cmin", "-newermt", "-size",
    "-empty",
})  # fmt: skip
PATTERNS = frozenset({"-name", "-iname", "-path", "-wholename", "-regex", "-ipath"})


def split_expression(args: tuple[Text, ...]) -> tuple[list[Text], tuple[Text, ...]]:
    at = 0
    while at < len(args) and (
        args[at].value in {"-H", "-L", "-P"} or args[at].value.startswith(("-O", "-D"))
    ):
        at += 1
    start = at
    while (
        at < len(args)
        and not args[at].value.startswith("-")
        and args[at].value not in {"(", ")", "!"}
    ):
        at += 1
    here = Text(".", args[0].span) if args else None
    return list(args[start:at]) or ([here] if here else []), args[at:]


def found_below(root: Text, values: list[str]) -> Text:
    """What is found, as a path: everything below the root, or some of it."""
    for at in range(len(values) - 1, 0, -1):
        if values[at] in {"-o", "-or"} and values[at - 1] == "-prune":
            values = values[at:]  # what is pruned there is left out, not found
            break
    if not narrows(values):
        return root
    folder = root.value.rstrip("/")
    # An age or a size picks old and empty files anywhere; a name alone picks a kind of file.
    aged = any(value in AGE for value in values)
    pattern = next(
        (values[at + 1] for at, value in enumerate(values[:-1]) if value in PATTERNS), ""
    )
    name = SOME if "/" in pattern or not pattern else pattern.replace("*", STAR)
    if "log" in pattern and not aged:
        return root.saying(f"{folder}/{name}")
    return root.saying(f"{folder}/{SOME}/{SOME if aged else name}")


def narrows(values: list[str]) -> bool:
    """Whether the tests leave only some of the files; a program asked before -delete is a test."""
    if "-delete" in values and "-exec" in values[: values.index("-delete")]:
        return True
    for at, value in enumerate(values):
        if value in {"-type", "-xtype"} and values[at + 1 : at + 2] == ["l"]:
            return True
        if value not in NARROWING or (at and values[at - 1] in {"!", "-not"}):
            continue
        argument = values[at + 1] if at + 1 < len(values) else ""
        if value in PATTERNS and not argument.strip("*?./\ue002\ue003"):
            continue
        if value == "-size" and argument in {"+0", "-1000G"}:
            continue
        return True
    return False
