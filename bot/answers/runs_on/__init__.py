"""Which models given GPUs hold."""
