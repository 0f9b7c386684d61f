"""What a month of an API costs, billed by the token."""
