"""A page of the web as text. Only addresses that were checked are connected to, whatever a name leads to later.

No proxy is used: it would look names up itself.
"""

from __future__ import annotations

import codecs
import contextlib
import html
import ipaddress
import re
import socket
import threading
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

from localagent import __version__
from localagent.abort import AbortSignal
from localagent.toolbox.texts import is_charset

if TYPE_CHECKING:
    import httpx

MOST_BYTES = 2 * 1024 * 1024
MOST_REDIRECTS = 5
MOST_ADDRESSES = 3  # that are tried, of those a name has
CONNECT_S = 5.0
SILENCE_S = 15.0
TITLE_CHARACTERS = 200

# The addresses of a host and port. Raises OSError.
Resolve: TypeAlias = Callable[[str, int], Sequence[str]]

_TEXT_TYPES = re.compile(r"text/.*|application/(.*[+-])?(json|xml|yaml|toml|javascript|ecmascript|ndjson|sql|graphql)")
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_TITLE = re.compile(r"<title[^>]{0,200}>", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_GZIP = 31  # zlib's word for it
# Special networks that `is_global` lets pass.
_SPECIAL = tuple(map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "3fff::/20", "5f00::/16")))


@dataclass(frozen=True, slots=True)
class Page:
    """`url`: where it was found in the end. `text`: of HTML its content as Markdown. `is_cut`: there was more."""

    url: str
    title: str
    text: str
    is_cut: bool = False


def system_addresses(host: str, port: int) -> Sequence[str]:
    return list(dict.fromkeys(str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))


def fetch(
    url: str, abort: AbortSignal, *, private_addresses: bool = False, resolve: Resolve = system_addresses
) -> Page:
    """The page at an http or https address, through at most five redirects; each address is checked before it is
    connected to. Raises ValueError in words the model can act on, and Aborted; the signal shuts the connection."""
    import httpx

    here = url.strip()
    with _Connection(abort) as connection:
        for _ in range(MOST_REDIRECTS + 1):
            target = _parsed(here)
            addresses = _checked(target, private_addresses, resolve)
            abort.raise_if_aborted()
            try:
                answer = _exchange(target, addresses, connection)
            except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, OSError) as error:
                abort.raise_if_aborted()
                raise ValueError(f"{_short(here)} cannot be fetched: {_reason(error)}.") from error
            abort.raise_if_aborted()
            if isinstance(answer, Page):
                return answer
            here = answer
    raise ValueError(f"{_short(url)} leads through more than {MOST_REDIRECTS} redirects; the last is {_short(here)}.")


