"""The only room that knows Slack, the terminal and the clock."""
