import json

import httpx

CHECKS = {
    "url": lambda v: isinstance(v, str) and v.partition("://")[0] in ("http", "https"),
    "user": lambda v: v is None or isinstance(v, str),
    "password": lambda v: v is None or isinstance(v, str),
    "agent": lambda v: isinstance(v, str),
    "timeout": lambda v: type(v) in (int, float) and v > 0,
    "headers": lambda v: isinstance(v, dict),
}


def read_settings(path):
    given = json.loads(path.read_bytes())
    unknown = given.keys() - CHECKS.keys()
    if unknown:
        raise ValueError(f"unknown: {sorted(unknown)}")
    found = {key: given.get(key) for key in CHECKS}
    found["agent"] = given.get("agent", "depot-client")
    found["timeout"] = given.get("timeout", 10)
    found["headers"] = given.get("headers", {})
    for key, fits in CHECKS.items():
        if not fits(found[key]):
            raise ValueError(f"{key} is {found[key]!r}")
    if len([key for key in ("user", "password") if found[key] is None]) == 1:
        raise ValueError("user without password, or the other way round")
    return found


def client(settings, transport=None):
    made = httpx.Client(transport=transport, follow_redirects=True, max_redirects=3)
    made.base_url = settings["url"]
    seconds = settings["timeout"]
    made.timeout = httpx.Timeout(
        connect=3 if seconds > 3 else seconds, read=seconds, write=seconds, pool=seconds
    )
    made.headers["Accept"] = "application/json"
    made.headers["User-Agent"] = settings["agent"]
    made.headers.update(settings["headers"])
    if settings["user"] is not None:
        made.auth = (settings["user"], settings["password"])
    return made


def ping(settings, transport=None):
    made = client(settings, transport)
    made.event_hooks["response"].append(lambda response: response.raise_for_status())
    try:
        return made.request("GET", "/health").json()["version"]
    finally:
        made.close()
