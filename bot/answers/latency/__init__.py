"""The fastest way to serve a load."""
