"""Tests; a package, so that no dependency's own `tests` stands in front of it."""
