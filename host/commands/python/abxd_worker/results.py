"""What a command returns, as JSON."""

import json


def to_json(value):
    """The JSON text of a value, as bytes. What JSON has no form for is shown as text."""
    plain = _plain(value, set())
    try:
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # a lone surrogate can only be escaped
        return json.dumps(plain, separators=(",", ":")).encode()


def _plain(value, around):
    """The value as JSON can have it; `around` are the containers that it lies in."""
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else None
    if not isinstance(value, (dict, list, tuple)):
        return str(value)
    if id(value) in around:
        raise ValueError("Circular reference detected")
    around.add(id(value))
    if isinstance(value, dict):
        plain = {_key(key): _plain(item, around) for key, item in value.items()}
    else:
        plain = [_plain(item, around) for item in value]
    around.discard(id(value))
    return plain


def _key(key):
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, (bool, int, float)):
        # As JSON spells them: the same as on their own.
        return json.dumps(key)
    raise TypeError("keys must be str, int, float, bool or None, not %s" % type(key).__name__)
