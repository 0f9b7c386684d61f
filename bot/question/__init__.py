"""A question as every answer gets it: who asks, what was read, at which time."""