def is_public(address: str) -> bool:
    """Whether an address is on the open internet: not this machine's, nor of a private or special network, also where
    an IPv6 address holds an IPv4 one."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None or ip in _NAT64:
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
        if any(inner is not None and not is_public(str(inner)) for inner in (ip.sixtofour, *(ip.teredo or ()))):
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved and not any(ip in one for one in _SPECIAL)


def _parsed(url: str) -> httpx.URL:
    import httpx

    try:
        target = httpx.URL(url)
        target.raw_host.decode("ascii")
    except (httpx.InvalidURL, ValueError, TypeError) as error:
        raise ValueError(f"{_short(url)} is no address ({error}). Write it like https://example.com/page.") from error
    if target.scheme not in ("http", "https") or not target.host:
        raise ValueError(f"{_short(url)} is no http:// or https:// address; only those can be fetched.")
    if target.userinfo:
        raise ValueError(f"{_short(url)} holds a user name; leave out what stands before the @.")
    return target


def _checked(target: httpx.URL, private_addresses: bool, resolve: Resolve) -> Sequence[str]:
    host = target.raw_host.decode("ascii")
    port = target.port or {"http": 80, "https": 443}[target.scheme]
    try:
        addresses = resolve(host, port)
    except (OSError, UnicodeError) as error:
        raise ValueError(f"The host {host} is not known: {_reason(error)}. Is the address right?") from error
    closed = [address for address in addresses if not is_public(address)]
    if closed and not private_addresses:
        named = host if host.strip("[]") == closed[0] else f"{host} ({closed[0]})"
        raise ValueError(
            f"{named} is on this machine or in a private network, which is not allowed here "
            "(tool_access.private_addresses). Do not try other spellings; tell the user, who can allow it."
        )
    if not addresses:
        raise ValueError(f"The host {host} has no address.")
    return addresses[:MOST_ADDRESSES]


def _exchange(target: httpx.URL, addresses: Sequence[str], connection: _Connection) -> Page | str:
    """One request: the page, or where it redirects to."""
    import httpx

    host = target.raw_host.decode("ascii")
    headers = {
        "Host": target.netloc.decode("ascii"),
        "User-Agent": f"localagent/{__version__}",
        "Accept": "text/html,application/xhtml+xml,text/plain;q=0.9,application/json;q=0.9,*/*;q=0.5",
        "Accept-Encoding": "gzip",
    }
    extensions = {"sni_hostname": host, "trace": connection.trace}
    timeout = httpx.Timeout(SILENCE_S, connect=CONNECT_S)
    with httpx.Client(trust_env=False, follow_redirects=False, timeout=timeout) as client:
        for index, address in enumerate(addresses):
            request = client.build_request(
                "GET", target.copy_with(host=address), headers=headers, extensions=extensions
            )
            try:
                response = client.send(request, stream=True)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if index == len(addresses) - 1:
                    raise
                continue
            with contextlib.closing(response):
                if response.has_redirect_location:
                    return str(target.join(response.headers["location"]))
                return _page(target, response)
    raise AssertionError("there is at least one address")


def _page(target: httpx.URL, response: httpx.Response) -> Page:
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind and not _TEXT_TYPES.fullmatch(kind) and kind not in _HTML_TYPES and response.is_success:
        raise ValueError(f"{_short(str(target))} is {kind[:80]}, not text: it cannot be read here.")
    content, is_cut = _content(response)
    if not kind and b"\0" in content[:8192]:
        raise ValueError(f"{_short(str(target))} is no text: it cannot be read here.")
    text = _decoded(content, response.charset_encoding)
    title = ""
    if kind in _HTML_TYPES or (not kind and "<html" in text[:2000].lower()):
        title, text = _from_html(text)
    if not response.is_success:
        said = " ".join(text.split())[:300] or "nothing more"
        raise ValueError(
            f"{_short(str(target))} answered {response.status_code} {response.reason_phrase}, and said: {said}"
        )
    return Page(str(target), title, text, is_cut)


def _content(response: httpx.Response) -> tuple[bytes, bool]:
    """At most `MOST_BYTES`, unpacked. The client's own unpacking has no bound: what is packed twice grows a million
    times within one piece of it."""
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding not in ("gzip", "x-gzip", "identity", ""):
        raise ValueError(f"The page is packed as {coding[:80]}, which cannot be read here.")
    unpacker = zlib.decompressobj(_GZIP) if "gzip" in coding else None
    pieces, size = [], 0
    for packed in response.iter_raw():
        room = MOST_BYTES + 1 - size
        try:
            piece = unpacker.decompress(packed, room) if unpacker is not None else packed[:room]
        except zlib.error as error:
            raise ValueError("The page cannot be unpacked: it is not what its headers say.") from error
        pieces.append(piece)
        size += len(piece)
        if size > MOST_BYTES:
            return b"".join(pieces)[:MOST_BYTES], True
    return b"".join(pieces), False


def _decoded(content: bytes, said: str | None) -> str:
    """By its mark of order, by what the server or the page says, else UTF-8."""
    for mark, name in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if content.startswith(mark):
            return content.decode(name, "replace").removeprefix("\ufeff")
    meta = _META_CHARSET.search(content[:4096])
    name = said or (meta[1].decode("ascii", "replace") if meta else "utf-8")
    # As browsers do: pages that say GB2312 or GBK use what only GB18030 has.
    name = {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252"}.get(name.lower(), name)
    try:
        return content.decode(name if is_charset(name) else "utf-8", "replace")
    except (LookupError, ValueError):
        return content.decode("utf-8", "replace")


def _from_html(source: str) -> tuple[str, str]:
    """The title, and the content as Markdown."""
    from html_to_markdown import ConversionError, ConversionOptions, convert

    found = _TITLE.search(source)
    words = source[found.end() :][: 4 * TITLE_CHARACTERS].partition("<")[0] if found else ""
    title = " ".join(html.unescape(words).split())[:TITLE_CHARACTERS]
    options = ConversionOptions(extract_metadata=False, skip_images=True, compact_tables=True)
    try:
        text = convert(source, options).content or ""
    except ConversionError as error:
        raise ValueError(f"The page's HTML cannot be read: {' '.join(str(error).split())[:200]}") from error
    return title, text.strip()


class _Stream(Protocol):
    """A connection as the HTTP client's trace shows it."""

    def get_extra_info(self, info: str) -> object: ...


class _Connection:
    """The open connection, shut down when the signal is set: that wakes whoever waits for it."""

    def __init__(self, abort: AbortSignal) -> None:
        self._abort = abort
        self._lock = threading.RLock()
        self._socket: socket.socket | None = None

    def __enter__(self) -> _Connection:
        self._detach = self._abort.on_abort(self._shut)
        return self

    def __exit__(self, *_: object) -> None:
        self._detach()

    def trace(self, event: str, info: Mapping[str, object]) -> None:
        if event not in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            return
        found = cast("_Stream", info["return_value"]).get_extra_info("socket")
        if isinstance(found, socket.socket):
            with self._lock:
                self._socket = found
            if self._abort.aborted:
                self._shut()

    def _shut(self) -> None:
        with self._lock:
            if self._socket is not None:
                with contextlib.suppress(OSError):  # the plain socket's way, since TLS's is not thread-safe
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def _reason(error: Exception) -> str:
    """Why, without the numbers of the system's errors."""
    cause = error.__cause__ if isinstance(error.__cause__, OSError) else error
    said = getattr(cause, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(said).split())[:200]


def _short(url: str) -> str:
    return url if len(url) <= 200 else f"{url[:200]}…"
