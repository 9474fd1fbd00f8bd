"""Pages of the web: which addresses may be reached, what is read, and that all of it ends when told to."""

from __future__ import annotations

import gzip
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from localagent.abort import AbortSignal
from localagent.errors import Interrupted
from localagent.toolbox.fetching import MOST_BYTES, Page, fetch, is_public

PAGES: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/text": (200, {"Content-Type": "text/plain; charset=utf-8"}, "plain 文本".encode()),
    "/json": (200, {"Content-Type": "application/problem+json"}, b'{"a": 1}'),
    "/html": (
        200,
        {"Content-Type": "text/html"},
        '<html><head><title>Tea &amp;\n 茶</title><style>p{}</style></head><body><script>alert("x")</script>'
        "<h1>Head</h1><p>One <b>two</b>, 1 &lt; 2</p><table><tr><th>k<th>v<tr><td>a<td>b</table>"
        '<p hidden>no</p><img src="data:image/png;base64,AAAA" alt="pic"></body></html>'.encode(),
    ),
    "/gbk": (200, {"Content-Type": "text/html"}, '<meta charset="gb2312"><p>元：100 喆'.encode("gb18030")),
    "/latin": (200, {"Content-Type": "text/plain; charset=iso-8859-1"}, "naïve “q”".encode("cp1252")),
    "/odd-charset": (200, {"Content-Type": "text/plain; charset=no-such"}, "é".encode()),
    "/bom": (200, {"Content-Type": "text/plain"}, "\ufeff好".encode("utf-16-le")),
    "/untyped": (200, {}, b"just words"),
    "/untyped-binary": (200, {}, b"a\0b"),
    "/image": (200, {"Content-Type": "image/png"}, b"\x89PNG"),
    "/big": (200, {"Content-Type": "text/plain"}, b"x" * (MOST_BYTES + 1000)),
    "/bomb": (200, {"Content-Type": "text/plain", "Content-Encoding": "gzip"}, gzip.compress(b"\0" * 100_000_000)),
    "/packed-twice": (
        200,
        {"Content-Type": "text/plain", "Content-Encoding": "gzip, gzip"},
        gzip.compress(gzip.compress(b"\0" * 100_000_000)),
    ),
    "/not-packed": (200, {"Content-Type": "text/plain", "Content-Encoding": "gzip"}, b"plain"),
    "/other-packing": (200, {"Content-Type": "text/plain", "Content-Encoding": "br"}, b"x"),
    "/packed": (200, {"Content-Type": "text/plain", "Content-Encoding": "gzip"}, gzip.compress("文本".encode())),
    # Python has an encoding of this name, which would take hours for it.
    "/punycode": (200, {"Content-Type": "text/plain; charset=punycode"}, b"a" * 1_000_000 + b"-" + b"b" * 1_000_000),
    "/big5": (200, {"Content-Type": "text/html; charset=Big5"}, "<p>資料".encode("big5")),
    "/said-gbk": (200, {"Content-Type": "text/html; charset=GBK"}, "<title>价格</title><p>喆".encode("gb18030")),
    "/empty": (200, {"Content-Type": "text/html"}, b""),
    "/missing": (404, {"Content-Type": "text/html"}, b"<p>Not <i>here</i></p>"),
    "/broken": (500, {}, b""),
    "/not-html": (200, {"Content-Type": "text/html"}, b"\xff\xfe\x00<\x00" + b"<div>" * 5000),
    "/once": (302, {"Location": "/text"}, b""),
    "/loop": (302, {"Location": "/loop"}, b""),
    "/to-nowhere": (302, {"Location": "http://[::1"}, b""),
    "/titles": (200, {"Content-Type": "text/html; charset=" + " " * 20_000}, b"<title " * 200_000 + b"<title>"),
    "/to-file": (302, {"Location": "file:///etc/passwd"}, b""),
    "/short": (200, {"Content-Type": "text/plain", "Content-Length": "50"}, b"less"),
}  # fmt: skip


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.hosts: list[str] = []
        self.begun, self.gone = threading.Event(), threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.hosts.append(self.headers["Host"])
        if self.path == "/drip":
            self._drip()
            return
        status, headers, body = PAGES.get(self.path, (404, {}, b""))
        if self.path.startswith("/to?"):
            status, headers = 302, {"Location": self.path[4:]}
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        self.wfile.write(b"drop")
        self.server.begun.set()
        self.connection.settimeout(30)
        if self.connection.recv(1) == b"":
            self.server.gone.set()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def get(server: Server) -> Callable[[str], Page]:
    return lambda path: fetch(f"{server.url}{path}", AbortSignal(), private_addresses=True)


