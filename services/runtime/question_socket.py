"""The socket on which a running process answers commands: its place, and how the two speak.

It lies in the data folder and belongs to the user who runs the process; both ends ask the system
who the other one is before they say anything. A message is its length and JSON. Only the standard
library is imported, since what a command imports here is what its user waits for.
"""

import json
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

NAME: Final = "questions.sock"

#: Linux takes 108 bytes with the one that ends it, other systems 104.
_LONGEST_PATH: Final = 100
_DESCRIPTORS: Final = "/proc/self/fd"
_LENGTH: Final = struct.Struct("!Q")
_CREDENTIALS: Final = struct.Struct("3i")
_CHUNK: Final = 1 << 20


class BrokenOff(OSError):
    """The other end has gone in the middle, or says what nobody understands."""


@contextmanager
def address_in(folder: str) -> Iterator[str]:
    """Give the address of the socket in a folder, valid inside of the block.

    Raise OSError where the folder is not there, or its path is too long for this system.
    """
    path = os.path.join(folder, NAME)
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield path
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"{_DESCRIPTORS}/{descriptor}/{NAME}"
    finally:
        os.close(descriptor)


def is_same_user(connection: socket.socket) -> bool:
    """Tell whether the process at the other end is run by the user of this one."""
    asked = getattr(socket, "SO_PEERCRED", None)
    if asked is None:  # a system that cannot say: nobody is trusted
        return False
    told = connection.getsockopt(socket.SOL_SOCKET, asked, _CREDENTIALS.size)
    user: int = _CREDENTIALS.unpack(told)[1]
    return user == os.geteuid()


def send(connection: socket.socket, message: bytes) -> None:
    """Send one message, which is JSON; raise OSError."""
    connection.sendall(_LENGTH.pack(len(message)) + message)


def receive(connection: socket.socket, longest: int) -> bytes:
    """Return one message; raise OSError, also where it would be longer than that."""
    (length,) = _LENGTH.unpack(_exactly(connection, _LENGTH.size))
    if length > longest:
        raise BrokenOff(f"a message of {length:,} bytes")
    return _exactly(connection, length)


def plain(message: bytes) -> dict[str, Any]:
    """Read the JSON of a message, an object; raise OSError where it is none."""
    try:
        value = json.loads(message)
    except ValueError as error:
        raise BrokenOff("not JSON") from error
    if not isinstance(value, dict):
        raise BrokenOff("not an object")
    return value


def _exactly(connection: socket.socket, length: int) -> bytes:
    parts = bytearray()
    while len(parts) < length:
        part = connection.recv(min(length - len(parts), _CHUNK))
        if not part:
            raise BrokenOff("the other end has gone")
        parts += part
    return bytes(parts)
