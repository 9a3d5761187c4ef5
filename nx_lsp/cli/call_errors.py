"""What a command can fail with, as one line for the user."""

from __future__ import annotations


class CallError(Exception):
    """A call that cannot be carried out; the message is one line. Exit code 2."""
