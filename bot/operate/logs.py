"""Logs on standard error: lines for a person, or JSON for a machine.

Every line names its request. No line holds a token; none holds what a person wrote,
unless the level is `debug`, at which the libraries log whole messages.
"""

import logging
import re
import sys
import threading
import time
from typing import Any, Final

from pythonjsonlogger.json import JsonFormatter

from bot.config.secret import SecretStr
from bot.config.settings import Settings, stated
from bot.install.wiring import keys_of
from bot.operate.redaction import HIDDEN, Redactor, discreet
from bot.slack.requests import request_id
from core.patterns import regex
from core.wording import say
from prices.sources.own import VARIABLE as OWN_PRICES
from prices.sources.own import secrets_of

log = logging.getLogger("gpucost")

LINE: Final = "%(asctime)s %(levelname)s %(name)s %(message)s"
FIELDS: Final = {
    "asctime": "time",
    "levelname": "level",
    "name": "logger",
    "message": "message",
    "request_id": "request_id",
    "threadName": "thread",
}
"""What every JSON line holds: logging's name of it, and ours."""
FAULT: Final = {"exc_info": "exception"}
_SECRET_NAME: Final = regex(r"(KEY|KEYS|TOKEN|SECRET|PASSWORD)$")
_PARTS: Final = regex(r"[\s,]+")
_BODY: Final = regex(r"(\bbody: |for the request \().*", re.DOTALL)
_CONTROL: Final = regex(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]+")
"""A space in their place also keeps a secret apart from the word before it."""
_NOISY: Final = ("httpx2",)


class RecordFilter(logging.Filter):
    """Give every record the id of the request at hand, and take requests' bodies out.

    Bolt logs the whole body of a request whose signature is wrong.
    """

    def __init__(self, *, frank: bool = False) -> None:
        super().__init__()
        self._frank = frank

    def filter(self, record: logging.LogRecord) -> bool:
        """Pass everything."""
        record.request_id = request_id()
        if not self._frank:
            said = record.getMessage()
            record.msg, record.args = _BODY.sub(f"\\1{HIDDEN}", said), ()
        return True


class TextLines(logging.Formatter):
    """One line a record, the request's id in brackets."""

    converter = time.gmtime  # type: ignore[assignment]

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """Write the first line: no words of others begin a second one."""
        line = _CONTROL.sub(" ", super().formatMessage(record))
        known = getattr(record, "request_id", "")
        return f"{line} [{known}]" if known else line


class JsonLines(JsonFormatter):
    """One JSON object a record."""

    converter = time.gmtime  # type: ignore[assignment]
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self, redact: Redactor) -> None:
        super().__init__(
            list(FIELDS), rename_fields=FIELDS | FAULT, json_ensure_ascii=False
        )
        self._redact = redact

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Redact before JSON writes a line's end as a letter, which hides a word's."""
        found: dict[str, Any] = super().process_log_record(log_data)
        return {
            name: self._redact(said) if isinstance(said, str) else said
            for name, said in found.items()
        }

    def format(self, record: logging.LogRecord) -> str:
        """Write one line, whatever a terminal or a pager takes for the end of one."""
        return _CONTROL.sub(" ", super().format(record))


class Guarded(logging.Formatter):
    """What another formatter writes: without secrets, and without what faults quote."""

    def __init__(
        self, inner: logging.Formatter, redact: Redactor, *, frank: bool = False
    ) -> None:
        super().__init__()
        self._inner, self._redact = inner, redact
        if not frank:
            inner.formatException = _discreetly  # type: ignore[method-assign, assignment]

    def format(self, record: logging.LogRecord) -> str:
        """Write one record."""
        # Another handler's formatter may have left its own text of the fault here.
        record.exc_text = None
        written = self._redact(self._inner.format(record))
        record.exc_text = None
        return written


def _discreetly(fault: Any) -> str:
    return discreet(fault[1]) if fault[1] is not None else ""


def configure(settings: Settings) -> None:
    """Let everything that is logged, warned or escapes go one way."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(RecordFilter(frank=settings.log_level == "debug"))
    handler.setFormatter(formatter(settings))
    level = settings.log_level.upper()
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in _NOISY if level != "DEBUG" else ():
        logging.getLogger(name).setLevel(logging.ERROR)
    logging.captureWarnings(True)
    sys.excepthook = lambda kind, fault, trace: log.critical(
        say("operate.program_failed"), exc_info=fault
    )
    threading.excepthook = _thread_fault


def redactor(settings: Settings) -> Redactor:
    """Hide this installation's own secrets, whatever they look like."""
    values = (getattr(settings, field) for field in settings.__struct_fields__)
    found = [v.get_secret_value() for v in values if isinstance(v, SecretStr)]
    # The feeds' keys are no settings of ours: they are known by their names.
    found += [value for name, value in stated().items() if _SECRET_NAME.search(name)]
    found += _keys(settings)
    found += secrets_of(stated().get(OWN_PRICES, ""))
    return Redactor(tuple(part for text in found for part in _PARTS.split(text)))


def _keys(settings: Settings) -> list[str]:
    try:
        return keys_of(settings)
    except (OSError, UnicodeDecodeError):
        return []  # what could not be read cannot be written


def formatter(settings: Settings) -> logging.Formatter:
    """Write lines as the settings say, never a secret."""
    redact = redactor(settings)
    inner = JsonLines(redact) if settings.log == "json" else TextLines(LINE)
    return Guarded(inner, redact, frank=settings.log_level == "debug")


def _thread_fault(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None:
        log.error("a thread ended by a fault", exc_info=args.exc_value)
