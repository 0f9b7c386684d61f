"""/healthz, /readyz and /metrics, as WSGI."""

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from bot.operate.readiness import Readiness, Vitals

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

Page = tuple[str, str, bytes]
"""Status, content type and body."""
TEXT: Final = "text/plain; charset=utf-8"
NOT_FOUND: Final[Page] = ("404 Not Found", TEXT, b"not found\n")


class Pages:
    """The pages by their path; the public port shows those that give nothing away."""

    def __init__(
        self, readiness: Readiness, vitals: Vitals, registry: CollectorRegistry
    ) -> None:
        self._readiness, self._vitals, self._registry = readiness, vitals, registry
        self.public: dict[str, Callable[[str], Page]] = {
            "/healthz": self._health,
            "/readyz": self._ready_or_not,
        }
        self._all = self.public | {"/readyz": self._ready, "/metrics": self._metrics}

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer a probe or a scrape."""
        page = self._all.get(environ.get("PATH_INFO", ""))
        made = page(environ.get("HTTP_ACCEPT", "")) if page else NOT_FOUND
        return answer(environ, start_response, made)

    def _health(self, accept: str) -> Page:
        """Say that the process answers, and no where only a restart helps."""
        wrong = self._vitals.wrong()
        return _status(not wrong), TEXT, f"{wrong or 'ok'}\n".encode()

    def _ready(self, accept: str) -> Page:
        checks = self._readiness.checks()
        ready = not any(check.wrong for check in checks)
        said = {
            "ready": ready,
            "serves": self._vitals.serves,
            "checks": {check.name: check.wrong or "ok" for check in checks},
        }
        body = json.dumps(said, indent=2).encode() + b"\n"
        return _status(ready), "application/json", body

    def _ready_or_not(self, accept: str) -> Page:
        ready = not any(check.wrong for check in self._readiness.checks())
        return _status(ready), TEXT, b"ready\n" if ready else b"not ready\n"

    def _metrics(self, accept: str) -> Page:
        encode, content_type = choose_encoder(accept)
        return "200 OK", content_type, encode(self._registry)


def answer(
    environ: "WSGIEnvironment", start_response: "StartResponse", page: Page
) -> Iterable[bytes]:
    """Send a page; none may be kept, as all of them change."""
    if environ.get("REQUEST_METHOD") not in ("GET", "HEAD"):
        page = ("405 Method Not Allowed", TEXT, b"only GET\n")
    status, kind, body = page
    headers = [
        ("content-type", kind),
        ("content-length", str(len(body))),
        ("cache-control", "no-store"),
    ]
    start_response(status, headers)
    return [body if environ.get("REQUEST_METHOD") != "HEAD" else b""]


def _status(ready: bool) -> str:
    return "200 OK" if ready else "503 Service Unavailable"
