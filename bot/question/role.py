"""What somebody is to the organisation whose data an answer would use."""

from enum import IntEnum


class Role(IntEnum):
    """Each may do what the ones before it may."""

    APP = 0
    """Another app or bot, or nobody at all."""
    OUTSIDE = 1
    """Somebody of another organisation, or nobody can tell of which."""
    GUEST = 2
    """Invited into some channels of the workspace."""
    UNRANKED = 3
    """Of the organisation; Slack did not say whether a guest or a member."""
    MEMBER = 4
    """A full member of the organisation."""
    DELEGATE = 5
    """Named in the setting `admins`."""
    ADMIN = 6
    """An admin or owner of the workspace, whoever installed the bot, the operator."""
