"""Watches on prices, workloads and feeds: when to speak, and what to say."""
