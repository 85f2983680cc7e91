"""Names in the public results layout: results/<sdk>/<model>/solutions/<sample>/."""

from urllib.parse import quote, unquote

SOLUTIONS = "solutions"
GENERATION_METADATA = "generation_metadata.json"
ANSWER = "llm_response.md"
METRICS = "metrics"
NONE = "%00"  # stands for a name that is empty: no folder can have that one


def folder_name(name: str) -> str:
    """`name` as one component of a path: what may not stand there is escaped like in a URL."""
    if not name:
        return NONE
    if not name.strip("."):
        return name.replace(".", "%2E")
    return "".join(
        each if each.isprintable() and each not in "/\\%" else quote(each, safe="") for each in name
    )


def name_of(folder: str) -> str:
    """What `folder_name` was given; one that it would not have made stands for itself."""
    if folder == NONE:
        return ""
    meant = unquote(folder, errors="replace")
    return meant if folder_name(meant) == folder else folder


def is_side_file(name: str) -> bool:
    """Whether a file stands beside the solution by rule, rather than being part of it."""
    in_metrics = name.startswith(f"{METRICS}/") and name.endswith(".json") and name.count("/") == 1
    return in_metrics or name in {GENERATION_METADATA, ANSWER}
