"""GPUs held against each other for a training run."""
