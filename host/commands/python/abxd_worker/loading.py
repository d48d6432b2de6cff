"""Files and modules that register commands."""

import base64
import importlib
import importlib.util
import linecache
import os
import sys
import types


class Loader:
    """Runs each real file once, whatever it is called."""

    def __init__(self):
        self._count = 0

    def load(self, source):
        """Run a file, or import a module."""
        if "module" in source:
            if not self._is_loaded(_file_of_module(source["module"])):
                importlib.import_module(source["module"])
        elif not self._is_loaded(source["file"]):
            self._run(source["file"], base64.b64decode(source["text"]), source["is_script"])

    def _is_loaded(self, file):
        here = _identity(file)
        files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
        return here is not None and any(_identity(file) == here for file in files)

    def _run(self, file, text, is_script):
        directory = os.path.dirname(os.path.realpath(file))
        sys.path.insert(0, directory)
        name = "__main__" if is_script else self._name(file)
        module = types.ModuleType(name)
        module.__file__ = file
        before = sys.modules.get(name)
        sys.modules[name] = module
        try:
            code = compile(text, file, "exec", dont_inherit=True)
            # As it was read, for what shows lines of it.
            lines = importlib.util.decode_source(text).splitlines(keepends=True)
            linecache.cache[file] = (len(text), None, lines, file)
            exec(code, module.__dict__)
        except BaseException:
            sys.path.remove(directory)
            if before is None:
                del sys.modules[name]
            else:
                sys.modules[name] = before
            raise

    def _name(self, file):
        """The name under which importing the file would find it, else one that nothing else has."""
        self._count += 1
        name, extension = os.path.splitext(os.path.basename(file))
        is_free = name not in sys.modules and name not in sys.builtin_module_names
        return name if extension == ".py" and is_free else "abxd_commands_%d" % self._count


def _file_of_module(name):
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    return found.origin if found is not None and found.has_location else None


def _identity(file):
    """What tells a real file from all others."""
    try:
        found = os.stat(file)
    except (OSError, TypeError, ValueError):
        return None
    return found.st_dev, found.st_ino
