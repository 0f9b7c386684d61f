"""Subscriptions, the price series they watch, and the outbox of alerts."""
