"""The playground's page: for this machine's browser, and for nobody else's pages."""

import http.client
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import pytest

from bot.playground.examples import ExampleGroup
from bot.playground.loopback import BODY_BYTES
from bot.playground.playground import SHORTCUTS, Playground, playing
from bot.playground.site import ACTS, TOKEN_HEADER, PageContext, draw
from tests.bot.gallery import Gallery

ROOT = Path(__file__).parents[2]
FOLDER = files("templates") / "playground"
ASSETS = [each.name for each in FOLDER.iterdir() if not each.name.endswith(".j2")]
SCRIPTS = [name for name in ASSETS if name.endswith(".js")]
JSON = {"content-type": "application/json"}


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str


class Browser:
    """Makes requests as a browser would, with whatever headers a test wants."""

    def __init__(self, playground: Playground) -> None:
        self.token = playground.token
        self.port = int(playground.url.rstrip("/").rpartition(":")[2])

    def send(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> Answer:
        """Make one request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        text = body if isinstance(body, str) else json.dumps(body) if body else ""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, text, named)
        response = connection.getresponse()
        said = response.read().decode()
        connection.close()
        lower = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, lower, said)

    def act(self, name: str, fields: dict[str, Any], **headers: str) -> Answer:
        """Do something as the page does."""
        own = {TOKEN_HEADER: self.token} | JSON | headers
        return self.send("POST", f"/do/{name}", fields, **own)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A playground with an app that answers what it is told."""
    home = tmp_path_factory.mktemp("home")
    with playing(home, Gallery().running) as playground:
        yield Browser(playground)


def test_the_page_brings_its_own_rules(browser: Browser) -> None:
    """Nothing from elsewhere, no inline script, no frame around it."""
    page = browser.send("GET", "/")

    assert 200 == page.status
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "access-control-allow-origin" not in page.headers
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|style=", page.text)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost", "[::1]"])
@pytest.mark.parametrize("path", ["/", "/assets/app.js", "/news", "/do/say"])
def test_another_name_is_not_answered(browser: Browser, host: str, path: str) -> None:
    """A page whose name resolves to this machine reads nothing here."""
    answer = browser.send("GET", path, host=f"{host}:9")

    assert 421 == answer.status
    assert browser.token not in answer.text


def test_localhost_is_the_same_place(browser: Browser) -> None:
    """A reader may type either name."""
    host = f"localhost:{browser.port}"
    origin = f"http://{host}"

    assert 200 == browser.send("GET", "/", host=host).status
    assert 200 == browser.act("clear", {}, host=host, origin=origin).status


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {TOKEN_HEADER: ""},
        {TOKEN_HEADER: "guess"},
        {TOKEN_HEADER: "gu\xe9ss"},
    ],
)
def test_without_the_token_nothing_is_done_or_told(
    browser: Browser, headers: dict[str, str]
) -> None:
    """The token stands in the page, which no other page can read."""
    told = browser.send("GET", "/news?after=0", **headers)
    done = browser.send("POST", "/do/say", {"text": "x"}, **(headers | JSON))

    assert (403, 403) == (told.status, done.status)


def test_another_pages_request_is_refused(browser: Browser) -> None:
    """Even one that has the token."""
    for origin in ("https://evil.example", "null", f"https://127.0.0.1:{browser.port}"):
        assert 403 == browser.act("clear", {}, origin=origin).status


def test_a_form_of_another_page_cannot_act(browser: Browser) -> None:
    """What a form can send without asking first is not taken."""
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        answer = browser.act("clear", {}, **{"content-type": kind})
        assert 415 == answer.status


@pytest.mark.parametrize("body", ["{not", "[1]", '"words"', "\x00"])
def test_what_cannot_be_read_is_refused(browser: Browser, body: str) -> None:
    """No traceback, no half-done act."""
    own = {TOKEN_HEADER: browser.token} | JSON
    answer = browser.send("POST", "/do/say", body, **own)

    assert 400 == answer.status


@pytest.mark.parametrize("length", [str(BODY_BYTES + 1), "many", "-4"])
def test_an_endless_body_is_not_read(browser: Browser, length: str) -> None:
    """The stated length decides."""
    own = {TOKEN_HEADER: browser.token, "content_length": length}
    assert 413 == browser.send("POST", "/do/say", "", **own).status


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../page.html.j2",
        "/assets/..%2f..%2f__init__.py",
        "/assets/page.html.j2",
        "/assets//etc/passwd",
        "/assets/",
        "/do/",
        "/do/erase",
        "/other",
    ],
)
def test_only_what_is_listed_is_served(browser: Browser, path: str) -> None:
    """No path leads out of the folder of assets."""
    own = {TOKEN_HEADER: browser.token}
    assert 404 == browser.send("GET", path, **own).status


