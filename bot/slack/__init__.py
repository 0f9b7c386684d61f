"""Everything that speaks to Slack."""
