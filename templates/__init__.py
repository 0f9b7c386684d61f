"""Jinja2 templates of every surface; a package so that a wheel ships them."""
