"""Ask the bot on this machine whether it lives: `python -m bot.operate.probe`.

For images without curl; the exit code says it.
"""

import http.client
import sys
from typing import Final

from bot.config.settings import Settings, load_settings
from bot.render.words import say

SECONDS: Final = 4


def probe(settings: Settings) -> str:
    """Return what is wrong; "" where the bot answers, or has no port for it."""
    if not settings.health_port:
        return ""
    host, port = asked_at(settings)
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    try:
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as fault:
        return say("operate.probe_unanswered", host=host, port=port, fault=fault)
    finally:
        connection.close()
    return "" if status == 200 else f"status {status}"


def asked_at(settings: Settings) -> tuple[str, int]:
    """Where this machine asks a bot that may listen on every address."""
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - not bound here # nosec B104
    host = settings.health_host
    return everywhere.get(host, host), settings.health_port


if __name__ == "__main__":
    sys.exit(probe(load_settings()) or 0)
