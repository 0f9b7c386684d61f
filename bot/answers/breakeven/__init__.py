"""Self-hosting against an API: where one becomes cheaper than the other."""
