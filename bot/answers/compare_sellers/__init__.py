"""The same hardware at several sellers, or several machines."""
