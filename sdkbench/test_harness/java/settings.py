"""The user's mirrors and proxies for Maven, without passwords; nothing else of their settings."""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

from sdkbench.environments.registry_settings import registry_environment
from sdkbench.sandbox import Mount

KEPT = ("mirrors", "proxies")
SECRET = ("username", "password", "privateKey", "passphrase")
TRUST_STORE = re.compile(r"-Djavax\.net\.ssl\.trustStore=(\S+)")


def settings_xml() -> str:
    """A settings.xml that says where packages come from and how to reach it."""
    settings = ET.Element("settings")
    for section in KEPT:
        found = _users().find(section)
        if found is not None:
            settings.append(found)
    proxy = urlsplit(_proxy())
    if proxy.hostname and settings.find("proxies") is None:
        proxies = ET.SubElement(ET.SubElement(settings, "proxies"), "proxy")
        values = {"protocol": "https", "host": proxy.hostname, "port": str(proxy.port or 3128)}
        for name, value in values.items():
            ET.SubElement(proxies, name).text = value
    for parent in list(settings.iter()):
        for child in list(parent):
            if child.tag in SECRET:
                parent.remove(child)
    return ET.tostring(settings, encoding="unicode")


def maven_environment() -> dict[str, str]:
    """Options of Maven's own virtual machine: companies name their certificates there."""
    options = os.environ.get("MAVEN_OPTS", "")
    return {"MAVEN_OPTS": f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC {options}".strip()}


def certificate_mounts() -> tuple[Mount, ...]:
    named = TRUST_STORE.findall(os.environ.get("MAVEN_OPTS", ""))
    return tuple(Mount(path=Path(name)) for name in named if Path(name).is_file())


def _users() -> ET.Element:
    """The user's settings without namespaces; an empty element where there are none."""
    path = Path("~/.m2/settings.xml").expanduser()
    try:
        tree = ET.fromstring(path.read_bytes())  # noqa: S314 - the user's own file
    except (OSError, ET.ParseError):
        return ET.Element("settings")
    for element in tree.iter():
        element.tag = str(element.tag).rpartition("}")[2]
    return tree


def _proxy() -> str:
    env = registry_environment()
    return env.get("HTTPS_PROXY") or env.get("https_proxy") or ""
