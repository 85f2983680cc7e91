"""Server: where a model is reached and with which key; read from a spec and the environment."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from sdkbench.backends.redact import quoted, without
from sdkbench.backends.setting import Setting
from sdkbench.errors import InputError, MissingTool

LOOPBACK = ("localhost", "127.0.0.1", "::1")
NO_KEY = "none"  # local servers ask for no key, but the clients want one to send


@dataclass(frozen=True, kw_only=True)
class Vendor:
    """What sets one HTTP backend apart from another when it is opened."""

    backend: str
    example: str
    home: str
    url_variable: str
    key_variable: str


@dataclass(frozen=True, kw_only=True)
class Server:
    vendor: Vendor
    model: str
    url: str
    key: str = field(repr=False)

    @property
    def name(self) -> str:
        """As the spec would be written, for results."""
        at_home = self.url == self.vendor.home
        spec = f"{self.vendor.backend}:{self.model}"
        return quoted([self.key], spec if at_home else f"{spec}@{self.url}")

    @property
    def local(self) -> bool:
        host = urlsplit(self.url).hostname or ""
        return host in LOOPBACK or host.startswith("127.")

    def quote(self, text: str) -> str:
        return quoted([self.key], text)

    def hide(self, text: str) -> str:
        return without([self.key], text)


def read_server(vendor: Vendor, target: str, setting: Setting) -> Server:
    """`MODEL` or `MODEL@URL`; the URL may come from the environment, the key always does.

    Raises InputError for a missing model, an address that is none, a missing or impossible key.
    """
    model, at, spec_url = target.partition("@http")
    url = f"http{spec_url}" if at else setting.environment.get(vendor.url_variable, "").strip()
    url = (url or vendor.home).rstrip("/")
    if not model:
        raise InputError(
            f"The {vendor.backend} backend needs a model: {vendor.backend}:{vendor.example}, "
            f"or {vendor.backend}:MODEL@http://HOST:PORT for a server of your own."
        )
    _check_address(vendor, url)
    return Server(vendor=vendor, model=model, url=url, key=_key(vendor, url, setting))


def missing_extra(vendor: Vendor) -> MissingTool:
    name = vendor.backend
    return MissingTool(f"The {name} backend needs a package more: pip install 'sdkbench[{name}]'.")


def _check_address(vendor: Vendor, url: str) -> None:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in {"http", "https"} and bool(parts.hostname)
        fits = fits and (parts.port is None or parts.port > 0)
    except ValueError:
        fits = False
    if not fits:
        raise InputError(
            f"The address of the {vendor.backend} backend is not a URL like http://HOST:PORT."
        )
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise InputError(
            f"The address of the {vendor.backend} backend must end with its path, without user, "
            f"password or query; the key comes from {vendor.key_variable}."
        )


def _key(vendor: Vendor, url: str, setting: Setting) -> str:
    key = setting.environment.get(vendor.key_variable, "").strip()
    if not key and url == vendor.home:
        raise InputError(
            f"The {vendor.backend} backend needs a key: set {vendor.key_variable}, or name a "
            f"server of your own: {vendor.backend}:MODEL@http://HOST:PORT."
        )
    # A key goes into a header; what can't stand there would come back in an error message.
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise InputError(f"{vendor.key_variable} holds characters that no key has.")
    return key or NO_KEY
