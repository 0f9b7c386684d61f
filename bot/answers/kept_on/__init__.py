"""GPUs that a sum keeps on, or that people get; what is spent is not watched."""
