"""Whether a model fits into the memory of given GPUs."""
