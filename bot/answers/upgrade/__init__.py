"""A fleet in hand against newer GPUs."""
