"""Alerts in Slack: what is typed, what is answered, what is posted."""
