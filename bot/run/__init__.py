"""Compose the program, start it and keep its schedule."""
