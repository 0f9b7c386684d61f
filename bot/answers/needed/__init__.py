"""Whether named GPUs are needed, or others do."""
