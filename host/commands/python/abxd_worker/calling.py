"""Calls: each in a thread of its own, so that a slow one holds up no other."""

import asyncio
import inspect
import json
import threading

from .channel import described, or_leave
from .results import to_json


class Calls:
    """The commands that were registered, and what runs of them."""

    def __init__(self, channel, commands):
        self._channel = channel
        self._commands = {command.name: (command.fn, _positional(command.fn)) for command in commands}

    def begin(self, number, content):
        """Call a command; its answer goes into the channel."""
        self._channel.begun(number)
        try:
            threading.Thread(target=self._run, args=(number, content), daemon=True).start()
        except RuntimeError as error:
            self._channel.fail(number, *described(error))

    def _run(self, number, content):
        # Whoever calls would wait for ever for an answer that can't be given.
        with or_leave():
            try:
                result = to_json(self._call(json.loads(content)))
            except BaseException as error:
                self._channel.fail(number, *described(error))
            else:
                self._channel.answer(number, result)

    def _call(self, call):
        name, given = call["name"], call["arguments"]
        if name not in self._commands:
            raise RuntimeError("the command %r was not registered again" % name)
        function, positional = self._commands[name]
        by_place = [given.pop(each) for each in positional if each in given]
        value = function(*by_place, **given)
        return asyncio.run(_awaited(value)) if inspect.isawaitable(value) else value


async def _awaited(value):
    return await value


def _positional(function):
    """Names of what can be passed by its place only."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    return tuple(each.name for each in parameters if each.kind is inspect.Parameter.POSITIONAL_ONLY)
