"""How long a request waits for a free slot, and the fleet that keeps that short."""

import math


def queue_wait_s(load: float, slots: float, service_s: float) -> float:
    """Return the mean wait of an M/M/c queue in seconds, infinite at full load.

    `load` is utilisation 0–1, `slots` the requests served at once. Sakasegawa's
    approximation (1977): service / slots × load^(sqrt(2 (slots + 1)) - 1) / (1 - load).
    """
    if load >= 1:
        return math.inf
    if load <= 0:
        return 0.0
    pooled: float = load ** (math.sqrt(2 * (slots + 1)) - 1)
    return service_s / slots * pooled / (1 - load)


def one_server_wait_s(load: float, service_s: float) -> float:
    """Return the mean wait of an M/D/1 queue (Pollaczek–Khinchine), in seconds."""
    if load >= 1:
        return math.inf
    return service_s * load / (2 * (1 - load))
