"""Which GPUs serve a load, where, and for how much."""
