"""The published client's file operations against a running server.

    files.py CHECK URL TOKEN BASE

CHECK is a function of this file, BASE the server's boundary: a folder on this machine, so that what the client did can
be looked at from outside. Exit code 0 if all is as it should be.
"""

import asyncio
import contextlib
import inspect
import io
import sys
import tarfile
import zipfile
from pathlib import Path

from agent_sandbox.api.server_client import ServerClient, ServerFilesApi
from agent_sandbox.models.errors import (
    EndpointNotAvailableError,
    FileNotFoundError_,
    FilePolicyDeniedError,
    PayloadTooLargeError,
    ServerAPIError,
    ServerAuthError,
)

NAME = "sp ace \U0001f923 \u00fc'\"$(x)#?&%.txt"


class Recorded:
    """The client's files, and which methods of them were used."""

    def __init__(self, files):
        self.files, self.used = files, set()

    def __getattr__(self, name):
        self.used.add(name)
        return getattr(self.files, name)


async def every_method(client, base):
    """Each method once and more, on a name that quoting stumbles over."""
    files, folder = Recorded(client.files), base / "a folder"
    path, moved = folder / NAME, folder / "deep" / "er.bin"

    made = await files.mkdir(str(folder))
    assert (made.path, made.created, folder.is_dir()) == (str(folder), True, True), made

    stored = await files.upload(str(path), "text \u4f60\u597d\n")
    assert (stored.path, stored.size) == (str(path), 12), stored
    assert path.read_text() == "text \u4f60\u597d\n"

    local = base.parent / "local.bin"
    local.write_bytes(bytes(range(256)) * 8000)
    assert (await files.upload_file(local, str(folder / "b.bin"))).size == 2_048_000
    assert (folder / "b.bin").read_bytes() == local.read_bytes()

    seen = await files.stat(str(path))
    assert (seen.name, seen.path, seen.type, seen.size, seen.exists) == (NAME, str(path), "file", 12, True), seen
    assert seen.permissions and seen.modified and seen.accessed and seen.created, seen
    assert await files.exists(str(path)) and not await files.exists(str(folder / "nope"))

    entries = await files.list(str(base), recursive=True)
    assert {entry.name: entry.type for entry in entries} == {"a folder": "directory", NAME: "file", "b.bin": "file"}
    assert len(await files.list(str(folder), max_entries=1)) == 1

    assert await files.read_text(str(path)) == "text \u4f60\u597d\n"
    assert await files.download(str(folder / "b.bin")) == local.read_bytes()
    assert await files.download_file(str(path), base.parent / "back.txt") == 12
    assert (base.parent / "back.txt").read_bytes() == path.read_bytes()

    found = await files.search(str(base), "*.bin", max_depth=3, max_results=10)
    assert [(hit.name, hit.path) for hit in found.results] == [("b.bin", str(folder / "b.bin"))], found
    assert found.timed_out is False

    expected = {f"a folder/{NAME}": path.read_bytes(), "a folder/b.bin": local.read_bytes()}
    for form, members in [("tar.gz", of_tar), ("zip", of_zip)]:
        packed = await files.archive([str(folder)], form)
        assert (packed.format, packed.size) == (form, len(packed.data)), packed
        assert members(packed.data) == expected, form

    gone = await files.move(str(path), str(moved))
    assert (gone.source, gone.destination) == (str(path), str(moved)), gone
    assert moved.exists() and not path.exists()

    await watched(files, folder)

    removed = await files.delete(str(folder))
    assert (removed.path, removed.deleted, folder.exists()) == (str(folder), True, False), removed

    wanted = {name for name, _ in inspect.getmembers(ServerFilesApi, inspect.isfunction)}
    wanted = {name for name in wanted if not name.startswith("_") and not name.endswith("_sync")}
    assert files.used == wanted, files.used ^ wanted


async def watched(files, folder):
    """A watch that is left early, and one for a time."""
    async with contextlib.aclosing(files.watch(str(folder), recursive=True, interval=0.1, timeout=60)) as events:
        following = asyncio.ensure_future(anext(events))
        # Nothing says when the watch is armed: the client keeps `ready` to itself.
        number = 0
        while not following.done():
            number += 1
            (folder / f"new {number}").mkdir()
            await asyncio.wait([following], timeout=0.05)
        event = await following
        assert (event.type, event.is_dir, Path(event.path).parent) == ("created", True, folder), event
    changing = asyncio.ensure_future(files.watch_for(str(folder), 1.0))
    while not changing.done():
        number += 1
        (folder / f"new {number}").mkdir()
        await asyncio.wait([changing], timeout=0.05)
    assert {event.type for event in await changing} == {"created"}


async def errors(client, base):
    """Refusals arrive as the exceptions that callers catch."""
    files, here = client.files, str(base / "file")
    (base / "file").write_text("x")
    (base / "folder").mkdir()
    for call in [files.stat, files.list, files.download, files.mkdir, files.delete]:
        denied = await raised(FilePolicyDeniedError, call("/etc/passwd"))
        assert (denied.status_code, denied.error_code) == (403, "path_not_allowed"), denied
    denied = await raised(FilePolicyDeniedError, files.move(here, "/etc/x"))
    assert "destination" in str(denied), denied
    denied = await raised(FilePolicyDeniedError, files.upload(here, b"y"))
    assert (denied.status_code, denied.error_code) == (409, "file_exists"), denied
    for call in [files.download(str(base / "nope")), files.list(here), files.archive([str(base / "nope")])]:
        await raised(FileNotFoundError_, call)
    large = await raised(PayloadTooLargeError, files.upload(str(base / "large"), bytes(101)))
    assert large.limit == 100, large
    bad = await raised(ServerAPIError, files.archive([here], "rar"))
    assert (bad.status_code, bad.error_type) == (400, "ValueError"), bad
    await raised(ServerAPIError, files.upload(str(base / "empty"), b""))
    off = await raised(EndpointNotAvailableError, files.search(str(base), "*"))
    assert "files_search" in str(vars(off)), vars(off)
    async with contextlib.aclosing(files.watch(str(base / "nope"))) as events:
        await raised(FileNotFoundError_, anext(events))
    async with client.with_token("wrong") as stranger:
        await raised(ServerAuthError, stranger.files.stat(here))


async def discovery(client, base):
    """What the client learns of the server keeps it from asking for what it would not get."""
    capabilities = await client.discover()
    assert capabilities.can("files_upload_stream") and not capabilities.can("files_search")
    large = await raised(PayloadTooLargeError, client.files.upload(str(base / "large"), bytes(101)))
    assert large.limit == 100, large
    await raised(EndpointNotAvailableError, client.files.search(str(base), "*"))
    await client.files.upload(str(base / "small"), bytes(100))


async def raised(kind, call):
    try:
        result = await call
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} but {result!r}")


def of_tar(content):
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}


def of_zip(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


async def main(check, url, token, base):
    async with ServerClient(url, token=token) as client:
        await globals()[check](client, Path(base))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
