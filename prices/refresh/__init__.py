"""Fetch, read, judge and record the feeds."""
