"""Requests to the alerts, as commands or as sentences: one grammar reads both."""
