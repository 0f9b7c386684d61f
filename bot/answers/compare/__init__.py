"""GPUs, offers and models held against each other."""
