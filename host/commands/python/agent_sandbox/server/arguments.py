"""Arguments of a command: as they are declared, and as a function's signature implies them."""

import inspect
import json
import typing

TYPES = ("string", "integer", "float", "boolean", "string_array")

_NAMES = {"int": "integer", "float": "float", "bool": "boolean"}
_LISTS = ("list[str]", "List[str]", "typing.List[str]")


class CommandArg:
    """One argument. `default` is a text, or None; of a `string_array`, the JSON text of a list of strings."""

    __slots__ = ("name", "type", "required", "default", "description")

    def __init__(self, name, type="string", required=False, default=None, description=""):
        self.name = name
        self.type = type
        self.required = required
        self.default = default
        self.description = description

    def __repr__(self):
        values = ", ".join("%s=%r" % (name, getattr(self, name)) for name in self.__slots__)
        return "CommandArg(%s)" % values

    def __eq__(self, other):
        if not isinstance(other, CommandArg):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None


def checked(argument):
    """The argument, if it can be registered."""
    if not isinstance(argument, CommandArg):
        raise TypeError("an argument is a CommandArg, not %r" % (argument,))
    if not isinstance(argument.name, str) or not argument.name:
        raise ValueError("an argument needs a name, not %r" % (argument.name,))
    if argument.type not in TYPES:
        raise ValueError("argument %r: %r is no type; there are: %s" % (argument.name, argument.type, ", ".join(TYPES)))
    if argument.default is not None and not isinstance(argument.default, str):
        raise TypeError("argument %r: a default is a text or None, not %r" % (argument.name, argument.default))
    if argument.type == "string_array" and argument.default is not None and not _is_list_of_texts(argument.default):
        message = "argument %r: a default of type string_array is the JSON text of a list of strings, not %r"
        raise ValueError(message % (argument.name, argument.default))
    return argument


def of_signature(function):
    """What a function takes, in order. What is variadic is left out: a caller has no name for it."""
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    hints = _hints(function)
    parameters = inspect.signature(function).parameters.values()
    return [_of_parameter(each, hints) for each in parameters if each.kind not in variadic]


def _hints(function):
    """The annotations as they are meant, where they were written as texts."""
    try:
        return typing.get_type_hints(function)
    except Exception:  # a name that is there for type checkers only
        return {}


def _of_parameter(parameter, hints):
    kind = _type(parameter.annotation)
    if isinstance(parameter.annotation, str) and parameter.name in hints:
        kind = _type(hints[parameter.name])
    required = parameter.default is inspect.Parameter.empty
    return CommandArg(parameter.name, kind, required, None if required else _text(kind, parameter.default))


def _type(annotation):
    if isinstance(annotation, str):
        name = annotation.replace(" ", "")
        return "string_array" if name in _LISTS else _NAMES.get(name, "string")
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "float")):
        if annotation is kind:
            return name
    is_list = getattr(annotation, "__origin__", None) is list and getattr(annotation, "__args__", None) == (str,)
    return "string_array" if is_list else "string"


def _text(kind, default):
    if kind == "string_array":
        return json.dumps([] if default is None else default, ensure_ascii=False)
    return None if default is None else str(default)


def _is_list_of_texts(text):
    try:
        items = json.loads(text)
    except ValueError:
        return False
    return isinstance(items, list) and all(isinstance(item, str) for item in items)
