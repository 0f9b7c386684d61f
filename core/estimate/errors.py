"""What an estimate refuses to read."""


class UnreadableRequestError(ValueError):
    """A request line that cannot be estimated, with the reason."""
