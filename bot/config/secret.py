"""A text that never prints itself."""


class SecretStr:
    """A token or a key; only who asks for it by `get_secret_value` sees it."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def get_secret_value(self) -> str:
        """Return the text itself."""
        return self._value

    def __repr__(self) -> str:
        """Say only that there is something."""
        return f"SecretStr('{'**********' if self._value else ''}')"

    def __eq__(self, other: object) -> bool:
        """Compare the texts."""
        return isinstance(other, SecretStr) and self._value == other._value

    def __hash__(self) -> int:
        """Hash the text."""
        return hash(self._value)
