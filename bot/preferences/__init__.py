"""What teams and channels set for themselves."""
