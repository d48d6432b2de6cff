"""Loading, then serving until abxd is gone."""

import json
import os
import sys
import threading
import traceback

from agent_sandbox.server import groups, registry, serving

from .calling import Calls
from .channel import CALL, LOAD, Channel, described, or_leave
from .loading import Loader

# Seconds that an orderly end may take.
LAST_CALL = 1.0


class Worker:
    """Owns the channel, and the thread that reads it."""

    def __init__(self, channel):
        self._channel = channel
        self._calls = None
        self._order = None
        self._ordered = threading.Event()
        self._ended = threading.Event()

    def run(self):
        """Serve until the channel's end, on the main thread, which signal handlers need."""
        threading.Thread(target=self._read, daemon=True).start()
        self._ordered.wait()
        if self._order is not None and not self._load(*self._order):
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(1)
        while not self._ended.wait(3600):
            pass

    def _read(self):
        with or_leave():
            self._serve()
            self._end()

    def _serve(self):
        while True:
            frame = self._channel.read()
            if frame is None:
                break
            kind, number, content = frame
            if kind == LOAD:
                self._order = (number, json.loads(content))
                self._ordered.set()
            elif kind == CALL and self._calls is not None:
                self._calls.begin(number, content)

    def _load(self, number, order):
        """Load all sources, and tell what they registered. Whether that went well."""
        sys.argv = order["argv"]
        own, table, loader = registry.default_registry(), groups.default_table(), Loader()
        registered = []
        for source in order["sources"]:
            own._frozen = False
            before = len(own._log)
            try:
                loader.load(source)
            except SystemExit as error:
                # After start() there is a server, and an exit only ends the file.
                if not own._frozen:
                    self._leave(number, source, error)
                    return False
            except BaseException as error:
                traceback.print_exc()
                kind, text = described(error)
                self._channel.fail(number, kind, text, source=source["given"])
                return False
            registered.append([_shown(command) for command in own._log[before:]])
        own._frozen = True
        self._calls = Calls(self._channel, own.list_all())
        loaded = {"registered": registered, "switches": table._switches, "routes": table._routes}
        self._channel.answer(number, json.dumps(loaded).encode())
        return True

    def _leave(self, number, source, error):
        """A file ended the interpreter: the server ends the same way."""
        code = error.code
        if code is not None and not isinstance(code, int):
            print(code, file=sys.stderr)
            code = 1
        kind, text = described(error)
        self._channel.fail(number, kind, text, source=source["given"], exit=(code or 0) & 255)

    def _end(self):
        timer = threading.Timer(LAST_CALL, os._exit, (0,))
        timer.daemon = True
        timer.start()
        self._ordered.set()
        self._ended.set()


def _shown(command):
    arguments = [{name: getattr(argument, name) for name in argument.__slots__} for argument in command.args]
    return {
        "name": command.name,
        "args": [dict(argument, required=bool(argument["required"])) for argument in arguments],
        "description": command.description,
        "hidden": command.hidden,
        "scopes": command.scopes,
    }


def run(descriptor, incoming, head):
    """Run a worker on a channel."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")
    os.register_at_fork(after_in_child=lambda: os.close(descriptor))
    serving.in_server = True
    Worker(Channel(descriptor, incoming, head)).run()
