"""Which addresses a feed may speak to, in whatever way they are written."""

import socket

import pytest

from prices.sources.network import NotAllowedError, Public, is_public


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8",
     "64:ff9b::808:808", "2002:808:808::1"],
)  # fmt: skip
def test_an_address_of_the_world_is_public(address: str) -> None:
    """Also behind NAT64, which every name leads to where a network has IPv6 alone."""
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "::1", "0.0.0.0", "::", "10.0.0.8", "172.16.0.1", "192.168.1.1",  # noqa: S104 - to be refused
     "169.254.169.254", "100.64.0.1", "192.0.0.170", "198.18.0.1", "240.0.0.1",
     "255.255.255.255", "224.0.0.1", "ff02::1", "fe80::1", "fe80::1%eth0", "fd00::1",
     "fec0::1", "2001:db8::1", "::127.0.0.1", "::ffff:127.0.0.1",
     "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
     "64:ff9b:1::808:808", "2002:7f00:1::1", "2002:a9fe:a9fe::1", "2001:0:7f00:1::1"],
)  # fmt: skip
def test_an_address_of_the_house_is_not(address: str) -> None:
    """Nor one that a translator or a tunnel would take there."""
    assert not is_public(address)


@pytest.mark.parametrize(
    "written", ["127.1", "2130706433", "0x7f.0.0.1", "017700000001", "127.0.0.1."]
)
def test_no_way_of_writing_an_address_hides_it(written: str) -> None:
    """What the resolver reads as an address is judged as what it reads."""
    with pytest.raises(NotAllowedError):
        Public().connect_tcp(written, 443, 1.0)


def test_a_name_that_changes_its_mind_is_judged_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """DNS rebinding: public at the first look, private at the second."""
    answers = iter(["93.184.216.34", "127.0.0.1"])
    connected: list[str] = []

    def resolve(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), 443))]

    monkeypatch.setattr("socket.getaddrinfo", resolve)
    monkeypatch.setattr(
        "httpcore2.SyncBackend.connect_tcp",
        lambda _self, host, *_: connected.append(host),
    )

    Public().connect_tcp("feed.example", 443, 1.0)
    with pytest.raises(NotAllowedError):
        Public().connect_tcp("feed.example", 443, 1.0)

    assert ["93.184.216.34"] == connected
