"""Whether GPUs need a fast link, or machines a fast network."""
