"""Ask the bot on this machine whether it lives: `python -m bot.operate.probe`.

For images without curl; the exit code says it.
"""

import http.client
import sys
from typing import Final

from bot.settings import Settings, load_settings

SECONDS: Final = 4


def probe(settings: Settings) -> str:
    """Return what is wrong; "" where the bot answers, or has no port for it."""
    if not settings.health_port:
        return ""
    host = settings.health_host
    if host in ("0.0.0.0", "::"):  # noqa: S104 - where it listens, not where we do
        host = "127.0.0.1" if host == "0.0.0.0" else "::1"  # noqa: S104
    connection = http.client.HTTPConnection(host, settings.health_port, timeout=SECONDS)
    try:
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as fault:
        return f"no answer on {host}:{settings.health_port}: {fault}"
    finally:
        connection.close()
    return "" if status == 200 else f"status {status}"


if __name__ == "__main__":
    sys.exit(probe(load_settings()) or 0)
