"""Live traffic by day and batch work at night on the same GPUs."""
