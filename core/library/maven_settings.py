"""The user's settings of Maven (``~/.m2/settings.xml``), as far as a plain download needs them: mirror and proxy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from urllib.parse import quote, urlsplit
from urllib.request import OpenerDirector, ProxyHandler, build_opener
from xml.etree import ElementTree

_MOST = 1 << 20
"""Most bytes of a settings file."""
_ENCRYPTED = re.compile(r"\{.+\}")


def mirrors() -> Iterator[str]:
    """Yield the addresses of the mirrors of Maven Central."""
    for mirror in _settings("mirror"):
        named = [name.strip() for name in mirror.findtext("{*}mirrorOf", "").split(",")]
        address = _text(mirror, "url")
        blocked = _text(mirror, "blocked") == "true"
        if address and not blocked and "!central" not in named and {"*", "external:*", "central"} & set(named):
            yield address


def opener(address: str) -> OpenerDirector:
    """Return what opens an address: by the proxy of the settings, else as the environment says (``https_proxy``)."""
    wanted, host = urlsplit(address).scheme, urlsplit(address).hostname or ""
    found = {_text(proxy, "protocol", "http"): _address(proxy) for proxy in _proxies(host)}
    proxy = found.get(wanted) or found.get("http")  # as Maven: that of http serves https too
    return build_opener(ProxyHandler({wanted: proxy})) if proxy else build_opener()


def _proxies(host: str) -> Iterator[ElementTree.Element]:
    """Yield the active proxies that serve a host, the first one last, which counts."""
    for proxy in reversed(list(_settings("proxy"))):
        direct = _text(proxy, "nonProxyHosts").split("|")
        served = not any(fnmatchcase(host.lower(), pattern.strip().lower()) for pattern in direct)
        if served and _text(proxy, "host") and _text(proxy, "active", "true") == "true":
            yield proxy


def _address(proxy: ElementTree.Element) -> str:
    """Return the address of a proxy, with its user. A password that only Maven can decrypt is left out."""
    user, password = (quote(_text(proxy, name), safe="") for name in ("username", "password"))
    known = user and not _ENCRYPTED.fullmatch(_text(proxy, "password"))
    login = f"{user}:{password}@" if known else ""
    return f"http://{login}{_text(proxy, 'host')}:{_text(proxy, 'port', '8080')}"


def _settings(name: str) -> Iterator[ElementTree.Element]:
    """Yield the elements of a name; none where there is no file that Maven could use either."""
    path = Path("~/.m2/settings.xml").expanduser()
    try:
        with path.open("rb") as file:
            tree = ElementTree.fromstring(file.read(_MOST))
    except (OSError, ElementTree.ParseError, ValueError):
        return
    yield from tree.iterfind(f".//{{*}}{name}")


def _text(element: ElementTree.Element, name: str, default: str = "") -> str:
    return element.findtext(f"{{*}}{name}", default).strip()
