"""The registry: commands by name, in the order in which they were registered."""

import threading

from . import arguments


class Command:
    """One registered command."""

    __slots__ = ("name", "fn", "args", "description", "hidden", "scopes")

    def __init__(self, name, fn, args, description, hidden, scopes):
        self.name = name
        self.fn = fn
        self.args = args
        self.description = description
        self.hidden = hidden
        self.scopes = scopes

    def __repr__(self):
        return "Command(%r)" % self.name


class CommandRegistry:
    """Commands. Registering a name again replaces the first one, in its place."""

    def __init__(self):
        self._commands = {}
        # Every registration, in order.
        self._log = []
        self._frozen = False
        self._lock = threading.Lock()

    def register(self, name, fn, *, args=None, description="", hidden=False, scopes=()):
        """Register a function. Without `args` it is called without any."""
        if not isinstance(name, str) or not name:
            raise ValueError("a command needs a name, not %r" % (name,))
        if not callable(fn):
            raise TypeError("command %r: %r can't be called" % (name, fn))
        scopes = (scopes,) if isinstance(scopes, str) else tuple(scopes)
        if not all(isinstance(scope, str) for scope in scopes):
            raise TypeError("command %r: scopes are texts, not %r" % (name, scopes))
        args = [arguments.checked(argument) for argument in args or ()]
        self._add(Command(name, fn, args, str(description or ""), bool(hidden), scopes))

    def command(self, name=None, *, hidden=False, description="", scopes=(), args=None):
        """A decorator that registers a function; without `args` its signature says what it takes."""

        def decorate(function):
            taken = arguments.of_signature(function) if args is None else args
            own = function.__name__ if name is None else name
            self.register(own, function, args=taken, description=description, hidden=hidden, scopes=scopes)
            return function

        return decorate

    def get(self, name):
        """The command of that name, or None."""
        return self._commands.get(name)

    def list_all(self):
        """All commands."""
        return list(self._commands.values())

    def list_visible(self):
        """Those that are not hidden."""
        return [command for command in self._commands.values() if not command.hidden]

    def __contains__(self, name):
        return name in self._commands

    def __len__(self):
        return len(self._commands)

    def _add(self, command):
        with self._lock:
            if self._frozen:
                raise RuntimeError("command %r comes too late: the server has been started" % command.name)
            self._commands[command.name] = command
            self._log.append(command)

    def _take(self, other):
        """Register what another registry holds."""
        for command in other.list_all():
            self._add(command)


_default = CommandRegistry()


def default_registry():
    """The registry that the server serves."""
    return _default


def command(name=None, *, hidden=False, description="", scopes=(), args=None):
    """A decorator that registers a function with the server. See `CommandRegistry.command`."""
    return _default.command(name, hidden=hidden, description=description, scopes=scopes, args=args)