@pytest.mark.parametrize("act", [name for name in ACTS if name != "clear"])
def test_an_act_without_its_fields_is_no_fault(browser: Browser, act: str) -> None:
    """Each says in words why nothing came of it."""
    answer = browser.act(act, {})

    assert 200 == answer.status
    said = json.loads(answer.text)
    assert said["ok"] or said["trouble"]


@pytest.mark.parametrize("name", ASSETS)
def test_assets_need_nothing_from_elsewhere(browser: Browser, name: str) -> None:
    """Every import and address is one of our own, and each asset is served."""
    answer = browser.send("GET", f"/assets/{name}")
    named = re.findall(r'"/assets/([^"]+)"', answer.text)
    outside = set(re.findall(r"https?://[^\s\"'`)]+", answer.text))

    assert 200 == answer.status
    assert set(named) <= set(ASSETS)
    assert outside <= {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_never_make_markup_of_data(name: str) -> None:
    """Text becomes text nodes: nothing in them parses HTML or evaluates code."""
    written = (FOLDER / name).read_text("utf-8")

    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"):
        assert way not in written
    assert not re.search(r"\beval\(|new Function|DOMParser|\.srcdoc", written)


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, as WCAG 2.2 defines it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        ("ink", "paper"),
        ("soft", "paper"),
        ("soft", "raised"),
        ("accent", "paper"),
        ("accent", "wash"),
        ("accent-ink", "accent"),
        ("danger", "paper"),
        ("ink", "mention"),
        ("side-ink", "side"),
        ("side-soft", "side"),
        ("side-ink", "side-hover"),
    ],
)
def test_text_stands_out_from_what_it_is_on(theme: str, ink: str, paper: str) -> None:
    """At least 4.5 : 1, as WCAG asks of text, in both themes."""
    written = (FOLDER / "theme.css").read_text("utf-8")
    light, _, rest = written.partition("@media")
    dark = rest.partition(':root[data-theme="dark"]')[2]
    found = dict(re.findall(r"--([\w-]+): (#\w{6});", light))
    if theme == "dark":
        found |= dict(re.findall(r"--([\w-]+): (#\w{6});", dark))

    low, high = sorted((luminance(found[ink]), luminance(found[paper])))

    assert (high + 0.05) / (low + 0.05) >= 4.5


def test_dark_is_the_same_by_wish_and_by_choice() -> None:
    """The system's dark and the reader's dark are one set of colours."""
    written = (FOLDER / "theme.css").read_text("utf-8")
    _, system, chosen = re.split(r"@media|:root\[data-theme=\"dark\"\]", written)

    def colours(part: str) -> list[tuple[str, str]]:
        return re.findall(r"--([\w-]+): ([^;]+);", part)

    assert colours(system) == colours(chosen)


def test_the_page_names_assets_that_are_there() -> None:
    """Every file that the page loads is shipped."""
    template = (FOLDER / "page.html.j2").read_text("utf-8")
    named = re.findall(r'(?:src|href)="/assets/([^"]+)"', template)

    assert named
    assert set(named) <= set(ASSETS)


def test_an_example_is_text_on_the_page() -> None:
    """Whatever an example says, it adds no markup."""
    hostile = '"><script>alert(1)</script>'
    context = PageContext(
        token="t",  # noqa: S106 - not a secret here
        channel="C",
        direct="D",
        visitor="U",
        bot="B",
        command="/gpucost",
        examples=(ExampleGroup(heading=hostile, questions=(hostile,)),),
        shortcuts=(),
    )

    page = draw(context).decode()

    assert "<script>alert" not in page
    assert 3 == page.count("&lt;script&gt;alert")


def test_shortcuts_are_those_of_the_manifest() -> None:
    """The page offers each shortcut under the name that Slack would show."""
    manifest = json.loads((ROOT / "deploy/manifest.json").read_text("utf-8"))
    declared = {
        (each["callback_id"], each["name"], each["type"] == "message")
        for each in manifest["features"]["shortcuts"]
    }

    assert declared == {(s.callback_id, s.label, s.on_message) for s in SHORTCUTS}


def test_a_wheel_ships_the_page(tmp_path: Path) -> None:
    """An installed gpucost has every asset and the template."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d"]
    subprocess.run([*build, str(tmp_path)], cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")

    shipped = set(ZipFile(wheel).namelist())

    wanted = {f"templates/playground/{name}" for name in [*ASSETS, "page.html.j2"]}
    assert wanted <= shipped
