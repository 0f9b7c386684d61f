"""The most that a stated budget buys."""
