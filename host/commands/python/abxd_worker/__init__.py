"""The inside of the interpreter that abxd starts for Python commands: loads files, then serves calls from a channel."""
