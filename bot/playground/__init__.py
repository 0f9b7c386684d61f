"""A workspace in the browser: the real bot against a Slack that lives on loopback."""
