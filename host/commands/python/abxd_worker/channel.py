"""The channel to abxd: frames of a head (length, kind, number of the call) and that many bytes."""

import contextlib
import json
import os
import sys
import threading
import traceback

# From abxd.
LOAD, CALL = 0, 1
# To abxd.
PART, END, ERROR, BEGUN = 0, 1, 2, 3

# How a worker ends that is of no more use (sysexits.h: EX_SOFTWARE), by a way that commands can't have changed since.
BROKEN = 70
leave = os._exit

# The longest piece of a result that is written at once, so that other answers get between.
MOST = 1 << 20

# The longest text of an error, in characters.
MOST_TEXT = 1 << 16


class Channel:
    """Frames in both directions. One thread reads; every thread may write."""

    def __init__(self, descriptor, incoming, head):
        self._descriptor = descriptor
        self._incoming = incoming
        self._head = head
        self._writing = threading.Lock()

    def read(self):
        """Kind, number and content of the next frame; None once abxd is gone."""
        head = self._incoming.read(self._head.size)
        if len(head) < self._head.size:
            return None
        length, kind, number = self._head.unpack(head)
        content = self._incoming.read(length)
        return (kind, number, content) if len(content) == length else None

    def answer(self, number, result):
        """Send a result, as bytes."""
        rest = memoryview(result)
        while len(rest) > MOST:
            self._write(PART, number, rest[:MOST])
            rest = rest[MOST:]
        self._write(END, number, rest)

    def begun(self, number):
        """Say that a call has been taken."""
        self._write(BEGUN, number, b"")

    def fail(self, number, kind, text, **more):
        """Send an error: its class and its text."""
        # A lone surrogate is no text for anybody else.
        text = text[:MOST_TEXT].encode("utf-8", "replace").decode()
        self._write(ERROR, number, json.dumps(dict(more, type=kind, text=text)).encode())

    def _write(self, kind, number, content):
        with self._writing:
            self._write_all(self._head.pack(len(content), kind, number))
            self._write_all(content)

    def _write_all(self, content):
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]


@contextlib.contextmanager
def or_leave():
    """What must not fail: should it, the worker ends, and abxd starts another one."""
    try:
        yield
    except BaseException:
        try:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            leave(BROKEN)


def described(error):
    """Class and text of an exception."""
    try:
        text = str(error)
    except Exception:
        text = ""
    return type(error).__name__, text
