"""What an operator sees: health, metrics and logs; nothing here answers a question."""
