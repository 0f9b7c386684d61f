"""Whether a poll's prices are believed, and the quarantine of those that are not."""
