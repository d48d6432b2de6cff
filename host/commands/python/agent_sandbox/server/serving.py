"""Starting the server from a script."""

import os
import shutil
import sys

from . import groups, policy as policies, registry as registries

# Whether this interpreter is abxd's own: then the server is there already.
in_server = False


def start(port=9000, host="0.0.0.0", registry=None, policy=None):
    """Serve what was registered, and block. In a commands file of abxd, what was registered so far counts."""
    SandboxServer(host, registry, policy=policy).serve(port)


class SandboxServer:
    """A server that is yet to be started."""

    def __init__(self, host="0.0.0.0", registry=None, route_table=None, pty_port=None, policy=None):
        self.host = host
        self.registry = registry
        self.route_table = route_table
        self.pty_port = pty_port
        self.policy = policy

    def serve(self, port=9000):
        """See `start`."""
        if in_server:
            self._count()
        else:
            self._become(port)

    def _count(self):
        own = registries.default_registry()
        if self.registry is not None and self.registry is not own:
            own._take(self.registry)
        if self.route_table is not None and self.route_table is not groups.default_table():
            groups.default_table()._take(self.route_table)
        own._frozen = True

    def _become(self, port):
        """Replace this interpreter by abxd, which runs the script again as its commands file."""
        script = getattr(sys.modules.get("__main__"), "__file__", None)
        if script is None:
            raise RuntimeError("start() serves the script that calls it, and there is none")
        given, variables = policies.options(self.policy)
        words = [_program(), "serve", "--host", str(self.host), "--port", str(int(port))]
        if self.pty_port is not None:
            words += ["--pty-port", str(int(self.pty_port))]
        words += given + ["--python", sys.executable, "--script", os.path.abspath(script)]
        words += ["--script-arg=" + word for word in sys.argv[1:]]
        sys.stdout.flush()
        sys.stderr.flush()
        os.execve(words[0], words, dict(os.environ, **variables))


def _program():
    named = os.environ.get("ABXD")
    found = named or shutil.which("abxd") or shutil.which("agent-sandbox-server")
    if not found:
        raise RuntimeError("abxd is not on the PATH; ABXD can say where it is")
    return found
