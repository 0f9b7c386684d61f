"""Settings and negotiated prices as people change them in Slack."""
