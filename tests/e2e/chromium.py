"""Headless Chromium, driven over its debugging pipe: nothing else is needed."""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BINARY = shutil.which("chromium") or shutil.which("chromium-browser") or ""
PATIENCE_SECONDS = 20
FLAGS = (
    "--headless",
    "--no-sandbox",  # tests run as root in containers; only our own page is opened
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


class PageError(Exception):
    """A script of the test failed in the page."""


class Browser:
    """One page of Chromium, spoken to in its DevTools protocol."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._out = to_browser
        self._in = from_browser
        self._buffer = b""
        self._number = 0
        self._session = ""
        self.complaints: list[str] = []
        """What the page wrote to its console as an error, or threw."""

    def begin(self) -> None:
        """Open an empty page and listen to what it complains of."""
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        attached = self.command("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.command(f"{domain}.enable")

    def size(self, width: int, height: int, *, phone: bool = False) -> None:
        """Be a screen of so many pixels."""
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=phone,
        )

    def open(self, url: str) -> None:
        """Go to a page and wait until its scripts have run."""
        self.command("Page.navigate", url=url)
        self.wait(
            "document.readyState === 'complete' && location.href !== 'about:blank'"
        )

    def run(self, script: str) -> Any:
        """Evaluate an expression in the page, awaiting it, and give its value."""
        answer = self.command(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise PageError(json.dumps(answer["exceptionDetails"])[:600])
        return answer["result"].get("value")

    def wait(self, condition: str, seconds: float = PATIENCE_SECONDS) -> Any:
        """Wait until an expression is true in the page; give its value."""
        end = time.monotonic() + seconds
        while not (value := self.run(condition)):
            if time.monotonic() > end:
                text = self.run("document.body.innerText.slice(0, 3000)")
                raise AssertionError(f"never true: {condition}\n{text}")
            time.sleep(0.02)
        return value

    def press(self, selector: str, text: str = "") -> None:
        """Click the first visible element of a selector that holds the text."""
        found = self.wait(_FIND % (json.dumps(selector), json.dumps(text)))
        x, y = found
        for kind in ("mousePressed", "mouseReleased"):
            self.command(
                "Input.dispatchMouseEvent",
                type=kind,
                x=x,
                y=y,
                button="left",
                clickCount=1,
            )

    def type(self, text: str, *, enter: bool = False) -> None:
        """Type into whatever has the focus."""
        self.command("Input.insertText", text=text)
        if enter:
            self.key("Enter", 13)

    def key(self, name: str, code: int) -> None:
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            self.command(
                "Input.dispatchKeyEvent",
                type=kind,
                key=name,
                code=name,
                windowsVirtualKeyCode=code,
                text="\r" if name == "Enter" and kind == "keyDown" else "",
            )

    def picture(self, file: Path) -> None:
        """Save what the screen shows."""
        shot = self.command("Page.captureScreenshot", format="png")
        file.write_bytes(base64.b64decode(shot["data"]))

    def command(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send one command and wait for its answer."""
        self._number += 1
        message: dict[str, Any] = {
            "id": self._number,
            "method": method,
            "params": parameters,
        }
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            heard = self._heard()
            if heard.get("id") == self._number:
                if "error" in heard:
                    raise PageError(f"{method}: {heard['error']}")
                result: dict[str, Any] = heard["result"]
                return result
            self._note(heard)

    def _heard(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], PATIENCE_SECONDS)
            if not ready:
                raise AssertionError("Chromium does not answer")
            piece = os.read(self._in, 65536)
            if not piece:
                raise AssertionError("Chromium has gone")
            self._buffer += piece
        line, _, self._buffer = self._buffer.partition(b"\0")
        heard: dict[str, Any] = json.loads(line)
        return heard

    def _note(self, heard: dict[str, Any]) -> None:
        said = heard.get("params", {})
        match heard.get("method"):
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(said["exceptionDetails"])[:600])
            case "Log.entryAdded" if said["entry"]["level"] == "error":
                self.complaints.append(said["entry"]["text"])
            case "Runtime.consoleAPICalled" if said["type"] == "error":
                self.complaints.append(json.dumps(said["args"])[:600])


# The middle of the first visible element that matches, once it stands still and nothing
# lies over it; null until then.
_FIND = """(async () => {
  const found = [...document.querySelectorAll(%s)].find((each) =>
    each.checkVisibility() && !each.disabled && each.textContent.includes(%s));
  if (!found) return null;
  found.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const middle = () => {
    const box = found.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle();
  await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  const [stillX, stillY] = middle();
  const hit = document.elementFromPoint(x, y);
  const clear = hit && (found.contains(hit) || hit.contains(found));
  return clear && x === stillX && y === stillY ? [x, y] : null;
})()"""


@contextmanager
def browsing(folder: Path) -> Iterator[Browser]:
    """Run Chromium with an empty profile for as long as it is needed."""
    to_browser, from_browser = os.pipe(), os.pipe()

    def lay_pipes() -> None:
        # Chromium reads commands from descriptor 3 and answers on 4.
        ends = os.dup(to_browser[0]), os.dup(from_browser[1])
        for number, end in zip((3, 4), ends, strict=True):
            os.dup2(end, number)

    with (
        (folder / "chromium.log").open("wb") as log,
        subprocess.Popen(
            [BINARY, *FLAGS, f"--user-data-dir={folder / 'profile'}"],
            preexec_fn=lay_pipes,
            pass_fds=(3, 4),
            stdout=log,
            stderr=log,
        ) as process,
    ):
        os.close(to_browser[0])
        os.close(from_browser[1])
        browser = Browser(to_browser[1], from_browser[0])
        try:
            browser.begin()
            yield browser
        finally:
            os.close(to_browser[1])
            os.close(from_browser[0])
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
