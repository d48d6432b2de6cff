"""Groups of endpoints, and switching them from code."""

import enum


class CapabilityGroup(str, enum.Enum):
    """A group of endpoints."""

    CORE = "core"
    COMMANDS = "commands"
    FILE_OPS = "file_ops"
    PROCESS = "process"
    TERMINAL = "terminal"
    SYSTEM = "system"
    DEV_TOOLS = "dev_tools"
    BROWSER = "browser"
    AGENTS = "agents"

    def __str__(self):
        return self.value


class RouteTable:
    """What code changes of the server's table. The policy has the last word about groups."""

    def __init__(self):
        self._switches = []
        self._routes = []

    def enable_group(self, group):
        """Turn a group on, unless the policy says otherwise."""
        self._switches.append((_name(group), True))

    def disable_group(self, group):
        """Turn a group off, unless the policy says otherwise."""
        self._switches.append((_name(group), False))

    def route(self, method, pattern, *, group=None, auth_required=True, streaming=False, name="", scopes=()):
        """A decorator that adds a route. abxd serves none of these: it does not start then, and says so."""

        def decorate(function):
            self.register(method, pattern, function)
            return function

        return decorate

    def register(self, method, pattern, handler, **options):
        """Add a route. See `route`."""
        self._routes.append("%s %s" % (method, pattern))

    def _take(self, other):
        self._switches.extend(other._switches)
        self._routes.extend(other._routes)


def _name(group):
    return group.value if isinstance(group, CapabilityGroup) else str(group)


_default = RouteTable()


def default_table():
    """The table of the server."""
    return _default
