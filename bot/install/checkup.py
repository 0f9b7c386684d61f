"""What is wrong with a bot that many workspaces install."""

from collections.abc import Iterator

from bot.config.check_result import CheckResult
from bot.config.settings import Settings
from bot.install.sealing import SealError
from bot.install.wiring import lacking, open_tokens
from bot.render.words import say


def installed(settings: Settings) -> Iterator[CheckResult]:
    """Look at the keys, and whether they open every token."""
    if settings.slack_client_id and not settings.many_workspaces:
        yield CheckResult(
            False,
            say("install.single_workspace"),
            say("install.unset_it_to_let"),
            fatal=False,
        )
    if not settings.many_workspaces or lacking(settings):
        return
    try:
        found = open_tokens(settings).everywhere()
    except (SealError, OSError) as fault:
        said = say("install.the_keys_that_seal", fault=fault)
        mend = say("install.gpucost_token_keys_holds")
        yield CheckResult(False, said, mend, fatal=False)
        return
    closed = [site for credentials, site in found if credentials is None]
    names = ", ".join(site.team_id or site.enterprise_id for site in closed)
    yield CheckResult(
        not closed,
        say("install.installed_in_workspaces", number_of_found=len(found))
        + (say("install.tokens_locked", names=names) if closed else ""),
        say("install.add_the_key") if closed else "",
        fatal=False,
    )
