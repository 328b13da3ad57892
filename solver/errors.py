"""The one exception for input that cannot be taken."""

from __future__ import annotations


class Refused(ValueError):
    """What a user gave breaks the notation or the rules; the message is one sentence that says where and why."""
