"""What the operator sets: environment variables, or a `.env` beside the process."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, get_args, get_origin

from msgspec import Meta, ValidationError, convert
from msgspec.structs import fields

from bot.config.secret import SecretStr
from bot.config.secret_files import with_files
from core.frozen import Frozen
from core.wording import say
from prices.database.connection import Engine
from prices.database.opening import engine_at

DOTENV = Path(".env")
VARIABLES = {
    "home": "GPUCOST_HOME",
    "database_address": "GPUCOST_DATABASE",
    "slack_bot_token": "SLACK_BOT_TOKEN",
    "slack_app_token": "SLACK_APP_TOKEN",
    "slack_signing_secret": "SLACK_SIGNING_SECRET",
    "slack_api_url": "SLACK_API_URL",
    "slack_client_id": "SLACK_CLIENT_ID",
    "slack_client_secret": "SLACK_CLIENT_SECRET",
    "slack_redirect_uri": "SLACK_REDIRECT_URI",
    "admins": "GPUCOST_ADMINS",
    "token_keys": "GPUCOST_TOKEN_KEYS",
    "token_keys_file": "GPUCOST_TOKEN_KEYS_FILE",
    "host": "GPUCOST_HOST",
    "port": "GPUCOST_PORT",
    "native_blocks": "GPUCOST_NATIVE_BLOCKS",
    "health_host": "GPUCOST_HEALTH_HOST",
    "health_port": "GPUCOST_HEALTH_PORT",
    "trusted_proxy": "GPUCOST_TRUSTED_PROXY",
    "stop_seconds": "GPUCOST_STOP_SECONDS",
    "drain_seconds": "GPUCOST_DRAIN_SECONDS",
    "user_rate": "GPUCOST_USER_RATE",
    "team_rate": "GPUCOST_TEAM_RATE",
    "log": "GPUCOST_LOG",
    "log_level": "GPUCOST_LOG_LEVEL",
    "keep_answers": "GPUCOST_KEEP_ANSWERS",
    "keep_feedback": "GPUCOST_KEEP_FEEDBACK",
    "keep_threads": "GPUCOST_KEEP_THREADS",
    "keep_deliveries": "GPUCOST_KEEP_DELIVERIES",
    "keep_outbox": "GPUCOST_KEEP_OUTBOX",
    "keep_audit": "GPUCOST_KEEP_AUDIT",
    "api_prices": "GPUCOST_API_PRICES",
}
"""Every setting and the variable that holds it."""
SLACK_RUN = {
    "SLACK_CLI_XOXB": "SLACK_BOT_TOKEN",
    "SLACK_CLI_XAPP": "SLACK_APP_TOKEN",
}
"""What the Slack CLI's `slack run` calls the tokens that it made for this run."""


class Settings(Frozen, frozen=True):
    """Every setting of the program; tokens never print themselves."""

    home: Path
    """Where the database lives; default: the platform's data folder."""
    database_address: SecretStr | None = None
    """Where PostgreSQL keeps prices, answers and settings; unset: a file in `home`."""
    slack_bot_token: SecretStr | None = None
    slack_app_token: SecretStr | None = None
    slack_signing_secret: SecretStr | None = None
    slack_api_url: str = "https://slack.com/api/"
    slack_client_id: str = ""
    slack_client_secret: SecretStr | None = None
    slack_redirect_uri: str = ""
    admins: str = ""
    """Slack ids of people who count as having installed the bot, with commas between.
    """
    token_keys: SecretStr | None = None
    """Keys that seal the tokens of installed workspaces; the first one seals."""
    token_keys_file: Path | None = None
    """A file of the same keys, one a line."""
    host: str = "127.0.0.1"
    port: int = 3000
    native_blocks: bool = True
    health_host: str = "127.0.0.1"
    health_port: int = 3001
    """Where probes and metrics are answered; 0: nowhere."""
    trusted_proxy: str = ""
    """The address of a proxy whose X-Forwarded headers count."""
    drain_seconds: Annotated[float, Meta(ge=0)] = 0
    """How long HTTP goes on once told to stop, while proxies learn of it."""
    stop_seconds: float = 25
    """How long answers under way may take once the program is told to stop."""
    user_rate: Annotated[int, Meta(ge=0)] = 20
    """Questions a minute that one person may ask; 0: any number."""
    team_rate: Annotated[int, Meta(ge=0)] = 600
    """The same of a workspace."""
    log: Literal["text", "json"] = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    keep_answers: str = ""
    """How long, as `bot.config.retention_period` reads it; empty: the default."""
    keep_feedback: str = ""
    keep_threads: str = ""
    keep_deliveries: str = ""
    keep_outbox: str = ""
    keep_audit: str = ""
    api_prices: Literal["packaged", "update"] = "packaged"
    """Whether API prices newer than the package's are fetched once a day."""

    @property
    def database(self) -> Engine:
        """What holds prices, answers and settings."""
        address = self.database_address
        return engine_at(address.get_secret_value() if address else "", self.home)

    @property
    def many_workspaces(self) -> bool:
        """Whether workspaces install the bot themselves; a bot token serves one."""
        return bool(self.slack_client_id) and self.slack_bot_token is None


def load_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Read the settings; the environment wins over the `.env` file."""
    known = stated(environment)
    known |= {ours: known[name] for name, ours in SLACK_RUN.items() if name in known}
    if not known.get(VARIABLES["home"]):
        known[VARIABLES["home"]] = _platform_home()
    values, wrong = {}, []
    for field in fields(Settings):
        variable = VARIABLES[field.name]
        if not (said := known.get(variable)):
            continue
        try:
            values[field.name] = convert(
                said, field.type, strict=False, dec_hook=_made_of
            )
        except ValidationError as fault:
            told = str(fault)
            if get_origin(field.type) is Literal:  # it would tell what stands there
                choices = " or ".join(map(repr, get_args(field.type)))
                told = say("config.not_a_choice", choices=choices)
            wrong.append(f"{variable}: {told}")
    if wrong:
        raise SystemExit("\n".join(wrong))
    return Settings(**values)


def _made_of(kind: type, text: str) -> object:
    return kind(text)


def stated(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return what the operator states: `.env`, and the environment, which wins.

    A secret may stand in a file that `NAME_FILE` names.
    """
    known = dict(os.environ if environment is None else environment)
    return with_files(_dotenv() | known)


def _platform_home() -> str:
    from platformdirs import user_data_dir

    return user_data_dir("gpucost")


def _dotenv() -> dict[str, str]:
    if not DOTENV.is_file():
        return {}
    from dotenv import dotenv_values

    return {name: value for name, value in dotenv_values(DOTENV).items() if value}
