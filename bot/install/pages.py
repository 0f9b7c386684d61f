"""The page on which somebody decides to install the bot."""

from jinja2 import Environment, PackageLoader, StrictUndefined

from bot.install.scopes import SCOPES


def install_page(url: str) -> str:
    """Draw the page; `url` is where Slack asks for consent."""
    environment = Environment(
        loader=PackageLoader("templates", "install"),
        autoescape=True,
        undefined=StrictUndefined,
    )
    return environment.get_template("install.html.j2").render(url=url, scopes=SCOPES)
