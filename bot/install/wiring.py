"""From settings to the tokens of every workspace, or of the one."""

from collections.abc import Callable

from slack_sdk import WebClient

from bot.config.settings import VARIABLES, Settings
from bot.install.sealing import Sealer
from bot.install.tokens import Tokens
from prices.records.installations import Installations


def lacking(settings: Settings) -> list[str]:
    """Name what serving many workspaces needs and nobody set."""
    if not settings.many_workspaces:
        return []
    names = []
    if settings.slack_client_secret is None:
        names.append(VARIABLES["slack_client_secret"])
    if settings.token_keys is None and settings.token_keys_file is None:
        names.append(VARIABLES["token_keys"])
    return names


def keys_of(settings: Settings) -> list[str]:
    """Read the keys, newest first: from the environment, then from the file."""
    said = settings.token_keys.get_secret_value() if settings.token_keys else ""
    if settings.token_keys_file is not None:
        said = f"{said}\n{settings.token_keys_file.read_text('utf-8')}"
    return said.replace(",", "\n").split()


def open_tokens(settings: Settings) -> Tokens:
    """Open the tokens of every workspace; `SealError` where the keys are no keys."""
    secret = settings.slack_client_secret
    return Tokens(
        Installations(settings.database, settings.slack_client_id),
        Sealer(keys_of(settings)),
        secret.get_secret_value() if secret else "",
        settings.slack_api_url,
        lambda: settings.database.now().timestamp(),
    )


def clients_by_team(
    settings: Settings, make: Callable[[str], WebClient]
) -> Callable[[str], WebClient]:
    """Give each workspace's own client; without a token Slack says `not_authed`."""
    tokens = open_tokens(settings)

    def client_for(team_id: str) -> WebClient:
        found = tokens.of_team(team_id)
        return make(found.token if found else "")

    return client_for
