"""Policies as documents, and the refusal that a command may raise."""

import json
import os


class PolicyDenied(Exception):
    """A refusal. Raised in a command it is the command's error."""

    def __init__(self, code, message="", *, status=403, **details):
        super().__init__(message or code)
        self.code = code
        self.message = message or code
        self.status = status
        self.details = details


class ServerPolicy:
    """A policy document, or the file that holds one. The server checks it."""

    def __init__(self, document=None, file=None):
        self._document = document
        self._file = file

    @classmethod
    def from_dict(cls, document):
        """A document as an object."""
        if not isinstance(document, dict):
            raise TypeError("a policy document is an object, not %r" % (document,))
        return cls(document)

    @classmethod
    def from_json(cls, text):
        """A document as JSON text."""
        return cls.from_dict(json.loads(text))

    @classmethod
    def from_file(cls, path):
        """A document in a file, JSON or YAML."""
        path = os.path.abspath(os.fspath(path))
        with open(path, "rb"):
            return cls(file=path)

    @classmethod
    def preset(cls, name, **top_level):
        """A preset, with further keys of a document."""
        return cls.from_dict(dict(top_level, preset=name))

    def _options(self):
        """Options of `abxd serve`, and the variables it takes, for this policy."""
        if self._file is not None:
            return ["--policy", self._file], {}
        return [], {"ABX_SERVER_POLICY": json.dumps(self._document)}


def options(policy):
    """The same for whatever is accepted where a policy is."""
    if policy is None:
        return [], {}
    return (policy if isinstance(policy, ServerPolicy) else ServerPolicy.from_dict(policy))._options()