def test_html_becomes_text_with_its_title(get: Callable[[str], Page]) -> None:
    page = get("/html")
    assert page.title == "Tea & 茶" and page.url.endswith("/html") and not page.is_cut
    assert "# Head" in page.text and "One **two**, 1 < 2" in page.text and "| a | b |" in page.text
    assert not any(word in page.text for word in ("alert", "p{}", "base64", "Tea"))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/text", "plain 文本"),
        ("/json", '{"a": 1}'),
        ("/gbk", "元：100 喆"),
        ("/latin", "naïve “q”"),
        ("/odd-charset", "é"),
        ("/bom", "好"),
        ("/untyped", "just words"),
        ("/once", "plain 文本"),
        ("/empty", ""),
        ("/packed", "文本"),
        ("/big5", "資料"),
        ("/said-gbk", "喆"),
    ],
)
def test_what_is_text_is_read_as_it_was_written(get: Callable[[str], Page], path: str, text: str) -> None:
    page = get(path)
    assert page.text == text
    assert page.url.endswith("/text" if path == "/once" else path)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/image", "is image/png, not text"),
        ("/untyped-binary", "is no text"),
        ("/missing", "answered 404 Not Found, and said: Not"),
        ("/broken", "answered 500 Internal Server Error, and said: nothing more"),
        ("/loop", "more than 5 redirects"),
        ("/to-file", "is no http:// or https:// address"),
        ("/short", "cannot be fetched"),
        ("/packed-twice", "is packed as gzip, gzip"),
        ("/other-packing", "is packed as br"),
        ("/not-packed", "cannot be unpacked"),
        ("/to-nowhere", "cannot be fetched"),
    ],
)
def test_what_is_no_page_is_an_error_in_words(get: Callable[[str], Page], path: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        get(path)


@pytest.mark.parametrize("path", ["/big", "/bomb"])
def test_size_is_bounded_before_and_after_unpacking(get: Callable[[str], Page], path: str) -> None:
    page = get(path)
    assert page.is_cut and len(page.text) == MOST_BYTES


def test_an_encoding_that_is_none_of_documents_is_not_used(get: Callable[[str], Page]) -> None:
    assert get("/punycode").text.endswith("b" * 100)


def test_proxies_of_the_environment_are_not_used(get: Callable[[str], Page], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert get("/text").text == "plain 文本"


def test_html_that_is_none_does_no_harm(get: Callable[[str], Page]) -> None:
    assert get("/not-html").title == ""
    assert get("/titles").title == ""


@pytest.mark.parametrize(
    "url",
    [
        "", "ftp://example.org/", "file:///etc/passwd", "//example.org", "example.org", "http://", "http://a b/",
        "http://[::1", "javascript:alert(1)", "http://user:pw@example.org/", "http://\0/", "http://x:99999999/",
        "https://" + "x" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(ValueError) as raised:
        fetch(url, AbortSignal(), resolve=lambda host, port: ["127.0.0.1"])
    assert len(str(raised.value)) < 600


PRIVATE = (
    "127.0.0.1 127.8.9.1 0.0.0.0 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 198.18.0.1 224.0.0.1 "
    "240.0.0.1 255.255.255.255 192.0.2.1 ::1 :: fe80::1 fe80::1%eth0 fc00::1 ff02::1 ::ffff:127.0.0.1 "
    "::ffff:192.168.0.1 2002:7f00:1:: 64:ff9b::7f00:1 2001:db8::1 nonsense ::127.0.0.1 64:ff9b:1::7f00:1 "
    "fec0::1 3fff::1 5f00::1 192.88.99.1 192.0.0.8 100::1 ::ffff:0:127.0.0.1"
).split()
PUBLIC = "8.8.8.8 1.1.1.1 2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808".split()


def test_which_addresses_are_public() -> None:
    assert [address for address in PRIVATE if is_public(address)] == []
    assert [address for address in PUBLIC if not is_public(address)] == []


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_that_leads_to_a_private_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="not allowed"):
        fetch("http://inside.example/", AbortSignal(), resolve=lambda host, port: ["8.8.8.8", address])


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "127.1", "0", "017700000001"]
)
def test_however_this_machine_is_spelled(server: Server, host: str) -> None:
    def resolve(name: str, port: int) -> list[str]:
        # What the system makes of these spellings, without asking a server for names.
        return [str(entry[4][0]) for entry in socket.getaddrinfo("127.0.0.1" if name[0].isdigit() else name, port)]

    with pytest.raises(ValueError, match=r"not allowed|is no address|not known"):
        fetch(f"http://{host}:{server.server_address[1]}/text", AbortSignal(), resolve=resolve)
    assert server.hosts == []


def test_what_is_refused_is_named_once_and_so_is_what_would_allow_it() -> None:
    for url, named in (
        ("http://127.0.0.1:1/", "127.0.0.1 is on"),
        ("http://[::1]/", "::1 is on"),
        ("http://a.example", "a.example (127.0.0.1) is on"),
    ):
        with pytest.raises(ValueError) as raised:
            fetch(url, AbortSignal(), resolve=lambda host, port: ["::1" if ":" in host else "127.0.0.1"])
        assert str(raised.value).startswith(named)
        assert "tool_access.private_addresses" in str(raised.value)


def test_a_redirect_into_a_private_network_is_refused(server: Server) -> None:
    asked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if host == "127.0.0.1" else ["10.0.0.7"]

    def open_only(host: str, port: int) -> list[str]:
        addresses = resolve(host, port)
        if host != "127.0.0.1":
            raise OSError("the second host was looked up, as it must be")
        return addresses

    with pytest.raises(ValueError, match="the second host was looked up"):
        fetch(f"{server.url}/to?http://router.example/", AbortSignal(), private_addresses=True, resolve=open_only)
    assert asked == ["127.0.0.1", "router.example"]


def test_the_address_that_was_checked_is_the_one_that_is_connected_to(server: Server) -> None:
    answers = iter([["127.0.0.1"], ["192.0.2.1"]])  # another one for whoever asks again
    port = server.server_address[1]
    page = fetch(
        f"http://name.example:{port}/text",
        AbortSignal(),
        private_addresses=True,
        resolve=lambda host, port: next(answers),
    )
    assert page.text == "plain 文本" and page.url == f"http://name.example:{port}/text"
    assert server.hosts == [f"name.example:{port}"]


def test_a_name_in_chinese_is_looked_up_in_its_ascii_form(server: Server) -> None:
    asked: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    port = server.server_address[1]
    page = fetch(f"http://例子.example:{port}/once", AbortSignal(), private_addresses=True, resolve=resolve)
    assert page.text == "plain 文本"
    assert asked == ["xn--fsqu00a.example"] * 2


def test_the_next_address_is_tried_when_one_does_not_answer(server: Server) -> None:
    page = fetch(
        f"http://two.example:{server.server_address[1]}/text",
        AbortSignal(),
        private_addresses=True,
        resolve=lambda host, port: ["::1", "127.0.0.1"],
    )
    assert page.text == "plain 文本"


def test_nobody_there(server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(ValueError, match=r"cannot be fetched: .*refused"):
        fetch(f"http://127.0.0.1:{port}/", AbortSignal(), private_addresses=True)


def test_the_signal_closes_the_connection(server: Server) -> None:
    abort = AbortSignal()
    with ThreadPoolExecutor(1) as pool:
        fetching = pool.submit(fetch, f"{server.url}/drip", abort, private_addresses=True)
        assert server.begun.wait(30)
        abort.abort(Interrupted("enough"))
        with pytest.raises(Interrupted, match="enough"):
            fetching.result(30)
    assert server.gone.wait(30)
    with pytest.raises(Interrupted):
        fetch(f"{server.url}/text", abort, private_addresses=True)
