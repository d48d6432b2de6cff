"""The package that `agent_sandbox.server` lies in.

Another package of this name, such as that of a client, may be installed beside it. Then this one is that one too.
"""

import importlib.machinery as _machinery
import os as _os
import sys as _sys


def _other():
    """The other package's specification, if there is one on the import path."""
    own = _os.path.realpath(_os.path.dirname(_os.path.dirname(__file__)))
    places = [place for place in _sys.path if _os.path.realpath(place or _os.curdir) != own]
    found = _machinery.PathFinder.find_spec(__name__, places)
    return found if found is not None and found.loader is not None else None


# Inside abxd it comes from no file, and only where there is no other one.
_found = _other() if "__file__" in globals() else None
if _found is not None:
    __path__ = list(__path__) + list(_found.submodule_search_locations or ())
    exec(_found.loader.get_code(__name__), globals())
