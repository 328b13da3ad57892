"""Exceptions for input that cannot be taken, and for what the machine cannot do."""

from __future__ import annotations


class Refused(ValueError):
    """What a user gave breaks the notation or the rules; the message is one sentence that says where and why."""


class Failed(Refused):
    """Nothing is wrong with the input, but the machine cannot do it: a full disk, for one."""
