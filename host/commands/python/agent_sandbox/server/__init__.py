"""What commands files and start scripts of a sandbox register commands with; the server itself is abxd.

In a file that `abxd serve --commands` runs, what is registered counts and `start()` returns. In a script that an
interpreter runs, `start()` becomes abxd, which runs the script as its commands file.
"""

from .arguments import CommandArg
from .groups import CapabilityGroup, RouteTable, default_table
from .policy import PolicyDenied, ServerPolicy
from .registry import Command, CommandRegistry, command, default_registry
from .serving import SandboxServer, start

__all__ = [
    "CapabilityGroup",
    "Command",
    "CommandArg",
    "CommandRegistry",
    "PolicyDenied",
    "RouteTable",
    "SandboxServer",
    "ServerPolicy",
    "command",
    "default_registry",
    "default_table",
    "start",
]
