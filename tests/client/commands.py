"""The published client's commands against a running server.

    commands.py CHECK URL TOKEN BASE

CHECK is a function of this file. The server has the commands of `tests/suites/client/commands.rs`. Exit code 0 if all is
as it should be.
"""

import asyncio
import sys

from agent_sandbox.api.server_client import ServerClient
from agent_sandbox.models.errors import CommandArgumentError, CommandExecutionError, CommandNotFoundError


async def every_method(client, url, token):
    """What is listed, and what calls return."""
    for listed in (await client.commands.list(), await asyncio.to_thread(client.commands.list_sync)):
        assert [command.name for command in listed] == ["add", "flags", "fail", "client"], listed
        add = listed[0]
        assert add.description == "Add two numbers.", add
        arguments = [(each.name, each.type, each.required, each.default) for each in add.args]
        assert arguments == [("a", "integer", True, None), ("b", "integer", False, "1")], add

    assert await client.commands.run("add", a=2, b=3) == 5
    assert await client.commands.run("add", a="41") == 42
    assert await asyncio.to_thread(client.commands.run_sync, "add", a=2) == 3
    assert await client.commands.run("flags", flag="yes", names=["x"]) == [True, 1.5, ["x"]]
    assert await client.commands.run("hidden") is None
    # The server's interpreter has the client installed, under the name that the server's own module lies in.
    assert await client.commands.run("client") == "ServerClient"


async def errors(client, url, token):
    """Each refusal is the client's error for it."""
    await fails(CommandNotFoundError, client.commands.run("nope"))
    await fails(CommandArgumentError, client.commands.run("add"))
    await fails(CommandArgumentError, client.commands.run("add", a="x"))
    await fails(CommandArgumentError, client.commands.run("add", a=1, c=2))
    raised = await fails(CommandExecutionError, client.commands.run("fail"))
    assert "it failed" in str(raised), raised


async def fails(kind, call):
    """The error that a call raises."""
    try:
        result = await call
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} but {result!r}")


async def main(check, url, token, base):
    async with ServerClient(url, token=token) as client:
        await globals()[check](client, url, token)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
