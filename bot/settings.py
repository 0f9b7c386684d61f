"""What the operator sets: environment variables, or a `.env` beside the process."""

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import SecretStr

from core.frozen import Frozen

VARIABLES = {
    "home": "GPUCOST_HOME",
    "slack_bot_token": "SLACK_BOT_TOKEN",
    "slack_app_token": "SLACK_APP_TOKEN",
    "slack_signing_secret": "SLACK_SIGNING_SECRET",
    "slack_api_url": "SLACK_API_URL",
    "host": "GPUCOST_HOST",
    "port": "GPUCOST_PORT",
    "native_blocks": "GPUCOST_NATIVE_BLOCKS",
}
"""Every setting and the variable that holds it."""


class Settings(Frozen):
    """Every setting of the program; tokens never print themselves."""

    home: Path
    """Where the database lives; default: the platform's data folder."""
    slack_bot_token: SecretStr | None = None
    slack_app_token: SecretStr | None = None
    slack_signing_secret: SecretStr | None = None
    slack_api_url: str = "https://slack.com/api/"
    host: str = "127.0.0.1"
    port: int = 3000
    native_blocks: bool = True

    @property
    def database(self) -> Path:
        """The SQLite file that holds prices, answers and settings."""
        return self.home / "gpucost.sqlite3"


def load_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Read the settings; the environment wins over the `.env` file."""
    known = dict(_dotenv()) | dict(os.environ if environment is None else environment)
    values = {
        field: known[variable]
        for field, variable in VARIABLES.items()
        if known.get(variable)
    }
    if "home" not in values:
        values["home"] = _platform_home()
    return Settings.model_validate(values)


def _platform_home() -> str:
    from platformdirs import user_data_dir

    return user_data_dir("gpucost")


def _dotenv() -> dict[str, str]:
    file = Path(".env")
    if not file.is_file():
        return {}
    from dotenv import dotenv_values

    return {name: value for name, value in dotenv_values(file).items() if value}
