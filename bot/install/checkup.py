"""What is wrong with a bot that many workspaces install."""

from collections.abc import Iterator

from bot.config.check_result import CheckResult
from bot.config.settings import Settings
from bot.install.sealing import SealError
from bot.install.wiring import lacking, open_tokens


def installed(settings: Settings) -> Iterator[CheckResult]:
    """Look at the keys, and whether they open every token."""
    if settings.slack_client_id and not settings.many_workspaces:
        yield CheckResult(
            False,
            "SLACK_BOT_TOKEN is set: one workspace is served, and nobody can install",
            "Unset it to let workspaces install the bot, or unset SLACK_CLIENT_ID.",
            fatal=False,
        )
    if not settings.many_workspaces or lacking(settings):
        return
    try:
        found = open_tokens(settings).everywhere()
    except (SealError, OSError) as fault:
        said = f"the keys that seal tokens cannot be used: {fault}"
        mend = "GPUCOST_TOKEN_KEYS holds keys as deploy/README.md makes them."
        yield CheckResult(False, said, mend, fatal=False)
        return
    closed = [site for credentials, site in found if credentials is None]
    names = ", ".join(site.team_id or site.enterprise_id for site in closed)
    yield CheckResult(
        not closed,
        f"installed in {len(found)} workspaces"
        + (f"; no key opens the token of {names}" if closed else ""),
        "Add the key that sealed them, or let them install again." if closed else "",
        fatal=False,
    )
