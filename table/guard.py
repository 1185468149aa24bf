"""The guard at the door: which host a request names, where it comes from, and what answers may do in a browser.

In:  requests and socket handshakes.
Out: the same with strict headers on every answer; a request for a strange host is refused, so is a socket or a change
     that another site asks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
LOOPBACK = ("127.0.0.1", "localhost", "::1")
ANY = ("0.0.0.0", "::", "")


def names_for(host: str, others: Iterable[str] = ()) -> frozenset[str]:
    """The names by which the server may be reached."""
    return frozenset((*LOOPBACK, *(x.lower() for x in (host, *others) if x not in ANY)))


class Guard:
    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self.app, self.names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        socket = scope["type"] == "websocket"
        if host_name(headers.get("host", "")) not in self.names:
            await refuse(scope, receive, send, 400, "this server has another name")
        elif (socket or scope["method"] not in ("GET", "HEAD")) and not same_site(headers, needed=socket):
            await refuse(scope, receive, send, 403, "this came from another site")
        else:
            await self.app(scope, receive, with_headers(send) if not socket else send)


def with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending


async def refuse(scope: Scope, receive: Receive, send: Send, code: int, text: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        if "websocket.http.response" in scope.get("extensions", {}):
            start = {"type": "websocket.http.response.start", "status": code, "headers": []}
            await send(start)
            await send({"type": "websocket.http.response.body", "body": text.encode()})
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": text})
        return
    await with_headers_response(PlainTextResponse(text, code))(scope, receive, send)


def with_headers_response(response: PlainTextResponse) -> PlainTextResponse:
    response.headers.update(HEADERS)
    response.headers["cache-control"] = "no-store"
    return response


def host_name(host: str) -> str:
    """The name in a Host header, without its port; "" where it is malformed."""
    try:
        parts = urlsplit(f"//{host}")
        plain = not parts.path and "@" not in host and (parts.port is None or parts.port >= 0)
        return parts.hostname or "" if plain else ""
    except ValueError:
        return ""


def same_site(headers: Mapping[str, str], needed: bool) -> bool:
    """Whether the origin is the host that is asked; a socket has to name one, as browsers do."""
    origin = headers.get("origin", "")
    if not origin:
        return not needed
    return origin in (f"http://{headers.get('host', '')}", f"https://{headers.get('host', '')}")
