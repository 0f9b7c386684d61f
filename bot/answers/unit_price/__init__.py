"""What a million tokens, a request or a user costs."""
