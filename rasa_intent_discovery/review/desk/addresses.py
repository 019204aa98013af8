"""Where the review desk's server listens, and the address of its page."""

from __future__ import annotations

import errno
import hashlib
import ipaddress
import socket
from pathlib import Path

from rasa_intent_discovery.errors import ConfigError
from rasa_intent_discovery.review.numbers import DESK

HOST = "127.0.0.1"
#: The names by which a browser on this machine calls it.
LOCAL = (HOST, "localhost")
_GIVE = "give one of its own addresses, or 0.0.0.0 for all of them"
# An address that documentation may use: nothing is sent to it.
_FAR = {socket.AF_INET: ("192.0.2.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}


def usual_port(folder: Path) -> int:
    """The port of a folder's desk, where it is free: its page goes on when the desk is started again."""
    first, last = DESK.ports
    digest = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).digest()
    return first + int.from_bytes(digest[:4], "big") % (last + 1 - first)


def listen_for(folder: Path, host: str = HOST) -> socket.socket:
    """A socket on the usual port of a folder, or on any free one; raises as `listen`."""
    try:
        return listen(usual_port(folder), host)
    except ConfigError:
        return listen(0, host)


def listen(port: int, host: str = HOST) -> socket.socket:
    """A socket that listens on an address of this machine; port 0 takes any free port.

    Raises:
        ConfigError: the address or the port cannot be used.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise ConfigError(f"--host {host}: there is no machine of that name; {_GIVE}") from None
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, DESK.send_bytes)  # of its connections, too
    try:
        listening.bind(address)
        listening.listen()
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise ConfigError(f"--host {host}: this is no address of this machine; {_GIVE}") from None
        raise ConfigError(
            f"port {port} cannot be used ({error.strerror or error}): choose another with --port, or leave "
            "it out"
        ) from None
    return listening


def is_local(listening: socket.socket) -> bool:
    """Whether only programs on this machine can connect to the socket."""
    return ipaddress.ip_address(listening.getsockname()[0]).is_loopback


def called_by(listening: socket.socket, host: str) -> tuple[str, ...]:
    """The names and addresses by which browsers may call what listens there, the best for colleagues first.

    Args:
        host: the name or address that was asked for.
    """
    bound = listening.getsockname()[0]
    if is_local(listening):
        return tuple(dict.fromkeys([_in_url(bound), *LOCAL]))
    if not ipaddress.ip_address(bound).is_unspecified:
        names = [host, bound]
    else:
        names = [_own_address(listening.family), socket.getfqdn(), socket.gethostname()]
    return tuple(dict.fromkeys([*(_in_url(name) for name in names if name), *LOCAL, "[::1]"]))


def _own_address(family: int) -> str:
    """The address by which this machine reaches others; empty where it reaches none."""
    with socket.socket(family, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_FAR[socket.AddressFamily(family)])
            return str(asking.getsockname()[0])
        except OSError:
            return ""


def _in_url(name: str) -> str:
    return f"[{name}]" if ":" in name and not name.startswith("[") else name
