"""The user's settings of Maven (``~/.m2/settings.xml``), as far as a plain download needs them: the mirror of Maven
Central, the login there, the proxy, and the local repository."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree

_MOST = 1 << 20
"""Most bytes of a settings file."""
_ENCRYPTED = re.compile(r"\{.+\}")
_VARIABLE = re.compile(r"\$\{(?:env\.(\w+)|user\.home)\}")
_CENTRAL = "central"
"""Maven's own name of Maven Central."""


def local_repository() -> Path:
    """Return the folder of the local Maven repository."""
    named = next((element.text or "" for element in _settings("localRepository")), "").strip()
    return Path(_filled(named) if named else "~/.m2/repository").expanduser()


def mirror() -> tuple[str, str]:
    """Return the address of the mirror of Maven Central, empty for none, and the header for the login there, or at
    Maven Central without a mirror; empty for no login."""
    for found in _settings("mirror"):
        named = [name.strip() for name in _text(found, "mirrorOf").split(",")]
        address = _text(found, "url")
        blocked = _text(found, "blocked") == "true"
        if address and not blocked and "!central" not in named and {"*", "external:*", _CENTRAL} & set(named):
            return address, _login(_text(found, "id"))
    return "", _login(_CENTRAL)


def proxy(address: str) -> str:
    """Return the address of the proxy for an address; empty for none in the settings."""
    wanted, host = urlsplit(address).scheme, urlsplit(address).hostname or ""
    found = {_text(each, "protocol", "http"): _address(each) for each in _proxies(host)}
    return found.get(wanted) or found.get("http") or ""  # as Maven: that of http serves https too


def _login(name: str) -> str:
    """Return the header for the login at the repository of that name. Empty if there is no login, or if the password is
    encrypted for Maven."""
    for server in _settings("server"):
        user, password = _text(server, "username"), _text(server, "password")
        if user and _text(server, "id") == name and not _ENCRYPTED.fullmatch(password):
            return f"Basic {b64encode(f'{user}:{password}'.encode()).decode()}"
    return ""


def _proxies(host: str) -> Iterator[ElementTree.Element]:
    """Yield the active proxies for a host, the decisive first one last."""
    for each in reversed(list(_settings("proxy"))):
        direct = _text(each, "nonProxyHosts").split("|")
        served = not any(fnmatchcase(host.lower(), pattern.strip().lower()) for pattern in direct)
        if served and _text(each, "host") and _text(each, "active", "true") == "true":
            yield each


def _address(found: ElementTree.Element) -> str:
    """Return the address of a proxy, with its user. A password that only Maven can decrypt is left out."""
    user, password = (quote(_text(found, name), safe="") for name in ("username", "password"))
    known = user and not _ENCRYPTED.fullmatch(_text(found, "password"))
    login = f"{user}:{password}@" if known else ""
    return f"http://{login}{_text(found, 'host')}:{_text(found, 'port', '8080')}"


def _settings(name: str) -> Iterator[ElementTree.Element]:
    """Yield the elements of a name; none without a file that Maven could use too."""
    path = Path("~/.m2/settings.xml").expanduser()
    try:
        with path.open("rb") as file:
            tree = ElementTree.fromstring(file.read(_MOST))
    except (OSError, ElementTree.ParseError, ValueError):
        return
    yield from tree.iterfind(f".//{{*}}{name}")


def _text(element: ElementTree.Element, name: str, default: str = "") -> str:
    return _filled(element.findtext(f"{{*}}{name}", default).strip())


def _filled(text: str) -> str:
    """Return a text with the variables that Maven's settings may have: the environment's, and the home."""
    return _VARIABLE.sub(
        lambda found: os.environ.get(found[1], found[0]) if found[1] else os.path.expanduser("~"), text
    )
