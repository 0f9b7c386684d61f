"""The pages of an installation, and the first message after it."""

from jinja2 import Environment, PackageLoader, StrictUndefined

from bot.install.scopes import SCOPES


def install_page(url: str) -> str:
    """Draw the page; `url` is where Slack asks for consent."""
    return _drawn("install.html.j2", url=url, scopes=SCOPES)


def refused_page(reason: str, again: str) -> str:
    """Draw what came of an installation that failed, and where to begin again."""
    return _drawn("refused.html.j2", reason=reason, again=again)


def welcome_words() -> str:
    """The first message to whoever installed the bot."""
    return _drawn("welcome.txt.j2")


def _drawn(name: str, **facts: object) -> str:
    environment = Environment(
        loader=PackageLoader("templates", "install"),
        autoescape=True,
        undefined=StrictUndefined,
    )
    return environment.get_template(name).render(**facts)
