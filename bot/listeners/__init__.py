"""What Slack calls: each listener short, the work done elsewhere."""
