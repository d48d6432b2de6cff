"""The published client's terminals against a running server.

    terminals.py CHECK URL TOKEN BASE

CHECK is a function of this file; the variable PTY_URL names the other port. Exit code 0 if all is as it should be.
"""

import asyncio
import inspect
import os
import sys

from agent_sandbox.api.server_client import PtyConnection, ServerClient, ServerPtyApi
from agent_sandbox.models.errors import CommandTimeoutError, ServerAPIError, ServerAuthError


async def every_method(client, url, token, pty_url):
    """Each method of sessions and connections."""
    created = await client.pty.create("/bin/sh", cols=91, rows=17, env={"MINE": "yes"})
    assert len(created.session_id) == 12 and created.pid > 0, created
    assert created.ws_url == f"{pty_url}/pty?session_id={created.session_id}".replace("127.0.0.1", "localhost"), created

    seen = await client.pty.get(created.session_id)
    assert (seen.id, seen.pid, seen.cols, seen.rows, seen.alive) == (created.session_id, created.pid, 91, 17, True), seen
    assert [each.id for each in await client.pty.list()] == [created.session_id]
    sized = await client.pty.resize(created.session_id, 100, 30)
    assert (sized.cols, sized.rows) == (100, 30), sized

    async with client.pty.connect(created.session_id) as terminal:
        started = await terminal.recv(timeout=30)
        assert (started.type, started.event) == ("event", "started"), started
        assert (started.session_id, started.pid) == (created.session_id, created.pid), started
        await terminal.send("echo \"$MINE $(stty size)\" \u4f60\n")
        await terminal.expect("yes 30 100 \u4f60", timeout=30)
        await terminal.resize(132, 43)
        await terminal.send("stty size\n")
        await terminal.expect("43 132", timeout=30)
        await terminal.send("echo wai''ting; sleep 1000\n")
        await terminal.expect("waiting", timeout=30)
        await terminal.signal("SIGINT")
        await terminal.send("echo af''ter\n")
        await terminal.expect("after", timeout=30)
        await fails(CommandTimeoutError, terminal.expect("never", timeout=0.2))

    # What was shown before is shown again; the end is an event, and the connection outlives it.
    async with client.pty.connect(created.session_id) as terminal:
        await terminal.expect("after", timeout=30)
        await terminal.send("exit 3\n")
        async for message in terminal:
            if message.type == "event" and message.event == "exited":
                break
        await terminal.send("ignored")
    assert not (await client.pty.get(created.session_id)).alive
    assert await client.pty.list() == []

    # Much output, message by message.
    created = await client.pty.create()
    async with client.pty.connect(created.session_id) as terminal:
        await terminal.send("seq 1 100000; echo 'en''d'\n")
        text = await terminal.expect("\r\nend\r\n", timeout=60)
        assert "\r1\r\n2\r\n" in text and "\r\n99999\r\n100000\r\nend" in text
    await client.pty.delete(created.session_id)
    await fails(ServerAPIError, client.pty.get(created.session_id))
    await asyncio.to_thread(in_threads, client)

    public = {name for name, _ in inspect.getmembers(ServerPtyApi, callable) if not name.startswith("_")}
    assert public == {
        "create", "list", "get", "resize", "delete", "connect",
        "create_sync", "list_sync", "get_sync", "resize_sync", "delete_sync",
    }, public
    public = {name for name, _ in inspect.getmembers(PtyConnection, callable) if not name.startswith("_")}
    assert public == {"open", "close", "send", "resize", "signal", "recv", "expect"}, public


def in_threads(client):
    """The same from code without an event loop."""
    created = client.pty.create_sync()
    assert client.pty.get_sync(created.session_id).alive
    assert client.pty.resize_sync(created.session_id, 50, 20).cols == 50
    assert [each.id for each in client.pty.list_sync()] == [created.session_id]
    client.pty.delete_sync(created.session_id)
    assert client.pty.list_sync() == []


async def errors(client, url, token, pty_url):
    """Each refusal is the client's error for it, or no message."""
    raised = await fails(ServerAPIError, client.pty.get("nope"))
    assert raised.status_code == 404, raised
    await fails(ServerAPIError, client.pty.create("/bin/dash"))
    await fails(ServerAPIError, client.pty.resize("nope", 5, 5))

    async with client.pty.connect("nope") as terminal:
        assert await terminal.recv(timeout=30) is None
    created = await client.pty.create()
    async with ServerClient(url, token="wrong", pty_url=pty_url) as other:
        await fails(ServerAuthError, other.pty.list())
        async with PtyConnection(f"{pty_url}/pty?session_id={created.session_id}", other.auth_headers(), "x") as terminal:
            assert await terminal.recv(timeout=30) is None


async def fails(kind, call):
    """The error that a call raises."""
    try:
        result = await call
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} but {result!r}")


async def main(check, url, token, base):
    pty_url = os.environ["PTY_URL"]
    async with ServerClient(url, token=token, pty_url=pty_url) as client:
        await globals()[check](client, url, token, pty_url)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
