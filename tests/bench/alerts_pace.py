"""How fast alerts leave, with a Slack that takes 150 ms for each.

`python -m tests.bench.alerts_pace [CHANNELS]`: two alerts for each channel, posted by
one courier as the service runs it, each with its details in its thread. Prints alerts a
second, what a message takes of a processor, and the shortest time between two messages
of one channel, which Slack wants to be a second.
"""

import asyncio
import json
import multiprocessing
import sys
import tempfile
import time
from collections import defaultdict
from itertools import pairwise
from multiprocessing.queues import Queue
from pathlib import Path
from threading import Event, Thread
from urllib.parse import parse_qsl

from bot.alerts.service import alert_service, patient_clients
from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.operate.operations import operations
from bot.run.composition import compose
from prices.alerts.alerting import evaluate
from prices.history.store import Store
from tests.bench import alerts_kill

SLACK_S = 0.15
fork = multiprocessing.get_context("fork")


def serve(port: "Queue[int]", log: Path) -> None:
    """Take every message after a while, and note when it came and for whom."""

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        size = int(head.partition("content-length:")[2].split()[0])
        body, came = (await reader.readexactly(size)).decode(), time.time()
        sent = json.loads(body) if "json" in head else dict(parse_qsl(body))
        with log.open("a") as lines:
            lines.write(f"{sent['channel']} {came}\n")
        await asyncio.sleep(SLACK_S)
        said = json.dumps({"ok": True, "ts": f"{came:.6f}"}).encode()
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n")
        writer.write(b"content-length: %d\r\n\r\n" % len(said) + said)
        await writer.drain()
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(one, "127.0.0.1", 0, backlog=256)
        port.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def main(channels: int) -> None:
    """Queue two alerts for each channel, post them, and print how fast that went."""
    ports: Queue[int] = fork.Queue()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        slack = fork.Process(target=serve, args=(ports, log), daemon=True)
        slack.start()
        settings = Settings(
            home=Path(folder),
            slack_bot_token=SecretStr("xoxb-bench"),
            slack_api_url=f"http://127.0.0.1:{ports.get()}/api/",
        )
        alerts_kill.CHANNELS = channels
        alerts_kill.prepare(settings.database.file)
        store = Store.open(settings.database, after_poll=evaluate)
        for day in (1, 2):
            store.record(alerts_kill.poll(day))
        clients = operations(settings).watched(patient_clients(settings))
        courier = alert_service(settings, compose(settings), clients).courier
        # Counted where they lie: reading them all would take a third of a processor.
        waiting = courier.outbox.depth
        count, stop, began = waiting(), Event(), time.monotonic()
        worked = time.process_time()
        posting = Thread(target=courier.run, args=(stop,))
        with store.engine.anchored():  # as it is served
            posting.start()
            while waiting():
                time.sleep(0.2)
            seconds = time.monotonic() - began
            worked = time.process_time() - worked
            stop.set()
            posting.join()
        slack.kill()
        came = defaultdict(list)
        for channel, at in map(str.split, log.read_text().splitlines()):
            came[channel].append(float(at))
    gaps = [b - a for times in came.values() for a, b in pairwise(sorted(times))]
    told = {
        "alerts": count,
        "posted": len(gaps) + len(came),
        "a_second": round(count / seconds, 1),
        "processor_ms_a_message": round(1000 * worked / (len(gaps) + len(came)), 2),
        "shortest_gap_s": round(min(gaps), 2),
    }
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
